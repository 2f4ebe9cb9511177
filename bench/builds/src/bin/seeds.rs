//! Measures BLAKE2 beside the crates blake2b_simd and blake2s_simd, in all ways in which they hash:
//! `cargo xtask bench --seeds`. A cell is a function, a way, a number of messages and a length.

#![forbid(unsafe_code)]

#[path = "../least.rs"]
mod least;

use hashmill::{VarDigest, many};
use least::least;
use std::hint::black_box;
use std::process::ExitCode;

const MIB: usize = 1 << 20;
/// Rounds; the least time counts.
const ROUNDS: usize = 40;
/// Nanoseconds of a sample.
const SAMPLE: f64 = 10_000.0;

/// What is measured. It returns a byte of a digest, so that nothing is left out.
type Work<'a> = &'a mut (dyn FnMut() -> u8 + 'a);

/// The cells of one function, with the ratio of the crate's time to ours.
#[derive(Default)]
struct Cells {
    ratios: Vec<(f64, String)>,
}

impl Cells {
    /// Measures both in turn.
    fn add<'a>(&mut self, name: String, ours: Work<'a>, theirs: Work<'a>) {
        assert_eq!(ours(), theirs(), "{name}: different digests");
        let mut works = [ours, theirs];
        let best = least(2, (ROUNDS, SAMPLE), |_| {}, |i| _ = black_box(works[i]()));
        self.ratios.push((best[1] / best[0], name));
    }
}

/// Measures the cells of one function. A caller wants every digest of a batch, so the crate's are all
/// taken from its jobs.
macro_rules! function {
    ($cells:expr, $data:expr, $Hasher:ident, $one:ident, $tree:ident, $LEN:literal, $krate:ident) => {{
        use hashmill::$one::Params;
        use $krate::many::{HashManyJob, hash_many, update_many};
        let (cells, data): (&mut Cells, &[u8]) = ($cells, $data);
        let name = |way: &str, count: usize, len: usize| {
            format!("{} {way}, {count} × {len} bytes", stringify!($one))
        };
        let first = |digest: &[u8]| digest[0];

        for len in [0, 1, 32, 64, 128, 1024, 8192, MIB] {
            let message = &data[..len];
            cells.add(
                name("one message", 1, len),
                &mut || first(&hashmill::$one(black_box(message))[..]),
                &mut || first($krate::$one(black_box(message)).as_bytes()),
            );
            cells.add(
                name("a key", 1, len),
                &mut || {
                    first(&Params::new().key(b"key").hash(black_box(message)).expect("a key")[..])
                },
                &mut || {
                    first($krate::Params::new().key(b"key").hash(black_box(message)).as_bytes())
                },
            );
            cells.add(
                name("a salt", 1, len),
                &mut || {
                    first(
                        &Params::new().salt(b"salt").hash(black_box(message)).expect("a salt")[..],
                    )
                },
                &mut || {
                    first($krate::Params::new().salt(b"salt").hash(black_box(message)).as_bytes())
                },
            );
            cells.add(
                name(stringify!($tree), 1, len),
                &mut || first(&hashmill::$tree(black_box(message))[..]),
                &mut || first($krate::$tree::$tree(black_box(message)).as_bytes()),
            );
        }
        for count in [2, 3, 4, 5, 8, 16, 64] {
            for len in [0, 32, 64, 128, 1024, 8192] {
                let messages: Vec<&[u8]> = (0..count).map(|i| &data[i * len..][..len]).collect();
                let mut digests = vec![0; count * $LEN];
                let mut others = digests.clone();
                let params = $krate::Params::new();
                cells.add(
                    name("many", count, len),
                    &mut || {
                        let messages = black_box(&messages[..]);
                        many::hash::<hashmill::$Hasher>(messages, &mut digests[..])
                            .expect("places");
                        digests[count / 2 * $LEN]
                    },
                    &mut || {
                        let messages = black_box(&messages[..]);
                        let mut jobs: Vec<_> = messages
                            .iter()
                            .map(|message| HashManyJob::new(&params, message))
                            .collect();
                        hash_many(&mut jobs);
                        for (place, job) in others.chunks_exact_mut($LEN).zip(&jobs) {
                            place.copy_from_slice(job.to_hash().as_bytes());
                        }
                        others[count / 2 * $LEN]
                    },
                );
            }
        }
        for count in [2, 4, 8, 16, 64] {
            for len in [0, 32, 128, 1024] {
                let messages: Vec<&[u8]> = (0..count).map(|i| &data[i * len..][..len]).collect();
                let salts: Vec<[u8; 8]> = (0..count as u64).map(u64::to_le_bytes).collect();
                let mut digests = vec![VarDigest::default(); count];
                let mut others = vec![0; count * $LEN];
                cells.add(
                    name("own parameters", count, len),
                    &mut || {
                        let params: Vec<_> =
                            black_box(&salts).iter().map(|salt| Params::new().salt(salt)).collect();
                        Params::hash_each(&params, &messages, &mut digests).expect("places");
                        digests[count / 2][0]
                    },
                    &mut || {
                        let mut jobs: Vec<_> = black_box(&salts)
                            .iter()
                            .zip(&messages)
                            .map(|(salt, message)| {
                                HashManyJob::new($krate::Params::new().salt(salt), message)
                            })
                            .collect();
                        hash_many(&mut jobs);
                        for (place, job) in others.chunks_exact_mut($LEN).zip(&jobs) {
                            place.copy_from_slice(job.to_hash().as_bytes());
                        }
                        others[count / 2 * $LEN]
                    },
                );
            }
        }
        for count in [2, 4, 8, 16] {
            for len in [64, 128, 1024, 8192] {
                let messages: Vec<&[u8]> = (0..count).map(|i| &data[i * len..][..len]).collect();
                let mut ours = vec![hashmill::$Hasher::new(); count];
                let mut theirs = vec![$krate::State::new(); count];
                hashmill::$Hasher::update_many(&mut ours, &messages[..]).expect("pieces");
                update_many(theirs.iter_mut().zip(&messages));
                for (ours, theirs) in ours.iter().zip(&theirs) {
                    assert_eq!(ours.finalize()[..], *theirs.finalize().as_bytes());
                }
                cells.add(
                    name("updates", count, len),
                    &mut || {
                        let messages = black_box(&messages[..]);
                        hashmill::$Hasher::update_many(&mut ours, messages).expect("pieces");
                        0
                    },
                    &mut || {
                        update_many(theirs.iter_mut().zip(black_box(&messages[..])));
                        0
                    },
                );
            }
        }
    }};
}

fn main() -> ExitCode {
    let data: Vec<u8> = (0..MIB).map(|i| (i * 7 % 251) as u8).collect();
    let mut cells = Cells::default();
    function!(&mut cells, &data, Blake2b, blake2b, blake2bp, 64, blake2b_simd);
    function!(&mut cells, &data, Blake2s, blake2s, blake2sp, 32, blake2s_simd);
    let mut ratios = cells.ratios;
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = (ratios.iter().map(|cell| cell.0.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let behind: Vec<_> = ratios.iter().filter(|cell| cell.0 < 1.0).collect();
    for (ratio, name) in &behind {
        println!("{ratio:5.2}  {name}");
    }
    println!(
        "{} of {} cells are behind; the crates' time ÷ ours is {mean:.2} in the geometric mean, {:.2} at least",
        behind.len(),
        ratios.len(),
        ratios[0].0,
    );
    if behind.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
