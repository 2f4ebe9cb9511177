//! What was checked, where, and what was not.

use super::source::{Case, Source};
use crate::common::backends;
use hashmill::Algorithm;
use std::collections::BTreeMap;

/// Answers by folder, algorithm and backend.
#[derive(Default)]
pub struct Report(BTreeMap<(&'static str, String, &'static str), usize>);

impl Report {
    pub fn add(&mut self, folder: &'static str, case: &Case, backend: &'static str) {
        let algorithm = case.algorithm().name().to_owned();
        *self.0.entry((folder, algorithm, backend)).or_default() += case.answers();
    }

    fn sum(&self, wanted: impl Fn(&str, &str, &str) -> bool) -> usize {
        self.0.iter().filter(|((f, a, b), _)| wanted(f, a, b)).map(|(_, answers)| answers).sum()
    }

    /// A table of folders by backends, one of algorithms by backends, and what was skipped.
    pub fn print(&self, sources: &[Source]) {
        let backends = backends::available();
        let head = |what: &str| {
            print!("\n{what:<18}{:>8}{:>9}", "cases", "answers");
            backends.iter().for_each(|backend| print!("{backend:>10}"));
            println!();
        };
        head("source");
        let mut folders: Vec<&str> = sources.iter().map(|source| source.folder).collect();
        folders.dedup();
        for folder in folders {
            let files = || sources.iter().filter(|source| source.folder == folder);
            let skipped =
                files().flat_map(|file| &file.skipped).map(|skipped| skipped.cases).sum::<usize>();
            let cases = files().map(|file| file.cases.len()).sum::<usize>() + skipped;
            let answers = files().flat_map(|file| &file.cases).map(Case::answers).sum::<usize>();
            print!("{folder:<18}{:>8}{:>9}", thousands(cases), thousands(answers));
            backends.iter().for_each(|&b| {
                print!("{:>10}", thousands(self.sum(|f, _, n| f == folder && n == b)))
            });
            println!();
        }
        head("algorithm");
        for algorithm in Algorithm::ALL.iter().map(|algorithm| algorithm.name()) {
            let all = || {
                sources
                    .iter()
                    .flat_map(|file| &file.cases)
                    .filter(|c| c.algorithm().name() == algorithm)
            };
            let answers = all().map(Case::answers).sum::<usize>();
            print!("{algorithm:<18}{:>8}{:>9}", thousands(all().count()), thousands(answers));
            backends.iter().for_each(|&b| {
                print!("{:>10}", thousands(self.sum(|_, a, n| a == algorithm && n == b)))
            });
            println!();
        }
        let mut skipped = BTreeMap::new();
        for source in sources {
            for skip in &source.skipped {
                *skipped.entry((source.folder, &skip.what)).or_insert(0) += skip.cases;
            }
        }
        if !skipped.is_empty() {
            println!("\nskipped");
        }
        for ((folder, what), cases) in skipped {
            println!("{folder:<18}{:>8}  {what}", thousands(cases));
        }
        let answers = sources.iter().flat_map(|file| &file.cases).map(Case::answers).sum();
        let total = format!(
            "{} answers checked on {}: {} checks, each through every interface",
            thousands(answers),
            backends.join(", "),
            thousands(self.sum(|_, _, _| true))
        );
        println!("\n{total}\n");
        // Where `cargo xtask test` finds it.
        let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/answers.txt");
        std::fs::write(path, total).expect("the folder for tests' files is there");
    }

    /// Sources that gave no answer, and backends that no answer of an algorithm ran on.
    pub fn missing(&self, sources: &[Source]) -> Vec<String> {
        let empty =
            sources.iter().filter(|source| source.cases.is_empty() && source.skipped.is_empty());
        let mut missing: Vec<String> =
            empty.map(|source| format!("{}/{}", source.folder, source.file)).collect();
        for &algorithm in Algorithm::ALL {
            for backend in algorithm.backends().filter(|backend| backend.available) {
                if self.sum(|_, a, b| a == algorithm.name() && b == backend.name) == 0 {
                    missing.push(format!("{algorithm} on {}", backend.name));
                }
            }
        }
        missing
    }
}

fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|g| std::str::from_utf8(g).unwrap()).collect();
    match number {
        0 => "–".to_owned(),
        _ => groups.join(","),
    }
}
