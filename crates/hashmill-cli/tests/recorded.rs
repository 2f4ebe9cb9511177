//! Compares the program with recorded cases of GNU coreutils 9.11, if the records are present;
//! `cargo xtask test` reports whether they are. Without them, `coreutils.rs` tests the same
//! behaviour, expressed as rules.

#![cfg(unix)]

mod common;
use common::Place;
use std::path::Path;
use std::process::Command;

#[test]
fn all_recorded_cases_agree() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cli");
    let Ok(recorded) = std::fs::read_to_string(shared.join("gnu-9.11-cases.txt")) else {
        println!("{} is not there: no recorded cases were compared", shared.display());
        return;
    };
    let expected: Vec<&str> = recorded.lines().collect();
    assert!(expected.len() > 200);

    let place = Place::new();
    let output = Command::new("bash")
        .arg(shared.join("probe.sh"))
        .args([&place.path("bin"), Path::new("-")])
        .output()
        .unwrap();
    let ours = String::from_utf8_lossy(&output.stdout).into_owned();
    let missing: Vec<&&str> =
        expected.iter().filter(|case| !ours.lines().any(|line| line == **case)).collect();
    assert!(missing.is_empty(), "{} of {} differ: {missing:#?}", missing.len(), expected.len());
    println!("{} recorded cases agree", expected.len());
}
