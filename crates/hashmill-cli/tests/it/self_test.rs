//! `hashmill self-test`.

use crate::common::Place;
use hashmill::self_test::checks;

#[test]
fn every_algorithm_is_right_on_every_backend() {
    let ran = Place::new().run("hashmill", &["self-test"]);
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
    let text = ran.text();
    let found: Vec<Vec<&str>> =
        text.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let expected: Vec<Vec<&str>> =
        checks().map(|check| vec![check.algorithm.name(), check.backend, "right"]).collect();
    assert_eq!(found, expected);
}
