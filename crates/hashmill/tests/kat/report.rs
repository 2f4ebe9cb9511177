//! The report: which answers were checked on which backends, and which were skipped.

use super::source::{Case, Source};
use crate::common::backends;
use hashmill::Algorithm;
use std::collections::BTreeMap;

/// The number of checked answers by folder, algorithm and backend.
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

    /// Prints the answers of each algorithm by backend, the skipped cases, and the summary, which
    /// `cargo xtask test` prints again at its end.
    pub fn print(&self, sources: &[Source]) {
        let summary = self.summary(sources);
        println!("{}{}\n{summary}", self.by_algorithm(sources), skipped(sources));
        // `cargo xtask test` reads the summary from this file.
        let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/answers.txt");
        std::fs::write(path, summary).expect("the folder for tests' files is there");
    }

    /// Returns the table of the answers of each source by backend, and the lists of the backends
    /// that ran and of those that this CPU lacks.
    fn summary(&self, sources: &[Source]) -> String {
        let mut table = head("answers from");
        let mut folders: Vec<&str> = sources.iter().map(|source| source.folder).collect();
        folders.dedup();
        for folder in folders {
            let files = || sources.iter().filter(|source| source.folder == folder);
            let skipped =
                files().flat_map(|file| &file.skipped).map(|skipped| skipped.cases).sum::<usize>();
            let cases = files().map(|file| file.cases.len()).sum::<usize>() + skipped;
            let answers = files().flat_map(|file| &file.cases).map(Case::answers).sum();
            table += &row(folder, cases, answers, |b| self.sum(|f, _, n| f == folder && n == b));
        }
        let answers = sources.iter().flat_map(|file| &file.cases).map(Case::answers).sum();
        let total = format!(
            "\n{} answers checked on {}: {} checks, each through every interface",
            thousands(answers),
            backends::available().join(", "),
            thousands(self.sum(|_, _, _| true))
        );
        let absent: Vec<&str> = hashmill::backend::names()
            .filter(|name| !backends::available().contains(name))
            .collect();
        let absent = match &absent[..] {
            [] => "every backend of this target runs on this CPU".to_owned(),
            names => format!("not on this CPU: {}", names.join(", ")),
        };
        format!("{table}{total}\n{absent}\n")
    }

    fn by_algorithm(&self, sources: &[Source]) -> String {
        let mut table = head("algorithm");
        for algorithm in Algorithm::ALL.iter().map(|algorithm| algorithm.name()) {
            let all = || {
                sources
                    .iter()
                    .flat_map(|file| &file.cases)
                    .filter(|c| c.algorithm().name() == algorithm)
            };
            let answers = all().map(Case::answers).sum();
            let on = |b: &str| self.sum(|_, a, n| a == algorithm && n == b);
            table += &row(algorithm, all().count(), answers, on);
        }
        table
    }

    /// Returns the sources without cases, and the backends on which no answer of an algorithm was
    /// checked.
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

/// Returns the head of a table with a column for each backend.
fn head(what: &str) -> String {
    let backends = backends::available();
    let columns: String = backends.iter().map(|backend| format!("{backend:>10}")).collect();
    format!("\n{what:<18}{:>8}{:>9}{columns}\n", "cases", "answers")
}

fn row(name: &str, cases: usize, answers: usize, on: impl Fn(&str) -> usize) -> String {
    let backends = backends::available();
    let columns: String =
        backends.iter().map(|backend| format!("{:>10}", thousands(on(backend)))).collect();
    format!("{name:<18}{:>8}{:>9}{columns}\n", thousands(cases), thousands(answers))
}

fn skipped(sources: &[Source]) -> String {
    let mut skipped = BTreeMap::new();
    for source in sources {
        for skip in &source.skipped {
            *skipped.entry((source.folder, &skip.what)).or_insert(0) += skip.cases;
        }
    }
    let rows = skipped
        .iter()
        .map(|((folder, what), cases)| format!("{folder:<18}{:>8}  {what}\n", thousands(*cases)));
    match skipped.len() {
        0 => String::new(),
        _ => format!("\nskipped\n{}", rows.collect::<String>()),
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
