//! The answers in `vectors/`: each agrees with the reference and with an independent
//! implementation.
//!
//! The published answers are written by hand. The computed answers are computed here, from the
//! inputs that `plans.rs` lists:
//! `HASHMILL_WRITE_VECTORS=1 cargo test -p hashmill --test it vectors::computed` writes them again.

mod plans;

use crate::common::answer::to_hex;
use crate::common::own::{File, answer};
use crate::common::{peers, reference};
use hashmill::Algorithm;
use plans::{
    ascon, blake2, blake2x, blake3, fips_202, keccak, merkle_damgard, rfc_2104, rfc_7693, rfc_9861,
};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A function that returns the inputs of a file's computed answers.
type Plans = fn() -> Vec<Plan>;

/// The files with functions that have inputs of their own.
const OWN: &[(&str, Plans)] = &[
    ("fips-202.json", fips_202),
    ("keccak.json", keccak),
    ("rfc-7693.json", rfc_7693),
    ("blake2.json", blake2),
    ("blake2x.json", blake2x),
    ("blake3.json", blake3),
    ("rfc-9861.json", rfc_9861),
    ("ascon.json", ascon),
    ("rfc-2104.json", rfc_2104),
];

/// An entry without its output, and the output's length.
struct Plan {
    entry: Value,
    output_len: usize,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// Returns the names of the files.
fn files() -> Vec<String> {
    let names = std::fs::read_dir(folder())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    names.filter(|name| name.ends_with(".json")).collect()
}

/// Returns the inputs of a file's computed answers.
fn plans(file: &str) -> Vec<Plan> {
    if let Some((_, plans)) = OWN.iter().find(|(own, _)| *own == file) {
        return plans();
    }
    let answered: Vec<_> = read(file).answers().map(|answer| answer.algorithm).collect();
    let algorithms = Algorithm::ALL.iter().copied().filter(|it| answered.contains(it));
    merkle_damgard(&algorithms.collect::<Vec<_>>())
}

fn read(file: &str) -> File {
    let path = folder().join(file);
    File::parse(
        &std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    )
}

/// Returns the entry with the reference's output.
fn compute(plan: Plan) -> Value {
    let Plan { mut entry, output_len } = plan;
    entry["output"] = "00".repeat(output_len).into();
    let asked = answer(&entry);
    entry["output"] = to_hex(&reference::of(&asked)[asked.output.skip..]).into();
    entry
}

#[test]
fn computed_answers_are_those_of_the_plan() {
    let write = std::env::var_os("HASHMILL_WRITE_VECTORS").is_some_and(|value| value == "1");
    for file in files() {
        let stored = read(&file);
        let computed: Vec<Value> = plans(&file).into_iter().map(compute).collect();
        if write {
            let text = File { computed, ..stored }.to_string();
            std::fs::write(folder().join(file), text).expect("a folder that can be written to");
        } else {
            assert_eq!(stored.computed.len(), computed.len(), "{file}");
            for (stored, computed) in stored.computed.iter().zip(&computed) {
                assert_eq!(stored, computed, "{file}");
            }
        }
    }
}

#[test]
fn answers_agree_with_reference_and_peers() {
    for file in files() {
        for answer in read(&file).answers() {
            let agrees = |name: &str, computed: Vec<u8>| {
                assert!(
                    answer.output.agrees(&computed),
                    "{file}, {answer:?}, {name}: {}",
                    to_hex(&computed)
                );
            };
            agrees("the reference", reference::of(&answer));
            let peers = peers::of(&answer);
            assert!(!peers.is_empty(), "{file}, no peer for {answer:?}");
            peers.into_iter().for_each(|(name, computed)| agrees(name, computed));
        }
    }
}

#[test]
fn every_algorithm_has_answers() {
    let files = files();
    assert!(OWN.iter().all(|(own, _)| files.iter().any(|file| file == own)));
    for algorithm in Algorithm::ALL {
        let answers = || files.iter().flat_map(|file| read(file).answers().collect::<Vec<_>>());
        assert!(answers().any(|answer| answer.algorithm == *algorithm), "{algorithm}");
    }
}
