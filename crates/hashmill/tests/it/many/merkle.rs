//! Merkle trees and hashes of hashes, against published values and against the definitions, one
//! hash at a time.

use crate::common::answer::hex;
use crate::common::{backends, message};
use hashmill::function::{Bytes, Function};
use hashmill::many::{Label, Merkle, MountainRange, Odd, Part, Rows, Rule};
use hashmill::{
    Algorithm, Blake2s, Error, Hash, Hasher, Keccak256, Sha3_256, Sha256, Sha512, blake2b, many,
    sha256,
};

type OfSha256 = <Sha256 as Hasher>::Function;

type HashOf<'f> = &'f dyn Fn(&[u8]) -> Vec<u8>;

/// Returns the root by the definition: a split at the largest power of the arity below the number of
/// leaves (RFC 9162 §2.1.1), or of leaves that are padded to a power of the arity (SSZ), or level by
/// level (Bitcoin, fs-verity). `hash` cuts the digests.
fn root(hash: HashOf<'_>, leaves: &[Vec<u8>], odd: Odd, arity: usize) -> Vec<u8> {
    if let [leaf] = leaves {
        return leaf.clone();
    }
    let power = (0..).map(|height| arity.pow(height)).find(|&power| power >= leaves.len());
    let power = power.expect("a power");
    match odd {
        Odd::Peak => {
            // The complete subtrees, the largest first.
            let (mut rest, mut peaks) = (leaves, Vec::new());
            while !rest.is_empty() {
                let (first, others) = rest.split_at(1 << rest.len().ilog2());
                peaks.push(root(hash, first, Odd::Promote, 2));
                rest = others;
            }
            peaks.into_iter().reduce(|root, peak| hash(&[root, peak].concat())).unwrap_or_default()
        }
        Odd::Promote => {
            let parts = leaves.chunks(power / arity).map(|part| root(hash, part, odd, arity));
            hash(&parts.collect::<Vec<_>>().concat())
        }
        Odd::Zeros if leaves.len() < power => {
            let mut padded = leaves.to_vec();
            padded.resize(power, vec![0; leaves[0].len()]);
            root(hash, &padded, odd, arity)
        }
        Odd::Zeros | Odd::Duplicate | Odd::Pad => {
            let above = leaves.chunks(arity).map(|nodes| {
                let added = if odd == Odd::Pad {
                    &vec![0; nodes[0].len()]
                } else {
                    &nodes[nodes.len() - 1]
                };
                let mut nodes = nodes.to_vec();
                nodes.resize(arity, added.clone());
                hash(&nodes.concat())
            });
            root(hash, &above.collect::<Vec<_>>(), odd, arity)
        }
    }
}

/// Compares the root and the levels with the definition, for numbers of leaves that fill the lanes
/// and batches or do not. The nodes have `len` bytes.
fn agrees<F: Function, D: Bytes>(
    tree: impl Fn(Odd) -> Merkle<F, D>,
    hash: HashOf<'_>,
    (len, arity): (usize, usize),
) {
    let odds = [Odd::Promote, Odd::Duplicate, Odd::Zeros, Odd::Pad, Odd::Peak];
    for odd in odds.into_iter().filter(|&odd| arity == 2 || odd != Odd::Peak) {
        // All that end a group of 16 or 32 pairs, or begin another.
        let counts = (1..=33).chain([47, 63, 64, 65, 70, 127, 129, 513]);
        for count in counts.filter(|count| arity == 2 || count % 8 < 2) {
            let bytes = message(count * len);
            let leaves: Vec<_> = bytes.chunks(len).map(<[u8]>::to_vec).collect();
            let expected = root(hash, &leaves, odd, arity);
            let got = tree(odd).root(&mut bytes.clone()).expect("whole nodes");
            assert_eq!(got.as_ref(), expected, "{odd:?}, {count} leaves");
            let levels = tree(odd).levels(bytes.clone()).expect("whole nodes");
            assert_eq!((&levels[0], levels.last()), (&bytes, Some(&expected)), "{odd:?}, {count}");
            for (i, level) in (0..).zip(&levels).filter(|_| odd != Odd::Peak) {
                let nodes = count.div_ceil(arity.pow(i));
                assert_eq!(level.len(), nodes * len, "{odd:?}, {count}, {i}");
            }
            grows(&tree(odd), &bytes, count);
            for index in (0..count).filter(|&i| count < 20 || i % 13 == 0 || i == count - 1) {
                paths(&tree(odd), &levels, index);
            }
        }
    }
}

/// Appends leaves in pieces of several lengths, and compares the roots with those of all leaves.
fn grows<F: Function, D: Bytes>(tree: &Merkle<F, D>, leaves: &[u8], count: usize) {
    let len = leaves.len() / count;
    let (mut range, mut done) = (MountainRange::new(tree.clone()), 0);
    for piece in [1, 0, 2, 1, 7, 16, 3, 40, 64, usize::MAX] {
        let end = count.min(done + piece.min(count));
        assert!(range.append(&leaves[done * len..end * len]).is_ok());
        done = end;
        let expected = tree.root(&mut leaves[..done * len].to_vec()).expect("whole digests");
        assert!(range.root() == expected, "{done} leaves");
        assert_eq!(range.count(), done as u64);
        range =
            MountainRange::from_peaks(tree.clone(), range.count(), range.peaks()).expect("peaks");
    }
}

/// Checks that a leaf's path leads to the root, and to no root with another leaf, index or path.
fn paths<F: Function, D: Bytes>(tree: &Merkle<F, D>, levels: &[Vec<u8>], index: usize) {
    let (len, path) = (levels[levels.len() - 1].len(), tree.path(levels, index));
    let (count, root) = (levels[0].len() / len, &levels[levels.len() - 1][..]);
    let leaf = &levels[0][index * len..][..len];
    let at = [index as u64, count as u64];
    let is_root = |leaf: &[u8], at, path: &[u8]| {
        tree.root_of_path(leaf, at, path).is_some_and(|it| it.as_ref() == root)
    };
    assert!(is_root(leaf, at, &path), "leaf {index} of {count}");
    let other: Vec<u8> = leaf.iter().map(|byte| !byte).collect();
    assert!(!is_root(&other, at, &path));
    assert!(!is_root(leaf, [at[1], at[1]], &path));
    assert!(!is_root(&leaf[1..], at, &path));
    assert!(!is_root(leaf, at, &[&path[..], leaf].concat()));
    assert!(path.is_empty() || !is_root(leaf, at, &path[..path.len() - len]));
    assert!(path.is_empty() || !is_root(leaf, at, &path[1..]));
    for byte in (0..path.len()).step_by(len * path.len().div_ceil(16 * len).max(1)) {
        let mut path = path.clone();
        path[byte] ^= 1;
        assert!(!is_root(leaf, at, &path), "leaf {index} of {count}, byte {byte}");
    }
}

#[test]
fn trees_agree_with_their_definitions() {
    backends::each_of(Algorithm::Sha256, |_| {
        let plain = |odd| Merkle::new(Sha256::new(), odd);
        agrees(plain, &|pair| sha256(pair).to_vec(), (32, 2));
        agrees(|odd| plain(odd).twice(), &|pair| sha256(*sha256(pair)).to_vec(), (32, 2));
        let prefixed = Sha256::new().update([1]).clone();
        agrees(
            |odd| Merkle::new(prefixed.clone(), odd),
            &|pair| prefixed.hash(pair).to_vec(),
            (32, 2),
        );
        agrees(
            |odd| Merkle::new(prefixed.clone(), odd).twice(),
            &|pair| sha256(*prefixed.hash(pair)).to_vec(),
            (32, 2),
        );
    });
    agrees(
        |odd| Merkle::new(Sha512::new(), odd),
        &|pair| Sha512::new().hash(pair).to_vec(),
        (64, 2),
    );
    agrees(
        |odd| Merkle::new(Sha3_256::new(), odd),
        &|pair| Sha3_256::new().hash(pair).to_vec(),
        (32, 2),
    );
    agrees(
        |odd| Merkle::new(Blake2s::new(), odd),
        &|pair| Blake2s::new().hash(pair).to_vec(),
        (32, 2),
    );
    let short = blake2b::Params::new().output_len(20).key(b"key").build().expect("parameters");
    agrees(|odd| Merkle::new(short.clone(), odd), &|pair| short.hash(pair).to_vec(), (20, 2));
}

/// Trees of every arity, over nodes of every length.
#[test]
fn arities_and_lengths_of_nodes() {
    let tree = |odd, arity, len| {
        let tree = Merkle::new(Sha256::new(), odd).arity(arity).and_then(|tree| tree.cut(len));
        tree.expect("a tree")
    };
    for (arity, len) in [(2, 16), (3, 32), (4, 24), (5, 8), (16, 20), (128, 32)] {
        let hash = |nodes: &[u8]| sha256(nodes)[..len].to_vec();
        agrees(|odd| tree(odd, arity, len), &hash, (len, arity));
    }
    let hash = |nodes: &[u8]| sha256(*sha256(nodes))[..24].to_vec();
    let twice = |odd| Merkle::new(Sha256::new(), odd).twice().arity(3)?.cut(24);
    agrees(|odd| twice(odd).expect("a tree"), &hash, (24, 3));
    // The lengths that fit, and those that do not.
    let tree = |odd| Merkle::new(Sha256::new(), odd);
    let error = |arity, len| Error::MerkleShape { arity, len };
    for arity in [0, 1, 129, usize::MAX] {
        assert_eq!(tree(Odd::Promote).arity(arity).err(), Some(error(arity as u64, 32)));
    }
    assert_eq!(tree(Odd::Peak).arity(3).err(), Some(error(3, 32)));
    assert_eq!(tree(Odd::Promote).cut(0).err(), Some(error(2, 0)));
    assert_eq!(tree(Odd::Promote).cut(33).err(), Some(error(2, 33)));
    let tree = tree(Odd::Pad).cut(1).and_then(|tree| tree.arity(4096)).expect("a tree");
    assert_eq!(tree.clone().arity(4097).err(), Some(error(4097, 1)));
    assert_eq!(
        tree.root(&mut [7; 2]).expect("nodes")[..],
        sha256([[7; 2].as_slice(), &[0; 4094]].concat())[..1]
    );
    // The arity of a rule follows from the length, unless it was chosen.
    let verity = || Merkle::<OfSha256>::of(Rule::Verity);
    let (cut, chosen) = (verity().cut(16), verity().arity(3).and_then(|tree| tree.cut(16)));
    let (of_many, of_three) = (sha256([7; 4096].as_slice()), sha256([7; 48].as_slice()));
    let root = |tree: Result<Merkle<_, _>, _>, len| tree.and_then(|it| it.root(&mut vec![7; len]));
    assert_eq!(root(cut, 4096).expect("a tree")[..], of_many[..16]);
    assert_eq!(root(chosen, 48).expect("a tree")[..], of_three[..16]);
    assert_eq!(verity().cut(33).err(), Some(error(124, 33)));
    let root = |arity, len, leaves: &mut [u8]| {
        Algorithm::Sha256.merkle_root_of(Rule::Bitcoin, Some(arity), len, leaves)
    };
    let of_rule =
        |len| Algorithm::Sha256.merkle_root_of(Rule::Verity, None, len, &mut []).map(drop);
    assert_eq!([of_rule(0), of_rule(33)], [Err(error(4096, 0)), Err(error(124, 33))]);
    assert_eq!(root(2, 0, &mut []), Err(error(2, 0)));
    assert_eq!(root(1, 32, &mut []), Err(error(1, 32)));
    assert_eq!(root(2, 33, &mut []), Err(error(2, 33)));
    assert_eq!(root(2, 20, &mut [0; 32]), Err(Error::RowWidth { given: 32, width: 20 }));
}

/// The roots of the test tree of the Certificate Transparency project (its file
/// `merkle_tree_test.cc`), for its first one to eight entries.
#[test]
fn certificate_transparency() {
    let entries = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"];
    let entries = [&entries[..], &["606162636465666768696a6b6c6d6e6f"]].concat();
    let entries: Vec<_> = entries.into_iter().map(hex).collect();
    let roots = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    let tree = Merkle::<OfSha256>::of(Rule::Rfc6962);
    for (count, expected) in (1..).zip(roots) {
        let mut leaves = vec![0; count * 32];
        let hashed = Sha256::new().update([0]).hash_many(&entries[..count], &mut leaves);
        assert_eq!(hashed, Ok(()));
        assert_eq!(tree.root(&mut leaves).map(|root| root.to_string()), Ok(expected.to_owned()));
    }
    assert_eq!(tree.root(&mut []), Ok(sha256(b"")));
    // The paths of that file: the number of the leaf from 1, that of leaves, and the nodes.
    let (a, b, c) = (
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    );
    let first = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
    let sixth = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
    for (leaf, count, path) in [
        (1, 8, &[first, a, b][..]),
        (6, 8, &[c, sixth, roots[3]]),
        (3, 3, &[roots[1]]),
        (2, 5, &[roots[0], a, c]),
    ] {
        let mut leaves = vec![0; count * 32];
        let hashed = Sha256::new().update([0]).hash_many(&entries[..count], &mut leaves);
        assert_eq!(hashed, Ok(()));
        let levels = tree.levels(leaves).expect("whole digests");
        assert_eq!(tree.path(&levels, leaf - 1), hex(&path.concat()), "leaf {leaf} of {count}");
    }
}

/// Block 100,000 of Bitcoin: the root of its four transactions, and block 0's hash. Bitcoin prints
/// digests with their bytes in the opposite order.
#[test]
fn bitcoin() {
    let reversed = |digits: &str| hex(digits).into_iter().rev().collect::<Vec<_>>();
    let ids = [
        "8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87",
        "fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4",
        "6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4",
        "e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d",
    ];
    let mut leaves = ids.map(reversed).concat();
    let root = Merkle::<OfSha256>::of(Rule::Bitcoin).root(&mut leaves);
    let expected = "f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766";
    assert_eq!(root.expect("whole digests")[..], reversed(expected));

    let header = [
        "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b2",
        "7ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c",
    ];
    let header = hex(&header.concat());
    let expected = reversed("000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f");
    for count in [1, 2, 31, 32, 33, 100] {
        let headers = header.repeat(count);
        let mut digests = vec![0; count * 32];
        let rows = Rows::new(&headers, 80).expect("whole rows");
        assert_eq!(many::hash_twice::<Sha256>(&rows, &mut digests), Ok(()));
        assert_eq!(digests, expected.repeat(count), "{count} headers");
    }
    let error = many::hash_twice::<Sha256>(&[header], &mut [0; 31]);
    assert_eq!(error, Err(Error::OutputLength { given: 31, expected: 32 }));
}

/// The roots of zeros that Ethereum's deposit contract computes, for one and two levels.
#[test]
fn zeros() {
    let tree = Merkle::<OfSha256>::of(Rule::Ssz);
    let roots = [
        (2, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"),
        (3, "db56114e00fdd4c1f85c892bf35ac9a89289aaecb1ebd0a96cde606a748b5d71"),
    ];
    for (count, expected) in roots {
        let root = tree.root(&mut vec![0; count * 32]);
        assert_eq!(root.map(|root| root.to_string()), Ok(expected.to_owned()));
    }
    assert_eq!(tree.root(&mut []), Ok([0; 32].into()));
}

/// Every function, chosen at run time, under every rule.
#[test]
fn chosen_at_run_time() {
    for &algorithm in Algorithm::ALL {
        let len = algorithm.output_len();
        let hash = |message: &[u8]| algorithm.hash(message).to_vec();
        let prefixed = |pair: &[u8]| hash(&[&[1], pair].concat());
        let twice = |pair: &[u8]| hash(&hash(pair));
        let rules: [(Rule, HashOf<'_>, Odd, Vec<u8>); 4] = [
            (Rule::Rfc6962, &prefixed, Odd::Promote, hash(b"")),
            (Rule::Bitcoin, &twice, Odd::Duplicate, vec![0; len]),
            (Rule::Ssz, &hash, Odd::Zeros, vec![0; len]),
            (Rule::Verity, &hash, Odd::Pad, vec![0; len]),
        ];
        for (rule, hash, odd, of_none) in rules {
            let arity = if rule == Rule::Verity { 4096 / len } else { 2 };
            for count in [1, 2, 3, 5, 8, 37] {
                let bytes = message(count * len);
                let leaves: Vec<_> = bytes.chunks(len).map(<[u8]>::to_vec).collect();
                let got = algorithm.merkle_root(rule, &mut bytes.clone()).expect("whole digests");
                let expected = root(hash, &leaves, odd, arity);
                assert_eq!(got[..], expected, "{algorithm} {rule:?} {count}");
                // Five nodes below each, of 9 bytes.
                let leaves: Vec<_> = bytes.chunks_exact(9).map(<[u8]>::to_vec).collect();
                let got = algorithm.merkle_root_of(rule, Some(5), 9, &mut leaves.concat());
                let cut = |nodes: &[u8]| hash(nodes)[..9].to_vec();
                let expected = root(&cut, &leaves, odd, 5);
                assert_eq!(got.expect("whole nodes")[..], expected, "{algorithm} {rule:?} {count}");
            }
            let got = algorithm.merkle_root(rule, &mut []).expect("no leaves");
            assert_eq!(got[..], of_none, "{algorithm} {rule:?}");
            let error = Error::RowWidth { given: len as u64 + 1, width: len as u64 };
            assert_eq!(algorithm.merkle_root(rule, &mut vec![0; len + 1]), Err(error));
        }
    }
}

/// Trees that grow and paths, of every function and rule, against the roots of all leaves.
#[test]
fn trees_and_paths_at_run_time() {
    use Rule::{Bitcoin, CommonwareBmt, CommonwareMmr, Rfc6962, Ssz, Verity};
    for &algorithm in Algorithm::ALL {
        for rule in [Rfc6962, Bitcoin, Ssz, CommonwareMmr, CommonwareBmt, Verity] {
            for len in [algorithm.output_len(), 9] {
                let (leaves, mut peaks) = (message(140 * len), [0; 12_000]);
                let (mut count, mut done) = (0, 0);
                for piece in [0, 1, 0, 2, 1, 7, 16, 3, 70, 40] {
                    let mut nodes = leaves[done * len..][..piece * len].to_vec();
                    let used =
                        algorithm.merkle_append(rule, len, &mut count, &mut peaks, &mut nodes);
                    let used = used.expect("room for the peaks");
                    if rule != Verity {
                        assert_eq!(used, count.count_ones() as usize * len);
                    }
                    done += piece;
                    assert_eq!(count, done as u64);
                    let root = algorithm.merkle_root_of_peaks(rule, len, count, &peaks[..used]);
                    let mut nodes = leaves[..done * len].to_vec();
                    let expected = algorithm.merkle_root_of(rule, None, len, &mut nodes);
                    assert_eq!(root, expected, "{algorithm} {rule:?}, {done} leaves of {len}");
                }
                for count in [1, 2, 7, 21, 140] {
                    let (leaves, indices) = (&leaves[..count * len], [count / 2, 0, count - 1]);
                    let root = algorithm.merkle_root_of(rule, None, len, &mut leaves.to_vec());
                    let paths = algorithm.merkle_paths(rule, len, &mut leaves.to_vec(), &indices);
                    let paths = paths.expect("whole nodes");
                    let each = indices.iter().zip(&paths).map(|(&index, path)| {
                        (&leaves[index * len..][..len], [index as u64, count as u64], &path[..])
                    });
                    let roots = algorithm.merkle_roots_of_paths(rule, len, each.clone());
                    let expected = root.expect("whole nodes");
                    assert_eq!(roots.expect("nodes"), [Some(expected); 3], "{algorithm} {rule:?}");
                    for (leaf, at, path) in each {
                        assert_eq!(rule.path_len(len, at), Some(path.len()));
                        let root = algorithm.merkle_root_of_path(rule, leaf, at, path);
                        assert_eq!(root, Some(expected));
                    }
                }
            }
        }
    }
}

/// What a tree that grows does not take. Nothing changes then.
#[test]
fn trees_that_do_not_grow() {
    let append = |count: u64, peaks: &mut [u8], leaves: &mut [u8]| {
        let (before, kept) = (peaks.to_vec(), leaves.to_vec());
        let mut after = count;
        let got = Algorithm::Sha256.merkle_append(Rule::Rfc6962, 32, &mut after, peaks, leaves);
        assert_eq!((after, &*peaks, &*leaves), (count, &before[..], &kept[..]));
        got
    };
    let short = |given, expected| Err(Error::OutputLength { given, expected });
    assert_eq!(append(3, &mut [0; 63], &mut [0; 32]), short(63, 64));
    assert_eq!(append(2, &mut [0; 63], &mut [0; 32]), short(63, 64));
    assert_eq!(
        append(2, &mut [0; 64], &mut [0; 33]),
        Err(Error::RowWidth { given: 33, width: 32 })
    );
    assert_eq!(append(u64::MAX, &mut [0; 2048], &mut [0; 32]), Err(Error::MessageTooLong));
    let sha256 = Algorithm::Sha256;
    assert_eq!(sha256.merkle_root_of_peaks(Rule::Ssz, 32, 3, &[0; 63]).err(), short(63, 64).err());
    let error = Some(Error::MerkleShape { arity: 2, len: 33 });
    assert_eq!(sha256.merkle_root_of_peaks(Rule::Ssz, 33, 0, &[]).err(), error);
    assert_eq!(sha256.merkle_append(Rule::Ssz, 33, &mut 0, &mut [], &mut []).err(), error);
    for (len, at) in [(0, [0, 1]), (65, [0, 1]), (5000, [0, 1]), (32, [1, 1])] {
        assert_eq!(Rule::Verity.path_len(len, at), None);
    }
    let tree = Merkle::<OfSha256>::of(Rule::Ssz);
    let range = MountainRange::from_peaks(tree, u64::MAX, &[0; 2048]);
    assert_eq!(range.expect("64 peaks").append(&[0; 32]).err(), Some(Error::MessageTooLong));
}

/// The label of every part: what it is, its height and its index. A node's is that of the definition,
/// level by level.
#[test]
fn labels() {
    let label = |part: Part| -> Vec<u8> {
        match part {
            Part::Leaf(index) => [&[7], &index.to_le_bytes()[..]].concat(),
            Part::Node { height, index } => [&[height as u8], &index.to_le_bytes()[..5]].concat(),
            Part::Root(count) => vec![0xFF, count as u8],
        }
    };
    fn labels(part: Part) -> Option<Label> {
        let number = |number: u64, first: u8| {
            let mut label = [first; 9];
            label[1..].copy_from_slice(&number.to_le_bytes());
            label
        };
        Some(match part {
            Part::Leaf(index) => number(index, 7).into(),
            Part::Node { height, index } => {
                let label = number(index, height as u8);
                <[u8; 6]>::try_from(&label[..6]).expect("six bytes").into()
            }
            Part::Root(count) => [0xFF, count as u8].into(),
        })
    }
    let hash = |part: Part, message: &[u8]| sha256([&label(part), message].concat()).to_vec();
    let trees = [
        (Odd::Promote, 2),
        (Odd::Duplicate, 2),
        (Odd::Peak, 2),
        (Odd::Promote, 5),
        (Odd::Duplicate, 3),
        (Odd::Pad, 128),
    ];
    for (odd, arity) in trees {
        let tree =
            |odd| Merkle::new(Sha256::new(), odd).labels(labels).arity(arity).expect("a tree");
        for count in (1..40).chain([255, 256, 300, 1000]) {
            let entries: Vec<Vec<u8>> = (0..count).map(|i| message(i % 70)).collect();
            let leaves = tree(odd).leaves(&entries);
            let mut level: Vec<Vec<u8>> =
                (0..).zip(&entries).map(|(i, entry)| hash(Part::Leaf(i), entry)).collect();
            assert_eq!(leaves, level.concat());
            let (mut height, mut peaks) = (0, Vec::new());
            while level.len() > 1 {
                height += 1;
                if odd == Odd::Peak && level.len() % 2 == 1 {
                    peaks.extend(level.pop());
                }
                let node = |(index, nodes): (u64, &[Vec<u8>])| {
                    let mut group = nodes.concat();
                    match (nodes, odd) {
                        ([one], Odd::Promote) => return one.clone(),
                        (_, Odd::Duplicate) => {
                            group.extend(nodes[nodes.len() - 1].repeat(arity - nodes.len()));
                        }
                        (_, Odd::Pad) => group.resize(arity * 32, 0),
                        _ => {}
                    }
                    hash(Part::Node { height, index }, &group)
                };
                level = (0..).zip(level.chunks(arity)).map(node).collect();
            }
            peaks.push(level.remove(0));
            let fold = |root: Vec<u8>, peak: Vec<u8>| sha256([root, peak].concat()).to_vec();
            let root = peaks.into_iter().rev().reduce(fold).unwrap_or_default();
            let root = hash(Part::Root(count as u64), &root);
            assert_eq!(
                tree(odd).root(&mut leaves.clone()).expect("digests")[..],
                root,
                "{odd:?} {count}"
            );
            let levels = tree(odd).levels(leaves.clone()).expect("digests");
            assert_eq!(levels[levels.len() - 1], root, "{odd:?} {count}");
            for index in (0..count).filter(|&i| count < 20 || i % 13 == 0 || i == count - 1) {
                let path = tree(odd).path(&levels, index);
                let leaf = &leaves[index * 32..][..32];
                let at = [index as u64, count as u64];
                let got = tree(odd).root_of_path(leaf, at, &path).expect("a path");
                assert_eq!(got[..], root, "{odd:?}: {index} of {count}");
                let further = [&path[..], leaf].concat();
                assert_eq!(tree(odd).root_of_path(leaf, at, &further), None);
                assert_eq!(tree(odd).root_of_path(leaf, [at[1], at[1]], &path), None);
            }
            // All leaves at once, between paths that are none.
            let paths: Vec<_> = (0..count).map(|index| tree(odd).path(&levels, index)).collect();
            let other = |path: &[u8]| match path.len() {
                0 => vec![0; 32],
                len => path[..len - 32].to_vec(),
            };
            let others: Vec<_> = paths.iter().map(|path| other(path)).collect();
            let of_leaf = |index: usize, paths| {
                let paths: &Vec<Vec<u8>> = paths;
                let leaf = &leaves[index * 32..][..32];
                (leaf, [index as u64, count as u64], &paths[index][..])
            };
            let all = (0..count).flat_map(|i| [of_leaf(i, &paths), of_leaf(i, &others)]);
            for (i, got) in tree(odd).roots_of_paths(all).into_iter().enumerate() {
                let expected = (i % 2 == 0).then(|| root.clone());
                assert_eq!(got.map(|it| it.to_vec()), expected, "{odd:?}: {i} of {count}");
            }
            let mut range = MountainRange::new(tree(odd));
            for piece in entries.chunks(1 + count / 3) {
                range.append_entries(piece);
            }
            assert_eq!(range.root()[..], root, "{odd:?} {count}");
        }
    }
    // Numbers that no tree has give no panic.
    for (odd, arity) in trees {
        let tree = Merkle::new(Sha256::new(), odd).labels(labels).arity(arity).expect("a tree");
        for count in [u64::MAX, 1 << 63, (1 << 63) + 1] {
            for index in [0, 1, count - 1] {
                for len in [0, 1, 63, 64, 70] {
                    let path = vec![0; len * 32];
                    let _ = tree.root_of_path(&[0; 32], [index, count], &path);
                }
            }
        }
    }
}

/// Positions in post-order, as the documentation of the crate commonware-storage numbers them.
#[test]
fn positions_in_a_mountain_range() {
    let leaves = [0, 1, 3, 4, 7, 8, 10, 11, 15, 16, 18];
    for (index, position) in (0..).zip(leaves) {
        assert_eq!(Part::Leaf(index).position(), position);
    }
    let nodes = [
        (1, 0, 2),
        (1, 1, 5),
        (2, 0, 6),
        (1, 2, 9),
        (1, 3, 12),
        (2, 1, 13),
        (3, 0, 14),
        (1, 4, 17),
    ];
    for (height, index, position) in nodes {
        assert_eq!(Part::Node { height, index }.position(), position);
    }
    assert_eq!(Part::Root(11).position(), 19);
}

/// The roots that other systems compute (`vectors/systems/merkle.json`).
#[test]
fn answers_of_systems() {
    type OfKeccak256 = <Keccak256 as Hasher>::Function;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/systems/merkle.json");
    let file = std::fs::read_to_string(path).expect("the file of answers");
    let file: serde_json::Value = serde_json::from_str(&file).expect("JSON");
    let answers = file["answers"].as_array().expect("a list");
    assert_eq!(answers.len(), 37);
    for answer in answers {
        let count = answer["leaves"].as_u64().expect("a number") as usize;
        let entries: Vec<Vec<u8>> =
            (0..count).map(|i| (i..i + i % 50).map(|n| (n % 251) as u8).collect()).collect();
        let mut root = String::new();
        if answer["system"] == "dm-verity" {
            let name = answer["algorithm"].as_str().expect("a name");
            let algorithm: Algorithm = name.parse().expect("an algorithm");
            let block = |i: usize| (i..i + 4096).map(|n| (n % 251) as u8).collect::<Vec<_>>();
            let mut leaves: Vec<u8> =
                (0..count).flat_map(|i| algorithm.hash(block(i)).to_vec()).collect();
            root += &algorithm.merkle_root(Rule::Verity, &mut leaves).expect("digests").to_string();
        } else if answer["system"] == "rs_merkle" {
            let tree = Merkle::<OfKeccak256>::new(Hash::new(), Odd::Promote);
            root += &tree.root(&mut tree.leaves(&entries)).expect("digests").to_string();
        } else {
            let mmr = answer["system"] == "commonware MMR";
            let rule = if mmr { Rule::CommonwareMmr } else { Rule::CommonwareBmt };
            let tree = Merkle::<OfSha256>::of(rule);
            // The leaves of the binary tree are digests already.
            let entries: Vec<Vec<u8>> = match mmr {
                true => entries,
                false => entries.iter().map(|entry| sha256(entry).to_vec()).collect(),
            };
            let mut range = MountainRange::new(tree.clone());
            entries.chunks(17).for_each(|piece| _ = range.append_entries(piece));
            assert_eq!(tree.root(&mut tree.leaves(&entries)).as_ref(), Ok(&range.root()));
            root += &range.root().to_string();
        }
        assert_eq!(answer["root"], *root, "{answer}");
    }
}

/// The path of a leaf in a signature of LMS with nodes of 24 bytes (RFC 8554 §5.3 and §5.4.2, RFC 9858):
/// before a node comes the tree's identifier, the node's number from the root, and `D_INTR`.
#[test]
fn lms() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/systems/merkle.json");
    let file = std::fs::read_to_string(path).expect("the file of answers");
    let file: serde_json::Value = serde_json::from_str(&file).expect("JSON");
    let [key, message, signature] = ["public key", "message", "signature"]
        .map(|name| hex(file["LMS"][name].as_str().expect("digits")));
    let (id, root) = (&key[12..28], &key[28..]);
    let (leaf, one_time, path) = (&signature[4..8], &signature[12..660], &signature[664..]);
    let hash = |parts: &[&[u8]]| sha256([&[id], parts].concat().concat())[..24].to_vec();
    // The candidate for the leaf: the ends of the one-time signature's chains (RFC 8554 §4.6).
    let (random, chains) = one_time.split_at(24);
    let mut steps = hash(&[leaf, &[0x81, 0x81], random, &message]);
    let sum: u16 = steps.iter().map(|&step| 255 - u16::from(step)).sum();
    steps.extend(sum.to_be_bytes());
    let ends = (0_u16..).zip(steps).zip(chains.chunks(24)).flat_map(|((i, step), chain)| {
        let next = |node: Vec<u8>, j: u8| hash(&[leaf, &i.to_be_bytes(), &[j], &node]);
        (step..255).fold(chain.to_vec(), next)
    });
    let key_of_leaf = hash(&[leaf, &[0x80, 0x80], &ends.collect::<Vec<_>>()]);
    let index = u32::from_be_bytes(leaf.try_into().expect("four bytes"));
    let leaf = hash(&[&(32 + index).to_be_bytes(), &[0x82, 0x82], &key_of_leaf]);

    let labels = |part: Part| {
        let Part::Node { height, index } = part else { return None };
        let [a, b, c, d] = ((32 >> height) + index as u32).to_be_bytes();
        Some([a, b, c, d, 0x83, 0x83].into())
    };
    let tree = Merkle::new(Sha256::new().update(id).clone(), Odd::Promote).labels(labels);
    let tree = tree.cut(24).expect("a tree");
    let at = [index.into(), 32];
    assert_eq!(tree.root_of_path(&leaf, at, path).map(|root| root.to_vec()), Some(root.to_vec()));
    assert!(tree.root_of_path(&leaf, [4, 32], path).is_some_and(|other| other[..] != *root));
}

#[test]
fn lengths_that_are_no_digests() {
    let tree = Merkle::<OfSha256>::new(Hash::new(), Odd::Promote);
    let error = |given, width| Error::RowWidth { given, width };
    assert_eq!(tree.root(&mut [0; 33]).err(), Some(error(33, 32)));
    assert_eq!(tree.levels(vec![0; 31]).err(), Some(error(31, 32)));
    assert_eq!(tree.pairs(&mut [0; 96]).err(), Some(error(96, 64)));
    let mut nodes = [7; 128];
    assert_eq!(tree.pairs(&mut nodes), Ok(&mut sha256([7; 64].as_slice()).repeat(2)[..]));
    assert_eq!(nodes[64..], [7; 64]);
    assert_eq!(tree.pairs(&mut []), Ok(&mut [][..]));
    assert_eq!(tree.levels(Vec::new()), Ok(vec![Vec::new(), sha256(b"").to_vec()]));
    let mut range = MountainRange::new(tree.clone());
    assert_eq!(range.append(&[0; 33]).err(), Some(error(33, 32)));
    assert_eq!((range.count(), range.root()), (0, sha256(b"")));
    assert_eq!(MountainRange::from_peaks(tree, 3, &[0; 32]).err(), Some(error(32, 64)));
}
