//! Known bugs in hash functions, and the tests here that would have found each of them.
//!
//! | bug | tests |
//! |---|---|
//! | An update of 1 byte, then one of 2³² − 1 bytes: CVE-2022-37454, the Keccak team's SHA-3 | `large::cve_2022_37454_…`, `large::kangaroo_twelve_…`; on 32-bit targets `cargo xtask test narrow` |
//! | 2³² bytes in one call: CVE-2019-8741, Apple's corecrypto | `large::cve_2019_8741_…` |
//! | Different blocks in one call: sha2 0.9.7, SHA-512 with AVX2 | `batches::sha2_0_9_7_blocks_that_differ` |
//! | cSHAKE's `bytepad` of a string that is already aligned: tiny-keccak 2.0, sha3 0.10 | `sp800_185::agree::bytepad_of_every_length` |
//! | KangarooTwelve's empty chunk after multiples of 8,192 bytes | `k12::around_the_ends_of_chunks`, `k12::numbers_of_chunks`, `k12::cuts` |
//! | Several squeezes or several updates with another result than one call | `agree::one::squeezes_of_every_length_and_split`, `agree::one::every_split_of_three_blocks`, `agree::one::random_splits_of_long_messages`; `paper::update` |
//! | BLAKE2's counter past 2³² and 2⁶⁴, SHA-2's length past 2³² and 2⁶⁴ bits | `state::limits::counters_carry_and_reach_their_limits`, `state::limits::bits_at_the_limit` |
//! | Dispatch to instructions that the CPU lacks, or whose registers the operating system does not save | the tests in `src/simd.rs`; `dispatch`; `cargo xtask test masked` |
//! | Outputs that keep earlier bytes, or that are written beyond their end | `batches::stale_outputs` |
//! | Loads beyond the input, and loads that require alignment | `pages` |
//! | Batches with messages that are empty, equal or overlapping | `batches::empty_and_aliased_messages` |
//! | Imported states that are forged | `state::refusals` |
//! | The faults in 41 of 86 candidates for SHA-3 (eprint 2017/891) | `paper` |

mod batches;
mod dispatch;
#[cfg(target_os = "linux")]
mod large;
#[cfg(target_os = "linux")]
mod pages;
mod paper;
