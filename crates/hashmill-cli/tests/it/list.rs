//! `hashmill list`.

use crate::common::Place;
use hashmill::Algorithm;

#[test]
fn every_algorithm_and_every_backend_has_a_line() {
    let list = Place::new().run("hashmill", &["list", "--backends"]).text();
    let mut lines = list.lines().skip(1);
    for algorithm in Algorithm::ALL {
        for backend in algorithm.backends() {
            let line = lines.next().unwrap();
            let words: Vec<&str> = line.split_whitespace().collect();
            let available = if backend.available { "yes" } else { "no" };
            let expected = [algorithm.name(), backend.name, &backend.lanes.to_string(), available];
            assert_eq!(words[..4], expected);
            let used = usize::from(backend.one) + usize::from(backend.many);
            assert_eq!(words[4..], vec!["used"; used], "{line}");
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn the_backends_of_this_cpu_have_a_speed() {
    let place = Place::new();
    let (plain, measured) = (
        place.run("hashmill", &["list", "--backends"]).text(),
        place.run("hashmill", &["list", "--speed"]).text(),
    );
    assert!(measured.lines().next().unwrap().ends_with("GB/S"));
    for (plain, measured) in plain.lines().zip(measured.lines()).skip(1) {
        let mut words: Vec<&str> = measured.split_whitespace().collect();
        if words[3] == "yes" {
            let speed: f64 = words.pop().unwrap().parse().unwrap();
            assert!(speed > 0.0, "{measured}");
        }
        assert_eq!(words, plain.split_whitespace().collect::<Vec<_>>());
    }
}
