//! What all hashers have in common: every way to absorb bytes, `Clone`, `Debug` and `Default`.

use crate::common::message;
use hashmill::function::{Extendable, Function};
use hashmill::{Algorithm, AnyHasher, AnyHmac, Digest, Exported, Hash, Hasher, Hmac, VarDigest};

/// A hasher or an HMAC behind `dyn`.
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
    ($($Type:ident $function:ident,)*) => { $(
        sink!(hashmill::$Type, |hasher| hasher.finalize().to_vec());
    )* };
}
each!(fixed fixed_sinks);
macro_rules! hmac_sinks {
    ($($Type:ident $function:ident,)*) => { $(
        sink!(Hmac<hashmill::$Type>, |hmac| hmac.finalize().to_vec());
    )* };
}
each!(hmac hmac_sinks);
macro_rules! xof_sinks {
    ($($Type:ident $function:ident,)*) => { $(
        sink!(hashmill::$Type, |xof| xof.squeeze().take(50).collect());
    )* };
}
each!(xof xof_sinks);
sink!(AnyHasher, |hasher| hasher.finalize().to_vec());
sink!(AnyHmac, |hmac| hmac.finalize().to_vec());

/// Returns every hasher and HMAC with its name. Each has absorbed nothing.
fn sinks() -> Vec<(String, Box<dyn Sink>)> {
    let mut sinks: Vec<(String, Box<dyn Sink>)> = Vec::new();
    macro_rules! hashers {
        ($($Type:ident $function:ident,)*) => { $(
            sinks.push((stringify!($Type).into(), Box::new(hashmill::$Type::new())));
        )* };
    }
    each!(fixed hashers);
    each!(xof hashers);
    macro_rules! hmacs {
        ($($Type:ident $function:ident,)*) => { $(
            let name = format!("Hmac<{}>", stringify!($Type));
            sinks.push((name, Box::new(Hmac::<hashmill::$Type>::new(b"key"))));
        )* };
    }
    each!(hmac hmacs);
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
    // `extend` collects 512 bytes at a time.
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
            // The iterator would return more bytes if it were called again.
            (asked != len + 1).then_some(7)
        });
        let mut hasher = hashmill::Sha256::new();
        hasher.extend(&mut bytes);
        assert_eq!(hasher.finalize(), hashmill::sha256(vec![7; len]), "{len} bytes");
        assert_eq!(asked, len + 1);
    }
}

#[test]
fn collecting() {
    let message = message(1000);
    macro_rules! fixed {
        ($($Type:ident $function:ident,)*) => { $(
            let expected = hashmill::$function(&message);
            let by_value: hashmill::$Type = message.iter().copied().collect();
            let by_reference: hashmill::$Type = message.iter().collect();
            assert_eq!(by_value.finalize()[..], expected[..]);
            assert_eq!(by_reference.finalize()[..], expected[..]);
        )* };
    }
    each!(fixed fixed);
    macro_rules! xof {
        ($($Type:ident $function:ident,)*) => { $(
            let expected = hashmill::$function::<50>(&message);
            let by_value: hashmill::$Type = message.iter().copied().collect();
            let by_reference: hashmill::$Type = message.iter().collect();
            assert!(by_value.squeeze().take(50).eq(*expected));
            assert!(by_reference.squeeze().take(50).eq(*expected));
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
    assert_eq!(format!("{:?}", hashmill::Sha256::new()), "SHA-256 { .. }");
    assert_eq!(format!("{:?}", Algorithm::Sha256.hasher()), "AnyHasher(Sha256)");
    let keyed = hashmill::blake2b::Params::new().key(b"secret").salt(b"secret").output_len(9);
    assert_eq!(format!("{keyed:?}"), "Params { output_len: 9, .. }");
    let reader = hashmill::Shake128::new().update(b"secret").squeeze();
    assert_eq!(format!("{reader:?}"), "XofReader { .. }");
    let exported: Exported = hashmill::Sha256::new().update(b"secret").export();
    assert_eq!(format!("{exported:?}"), "Exported { len: 64, .. }");
    let mut portable = hashmill::portable::Sha256::new();
    assert_eq!(format!("{:?}", portable.update(b"secret")), "SHA-256 { .. }");
    let hmac = Hmac::<hashmill::Sha256>::new(b"secret");
    assert_eq!(format!("{hmac:?}"), "Hmac { hash: Sha256, .. }");
}

#[test]
fn a_default_has_absorbed_nothing() {
    fn fixed<F: Function>() {
        let empty = F::ALGORITHM.hash(b"");
        assert_eq!(Hash::<F>::default().finalize().into(), empty);
        let saved = F::ALGORITHM.hasher().export().expect("a state");
        assert_eq!(Hash::<F>::default().export().as_ref(), saved.as_ref());
    }
    fn xof<F: Extendable>() {
        let empty = F::ALGORITHM.hash(b"");
        assert!(Hash::<F>::default().squeeze().take(empty.len()).eq(empty.iter().copied()));
    }
    macro_rules! fixed {
        ($($Type:ident $function:ident,)*) => { $(
            fixed::<<hashmill::$Type as Hasher>::Function>();
            assert_eq!(<hashmill::$Type as Hasher>::ALGORITHM, Algorithm::$Type);
        )* };
    }
    each!(fixed fixed);
    macro_rules! xof {
        ($($Type:ident $function:ident,)*) => { $(
            xof::<<hashmill::$Type as Hasher>::Function>();
            assert_eq!(<hashmill::$Type as Hasher>::Function::ALGORITHM, Algorithm::$Type);
        )* };
    }
    each!(xof xof);
    assert_eq!(Digest::<32>::default(), [0; 32]);
    assert!(VarDigest::default().is_empty());
}

#[cfg(feature = "std")]
mod io {
    use super::{message, sinks};
    use std::io::{self, Read};

    /// A reader that returns 1, 2, 3, … bytes, is interrupted before each read, and fails or ends
    /// after the last byte.
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
}
