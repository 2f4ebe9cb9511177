//! The compiler computes the same digests as the program.

use hashmill::portable;
use hashmill::{Algorithm, Digest, Hmac, Key, LastNode};

/// Byte i is 7i + 1 modulo 256.
const MESSAGE: [u8; 1200] = {
    let mut message = [0; 1200];
    let mut i = 0;
    while i < message.len() {
        message[i] = (7 * i + 1) as u8;
        i += 1;
    }
    message
};

const fn first(len: usize) -> &'static [u8] {
    const { &MESSAGE }.split_at(len).0
}

/// Lengths around the ends of blocks of `block` bytes.
const fn lengths(block: usize) -> [usize; 8] {
    [
        0,
        1,
        block.saturating_sub(9), // the last length whose SHA-256 padding fits
        block - 1,               // a padding of one byte
        block,                   // a whole block, which BLAKE2 keeps
        block + 1,               // the first length of two blocks
        2 * block - 1,           // two blocks less a byte
        2 * block + 5,
    ]
}

/// SHA-256 hashes a key of 65 bytes first, and SHA-512 does not. All functions hash a key of 145
/// bytes first.
const KEYS: [&[u8]; 4] = [b"", b"key", first(65), first(145)];

/// Compares the compiler's digests with the program's, for each function of fixed output length.
macro_rules! fixed {
    ($($Type:ident $function:ident,)*) => {
        const FIXED: &[Algorithm] = &[$(Algorithm::$Type),*];

        $(
        #[test]
        fn $function() {
            type D = Digest<{ Algorithm::$Type.output_len() }>;
            const BLOCK: usize = Algorithm::$Type.block_len();
            const LENGTHS: [usize; 8] = lengths(BLOCK);

            const ONE_CALL: [D; 8] = {
                let mut digests = [portable::$function(b""); 8];
                let mut i = 0;
                while i < digests.len() {
                    digests[i] = portable::$function(first(LENGTHS[i]));
                    i += 1;
                }
                digests
            };
            for (len, digest) in LENGTHS.into_iter().zip(ONE_CALL) {
                assert_eq!(digest, hashmill::$function(first(len)), "{len} bytes");
                assert_eq!(digest, portable::$function(first(len)), "{len} bytes, portable at run time");
            }

            // Pieces that begin, fill, cross and skip blocks.
            const PIECES: [usize; 6] = [1, BLOCK - 1, 0, 2 * BLOCK + 3, BLOCK - 4, 2];
            const IN_PIECES: [D; 6] = {
                let mut digests = [portable::$Type::new().finalize(); 6];
                let mut hasher = portable::$Type::new();
                let (mut i, mut rest) = (0, const { &MESSAGE }.as_slice());
                while i < digests.len() {
                    let (piece, after) = rest.split_at(PIECES[i]);
                    rest = after;
                    digests[i] = hasher.update(piece).finalize();
                    i += 1;
                }
                digests
            };
            let mut len = 0;
            for (piece, digest) in PIECES.into_iter().zip(IN_PIECES) {
                len += piece;
                assert_eq!(digest[..], hashmill::$function(first(len))[..], "{len} bytes in pieces");
            }

            const PREFIX: portable::$Type = *portable::$Type::new().update(first(BLOCK + 1));
            for len in [BLOCK + 1, BLOCK + 2, 2 * BLOCK, 1200] {
                let mut hasher = hashmill::$Type::from(PREFIX);
                hasher.update(&first(len)[BLOCK + 1..]);
                assert_eq!(hasher.finalize()[..], hashmill::$function(first(len))[..], "to {len} bytes");
            }
            assert_eq!(
                hashmill::$Type::from(PREFIX).export().as_ref(),
                hashmill::$Type::new().update(first(BLOCK + 1)).export().as_ref(),
            );
        }
        )*
    };
}

each!(fixed fixed);

/// The compiler's HMACs beside the program's.
mod hmacs {
    use super::{Algorithm, Digest, Hmac, KEYS, Key, first, portable};

    macro_rules! hmac {
        ($($Type:ident $function:ident,)*) => { $(
            #[test]
            fn $function() {
                type D = Digest<{ Algorithm::$Type.output_len() }>;
                const TAGS: [D; 4] = {
                    let mut tags = [portable::$function(b""); 4];
                    let mut i = 0;
                    while i < tags.len() {
                        tags[i] = portable::$Type::hmac(Key(KEYS[i]), first(100));
                        i += 1;
                    }
                    tags
                };
                for (key, tag) in KEYS.into_iter().zip(TAGS) {
                    let mut hmac = Hmac::<hashmill::$Type>::new(key);
                    assert_eq!(tag[..], hmac.update(first(100)).finalize()[..], "HMAC, {} bytes of key", key.len());
                }
            }
        )* };
    }

    each!(hmac hmac);
}

macro_rules! xof {
    ($($Type:ident $function:ident,)*) => {
        const XOFS: &[Algorithm] = &[$(Algorithm::$Type),*];

        $(
        #[test]
        fn $function() {
            const BLOCK: usize = Algorithm::$Type.block_len();
            /// An output length in bytes: a block and a part of the next.
            const OUT: usize = BLOCK + 32;
            const LENGTHS: [usize; 8] = lengths(BLOCK);

            const ONE_CALL: [Digest<OUT>; 8] = {
                let mut digests = [portable::$function(b""); 8];
                let mut i = 0;
                while i < digests.len() {
                    digests[i] = portable::$function(first(LENGTHS[i]));
                    i += 1;
                }
                digests
            };
            for (len, digest) in LENGTHS.into_iter().zip(ONE_CALL) {
                assert_eq!(digest, hashmill::$function::<OUT>(first(len)), "{len} bytes");
            }

            /// An output that is read in pieces, which end within, at and after the ends of blocks.
            const READ: [u8; 2 * OUT] = {
                let mut hasher = portable::$Type::new();
                hasher.update(first(BLOCK + 1)).update(b"").update(first(3));
                let mut reader = hasher.squeeze();
                let mut out = [0; 2 * OUT];
                let (mut at, mut i) = (0, 0);
                let pieces = [0, 1, 8, BLOCK.saturating_sub(9), 3, OUT];
                while i < pieces.len() {
                    reader.fill(out.split_at_mut(at).1.split_at_mut(pieces[i]).0);
                    at += pieces[i];
                    i += 1;
                }
                reader.fill(out.split_at_mut(at).1);
                out
            };
            let mut out = [0; 2 * OUT];
            let mut hasher = hashmill::$Type::new();
            hasher.update(first(BLOCK + 1)).update(first(3)).squeeze().fill(&mut out);
            assert_eq!(READ, out);

            const PREFIX: portable::$Type = *portable::$Type::new().update(first(BLOCK + 1));
            for len in [BLOCK + 1, BLOCK + 2, 2 * BLOCK, 1200] {
                let mut hasher = hashmill::$Type::from(PREFIX);
                hasher.update(&first(len)[BLOCK + 1..]).squeeze().fill(&mut out);
                assert_eq!(hashmill::$function(first(len)), out, "to {len} bytes");
            }
            assert_eq!(
                hashmill::$Type::from(PREFIX).export().as_ref(),
                hashmill::$Type::new().update(first(BLOCK + 1)).export().as_ref(),
            );
        }
        )*
    };
}

each!(xof xof);

#[test]
fn every_algorithm_is_here() {
    assert_eq!([FIXED, XOFS].concat(), Algorithm::ALL);
}

macro_rules! domains {
    ($($Type:ident $test:ident,)*) => { $(
        #[test]
        fn $test() {
            const OUTPUTS: [[u8; 40]; 0x80] = {
                let mut outputs = [[0; 40]; 0x80];
                let mut domain = 0x01;
                while domain < 0x80 {
                    match portable::$Type::with_domain(domain) {
                        Ok(mut xof) => xof.update(b"abc").squeeze().fill(&mut outputs[domain as usize]),
                        Err(_) => panic!("0x01 to 0x7F are domains"),
                    }
                    domain += 1;
                }
                outputs
            };
            for domain in 0x01..0x80 {
                let mut out = [0; 40];
                let mut xof = hashmill::$Type::with_domain(domain).expect("a domain");
                xof.update(b"abc").squeeze().fill(&mut out);
                assert_eq!(OUTPUTS[usize::from(domain)], out, "domain {domain:#04x}");
            }
            const {
                assert!(portable::$Type::with_domain(0x00).is_err());
                assert!(portable::$Type::with_domain(0x80).is_err());
                assert!(portable::$Type::with_domain(0xFF).is_err());
            }
        }
    )* };
}

domains! {
    TurboShake128 turboshake128_domains,
    TurboShake256 turboshake256_domains,
}

/// Tests, in a constant, the setters that all functions have, with messages of all `LENGTHS`.
macro_rules! params {
    ($($Type:ident $function:ident $test:ident, output $output:literal, salt $salt:literal, tree {$($tree:tt)*};)*) => { $(
        #[test]
        fn $test() {
            use hashmill::$function::Params;
            const PARAMS: Params = Params::new()
                .output_len($output - 3)
                .key(first($output))
                .salt(first($salt))
                .personal(first($salt - 1))
                $($tree)*;
            const LENGTHS: [usize; 8] = lengths(Algorithm::$Type.block_len());
            const DIGESTS: [Digest<{ $output - 3 }>; 8] = {
                let hasher = match PARAMS.build_portable() {
                    Ok(hasher) => hasher,
                    Err(_) => panic!("these are good parameters"),
                };
                let mut digests = [hasher.finalize(); 8];
                let mut i = 0;
                while i < digests.len() {
                    let mut hasher = hasher;
                    digests[i] = hasher.update(first(LENGTHS[i])).finalize();
                    i += 1;
                }
                digests
            };
            for (len, digest) in LENGTHS.into_iter().zip(DIGESTS) {
                let mut hasher = PARAMS.build().expect("good parameters");
                assert_eq!(digest, hasher.update(first(len)).finalize(), "{len} bytes");
            }
            let going_on = PARAMS.build_portable().map(hashmill::$Type::from).expect("good parameters");
            assert_eq!(going_on.finalize(), DIGESTS[0]);
            const { assert!(Params::new().output_len($output + 1).build_portable().is_err()) }
        }
    )* };
}

params! {
    Blake2b blake2b blake2b_parameters, output 64, salt 16, tree {
        .fanout(3).max_depth(4).leaf_len(0x0102_0304).node_offset(0x0102_0304_0506_0708)
        .node_depth(2).inner_len(61).last_node(LastNode::Yes)
    };
    Blake2s blake2s blake2s_parameters, output 32, salt 8, tree {
        .fanout(3).max_depth(4).leaf_len(0x0102_0304).node_offset(0x0102_0304_0506)
        .node_depth(2).inner_len(31).last_node(LastNode::Yes)
    };
    Blake2bp blake2bp blake2bp_parameters, output 64, salt 16, tree {};
    Blake2sp blake2sp blake2sp_parameters, output 32, salt 8, tree {};
}
