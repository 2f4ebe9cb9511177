//! The interfaces around the hash functions: bytes in and out in every way, names, digests as text, and
//! every refusal.

#[macro_use]
#[path = "common/algorithms.rs"]
mod algorithms;

use hashmill::{
    Algorithm, AnyHasher, AnyHmac, Digest, Error, Exported, Hasher, Hmac, LastNode, VarDigest, Xof,
    XofReader, backend, many,
};
use std::panic::catch_unwind;

fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * i + i / 251) as u8).collect()
}

/// One that takes bytes, seen without its type.
trait Sink {
    fn put(&mut self, data: &[u8]);
    fn put_bytes(&mut self, bytes: &mut dyn Iterator<Item = u8>);
    fn put_refs(&mut self, bytes: &[u8]);
    fn result(&self) -> Vec<u8>;
    fn copy(&self) -> Box<dyn Sink>;
    fn debug(&self) -> String;
    #[cfg(feature = "std")]
    fn put_reader(&mut self, reader: &mut dyn std::io::Read) -> std::io::Result<u64>;
    #[cfg(feature = "std")]
    fn as_write(&mut self) -> &mut dyn std::io::Write;
}

macro_rules! sink {
    ($Type:ty, $result:expr) => {
        impl Sink for $Type {
            fn put(&mut self, data: &[u8]) {
                self.update(data);
            }
            fn put_bytes(&mut self, bytes: &mut dyn Iterator<Item = u8>) {
                self.extend(bytes);
            }
            fn put_refs(&mut self, bytes: &[u8]) {
                self.extend(bytes);
            }
            fn result(&self) -> Vec<u8> {
                let result: fn(&Self) -> Vec<u8> = $result;
                result(self)
            }
            fn copy(&self) -> Box<dyn Sink> {
                Box::new(self.clone())
            }
            fn debug(&self) -> String {
                format!("{self:?}")
            }
            #[cfg(feature = "std")]
            fn put_reader(&mut self, reader: &mut dyn std::io::Read) -> std::io::Result<u64> {
                self.update_reader(reader)
            }
            #[cfg(feature = "std")]
            fn as_write(&mut self) -> &mut dyn std::io::Write {
                self
            }
        }
    };
}

macro_rules! fixed_sinks {
    ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
        sink!(hashmill::$Type, |hasher| hasher.finalize().to_vec());
        sink!(Hmac<hashmill::$Type>, |hmac| hmac.finalize().to_vec());
    )* };
}
each!(fixed fixed_sinks);
macro_rules! xof_sinks {
    ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
        sink!(hashmill::$Type, |xof| xof.finalize_xof().take(50).collect());
    )* };
}
each!(xof xof_sinks);
sink!(AnyHasher, |hasher| hasher.finalize().to_vec());
sink!(AnyHmac, |hmac| hmac.finalize().to_vec());

/// Everything that takes bytes, with its name; each has absorbed nothing.
fn sinks() -> Vec<(String, Box<dyn Sink>)> {
    let mut sinks: Vec<(String, Box<dyn Sink>)> = Vec::new();
    macro_rules! fixed {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            sinks.push((stringify!($Type).into(), Box::new(hashmill::$Type::new())));
            let name = format!("Hmac<{}>", stringify!($Type));
            sinks.push((name, Box::new(Hmac::<hashmill::$Type>::new(b"key"))));
        )* };
    }
    each!(fixed fixed);
    macro_rules! xof {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            sinks.push((stringify!($Type).into(), Box::new(hashmill::$Type::new())));
        )* };
    }
    each!(xof xof);
    for algorithm in Algorithm::ALL {
        sinks.push((format!("any {algorithm}"), Box::new(algorithm.hasher())));
        if let Ok(hmac) = algorithm.hmac(b"key") {
            sinks.push((format!("any HMAC-{algorithm}"), Box::new(hmac)));
        }
    }
    sinks
}

#[test]
fn iterators_in() {
    // Extend gathers 512 bytes at a time.
    let lengths = [0, 1, 511, 512, 513, 1024, 3000];
    for (name, start) in sinks() {
        for len in lengths {
            let message = message(len);
            let mut expected = start.copy();
            expected.put(&message);
            let expected = expected.result();

            let mut sink = start.copy();
            sink.put_bytes(&mut message.iter().copied());
            assert_eq!(sink.result(), expected, "{name}, {len} bytes");
            let mut sink = start.copy();
            sink.put_refs(&message);
            assert_eq!(sink.result(), expected, "{name}, {len} bytes by reference");
            let mut sink = start.copy();
            let (begin, rest) = message.split_at(len / 3);
            sink.put_refs(begin);
            sink.put_bytes(&mut rest.iter().copied());
            assert_eq!(sink.result(), expected, "{name}, {len} bytes in two parts");
        }
    }
}

#[test]
fn an_iterator_is_left_at_its_end() {
    for len in [0, 511, 512, 513] {
        let mut asked = 0;
        let mut bytes = std::iter::from_fn(|| {
            asked += 1;
            // More would come if it were asked again.
            (asked != len + 1).then_some(7)
        });
        let mut hasher = hashmill::Sha256::new();
        hasher.extend(&mut bytes);
        assert_eq!(hasher.finalize(), hashmill::sha256(&vec![7; len]), "{len} bytes");
        assert_eq!(asked, len + 1);
    }
}

#[test]
fn collecting() {
    let message = message(1000);
    macro_rules! fixed {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let expected = hashmill::$function(&message);
            let by_value: hashmill::$Type = message.iter().copied().collect();
            let by_reference: hashmill::$Type = message.iter().collect();
            assert_eq!(by_value.finalize()[..], expected[..]);
            assert_eq!(by_reference.finalize()[..], expected[..]);
        )* };
    }
    each!(fixed fixed);
    macro_rules! xof {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let expected = hashmill::$function::<50>(&message);
            let by_value: hashmill::$Type = message.iter().copied().collect();
            let by_reference: hashmill::$Type = message.iter().collect();
            assert!(by_value.finalize_xof().take(50).eq(*expected));
            assert!(by_reference.finalize_xof().take(50).eq(*expected));
        )* };
    }
    each!(xof xof);
}

#[test]
fn a_result_changes_nothing_and_clones_are_apart() {
    for (name, mut sink) in sinks() {
        let empty = sink.result();
        assert_eq!(sink.result(), empty, "{name}");
        let untouched = sink.copy();
        let mut expected = sink.copy();
        expected.put(b"abcdef");

        sink.put(b"abc");
        let clone = sink.copy();
        let prefix = sink.result();
        assert_ne!(prefix, empty, "{name}");
        sink.put(b"");
        assert_eq!(sink.result(), prefix, "{name}");
        sink.put(b"def");
        assert_eq!(sink.result(), expected.result(), "{name}");
        assert_eq!(clone.result(), prefix, "{name}: the clone");
        assert_eq!(untouched.result(), empty, "{name}: the first clone");
    }
}

#[test]
fn debug_says_nothing_of_the_state() {
    for (name, mut sink) in sinks() {
        let empty = sink.debug();
        sink.put(b"secret");
        assert_eq!(sink.debug(), empty, "{name}");
        assert!(empty.len() < 80, "{name}: {empty}");
    }
    assert_eq!(format!("{:?}", hashmill::Sha256::new()), "Sha256 { .. }");
    assert_eq!(format!("{:?}", Algorithm::Sha256.hasher()), "AnyHasher(Sha256)");
    let keyed = hashmill::blake2b::Params::new().key(b"secret").salt(b"secret").output_len(9);
    assert_eq!(format!("{keyed:?}"), "Params { output_len: 9, .. }");
    let reader = hashmill::Shake128::new().update(b"secret").finalize_xof();
    assert_eq!(format!("{reader:?}"), "XofReader { .. }");
    let exported: Exported = hashmill::Sha256::new().update(b"secret").export();
    assert_eq!(format!("{exported:?}"), "Exported { len: 64, .. }");
    let mut portable = hashmill::portable::Sha256::new();
    assert_eq!(format!("{:?}", portable.update(b"secret")), "Sha256 { .. }");
}

#[test]
fn a_default_has_absorbed_nothing() {
    fn fixed<H: Hasher>() {
        let empty = H::ALGORITHM.hash(b"");
        assert_eq!(H::default().finalize().into(), empty);
        assert_eq!(H::default().export().as_ref(), H::ALGORITHM.hasher().export().as_ref());
    }
    fn xof<X: Xof>() {
        let empty = X::ALGORITHM.hash(b"");
        assert!(X::default().finalize_xof().take(empty.len()).eq(empty.iter().copied()));
    }
    macro_rules! fixed {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            fixed::<hashmill::$Type>();
            assert_eq!(<hashmill::$Type as Hasher>::ALGORITHM, Algorithm::$Type);
        )* };
    }
    each!(fixed fixed);
    macro_rules! xof {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            xof::<hashmill::$Type>();
            assert_eq!(<hashmill::$Type as Xof>::ALGORITHM, Algorithm::$Type);
        )* };
    }
    each!(xof xof);
    assert_eq!(Digest::<32>::default(), [0; 32]);
    assert!(VarDigest::default().is_empty());
}

#[cfg(feature = "std")]
mod io {
    use super::{Algorithm, message, sinks};
    use std::io::{self, Read};

    /// Gives 1, 2, 3, … bytes, is interrupted before each, and fails or ends after the last.
    struct Awkward<'a> {
        rest: &'a [u8],
        piece: usize,
        interrupted: bool,
        failure: Option<io::ErrorKind>,
    }

    impl Read for Awkward<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(io::ErrorKind::Interrupted.into());
            }
            if self.rest.is_empty() {
                return self.failure.map_or(Ok(0), |failure| Err(failure.into()));
            }
            self.piece += 1;
            let n = self.piece.min(self.rest.len()).min(out.len());
            let (given, rest) = self.rest.split_at(n);
            out[..n].copy_from_slice(given);
            self.rest = rest;
            Ok(n)
        }
    }

    #[test]
    fn readers_in() {
        let message = message(50_000);
        for (name, start) in sinks() {
            let mut expected = start.copy();
            expected.put(&message);
            let expected = expected.result();

            let mut sink = start.copy();
            assert_eq!(sink.put_reader(&mut &message[..]).expect("memory"), 50_000, "{name}");
            assert_eq!(sink.result(), expected, "{name}");
            assert_eq!(sink.put_reader(&mut io::empty()).expect("nothing"), 0, "{name}");
            assert_eq!(sink.result(), expected, "{name}");

            let awkward =
                |failure| Awkward { rest: &message, piece: 0, interrupted: false, failure };
            let mut sink = start.copy();
            assert_eq!(sink.put_reader(&mut awkward(None)).expect("no failure"), 50_000, "{name}");
            assert_eq!(sink.result(), expected, "{name}");

            let mut sink = start.copy();
            let failure = sink.put_reader(&mut awkward(Some(io::ErrorKind::BrokenPipe)));
            assert_eq!(failure.expect_err("a failure").kind(), io::ErrorKind::BrokenPipe, "{name}");
            assert_eq!(sink.result(), expected, "{name}: what came before the failure counts");
        }
    }

    #[test]
    fn writers() {
        let message = message(50_000);
        for (name, mut sink) in sinks() {
            let mut expected = sink.copy();
            expected.put(&message);
            let copied = io::copy(&mut &message[..40_000], &mut sink.as_write()).expect("copied");
            assert_eq!(copied, 40_000);
            let writer = sink.as_write();
            assert_eq!(writer.write(b"").expect("written"), 0);
            assert_eq!(writer.write(&message[40_000..49_000]).expect("written"), 9000);
            writer.write_all(&message[49_000..]).expect("written");
            writer.flush().expect("flushed");
            assert_eq!(sink.result(), expected.result(), "{name}");
        }
    }

    #[test]
    fn an_endless_reader() {
        for &algorithm in Algorithm::ALL.iter().filter(|algorithm| algorithm.is_xof()) {
            let reader = || algorithm.hasher().update(b"abc").finalize_xof().expect("an XOF");
            let mut expected = vec![0; 5000];
            reader().fill(&mut expected);
            let mut reader = reader();
            let mut read = Vec::new();
            Read::take(&mut reader, 1234).read_to_end(&mut read).expect("read");
            assert_eq!(reader.read(&mut []).expect("read"), 0);
            let mut rest = vec![0; 5000 - 1234];
            reader.read_exact(&mut rest).expect("read");
            read.extend(rest);
            assert_eq!(read, expected, "{algorithm}");
        }
    }
}

#[test]
fn outputs_of_any_length() {
    for &algorithm in Algorithm::ALL {
        let hasher = algorithm.hasher().update(b"abc").clone();
        if !algorithm.is_xof() {
            assert_eq!(hasher.finalize_xof().err(), Some(Error::NotExtendable), "{algorithm}");
            assert_eq!(hasher.finalize_xof_bits(0, 0).err(), Some(Error::NotExtendable));
            continue;
        }
        let reader = || hasher.finalize_xof().expect("an XOF");
        let mut expected = vec![0; 3 * algorithm.block_len() + 1];
        reader().fill(&mut expected);
        assert_eq!(expected[..algorithm.output_len()], *hasher.finalize(), "{algorithm}");

        // As one iterator, and in pieces that end anywhere.
        assert!(reader().take(expected.len()).eq(expected.iter().copied()), "{algorithm}");
        for piece in [1, 7, 8, 9, algorithm.block_len() - 1, algorithm.block_len()] {
            let (mut reader, mut out) = (reader(), vec![0; expected.len()]);
            out.chunks_mut(piece).for_each(|piece| {
                reader.fill(&mut []);
                reader.fill(piece);
            });
            assert_eq!(out, expected, "{algorithm}, pieces of {piece}");
        }
        let mut first: XofReader = reader();
        assert_eq!(first.size_hint(), (usize::MAX, None));
        assert_eq!(first.next(), Some(expected[0]));
        let mut clone = first.clone();
        assert_eq!((first.next(), clone.next()), (Some(expected[1]), Some(expected[1])));

        // Into a slice of any length, none included.
        for len in [0, 1, 31, 200, expected.len()] {
            let mut out = vec![0; len];
            assert_eq!(hasher.finalize_into(&mut out), Ok(()), "{algorithm}");
            assert_eq!(out, expected[..len], "{algorithm}, {len} bytes");
        }
    }
}

#[test]
fn outputs_of_fixed_length_fill_their_length_only() {
    for &algorithm in Algorithm::ALL.iter().filter(|algorithm| !algorithm.is_xof()) {
        let (hasher, len) = (algorithm.hasher(), algorithm.output_len());
        for wrong in (0..=100).filter(|&wrong| wrong != len) {
            let mut out = vec![7; wrong];
            assert_eq!(hasher.finalize_into(&mut out), Err(Error::OutputLength), "{algorithm}");
            assert_eq!(out, vec![7; wrong]);
        }
        let mut out = vec![0; len];
        assert_eq!(hasher.finalize_into(&mut out), Ok(()));
        assert_eq!(out, *hasher.finalize());
    }
    macro_rules! fixed {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let mut out = vec![0; Algorithm::$Type.output_len()];
            let hasher = hashmill::$Type::new();
            assert_eq!(Hasher::finalize_into(&hasher, &mut out[1..]), Err(Error::OutputLength));
            assert_eq!(Hasher::finalize_into(&hasher, &mut out), Ok(()));
            assert_eq!(out, hashmill::$function(b"")[..]);
        )* };
    }
    each!(fixed fixed);
}

#[test]
fn messages_of_bits_are_refused_where_there_are_none() {
    for &algorithm in Algorithm::ALL {
        let hasher = algorithm.hasher();
        // FIPS 180-4 and FIPS 202 define them, RFC 7693 and RFC 9861 do not.
        let defined = algorithm.name().starts_with("SHA");
        for bits in 0..=7 {
            let expected = if defined { None } else { Some(Error::NoBits) };
            assert_eq!(hasher.finalize_bits(0, bits).err(), expected, "{algorithm}, {bits} bits");
        }
        for bits in [8, 9, 31, 32, 64, 255, 256, u32::MAX] {
            let expected = if defined { Error::TooManyBits } else { Error::NoBits };
            assert_eq!(
                hasher.finalize_bits(0, bits).err(),
                Some(expected),
                "{algorithm}, {bits} bits"
            );
        }
        if algorithm.is_xof() {
            for bits in [0, 7, 8, u32::MAX] {
                let expected = match bits {
                    _ if !defined => Some(Error::NoBits),
                    0..=7 => None,
                    _ => Some(Error::TooManyBits),
                };
                assert_eq!(hasher.finalize_xof_bits(0, bits).err(), expected, "{algorithm}");
            }
        }
        if defined {
            // The bits that do not count do not matter, and none is as many as whole bytes have.
            assert_eq!(hasher.finalize_bits(0xFF, 0), Ok(hasher.finalize()), "{algorithm}");
            let (low, high) = (hasher.finalize_bits(0x0F, 4), hasher.finalize_bits(0xF0, 4));
            let counted = if algorithm.block_len().is_power_of_two() { high } else { low };
            assert_eq!(hasher.finalize_bits(0xFF, 4), counted, "{algorithm}");
            assert_ne!(low, high, "{algorithm}");
        }
    }
}

#[test]
fn tags() {
    for &algorithm in Algorithm::ALL {
        let hmac = algorithm.hmac(b"key");
        if algorithm.is_xof() {
            assert_eq!(hmac.err(), Some(Error::NoHmac), "{algorithm}");
            continue;
        }
        let mut hmac = hmac.expect("a hash function of fixed output length");
        assert_eq!(hmac.algorithm(), algorithm);
        let tag = hmac.update(b"message").finalize();
        assert_eq!(tag.len(), algorithm.output_len());
        assert_eq!(hmac.verify(&tag), Ok(()), "{algorithm}");
        wrong_tags(&tag, |wrong| hmac.verify(wrong));
        let other_key = algorithm.hmac(b"kez").map(|mut hmac| hmac.update(b"message").verify(&tag));
        assert_eq!(other_key, Ok(Err(Error::TagMismatch)));
        assert_eq!(hmac.update(b"!").verify(&tag), Err(Error::TagMismatch));
    }
    macro_rules! fixed {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let mut hmac = Hmac::<hashmill::$Type>::new(b"key");
            let tag = hmac.update(b"message").finalize();
            assert_eq!(hmac.verify(&tag[..]), Ok(()));
            wrong_tags(&tag[..], |wrong| hmac.verify(wrong));
        )* };
    }
    each!(fixed fixed);
}

fn wrong_tags(tag: &[u8], verify: impl Fn(&[u8]) -> Result<(), Error>) {
    let refused = |wrong: &[u8]| assert_eq!(verify(wrong), Err(Error::TagMismatch), "{wrong:x?}");
    for bit in 0..8 * tag.len() {
        let mut wrong = tag.to_vec();
        wrong[bit / 8] ^= 1 << (bit % 8);
        refused(&wrong);
    }
    for len in 0..tag.len() {
        refused(&tag[..len]);
        refused(&tag[tag.len() - len..]);
    }
    for more in [1, 8, 64] {
        refused(&[tag, &vec![0; more]].concat());
    }
    refused(&tag.repeat(2));
}

#[test]
fn digests() {
    let digest = hashmill::sha256(b"abc");
    let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(digest.to_string(), hex);
    assert_eq!(format!("{digest:?} {digest:x}"), format!("{hex} {hex}"));
    assert_eq!(format!("{digest:X}"), hex.to_uppercase());
    let var = VarDigest::from(digest);
    assert_eq!(format!("{var} {var:?} {var:x}"), format!("{hex} {hex} {hex}"));
    assert_eq!(format!("{var:X}"), hex.to_uppercase());

    for hex in [hex.to_owned(), hex.to_uppercase(), hex.replace('a', "A")] {
        assert_eq!(hex.parse(), Ok(digest));
        assert_eq!(hex.parse(), Ok(var));
    }
    let digits = "g".repeat(64);
    let not_ascii = "é".repeat(32);
    for (text, error) in [
        ("", Error::DigestLength),
        (&hex[1..], Error::DigestLength),
        (&hex[2..], Error::DigestLength),
        (&format!("{hex}00"), Error::DigestLength),
        (&format!("{hex}0"), Error::DigestLength),
        (&digits, Error::DigestHex),
        (&not_ascii, Error::DigestHex),
        (&format!(" {}", &hex[1..]), Error::DigestHex),
        (&format!("+{}", &hex[1..]), Error::DigestHex),
        (&format!("0x{}", &hex[2..]), Error::DigestHex),
    ] {
        assert_eq!(text.parse::<Digest<32>>(), Err(error), "{text}");
    }
    assert_eq!("".parse(), Ok(VarDigest::default()));
    assert_eq!("0".parse::<VarDigest>(), Err(Error::DigestLength));
    assert_eq!("0g".parse::<VarDigest>(), Err(Error::DigestHex));
    assert_eq!("00".repeat(64).parse::<VarDigest>().map(|digest| digest.len()), Ok(64));
    assert_eq!("00".repeat(65).parse::<VarDigest>(), Err(Error::DigestLength));
    // Longer than what is written at once.
    assert_eq!(hashmill::shake128::<200>(b"").to_string().len(), 400);

    let bytes: [u8; 32] = digest.into();
    assert_eq!((digest.as_bytes(), digest.into_bytes()), (&bytes, bytes));
    assert_eq!(Digest::from(bytes), digest);
    assert_eq!(AsRef::<[u8]>::as_ref(&digest), bytes);
    assert_eq!(VarDigest::try_from(&bytes[..]), Ok(var));
    assert_eq!(VarDigest::try_from(&[0; 64][..]).as_deref(), Ok(&[0; 64][..]));
    assert_eq!(VarDigest::try_from(&[0; 65][..]), Err(Error::DigestLength));
    assert_eq!(*var, bytes);
}

#[test]
fn comparing_digests() {
    let digest = hashmill::sha256(b"abc");
    let var = VarDigest::from(digest);
    for bit in 0..256 {
        let mut other = *digest;
        other[bit / 8] ^= 1 << (bit % 8);
        assert_ne!(digest, other);
        assert_ne!(digest, Digest::from(other));
        assert_ne!(digest, other[..]);
        assert_ne!(digest, &other[..]);
        assert_ne!(var, VarDigest::from(Digest::from(other)));
        assert_ne!(var, other[..]);
        assert!(!digest.ct_eq(&other) && !var.ct_eq(&other));
        // By bytes, the first one first.
        let ordering = digest.as_bytes().cmp(&other);
        assert_eq!(digest.cmp(&other.into()), ordering);
        assert_eq!(var.partial_cmp(&VarDigest::from(Digest::from(other))), Some(ordering));
    }
    assert!(
        digest == *digest && digest == digest[..] && var == digest[..] && digest.ct_eq(&digest[..])
    );
    for len in 0..32 {
        assert!(!digest.ct_eq(&digest[..len]) && !var.ct_eq(&digest[..len]), "{len} bytes");
        assert_ne!(VarDigest::try_from(&digest[..len]), Ok(var));
    }
    assert!(!digest.ct_eq(&[&digest[..], &[0]].concat()));
    let [short, long] = ["00", "0000"].map(|hex| hex.parse::<VarDigest>().expect("hex"));
    assert!(short < long);
    let set = std::collections::HashSet::from([digest, hashmill::sha256(b""), digest]);
    assert_eq!(set.len(), 2);
}

#[test]
fn names() {
    let mut spellings = std::collections::HashMap::new();
    for &algorithm in Algorithm::ALL {
        assert_eq!(algorithm.to_string(), algorithm.name());
        assert_eq!(format!("{algorithm:>16}|"), format!("{:>16}|", algorithm.name()));
        for &name in [algorithm.name(), algorithm.tag()].iter().chain(algorithm.aliases()) {
            for spelling in [
                name.to_owned(),
                name.to_lowercase(),
                name.to_uppercase(),
                name.replace(['-', '/'], ""),
                name.replace(['-', '/'], "_"),
                name.replace(['-', '/'], " "),
                name.replace('/', "-"),
                format!(" {name} "),
                name.chars().map(|c| format!("{c}_")).collect(),
            ] {
                assert_eq!(spelling.parse(), Ok(algorithm), "{spelling}");
                let other = spellings.insert(spelling.to_lowercase(), algorithm);
                assert!(other.is_none_or(|other| other == algorithm), "{spelling} means two");
            }
        }
    }
    let known = [
        ("sha256", Algorithm::Sha256),
        ("SHA2-256", Algorithm::Sha256),
        ("sha2-512/224", Algorithm::Sha512_224),
        ("SHA512t256", Algorithm::Sha512_256),
        ("Sha3-256", Algorithm::Sha3_256),
        ("BLAKE2b-512", Algorithm::Blake2b),
        ("turboshake_128", Algorithm::TurboShake128),
    ];
    for (name, algorithm) in known {
        assert_eq!(name.parse(), Ok(algorithm), "{name}");
    }
    let unknown = [
        "",
        " ",
        "-",
        "sha",
        "sha-",
        "256",
        "sha1",
        "SHA-1",
        "md5",
        "sha2",
        "sha3",
        "sha25",
        "sha2566",
        "sha-257",
        "sha256sum",
        "xsha256",
        "sha256\0",
        "sha256\n",
        "sha.256",
        "sha+256",
        "ſha256",
        "sha２５６",
        "shake",
        "shake512",
        "blake2",
        "blake2b-256",
        "blake2c",
        "blake3",
        "hmac-sha256",
        "sha512/128",
        "turboshake",
        "Sha256 { .. }",
    ];
    for name in unknown {
        assert_eq!(name.parse::<Algorithm>(), Err(Error::UnknownAlgorithm), "{name:?}");
    }
}

#[test]
fn the_table_agrees_with_the_functions() {
    macro_rules! fixed {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let algorithm = Algorithm::$Type;
            assert_eq!(algorithm.hash(b"abc"), hashmill::$function(b"abc")[..]);
            assert_eq!(algorithm.output_len(), hashmill::$function(b"").len());
            assert!(!algorithm.is_xof());
            let any = AnyHasher::from(hashmill::$Type::new());
            assert_eq!((any.algorithm(), any.output_len()), (algorithm, algorithm.output_len()));
        )* };
    }
    each!(fixed fixed);
    macro_rules! xof {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let algorithm = Algorithm::$Type;
            let digest = hashmill::$function::<64>(b"abc");
            assert_eq!(algorithm.hash(b"abc"), digest[..algorithm.output_len()]);
            assert!(algorithm.is_xof());
            assert_eq!(AnyHasher::from(hashmill::$Type::new()).algorithm(), algorithm);
        )* };
    }
    each!(xof xof);
    for algorithm in Algorithm::ALL {
        assert!(algorithm.standard().contains(char::is_numeric), "{algorithm}");
        assert_eq!(algorithm.hasher().algorithm(), *algorithm);
    }
}

#[test]
fn every_error_is_a_sentence() {
    let errors = [
        Error::UnknownAlgorithm,
        Error::UnknownBackend,
        Error::BackendNotAvailable,
        Error::NotExtendable,
        Error::NoHmac,
        Error::NoBits,
        Error::TooManyBits,
        Error::DigestLength,
        Error::DigestHex,
        Error::OutputLength,
        Error::TagMismatch,
        Error::Domain,
        Error::Offsets,
        Error::RowWidth,
        Error::MessageTooLong,
        Error::Blake2OutputLength,
        Error::Blake2KeyLength,
        Error::Blake2SaltLength,
        Error::Blake2PersonalLength,
        Error::Blake2InnerLength,
        Error::Blake2MaxDepth,
        Error::Blake2NodeOffset,
        Error::ElementLength,
        Error::BlockLength,
        Error::HkdfKeyLength,
        Error::HkdfOutputLength,
        Error::Pbkdf2Iterations,
        Error::Pbkdf2OutputLength,
        Error::StateDamaged,
        Error::StateVersion,
        Error::StateAlgorithm,
        Error::StateInconsistent,
        Error::SelfTest,
    ];
    let mut sentences = std::collections::HashSet::new();
    for error in errors {
        let sentence = (&error as &dyn std::error::Error).to_string();
        assert!(sentence.split(' ').count() >= 4, "{sentence}");
        assert!(!sentence.ends_with(['.', ' ', '!']), "{sentence}");
        // As part of a longer message: "a.txt: the output …"; names of algorithms keep their case.
        let is_name = ["HMAC", "HKDF", "PBKDF2"].iter().any(|name| sentence.starts_with(name));
        assert!(is_name || sentence.starts_with(char::is_lowercase), "{sentence}");
        assert!(sentences.insert(sentence), "{error:?} says what another says");
    }
    assert_eq!(backend::force(Some("abacus")), Err(Error::UnknownBackend));
}

#[test]
fn offsets_of_every_type() {
    let values = message(1000);
    let cuts = [3, 3, 10, 500, 500, 500, 999, 1000];
    let expected: Vec<u8> =
        cuts.windows(2).flat_map(|cut| *hashmill::sha256(&values[cut[0]..cut[1]])).collect();
    macro_rules! offsets {
        ($($Offset:ident)*) => { $(
            let offsets = cuts.map(|cut| cut as $Offset);
            let mut out = vec![0; expected.len()];
            assert_eq!(many::sha256_offsets(&values, &offsets, &mut out), Ok(()));
            assert_eq!(out, expected);

            let refused = |offsets: &[$Offset]| {
                let mut out = vec![7; 32 * offsets.len().saturating_sub(1)];
                let error = many::sha256_offsets(&values, offsets, &mut out);
                assert_eq!(error, Err(Error::Offsets), "{offsets:?}");
                let mut xof = vec![7; 5 * offsets.len().saturating_sub(1)];
                assert_eq!(many::shake128_offsets(&values, offsets, 5, &mut xof), Err(Error::Offsets));
                assert!(out.iter().chain(&xof).all(|&byte| byte == 7), "something was written");
            };
            refused(&[1, 0]);
            refused(&[0, 500, 499, 1000]);
            refused(&[0, 1001]);
            refused(&[1001]);
            refused(&[1001, 1001]);
            refused(&[0, 5, $Offset::MAX]);
            if $Offset::MIN != 0 {
                refused(&[$Offset::MIN]);
                refused(&[$Offset::MIN, 0]);
                refused(&[0, 1, (0 as $Offset).wrapping_sub(1)]);
                refused(&[(0 as $Offset).wrapping_sub(1), 5]);
            }

            // No row: no offset, or one.
            for none in [&[][..], &[0], &[1000]] {
                let none: &[$Offset] = none;
                assert_eq!(many::sha256_offsets(&values, none, &mut []), Ok(()));
                assert_eq!(many::sha256_offsets(&values, none, &mut [0]), Err(Error::OutputLength));
            }
        )* };
    }
    offsets!(u32 u64 usize i32 i64);
    // More than a usize has is no place in memory.
    assert_eq!(many::sha256_offsets(b"", &[0, u64::MAX], &mut [0; 32]), Err(Error::Offsets));
}

#[test]
fn offsets_of_every_algorithm() {
    /// More than a block of any.
    const LEN: usize = 201;
    let values = message(700);
    let offsets = [0_i32, 0, 1, 200, 200, 699];
    macro_rules! fixed {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let len = Algorithm::$Type.output_len();
            let mut out = vec![0; 5 * len];
            assert_eq!(many::$offsets(&values, &offsets, &mut out), Ok(()));
            for (cut, digest) in offsets.windows(2).zip(out.chunks(len)) {
                let row = &values[cut[0] as usize..cut[1] as usize];
                assert_eq!(hashmill::$function(row), *digest);
            }
            out.fill(7);
            for wrong in [0, 1, 5 * len - 1, 4 * len] {
                let error = many::$offsets(&values, &offsets, &mut out[..wrong]);
                assert_eq!(error, Err(Error::OutputLength), "{wrong} bytes");
            }
            assert_eq!(many::$offsets(&values, &[0, 1_i32], &mut out), Err(Error::OutputLength));
            assert_eq!(many::$offsets(&values[..698], &offsets, &mut out), Err(Error::Offsets));
            assert!(out.iter().all(|&byte| byte == 7), "something was written");
        )* };
    }
    each!(fixed fixed);
    macro_rules! xof {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let mut out = vec![0; 5 * LEN];
            assert_eq!(many::$offsets(&values, &offsets, LEN, &mut out), Ok(()));
            for (cut, output) in offsets.windows(2).zip(out.chunks(LEN)) {
                let row = &values[cut[0] as usize..cut[1] as usize];
                assert_eq!(hashmill::$function::<LEN>(row), *output);
            }
            out.fill(7);
            for wrong in [0, LEN - 1, LEN + 1, usize::MAX, usize::MAX / 5 + 1] {
                let error = many::$offsets(&values, &offsets, wrong, &mut out);
                assert_eq!(error, Err(Error::OutputLength), "{wrong} bytes");
            }
            assert_eq!(many::$offsets(&values, &offsets, 0, &mut []), Ok(()));
            assert_eq!(many::$offsets(&values[..698], &offsets, LEN, &mut out), Err(Error::Offsets));
            assert!(out.iter().all(|&byte| byte == 7), "something was written");
        )* };
    }
    each!(xof xof);
}

#[test]
fn rows_of_every_algorithm() {
    /// More than a block of any.
    const LEN: usize = 201;
    let values = message(7 * 33);
    macro_rules! fixed {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let len = Algorithm::$Type.output_len();
            for (width, count) in [(1, 231), (33, 7), (77, 3), (231, 1)] {
                let mut out = vec![0; count * len];
                assert_eq!(many::$rows(&values, width, &mut out), Ok(()));
                for (row, digest) in values.chunks(width).zip(out.chunks(len)) {
                    assert_eq!(hashmill::$function(row), *digest);
                }
            }
            // Nothing but the output says how many rows have no byte.
            let mut out = vec![7; 3 * len];
            assert_eq!(many::$rows(&[], 0, &mut out), Ok(()));
            assert!(out.chunks(len).all(|digest| hashmill::$function(b"") == *digest));
            assert_eq!(many::$rows(&[], 5, &mut []), Ok(()));
            out.fill(7);
            for width in [0, 2, 32, 232, usize::MAX] {
                let error = many::$rows(&values, width, &mut out);
                assert_eq!(error, Err(Error::RowWidth), "{width} bytes");
            }
            for wrong in [0, 1, 3 * len - 1, 2 * len] {
                let error = many::$rows(&values, 77, &mut out[..wrong]);
                assert_eq!(error, Err(Error::OutputLength), "{wrong} bytes");
            }
            assert_eq!(many::$rows(&[], 0, &mut out[1..]), Err(Error::OutputLength));
            assert!(out.iter().all(|&byte| byte == 7), "something was written");
        )* };
    }
    each!(fixed fixed);
    macro_rules! xof {
        ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
            let mut out = vec![0; 7 * LEN];
            assert_eq!(many::$rows(&values, 33, LEN, &mut out), Ok(()));
            for (row, output) in values.chunks(33).zip(out.chunks(LEN)) {
                assert_eq!(hashmill::$function::<LEN>(row), *output);
            }
            out.fill(7);
            for wrong in [0, LEN - 1, LEN + 1, usize::MAX, usize::MAX / 7 + 1] {
                let error = many::$rows(&values, 33, wrong, &mut out);
                assert_eq!(error, Err(Error::OutputLength), "{wrong} bytes");
            }
            assert_eq!(many::$rows(&values, 33, 0, &mut []), Ok(()));
            assert_eq!(many::$rows(&[], 0, 0, &mut []), Ok(()));
            assert_eq!(many::$rows(&values, 34, LEN, &mut out), Err(Error::RowWidth));
            assert!(out.iter().all(|&byte| byte == 7), "something was written");
        )* };
    }
    each!(xof xof);
}

/// From any state, under any key and with any parameters, as from none.
#[test]
fn offsets_and_rows_after_a_prefix() {
    let (prefix, values) = (message(300), message(7 * 33));
    let offsets: Vec<i64> = (0..8).map(|i| 33 * i).collect();
    for &algorithm in Algorithm::ALL {
        let mut hasher = algorithm.hasher();
        hasher.update(&prefix);
        let len = hasher.output_len();
        let expected: Vec<u8> = (values.chunks(33))
            .flat_map(|row| hasher.clone().update(row).finalize().to_vec())
            .collect();
        let mut out = vec![0; 7 * len];
        assert_eq!(hasher.finish_offsets(&values, &offsets, len, &mut out), Ok(()));
        assert_eq!(out, expected, "{algorithm}");
        out.fill(0);
        assert_eq!(hasher.finish_rows(&values, 33, len, &mut out), Ok(()));
        assert_eq!(out, expected, "{algorithm}");
        assert_eq!(hasher.finish_rows(&values, 32, len, &mut out), Err(Error::RowWidth));
        let mut short = [0; 1];
        assert_eq!(hasher.finish_rows(&values, 33, len, &mut short), Err(Error::OutputLength));
        let other = hasher.finish_rows(&values, 33, 1, &mut [0; 7]);
        assert_eq!(other.is_ok(), algorithm.is_xof(), "{algorithm}");

        let Ok(hmac) = algorithm.hmac(&prefix) else { continue };
        let expected: Vec<u8> = (values.chunks(33))
            .flat_map(|row| hmac.clone().update(row).finalize().to_vec())
            .collect();
        assert_eq!(hmac.finish_offsets(&values, &offsets, &mut out), Ok(()));
        assert_eq!(out, expected, "HMAC-{algorithm}");
        out.fill(0);
        assert_eq!(hmac.finish_rows(&values, 33, &mut out), Ok(()));
        assert_eq!(out, expected, "HMAC-{algorithm}");
        let rows: Vec<&[u8]> = values.chunks(33).collect();
        let mut tags = [VarDigest::default(); 7];
        hmac.finish_many(&rows, &mut tags);
        assert!(tags.iter().flat_map(|tag| &tag[..]).eq(&expected), "HMAC-{algorithm}");
        assert_eq!(hmac.finish_rows(&values, 32, &mut out), Err(Error::RowWidth));
        assert_eq!(hmac.finish_offsets(&values, &[1, 0], &mut out), Err(Error::Offsets));
        assert_eq!(hmac.finish_rows(&values, 33, &mut short), Err(Error::OutputLength));
    }
    macro_rules! keyed {
        ($($function:ident)*) => { $(
            let hasher = hashmill::$function::Params::new().output_len(9).key(b"key").build();
            let hasher = hasher.expect("good parameters");
            assert_eq!(hasher.output_len(), 9);
            let (mut by_offset, mut by_row) = ([0; 7 * 9], [0; 7 * 9]);
            assert_eq!(hasher.finish_offsets(&values, &offsets, &mut by_offset), Ok(()));
            assert_eq!(hasher.finish_rows(&values, 33, &mut by_row), Ok(()));
            assert_eq!(by_offset, by_row);
            for (row, digest) in values.chunks(33).zip(by_row.chunks(9)) {
                assert_eq!(hasher.clone().update(row).finalize(), *digest);
            }
        )* };
    }
    keyed!(blake2b blake2s blake2bp blake2sp);
}

#[test]
fn many_want_a_place_for_each() {
    let messages = [b"a", b"b", b"c"];
    let panics = |call: fn()| assert!(catch_unwind(call).is_err());
    panics(|| many::sha256(&[b""], &mut []));
    panics(|| many::sha256(&[b""; 0], &mut [Digest::default()]));
    panics(|| many::shake128(&[b""], 5, &mut [0; 4]));
    panics(|| many::shake128(&[b"", b""], usize::MAX, &mut [0; 4]));
    panics(|| Algorithm::Sha256.hash_many(&[b""], &mut []));
    panics(|| hashmill::Sha256::new().finish_many(&[b""], &mut []));
    panics(|| Hasher::update_many(&mut [hashmill::Sha256::new()], &[b""; 0]));
    panics(|| Xof::update_many(&mut [hashmill::Shake128::new()], &[b""; 2]));
    panics(|| Hmac::update_many(&mut [Hmac::<hashmill::Sha256>::new(b"")], &[b""; 0]));
    panics(|| AnyHasher::update_many(&mut [Algorithm::Sha256.hasher()], &[b""; 2]));
    panics(|| hashmill::Shake128::new().finish_many(&[b""], 5, &mut [0; 6]));
    panics(|| Hmac::<hashmill::Sha256>::new(b"").finish_many(&[b""], &mut []));
    panics(|| {
        let hmac = Algorithm::Sha256.hmac(b"").expect("a hash function");
        hmac.finish_many(&[b""], &mut []);
    });
    many::sha256(&[b""; 0], &mut []);
    many::shake128(&messages, 0, &mut []);
}

#[test]
fn mistakes_in_parameters() {
    macro_rules! mistakes {
        ($module:ident, longest $longest:literal, salt $salt:literal) => {{
            use hashmill::$module::Params;
            let long = [0; 1000];
            let new = Params::new;
            let build = |params: Params| {
                assert_eq!(params.build().err(), params.build_portable().err());
                params.build().err()
            };
            for len in [0, $longest + 1, 255, 256, 257, usize::MAX] {
                assert_eq!(build(new().output_len(len)), Some(Error::Blake2OutputLength), "{len}");
            }
            for len in [$longest + 1, 256, 1000] {
                assert_eq!(build(new().key(&long[..len])), Some(Error::Blake2KeyLength), "{len}");
            }
            for len in [$salt + 1, 256, 1000] {
                let long = &long[..len];
                assert_eq!(build(new().salt(long)), Some(Error::Blake2SaltLength), "{len}");
                assert_eq!(build(new().personal(long)), Some(Error::Blake2PersonalLength), "{len}");
            }
            let longest = new().output_len($longest).key(&long[..$longest]);
            assert_eq!(build(longest.salt(&long[..$salt]).personal(&long[..$salt])), None);
            assert_eq!(
                build(Params::default().output_len(1).key(b"").salt(b"").personal(b"")),
                None
            );
            // The first one is reported, and setting it again does not undo it.
            let two = new().salt(&long).output_len(0).salt(b"").output_len(1);
            assert_eq!(build(two), Some(Error::Blake2SaltLength));
        }};
        (tree $module:ident, longest $longest:literal, offset bits $bits:literal) => {{
            use hashmill::$module::Params;
            let new = Params::new;
            let build = |params: Params| params.build().err();
            for len in [$longest + 1, 255, 256, usize::MAX] {
                assert_eq!(build(new().inner_len(len)), Some(Error::Blake2InnerLength), "{len}");
            }
            assert_eq!(build(new().max_depth(0)), Some(Error::Blake2MaxDepth));
            let limit = u64::MAX >> (64 - $bits);
            assert_eq!(build(new().node_offset(limit)), None);
            for offset in
                limit.checked_add(1).into_iter().chain((limit < u64::MAX).then_some(u64::MAX))
            {
                assert_eq!(
                    build(new().node_offset(offset)),
                    Some(Error::Blake2NodeOffset),
                    "{offset}"
                );
            }
            let largest = new().fanout(255).max_depth(255).leaf_len(u32::MAX).node_depth(255);
            assert_eq!(build(largest.inner_len($longest).last_node(LastNode::Yes)), None);
            assert_eq!(build(new().fanout(0).max_depth(1).leaf_len(0).inner_len(0)), None);
        }};
    }
    mistakes!(blake2b, longest 64, salt 16);
    mistakes!(blake2s, longest 32, salt 8);
    mistakes!(blake2bp, longest 64, salt 16);
    mistakes!(blake2sp, longest 32, salt 8);
    mistakes!(tree blake2b, longest 64, offset bits 64);
    mistakes!(tree blake2s, longest 32, offset bits 48);

    for domain in 0..=0xFF {
        let expected = if (0x01..=0x7F).contains(&domain) { None } else { Some(Error::Domain) };
        assert_eq!(hashmill::TurboShake128::with_domain(domain).err(), expected, "{domain}");
        assert_eq!(hashmill::TurboShake256::with_domain(domain).err(), expected, "{domain}");
    }
}

#[test]
fn parameters_stay_when_the_type_is_forgotten() {
    for len in 1..=64 {
        let hasher = hashmill::blake2b::Params::new().output_len(len).build().expect("a length");
        let any = AnyHasher::from(hasher.clone());
        assert_eq!((any.output_len(), any.finalize()), (len, hasher.finalize()));
        assert_eq!(any.finalize().len(), len);
        let mut out = vec![0; len + 1];
        assert_eq!(any.finalize_into(&mut out), Err(Error::OutputLength));
        assert_eq!(any.finalize_into(&mut out[1..]), Ok(()));
        let mut digests = [VarDigest::default()];
        any.finish_many(&[b"abc"], &mut digests);
        assert_eq!(digests[0], hasher.clone().update(b"abc").finalize());
    }
    let xof = hashmill::TurboShake128::with_domain(5).expect("a domain");
    let any = AnyHasher::from(xof.clone());
    assert!(any.finalize_xof().expect("an XOF").take(99).eq(xof.finalize_xof().take(99)));
}

mod wiping {
    use super::{Algorithm, Exported, Hmac};
    use std::mem::MaybeUninit;

    /// The bytes of a value's place: when it is new, when it has taken its secrets, and when it was dropped.
    fn dropped<T>(value: T, take: impl FnOnce(&mut T)) -> [Vec<u8>; 3] {
        let mut place = MaybeUninit::<T>::zeroed();
        let bytes = |place: &MaybeUninit<T>| -> Vec<u8> {
            let first = place.as_ptr().cast::<u8>();
            // SAFETY: reads the bytes of a place that was zeroed as a whole before. A volatile read takes
            // what is there, whether or not the compiler believes that it still means something.
            (0..size_of::<T>()).map(|i| unsafe { first.add(i).read_volatile() }).collect()
        };
        place.write(value);
        let new = bytes(&place);
        // SAFETY: a value was written above.
        take(unsafe { place.assume_init_mut() });
        let before = bytes(&place);
        // SAFETY: as above, and it is not used again.
        unsafe { place.assume_init_drop() };
        [new, before, bytes(&place)]
    }

    /// All secrets are there before, and none is left after. What a new `AnyHasher` has in the room of its
    /// larger variants was on the stack before, and does not count.
    #[track_caller]
    fn wiped<T>(name: &str, value: T, take: impl FnOnce(&mut T), secrets: &[&[u8]]) {
        let [new, before, after] = dropped(value, take);
        for &secret in secrets {
            let is_at = |bytes: &[u8], at: usize| bytes[at..].starts_with(secret);
            let places = (0..before.len()).filter(|&at| is_at(&before, at) && !is_at(&new, at));
            let places: Vec<usize> = places.collect();
            assert!(!places.is_empty(), "{name}: the secret is not where it was looked for");
            assert!(
                !places.iter().any(|&at| is_at(&after, at)),
                "{name}: the secret is still there"
            );
        }
    }

    const WAITING: &[u8] = b"bytes that wait for more";

    /// A message whose end waits in the buffer.
    fn message_of(algorithm: Algorithm) -> Vec<u8> {
        let mut message = vec![0xA5; 16 * algorithm.block_len()];
        message.extend(WAITING);
        message
    }

    /// Sixteen bytes of the words that absorb the message, which are exported as they lie in memory.
    fn words_of(algorithm: Algorithm, exported: &Exported) -> &[u8] {
        // A tree has its root before its leaves, and the root has absorbed nothing.
        let tree = algorithm.name().ends_with('p');
        &exported.as_ref()[if tree { 120 } else { 30 }..][..16]
    }

    #[test]
    #[cfg_attr(not(target_endian = "little"), ignore = "states are exported little-endian")]
    fn hashers() {
        macro_rules! hashers {
            ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
                let (algorithm, name) = (Algorithm::$Type, stringify!($Type));
                let message = message_of(algorithm);
                let exported = algorithm.hasher().update(&message).export();
                let secrets = [WAITING, words_of(algorithm, &exported)];
                let take = |hasher: &mut hashmill::$Type| {
                    hasher.update(&message);
                };
                wiped(name, hashmill::$Type::new(), take, &secrets);
                let take = |hasher: &mut hashmill::AnyHasher| {
                    hasher.update(&message);
                };
                wiped(name, algorithm.hasher(), take, &secrets);
            )* };
        }
        each!(fixed hashers);
        each!(xof hashers);
    }

    #[test]
    fn hmacs() {
        macro_rules! hmacs {
            ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
                let (algorithm, name) = (Algorithm::$Type, stringify!($Type));
                let message = message_of(algorithm);
                let take = |hmac: &mut Hmac<hashmill::$Type>| {
                    hmac.update(&message);
                };
                wiped(name, Hmac::<hashmill::$Type>::new(b"key"), take, &[WAITING]);
                let take = |hmac: &mut hashmill::AnyHmac| {
                    hmac.update(&message);
                };
                wiped(name, algorithm.hmac(b"key").expect("an HMAC"), take, &[WAITING]);
            )* };
        }
        each!(fixed hmacs);
    }

    /// What has no row in the table of algorithms.
    #[test]
    fn others() {
        const LONG: &[u8] = &[0xA5; 10_000];
        macro_rules! others {
            ($($Type:ident: $new:expr, $update:ident;)*) => { $(
                let take = |function: &mut hashmill::$Type| {
                    function.$update(LONG).$update(WAITING);
                };
                wiped(stringify!($Type), $new, take, &[WAITING]);
            )* };
        }
        others! {
            Kt128: hashmill::Kt128::new(), update;
            Kt256: hashmill::Kt256::new(), update;
            CShake128: hashmill::CShake128::new(b"", b"C"), update;
            CShake256: hashmill::CShake256::new(b"", b"C"), update;
            Kmac128: hashmill::Kmac128::new(b"key", b"C"), update;
            Kmac256: hashmill::Kmac256::new(b"key", b"C"), update;
            TupleHash128: hashmill::TupleHash128::new(b"C"), element;
            TupleHash256: hashmill::TupleHash256::new(b"C"), element;
            ParallelHash128: hashmill::ParallelHash128::new(8192, b"C").expect("a length"), update;
            ParallelHash256: hashmill::ParallelHash256::new(8192, b"C").expect("a length"), update;
        }
        let mut tuple = hashmill::TupleHash128::new(b"C");
        let take = |element: &mut hashmill::TupleElement| {
            element.update(LONG).and_then(|element| element.update(WAITING)).expect("fits");
        };
        wiped("TupleElement", tuple.begin(20_000), take, &[WAITING]);
        // HKDF's state after the key, which HMAC's inner hash has as well.
        macro_rules! hkdfs {
            ($($Type:ident $function:ident $offsets:ident $rows:ident,)*) => { $(
                let (algorithm, key) = (Algorithm::$Type, [0xA5; 64]);
                let mut block = [0x36; 144];
                block.iter_mut().zip(&key).for_each(|(pad, key)| *pad ^= key);
                let mut inner = algorithm.hasher();
                inner.update(&block[..algorithm.block_len()]);
                let exported = inner.export();
                // BLAKE2 has not absorbed the block yet: there it is itself the secret.
                let secret = match algorithm.name().starts_with("BLAKE2") {
                    true => &block[..16],
                    false => words_of(algorithm, &exported),
                };
                let hkdf = |key| hashmill::Hkdf::<hashmill::$Type>::from_prk(key).expect("long");
                let take = |place: &mut hashmill::Hkdf<hashmill::$Type>| *place = hkdf(&key);
                wiped(stringify!($Type), hkdf(&[0; 64]), take, &[secret]);
            )* };
        }
        each!(fixed hkdfs);
    }

    #[test]
    fn readers_and_exported_states() {
        for &algorithm in Algorithm::ALL {
            let hasher = algorithm.hasher().update(&message_of(algorithm)).clone();
            if let (Ok(empty), Ok(reader)) =
                (algorithm.hasher().finalize_xof(), hasher.finalize_xof())
            {
                // The output is the beginning of the state.
                let output = hasher.finalize();
                wiped("XofReader", empty, |place| *place = reader, &[&output]);
            }
            let empty = algorithm.hasher().export();
            wiped("Exported", empty, |place| *place = hasher.export(), &[WAITING]);
        }
    }
}

/// The block functions by themselves, with what is around them by hand.
#[test]
fn block_functions() {
    use hashmill::block::{self, Rounds};
    fn padded<const BLOCK: usize>() -> [u8; BLOCK] {
        let mut block = [0; BLOCK];
        block[..4].copy_from_slice(b"abc\x80");
        block[BLOCK - 1] = 24;
        block
    }
    // FIPS 180-4 §5.3.5, and the upper halves are §5.3.3; RFC 7693 §2.6 has the same.
    let initial: [u64; 8] = std::array::from_fn(|i| hashmill_reference::roots::SQUARE_ROOTS[i]);
    let upper = initial.map(|word| (word >> 32) as u32);
    let mut state = upper;
    block::sha256(&mut state, &[padded()]);
    assert_eq!(state.map(u32::to_be_bytes).concat(), hashmill::sha256(b"abc")[..]);
    let mut state = initial;
    block::sha512(&mut state, &[padded()]);
    assert_eq!(state.map(u64::to_be_bytes).concat(), hashmill::sha512(b"abc")[..]);
    // RFC 7693 §2.5 and §3.3: the parameters are in the first word; the last block has its flag.
    let message = message(3 * 128);
    macro_rules! blake2 {
        ($function:ident, $Word:ident, $initial:expr, $BLOCK:literal) => {
            let mut state: [$Word; 12] = [0; 12];
            state[..8].copy_from_slice(&$initial);
            state[0] ^= 0x0101_0000 + size_of::<[$Word; 8]>() as $Word;
            let blocks = message.as_chunks::<$BLOCK>().0;
            block::$function(&mut state, &blocks[..2]);
            state[10] = $Word::MAX;
            block::$function(&mut state, &blocks[2..3]);
            let digest = state.map($Word::to_le_bytes).concat();
            let expected = hashmill::$function(&message[..3 * $BLOCK]);
            assert_eq!(digest[..expected.len()], expected[..]);
            assert_eq!(state[8..10], [3 * $BLOCK, 0], "the counter");
        };
    }
    blake2!(blake2b, u64, initial, 128);
    blake2!(blake2s, u32, upper, 64);
    // FIPS 202 §4 and §6; RFC 9861 §2.2.
    for (rounds, domain, expected) in [
        (Rounds::TwentyFour, 0x06, hashmill::sha3_256(b"abc")),
        (Rounds::Twelve, 0x1F, hashmill::turboshake256::<32>(b"abc")),
    ] {
        let mut block = [0; 136];
        block[..4].copy_from_slice(&[b'a', b'b', b'c', domain]);
        block[135] |= 0x80;
        let mut state = [0; 25];
        block::keccak(&mut state, rounds, &[block]);
        assert_eq!(state.map(u64::to_le_bytes).concat()[..32], expected[..]);
    }
}

/// Outputs of many messages one after the other, for those who have no array of digests.
#[test]
fn flat_outputs() {
    let values = message(2000);
    // More messages than HMAC takes at once, of lengths around the blocks.
    let offsets: Vec<i64> = (0..=300).map(|i| i * i % 7 + 6 * i).collect();
    let messages: Vec<&[u8]> =
        offsets.windows(2).map(|ends| &values[ends[0] as usize..ends[1] as usize]).collect();
    for &algorithm in Algorithm::ALL {
        let mut hasher = algorithm.hasher();
        hasher.update(b"prefix");
        let len = if algorithm.is_xof() { 333 } else { algorithm.output_len() };
        let mut out = vec![0; messages.len() * len];
        hasher.finish_many_into(&messages, len, &mut out).unwrap();
        for (message, row) in messages.iter().zip(out.chunks(len)) {
            let mut expected = vec![0; len];
            hasher.clone().update(message).finalize_into(&mut expected).unwrap();
            assert_eq!(row, expected, "{algorithm}");
        }
        let mut column = vec![0; out.len()];
        hasher.finish_offsets(&values, &offsets, len, &mut column).unwrap();
        assert_eq!(out, column, "{algorithm}");
        let wrong = Err(Error::OutputLength);
        assert_eq!(hasher.finish_many_into(&messages, len, &mut out[1..]), wrong);
        assert_eq!(hasher.finish_many_into(&messages, usize::MAX, &mut out), wrong);
        assert_eq!(hasher.finish_offsets(&values, &[2, 1], len, &mut []), Err(Error::Offsets));
        let Ok(hmac) = algorithm.hmac(b"key") else { continue };
        assert_eq!(hasher.finish_many_into(&messages, len + 1, &mut out), wrong);
        hmac.finish_many_into(&messages, &mut out).unwrap();
        for (message, row) in messages.iter().zip(out.chunks(len)) {
            assert_eq!(*row, *hmac.clone().update(message).finalize(), "{algorithm}");
        }
        assert_eq!(hmac.finish_many_into(&messages, &mut out[1..]), wrong);
    }
}

/// The codes by which other languages know algorithms and errors.
#[test]
fn codes() {
    for &algorithm in Algorithm::ALL {
        assert_eq!(Algorithm::from_code(algorithm.code()), Some(algorithm));
    }
    assert_eq!(Algorithm::from_code(0), None);
    for (error, code) in Error::ALL.iter().zip(1..) {
        assert_eq!(error.code(), code);
        assert_eq!(error.to_string(), error.sentence());
    }
}
