//! `cargo xtask test`: runs the chosen parts whose tools are installed, two at a time, then prints a
//! table.

use crate::needs::{CLANG, GCC, Missing};
use crate::prelude::*;
use crate::systems::{EVERYTHING, FREEBSD, LIBRARIES, MACOS, MACOS_ARM, S390X, WASI, WINDOWS};
use crate::{
    api, apt, arm, bench, calls, dist, duckdb, elsewhere, faces, faults, fuzz, haskell, house, js,
    locks, masked, miri, narrow, prove, python, release, rustcrypto, sanitize, systems, tail,
    unsafe_code, wasm, wine,
};
use Set::{All, Always, Long, Short};
use Test::{Own, Within};
use std::num::NonZero;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A part of the tests, with its own result: passed, failed or left out.
struct Part {
    set: Set,
    name: &'static str,
    what: &'static str,
    needs: Needs,
    test: Test,
}

/// When a part runs, if no part is named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    /// Without an option. With `--all` the part `library` contains its tests.
    Short,
    /// Without an option, and with `--all`.
    Always,
    /// With `--all`.
    All,
    /// With `--long`. On two cores of an Intel Xeon, `engines` installs 2 GB of Ray, Spark and others,
    /// the functions of DataFusion take many minutes to build, and the tests of the other languages
    /// here one to four minutes each.
    Long,
}

#[derive(Clone, Copy)]
enum Test {
    Own(fn() -> Outcome),
    /// Tests within another part. If a tool or a file is missing, these tests pass silently.
    Within(&'static str),
}

type Needs = fn() -> Found;

/// The part needs only Rust.
const RUST: Needs = || Ok(());

/// Returns all parts. The parts that fail most often come first.
#[rustfmt::skip] // a line a part, or two
fn parts() -> Vec<Part> {
    let mut parts = Vec::new();
    let mut add = |set, name, what, needs: Needs, test| {
        parts.push(Part { set, name, what, needs, test });
    };
    add(Always, "style", "rustfmt, lock files, layers without circles, and SECURITY.md's list of unsafe code",
        || needs::component("fmt", "rustfmt", "rustfmt-web"), Own(style));
    add(Always, "lints", "clippy on everything, with all features",
        || needs::component("clippy", "clippy", "rust-web-clippy"), Own(lints));
    add(Short, "core", "every function on every backend, against the reference and the answers of vectors/",
        RUST, Own(core));
    add(Always, "program", "the program, the C library's header, and xtask",
        || needs::program("bash", "bash"), Own(|| cargo(&format!("{PROGRAM} --no-fail-fast"))));
    for (name, what, needs) in WITHIN_PROGRAM {
        add(All, name, what, *needs, Within("program"));
    }
    let shared = root().join("../shared").exists();
    if shared {
        add(All, "recorded", "what GNU coreutils answered",
            || needs::shared("cli/gnu-9.11-cases.txt"), Within("program"));
    }
    add(All, "library", "every test of the library, on every backend",
        RUST, Own(|| cargo(LIBRARY)));
    for (name, what, needs) in WITHIN_LIBRARY.iter().filter(|_| shared) {
        add(All, name, what, *needs, Within("library"));
    }
    add(All, "remains", "no key stays in memory, in the build that cargo installs; the program has one copy",
        needs::memory, Own(|| remains("release").and_then(|()| one_copy())));
    add(All, "calls", "no kernel calls a function out of line, without link-time optimisation",
        calls::tools, Own(calls::calls));
    add(All, "docs", "rustdoc without a warning", RUST, Own(docs));
    add(All, "features", "the library without std, and without dependencies", RUST, Own(features));
    add(All, "systems/macos", "the libraries and the program type-check for macOS",
        || systems::target(MACOS), Own(|| systems::check(MACOS, EVERYTHING)));
    add(All, "systems/macos-arm", "the libraries type-check for macOS on Arm",
        || systems::target(MACOS_ARM), Own(|| systems::check(MACOS_ARM, LIBRARIES)));
    add(All, "systems/windows", "the same for Windows",
        || systems::target(WINDOWS), Own(|| systems::check(WINDOWS, LIBRARIES)));
    add(All, "systems/s390x", "the same for Linux on a big-endian CPU",
        || systems::target(S390X), Own(|| systems::check(S390X, LIBRARIES)));
    add(All, "systems/wasi", "the same for WebAssembly with WASI",
        || systems::target(WASI), Own(|| systems::check(WASI, LIBRARIES)));
    add(All, "systems/rust", "the same with the oldest Rust that they support",
        systems::oldest_rust, Own(|| systems::check_oldest(LIBRARIES)));
    add(All, "apt", "Debian has the packages that this command names on a bare machine",
        apt::tools, Own(apt::apt));
    add(All, "deny", "licences, sources and versions of all dependencies",
        || needs::works("cargo-deny --version", "cargo install cargo-deny --locked"), Own(dependencies));
    add(All, "bench", "the benchmarks whose peers are not built from C compile",
        || needs::fetched(bench::BUILDS), Own(bench::check));
    add(All, "rustcrypto", "the library under RustCrypto's signatures, MACs and key derivation",
        rustcrypto::packages, Own(rustcrypto::rustcrypto));
    add(Long, "rustcrypto/own", "the tests of RustCrypto's hmac, hkdf and pbkdf2 over the library",
        rustcrypto::packages, Own(rustcrypto::own));
    add(Long, "alloy", "Ethereum's tries of alloy over the library",
        || needs::fetched(rustcrypto::ALLOY), Own(rustcrypto::alloy));
    add(Long, "slh-dsa", "the examples of SLH-DSA and ML-KEM compute what slh-dsa and libcrux-sha3 do",
        || needs::fetched(rustcrypto::SIGNATURES), Own(rustcrypto::signatures));
    add(Long, "trees", "Merkle trees beside those of rs_merkle and over ethereum_hashing",
        || needs::fetched(rustcrypto::TREES), Own(rustcrypto::trees));
    add(All, "c/gcc", "hashmill.h from C99 and C11, with the static and the shared library",
        || faces::c_needs(&GCC), Own(|| faces::c(&GCC)));
    add(All, "c/remains", "no key stays in the memory of a C program that is linked lazily",
        || needs::all([faces::c_needs(&GCC), needs::memory()]), Own(faces::c_remains));
    add(All, "c/clang", "the same by another compiler",
        || faces::c_needs(&CLANG), Own(|| faces::c(&CLANG)));
    add(All, "haskell", "the Haskell package: documentation, answers, properties, README's example",
        haskell::tools, Own(haskell::haskell));
    add(All, "haskell/remains", "no key stays in the memory of a Haskell program, with the package's own kernels and with the library",
        || needs::all([haskell::tools(), needs::memory()]), Own(haskell::remains));
    add(All, "motoko", "the Motoko package in the compiler's usual mode, and its instruction counts",
        faces::motoko_needs, Own(|| faces::motoko("wasm64")));
    add(Long, "motoko/wasm32", "the same in the compiler's other mode",
        faces::motoko_needs, Own(|| faces::motoko("wasm32")));
    add(All, "js", "the JavaScript package: vectors/, node:crypto, noble-hashes, a packed package, README",
        js::tools, Own(js::js));
    add(Long, "js/remains", "no state that comes from a key stays in memory after a call of the native part",
        || needs::all([needs::node(20), needs::memory()]), Own(js::remains));
    add(Long, "js/others", "the same in Deno, Bun, workerd and Firefox, and in bundles of esbuild, rollup, vite and webpack",
        js::other_tools, Own(js::others));
    add(All, "python", "the Python package: its wheel, CPython's tests of hashlib and hmac, columns, README",
        python::test_tools, Own(python::python));
    add(Long, "duckdb", "the extension of DuckDB: every function beside hashlib's, keys in files, errors",
        python::tools, Own(duckdb::test));
    add(Long, "datafusion", "the functions of DataFusion: every function, type and output, keys, errors",
        python::datafusion_tools, Own(python::datafusion));
    add(Long, "engines", "the Python package in query engines, on clusters, and on object stores",
        python::engine_tools, Own(|| python::engines(&[])));
    add(All, "cpp/gcc", "the C++ headers, alone and linked, and hashmill.h over them; vectors/ through them and through hashmill.h",
        || faces::cpp_needs(&GCC), Own(|| faces::cpp(&GCC, faces::CPP)));
    add(All, "cpp/clang", "the tests of the headers alone, and the examples, by another compiler",
        || faces::cpp_needs(&CLANG), Own(|| faces::cpp(&CLANG, &["test_headers"])));
    add(Long, "cpp/clang/linked", "the headers linked with the library, and hashmill.h over them, by that compiler",
        || faces::cpp_needs(&CLANG), Own(|| faces::cpp(&CLANG, &["test_linked", "test_static", "hashmill_c"])));
    add(Long, "arm/faces", "the same of C and C++ on 64-bit Arm, emulated by qemu, and hashmill.h over the C++ headers",
        faces::arm_needs, Own(faces::on_arm));
    add(Long, "js/noble", "the tests of noble-hashes over the JavaScript package",
        js::noble_tools, Own(js::noble));
    add(Long, "python/others", "the Python package with the other interpreters of this machine",
        python::tools, Own(python::pythons));
    add(Long, "spark", "runs the Python package's functions",
        || needs::answers("java", "-version", "default-jre-headless"), Within("engines"));
    add(All, "masked", "the program on CPUs without some instructions",
        || needs::qemu().map(drop), Own(masked::briefly));
    add(All, "arm", "the library on 64-bit Arm CPUs, emulated by qemu",
        arm::tools, Own(arm::briefly));
    add(All, "wasm", "the library in WebAssembly under Node",
        wasm::tools, Own(|| wasm::test(wasm::SIMD)));
    add(Long, "wasm/plain", "the same built without simd128",
        wasm::tools, Own(|| wasm::test(wasm::PLAIN)));
    add(All, "fuzz", "every fuzz target for three seconds", fuzz::tools, Own(fuzz::briefly));
    add(All, "proofs", "each kernel computes the function its standard defines, if it or the prover was changed",
        prove::tools, Own(|| prove::changed(&[])));
    add(All, "proofs/attacks", "some wrong kernels are not proved",
        prove::tools, Own(prove::attacks));
    add(All, "proofs/arm", "the same for the kernels of 64-bit Arm",
        prove::arm_tools, Own(|| prove::changed(&["--arm".into()])));
    add(All, "proofs/wasm", "the same for the kernels of WebAssembly",
        prove::wasm_tools, Own(|| prove::changed(&["--wasm".into()])));

    add(Long, "api", "the library's public items are those promised",
        api::tools, Own(|| api::api(&[])));
    add(Long, "remains/dist", "the same with link-time optimisation over all crates",
        needs::memory, Own(|| remains("dist")));
    #[cfg(unix)]
    add(Long, "hidden", "this command without the tools that it may lack",
        RUST, Own(crate::hidden::hidden));
    add(Long, "elsewhere", "this command in a path with blanks, and after the clone was moved",
        RUST, Own(elsewhere::elsewhere));
    add(Long, "windows", "the program on Windows, emulated by Wine",
        wine::tools, Own(wine::program));
    add(Long, "c/windows", "the C library for Windows: its DLL and its static library, emulated by Wine",
        wine::c_tools, Own(wine::c));
    add(Long, "programs/macos-arm", "the program type-checks for macOS on Arm",
        || systems::target(MACOS_ARM), Own(|| systems::check(MACOS_ARM, EVERYTHING)));
    add(Long, "programs/windows", "the same for Windows",
        || systems::target(WINDOWS), Own(|| systems::check(WINDOWS, EVERYTHING)));
    add(Long, "programs/freebsd", "the same for FreeBSD",
        || systems::target(FREEBSD), Own(|| systems::check(FREEBSD, EVERYTHING)));
    add(Long, "programs/linux-arm", "the same for Linux on Arm",
        || systems::target(arm::TARGET), Own(|| systems::check(arm::TARGET, EVERYTHING)));
    add(Long, "programs/s390x", "the same for Linux on a big-endian CPU",
        || systems::target(S390X), Own(|| systems::check(S390X, EVERYTHING)));
    add(Long, "programs/rust", "the same with the oldest Rust that it supports",
        systems::oldest_rust, Own(|| systems::check_oldest(EVERYTHING)));
    add(Long, "packages", "the packages of a release, some built where nothing of the repository is",
        release::tools, Own(release::try_release));
    add(Long, "reproducible", "the packaged program, the same from two directories",
        dist::tools, Own(dist::reproducible));
    add(Long, "sanitize", "AddressSanitizer and MemorySanitizer",
        sanitize::tools, Own(sanitize::sanitize));
    add(Long, "miri", "the library in Miri", miri::tools, Own(miri::miri));
    add(Long, "large", "messages of 1 GiB and more", RUST, Own(large_messages));
    add(Long, "damaged", "lists with any one byte changed do not pass",
        RUST, Own(|| long("--release --package hashmill-cli --test it damaged_lists")));
    add(Long, "objects", "a manifest of 300,000 objects of an S3 server",
        python::engine_tools, Own(|| python::engines(&["-s", "-k", "many_small_objects"])));
    add(Long, "narrow", "addresses of 32 bits", narrow::tools, Own(narrow::narrow));
    add(Long, "arm-all", "every test of the library on those Arm CPUs", arm::tools, Own(arm::arm));
    add(Long, "packaged", "the packaged program on CPUs without some instructions",
        || needs::qemu().map(drop), Own(masked::masked));
    add(Long, "mutants", "no wrong kernel is proved",
        prove::tools, Own(|| prove::prove(&["--mutants".into()])));
    add(Long, "messages", "whole messages of SHA-256 are proved, in every case",
        prove::tools, Own(|| prove::prove(&["--messages".into()])));
    add(Long, "solver", "a second solver gives the same answers to every query of the proofs",
        prove::second_tools, Own(|| prove::prove(&["--second".into()])));
    add(Long, "machine", "machine code of the installed library is proved, and not if it is wrong",
        prove::machine_tools, Own(prove::machine));
    add(Long, "addresses", "every fuzz target for a minute, with AddressSanitizer",
        || needs::all([fuzz::tools(), needs::nightly("rust-src")]), Own(fuzz::with_address_sanitizer));
    add(Long, "faults", "some faults planted in the library", RUST, Own(faults::some));
    parts
}

/// The parts that run beside the others: they build in folders of their own, and much of their time
/// keeps one core busy. They begin in this order: the last three wait for the installed C library or
/// have little to do. Parts with the same first component share a folder and run one after the other.
/// All other parts share cargo's folder, which one cargo at a time can use.
const BESIDE: &str = "lints apt deny systems bench rustcrypto motoko js python wasm fuzz proofs masked \
                      arm cpp calls haskell";

/// Programs that the tests of `program` use if they are installed.
#[rustfmt::skip] // a line a program
const WITHIN_PROGRAM: &[(&str, &str, Needs)] = &[
    ("zsh", "takes the completions", || needs::program("zsh", "zsh")),
    ("fish", "takes the completions", || needs::program("fish", "fish")),
    ("groff", "takes the manual pages", || needs::program("groff", "groff")),
    ("script", "plays a terminal, for the progress bar", || needs::program("script", "bsdutils")),
    // Some containers forbid to trace a process.
    ("strace", "injects errors, kills and delays, for manifests", || needs::answers("strace", "-o /dev/null true", "strace")),
    ("gpg", "signs lists", || needs::program("gpg", "gpg gpg-agent")),
    ("minisign", "signs lists", || needs::answers("minisign", "-v", "minisign")),
    ("debhelper", "asks md5sum for a package's digests", needs::debhelper),
    ("debsums", "checks them", || needs::program("debsums", "debsums")),
    ("makepkg", "makes and verifies sums", || needs::program("makepkg", "makepkg")),
    ("rclone", "exchanges lists", || needs::program("rclone", "rclone")),
];

/// Files of known answers that the tests of `library` read if they are in a directory `shared`
/// beside the clone. Clones without that directory have the answers of `vectors/`, and these parts
/// are not listed there.
const WITHIN_LIBRARY: &[(&str, &str, Needs)] = &[
    ("acvp", "published answers", || needs::shared("vectors/acvp")),
    ("blake2", "published answers", || needs::shared("vectors/blake2")),
    ("cavp", "published answers", || needs::shared("vectors/cavp")),
    ("generated", "answers of several implementations", || needs::shared("vectors/generated")),
    ("rfc9861", "published answers", || needs::shared("vectors/rfc9861")),
    ("sp800-185", "published answers", || needs::shared("vectors/sp800-185-samples")),
    ("wycheproof", "published answers", || needs::shared("vectors/wycheproof")),
    ("xkcp", "published answers", || needs::shared("vectors/xkcp")),
];

/// The parsed arguments.
struct Asked<'a> {
    options: Vec<&'a str>,
    names: Vec<&'a str>,
}

const OPTIONS: [&str; 4] = ["--all", "--long", "--list", "--fail-fast"];
const USAGE: &str = "usage: cargo xtask test [--all | --long | PART…] [--list] [--fail-fast]";

impl Asked<'_> {
    fn parse(args: &[String]) -> Result<Asked<'_>, String> {
        let (options, names): (Vec<&str>, Vec<&str>) =
            args.iter().map(String::as_str).partition(|arg| OPTIONS.contains(arg));
        let parts = parts();
        match names.iter().find(|name| !parts.iter().any(|part| part.is(name))) {
            None => Ok(Asked { options, names }),
            Some(unknown) => {
                let line = |part: &Part| format!("\n  {:18} {}", part.name, part.what);
                let names: String = parts.iter().map(line).collect();
                Err(format!("{unknown:?} is not known\n{USAGE}\nparts:{names}"))
            }
        }
    }

    fn has(&self, option: &str) -> bool {
        self.options.contains(&option)
    }

    fn wants(&self, part: &Part) -> bool {
        match (&self.names[..], part.set) {
            ([], Short) => !self.has("--long") && !self.has("--all"),
            ([], Always) => !self.has("--long"),
            ([], All) => self.has("--all"),
            ([], Long) => self.has("--long"),
            (names, _) => names.iter().any(|name| part.is(name)),
        }
    }
}

impl Part {
    /// Returns true if `name` is this part's whole name, as `cpp/gcc`, or its first component, as
    /// `cpp`.
    fn is(&self, name: &str) -> bool {
        self.name == name || self.group() == name
    }

    /// Returns its line of a list.
    fn line(&self) -> String {
        let host =
            if let Within(host) = self.test { format!(" (in {host})") } else { String::new() };
        format!("  {:18} {}{host}", self.name, self.what)
    }

    /// Returns the first component of the name.
    fn group(&self) -> &'static str {
        self.name.split('/').next().unwrap_or(self.name)
    }
}

/// A part of this run and its result.
struct Row {
    part: Part,
    /// What the part downloads before its test.
    downloads: Vec<String>,
    end: End,
    time: Duration,
    /// The processor time of the commands that it ran.
    cpu: Duration,
}

enum End {
    None,
    Passed,
    /// The error message and the last lines of the part's output.
    Failed(String, Vec<String>),
    LeftOut(Missing),
}

/// Runs all chosen parts whose tools are installed. A failure does not stop the run.
pub fn test(args: &[String]) -> Outcome {
    let asked = Asked::parse(args)?;
    let began = Instant::now();
    let (wanted, others): (Vec<Part>, _) = parts().into_iter().partition(|part| asked.wants(part));
    let mut rows: Vec<Row> = wanted.into_iter().map(Row::new).collect();
    // A part that is tested within another part needs that other part.
    let host = |part: &Part| rows.iter().any(|row| row.is_tried_by(part.name));
    let hosts: Vec<Part> = others.into_iter().filter(host).collect();
    rows.extend(hosts.into_iter().map(Row::new));
    plan(&rows);
    if asked.has("--list") {
        return Ok(());
    }
    // tests/kat.rs writes this file if all its tests ran. It fails if a backend of this machine had
    // no known answers.
    let answers = target().join("tmp/answers.txt");
    _ = fs::remove_file(&answers);
    let count = rows.iter().filter(|row| row.own().is_some()).count();
    let fail_fast = asked.has("--fail-fast");
    Run { count, fail_fast, began, number: 0.into(), failed: false.into() }.all(&mut rows);
    within(&mut rows);
    if let Ok(answers) = fs::read_to_string(answers) {
        eprintln!("\n{answers}");
    }
    report(&rows, began.elapsed())
}

/// What the threads of a run share.
struct Run {
    /// The number of parts.
    count: usize,
    fail_fast: bool,
    began: Instant,
    /// The number of parts that have begun.
    number: AtomicUsize,
    failed: AtomicBool,
}

impl Run {
    /// Runs the parts, in two threads if there are parts for both and the machine has two cores. The
    /// thread of the parts that share cargo's folder then helps with those beside.
    fn all(&self, rows: &mut [Row]) {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let mut others: Vec<&mut Row> = rows.iter_mut().filter(|row| row.own().is_some()).collect();
        let mut group = |name: &str| -> Vec<&mut Row> {
            others.extract_if(.., |row| cores > 1 && row.part.is(name)).collect()
        };
        let mut beside: Vec<_> = BESIDE.split(' ').map(&mut group).collect();
        beside.retain(|group| !group.is_empty());
        let alone = beside.is_empty() || others.is_empty();
        let beside = Mutex::new(beside.into_iter());
        let next = || beside.lock().unwrap_or_else(PoisonError::into_inner).next();
        let help = || {
            while let Some(group) = next() {
                group.into_iter().for_each(|row| self.one(row, alone));
            }
        };
        thread::scope(|scope| {
            scope.spawn(help);
            others.into_iter().for_each(|row| self.one(row, alone));
            if !alone {
                help();
            }
        });
    }

    /// Runs the part of a row. `alone` says that no other part runs meanwhile.
    fn one(&self, row: &mut Row, alone: bool) {
        let Some(test) = row.own() else { return };
        if self.fail_fast && self.failed.load(Relaxed) {
            return;
        }
        let number = 1 + self.number.fetch_add(1, Relaxed);
        let (name, what) = (row.part.name, row.part.what);
        tail::keep(&if alone { String::new() } else { format!("{name}| ") });
        eprintln!("\n[{number} of {}, {}] {name}: {what}", self.count, clock(self.began.elapsed()));
        let start = Instant::now();
        row.end = match row.download().map(|()| test()) {
            Err(missing) => End::LeftOut(missing),
            Ok(Ok(())) => End::Passed,
            Ok(Err(message)) => End::Failed(message, tail::lines()),
        };
        row.time = start.elapsed();
        row.cpu = tail::cpu();
        self.failed.fetch_or(matches!(row.end, End::Failed(..)), Relaxed);
        let (now, word) = (clock(self.began.elapsed()), row.end.word());
        eprintln!("\n[{now}] {name}: {word} after {}", clock(row.time));
    }
}

impl Row {
    /// Creates a row and checks whether the tools of its part are installed. Downloads nothing.
    fn new(part: Part) -> Row {
        let (found, downloads) = needs::look(part.needs);
        let end = found.map_or_else(End::LeftOut, |()| End::None);
        Row { part, downloads, end, time: Duration::ZERO, cpu: Duration::ZERO }
    }

    /// Downloads what the part needs and what is not here.
    fn download(&self) -> Result<(), Missing> {
        if self.downloads.is_empty() { Ok(()) } else { (self.part.needs)() }
    }

    fn is_tried_by(&self, name: &str) -> bool {
        matches!((self.part.test, &self.end), (Within(host), End::None) if host == name)
    }

    /// Returns what the part lacks, if it was left out.
    fn missing(&self) -> Option<&Missing> {
        match &self.end {
            End::LeftOut(missing) => Some(missing),
            _ => None,
        }
    }

    /// Returns the part's own test, if it has one that has not run yet.
    fn own(&self) -> Option<fn() -> Outcome> {
        match (self.part.test, &self.end) {
            (Own(test), End::None) => Some(test),
            _ => None,
        }
    }
}

impl End {
    fn word(&self) -> &'static str {
        match self {
            End::None => "not run",
            End::Passed => "passed",
            End::Failed(..) => "failed",
            End::LeftOut(_) => "left out",
        }
    }
}

/// Copies to each part that is tested within another part the result of that other part.
fn within(rows: &mut [Row]) {
    let passed = |row: &&Row| matches!(row.end, End::Passed);
    let passed: Vec<&str> = rows.iter().filter(passed).map(|row| row.part.name).collect();
    for row in rows.iter_mut().filter(|row| passed.iter().any(|host| row.is_tried_by(host))) {
        row.end = End::Passed;
    }
}

fn plan(rows: &[Row]) {
    let (left_out, run): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| row.missing().is_some());
    eprintln!("\nwill run:{}", if run.is_empty() { " nothing" } else { "" });
    for Row { part, downloads, .. } in run {
        eprintln!("{}", part.line());
        downloads.iter().for_each(|what| eprintln!("  {:18} downloads {what}", ""));
    }
    if left_out.is_empty() {
        return;
    }
    eprintln!("\nleft out:");
    let mut all = Vec::new();
    for row in left_out {
        let Some(missing) = row.missing() else { continue };
        eprintln!("{}", row.part.line());
        eprintln!("  {:18} {}", "", missing.what);
        let install = needs::install_line(std::slice::from_ref(missing), "; ");
        if !install.is_empty() {
            eprintln!("  {:18} {install}", "");
        }
        all.push(missing.clone());
    }
    match needs::install_line(&all, "\n  ") {
        line if line.is_empty() => {}
        line => eprintln!("\nwhat installs it all (on Debian):\n  {line}"),
    }
}

/// Prints the table, then each failure with its last lines and the command that repeats it.
fn report(rows: &[Row], time: Duration) -> Outcome {
    eprintln!("\n{:18} {:9} {:>6} {:>6}", "part", "", "time", "CPU");
    for Row { part, end, time, cpu, .. } in rows {
        let note = match (end, part.test) {
            (End::LeftOut(missing), _) => format!("     –      –  {}", missing.what),
            (_, Within(host)) => format!("     –      –  in {host}"),
            _ => format!("{:>6} {:>6}", clock(*time), clock(*cpu)),
        };
        eprintln!("{:18} {:9} {note}", part.name, end.word());
    }
    let cpu = rows.iter().map(|row| row.cpu).sum();
    eprintln!("{:28} {:>6} {:>6}", "all", clock(time), clock(cpu));
    let mut failed = 0;
    for Row { part, end, .. } in rows {
        let End::Failed(message, lines) = end else { continue };
        failed += 1;
        eprintln!("\nfailed: {}; to repeat it: cargo xtask test {}", part.name, part.name);
        lines.iter().for_each(|line| eprintln!("  {line}"));
        eprintln!("  {message}");
    }
    let passed = rows.iter().filter(|row| matches!(row.end, End::Passed)).count();
    eprintln!();
    println!("{passed} passed, {failed} failed, {} skipped", rows.len() - passed - failed);
    // In CI everything should be installed, so a missing tool that can be installed is an error.
    let can_be = |row: &Row| row.missing().is_some_and(|it| !it.install.is_empty());
    match env::var_os("CI").is_some() && rows.iter().any(can_be) {
        _ if failed > 0 => Err(format!("{failed} failed")),
        true => Err("some parts were left out".into()),
        false => Ok(()),
    }
}

/// Formats a duration as minutes and seconds.
fn clock(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

fn style() -> Outcome {
    locks::are_current()?;
    unsafe_code::inventory()?;
    house::no_circles()?;
    for manifest in locks::manifests()? {
        // The first workspace is its members: it has no package of its own.
        let all = if manifest == "Cargo.toml" { "--all" } else { "" };
        cargo(&format!("fmt {all} --manifest-path {manifest} -- --check"))?;
    }
    // Packages that are no workspaces.
    let others = stdout(cmd!("git ls-files compat/*/src/lib.rs faces/python/arrow/src/lib.rs"))?;
    run(command("rustfmt --check --edition=2024", &[]).args(others.lines()))
}

/// Runs clippy on everything, and on the library for each platform that has its own kernels and
/// whose target is installed. Clippy needs no linker.
fn lints() -> Outcome {
    let clippy = |args: &str, flags| {
        let mut cargo = cmd!(format!("cargo clippy {args} -- --deny warnings"));
        cargo.env("CARGO_TARGET_DIR", target().join("lints"));
        run(cargo.env("CARGO_ENCODED_RUSTFLAGS", flags))
    };
    clippy("--workspace --all-targets --all-features", "")?;
    // Only the part `sanitize` compiles it.
    clippy("--package hashmill --test constant_time --all-features", "")?;
    for (platform, flags) in [(arm::TARGET, ""), (wasm::TARGET, "-Ctarget-feature=+simd128")] {
        match systems::target(platform) {
            Ok(()) => clippy(&format!("--package hashmill --target {platform}"), flags)?,
            Err(missing) => eprintln!("left out: {platform}: {missing}"),
        }
    }
    Ok(())
}

/// What `library` tests, without the tests of single interfaces (`it`), which take the longest to
/// compile, and with the features of the library in [`PROGRAM`], so that it is compiled once.
fn core() -> Outcome {
    cargo("test --package hashmill --features libc --lib --test agree")?;
    cargo("test --package hashmill --features libc --test kat -- vectors/")
}

/// Optimised, as the profile sets it, because there are many answers and unoptimised kernels are
/// slow.
const LIBRARY: &str =
    "test --package hashmill --package hashmill-reference --all-features --no-fail-fast";

/// Tests optimised code only, see the test for the reason.
fn remains(profile: &str) -> Outcome {
    cargo(&format!("test --package hashmill-c --profile {profile} --test remains"))
}

/// Unoptimised code copies what it moves.
fn one_copy() -> Outcome {
    cargo("test --release --package hashmill-cli --test it a_key_lies_in_memory_once")
}

fn docs() -> Outcome {
    let doc = "cargo doc --workspace --no-deps --all-features";
    run(cmd!(doc).env("RUSTDOCFLAGS", "--deny warnings"))
}

/// Checks that the core has no dependencies unless a feature enables one.
fn features() -> Outcome {
    // Also each family without the others.
    let manifest = read("crates/hashmill/Cargo.toml")?;
    let (_, families) = manifest.split_once("\nfunctions = [").ok_or("no feature `functions`")?;
    let (families, _) = families.split_once(']').ok_or("no list of families")?;
    let families = families.split('"').skip(1).step_by(2);
    let others = ["", "std,digest-0_10,serde,zeroize", "functions"].map(String::from);
    for features in families.map(|family| format!("std,{family}")).chain(others) {
        let clippy = "clippy --package hashmill --no-default-features";
        cargo(&format!("{clippy} --features={features} -- -D warnings"))?;
    }
    let tree = stdout(cmd!("cargo tree --package hashmill --edges normal"))?;
    ensure(tree.trim().lines().count() == 1, "hashmill has dependencies by default")
}

/// Runs tests of a part that takes long.
fn long(tests: &str) -> Outcome {
    run(cmd!(format!("cargo test {tests}")).env("HASHMILL_LONG", "1"))
}

/// Tests the published answers for messages of 1 to 8 GiB, and every algorithm on every backend
/// beyond 2³² bytes.
fn large_messages() -> Outcome {
    long("--package hashmill --all-features --test kat")?;
    long("--package hashmill --all-features --test it -- history::")
}

/// Checks the licences, sources and versions of all dependencies against `deny.toml`.
fn dependencies() -> Outcome {
    locks::manifests()?.iter().try_for_each(|manifest| {
        let deny = "cargo-deny --config deny.toml --manifest-path {} check bans licenses sources";
        run(cmd!(deny, manifest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names_of_their_own_and_hosts_that_run() {
        let parts = parts();
        for (i, part) in parts.iter().enumerate() {
            assert!(parts[..i].iter().all(|other| other.name != part.name), "{}", part.name);
            let Within(host) = part.test else { continue };
            let runs = |it: &Part| it.name == host && matches!(it.test, Own(_));
            assert!(parts.iter().any(runs), "{}", part.name);
        }
    }
}
