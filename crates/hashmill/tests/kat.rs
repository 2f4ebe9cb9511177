//! Known-answer tests: every file of answers is checked on every backend of this machine, through
//! every interface.
//!
//! The answers are those in `vectors/` and, if a folder `shared/vectors` exists beside the
//! workspace, the published files in it. `HASHMILL_LONG=1` adds the messages of 1 GiB and more.
//!
//! This is a separate test binary because its tests are the files that it finds
//! (`harness = false`), and because it prints a report at its end.

mod common;
mod kat {
    pub mod acvp;
    pub mod cavp;
    pub mod check;
    pub mod json;
    pub mod report;
    pub mod source;
}

use common::published::read;
use common::{backends, long};
use kat::report::Report;
use kat::source::{Case, Skipped, Source};
use libtest_mimic::{Arguments, Conclusion, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

/// A function that reads the cases of a file, given the file's name without extensions and its
/// text.
type Reader = fn(&str, &str) -> (Vec<Case>, Vec<Skipped>);

/// The folders of answers in this repository.
const OWN: [&str; 2] = ["vectors", "vectors/verify"];

const FOLDERS: &[(&str, Reader)] = &[
    (OWN[0], own),
    (OWN[1], own),
    ("acvp", kat::acvp::acvp),
    ("cavp", kat::cavp::cavp),
    ("xkcp", kat::cavp::xkcp),
    ("sp800-185-samples", kat::cavp::sp800_185),
    ("wycheproof", kat::json::wycheproof),
    ("blake2", kat::json::tests),
    ("rfc9861", kat::json::tests),
    ("generated", kat::json::tests),
];

fn own(_file: &str, text: &str) -> (Vec<Case>, Vec<Skipped>) {
    let file = common::own::File::parse(text);
    (file.answers().map(Case::Answer).collect(), Vec::new())
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shared() -> PathBuf {
    workspace().join("../shared/vectors")
}

/// Returns the files that are present.
fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    for &(folder, reader) in FOLDERS {
        let path =
            if OWN.contains(&folder) { workspace().join(folder) } else { shared().join(folder) };
        let mut files: Vec<_> = std::fs::read_dir(path)
            .into_iter()
            .flatten()
            .map(|entry| entry.expect("a readable folder").path())
            .filter(|path| path.extension().is_some_and(|it| it != "md" && it != "py"))
            .collect();
        files.sort();
        for path in files {
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
            let unpacked = name.strip_suffix(".gz").unwrap_or(name);
            let file = unpacked.rsplit_once('.').map_or(unpacked, |(stem, _)| stem).to_owned();
            let (mut cases, mut skipped) = reader(&file, &read(&path));
            let large =
                cases.extract_if(.., |case| matches!(case, Case::Large(_)) && !long()).count();
            if large > 0 {
                skipped.push(Skipped {
                    cases: large,
                    what: "1 GiB and more: HASHMILL_LONG=1 adds them".into(),
                });
            }
            sources.push(Source { folder, file, cases, skipped });
        }
    }
    sources
}

/// Returns the names of the folders in `shared/vectors` that no reader is listed for.
fn unknown_folders() -> Vec<String> {
    let entries = std::fs::read_dir(shared()).into_iter().flatten();
    let folders = entries
        .map(|entry| entry.expect("a readable folder"))
        .filter(|entry| entry.path().is_dir());
    let names = folders.map(|folder| folder.file_name().to_string_lossy().into_owned());
    names.filter(|name| !FOLDERS.iter().any(|(folder, _)| folder == name)).collect()
}

fn run(source: &Source, backend: &'static str, report: &Mutex<Report>) -> Result<(), Failed> {
    let _forced = backends::force(backend);
    let cases: Vec<&Case> = source.cases.iter().filter(|case| case.runs_on(backend)).collect();
    let failures = kat::check::cases(&cases);
    let mut report = report.lock().expect("a report");
    for case in &cases {
        report.add(source.folder, case, backend);
    }
    match &failures[..] {
        [] => Ok(()),
        [first, ..] => {
            Err(format!("{} of {} cases fail; the first: {first}", failures.len(), cases.len())
                .into())
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let sources: Arc<[Source]> = sources().into();
    let report = Arc::new(Mutex::new(Report::default()));
    let mut trials = Vec::new();
    for backend in backends::available() {
        for (index, source) in sources.iter().enumerate() {
            if source.cases.iter().any(|case| case.runs_on(backend)) {
                let (sources, report) = (Arc::clone(&sources), Arc::clone(&report));
                let name = format!("{}/{} [{backend}]", source.folder, source.file);
                trials.push(Trial::test(name, move || run(&sources[index], backend, &report)));
            }
        }
    }
    let all = arguments.filter.is_none()
        && arguments.skip.is_empty()
        && !arguments.list
        && !arguments.ignored;
    let conclusion: Conclusion = libtest_mimic::run(&arguments, trials);
    if !all {
        return conclusion.exit_code();
    }
    let report = report.lock().expect("a report");
    report.print(&sources);
    let missing = [unknown_folders(), report.missing(&sources)].concat();
    for gap in &missing {
        println!("not checked: {gap}");
    }
    if missing.is_empty() { conclusion.exit_code() } else { ExitCode::FAILURE }
}
