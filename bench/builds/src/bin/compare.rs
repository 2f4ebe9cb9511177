//! `cargo xtask bench --builds`: the library in cargo's default profile and without link-time
//! optimisation beside the profile of the benchmarks, and the program as the README installs it
//! beside the library.

use std::env;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

type Outcome = Result<(), String>;

/// The profiles of `bench/builds`. The times of the others are divided by those of the first.
const PROFILES: [&str; 3] = ["fat", "release", "off"];

/// The tasks, with the lengths of their messages in bytes.
const TASKS: [(&str, usize); 6] =
    [("one", 64), ("one", 8192), ("stream", 4096), ("many", 64), ("many", 1024), ("hmac", 32)];

const FILE_LEN: usize = 256 << 20; // bytes
const SAMPLE: f64 = 500_000.0; // nanoseconds
const ROUNDS: usize = 60;
const ROUNDS_OF_FILES: usize = 7;
/// What a build may take longer than the benchmarks' own.
const LIMIT: f64 = 1.05;

/// `bench/builds` in one profile, which answers how long a task takes.
struct Build {
    child: Child,
    tasks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

fn main() -> Outcome {
    let target = root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()));
    let folder = target.join("builds");
    let file = folder.join("256MiB");
    let installed = install(&target, &folder)?;
    write_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut builds = PROFILES
        .iter()
        .map(|profile| Build::new(profile, &folder, &file))
        .collect::<Result<Vec<_>, _>>()?;
    let names = builds[0].ask("algorithms")?;
    let names: Vec<&str> = names.split(' ').collect();
    let mut slow = 0;
    println!("{:14} {:6} {:>9} {:>11}  default  lto off", "", "task", "bytes", "ns");
    for &name in &names {
        for (task, length) in TASKS {
            let Some(times) = library(&mut builds, name, task, length)? else { continue };
            slow += print(&format!("{name:14} {task:6} {length:9}"), &times);
        }
    }
    println!(
        "\n{:14} {:6} {:>9} {:>11}  default  lto off  installed program",
        "", "", "bytes", "ns"
    );
    for &name in &names {
        let times = files(&mut builds, name, &installed, &file)?;
        slow += print(&format!("{name:14} {:6} {FILE_LEN:9}", "file"), &times);
    }
    println!("\n{slow} times are more than {LIMIT} × those of the benchmarks' own profile");
    for mut build in builds {
        drop(build.tasks);
        build.child.wait().map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Prints the first time and the ratios of the others to it. Returns how many are above the limit.
fn print(row: &str, times: &[f64]) -> usize {
    let ratios: Vec<f64> = times[1..].iter().map(|time| time / times[0]).collect();
    let cell = |ratio: &f64| format!("  {ratio:.2}{}", if *ratio > LIMIT { " !" } else { "  " });
    println!("{row} {:11.0} {}", times[0], ratios.iter().map(cell).collect::<String>());
    ratios.iter().filter(|ratio| **ratio > LIMIT).count()
}

/// Returns the least time of a task in each build, in nanoseconds, or `None` if the algorithm has no
/// such task. The builds take turns.
fn library(
    builds: &mut [Build],
    name: &str,
    task: &str,
    length: usize,
) -> Result<Option<Vec<f64>>, String> {
    let Some(first) = builds[0].time(task, name, length, 1)? else { return Ok(None) };
    let first = builds[0].time(task, name, length, 1)?.unwrap_or(first).min(first);
    let times = (SAMPLE / first).ceil() as usize;
    let mut least = vec![f64::INFINITY; builds.len()];
    for round in 0..ROUNDS {
        for turn in 0..builds.len() {
            let at = (round + turn) % builds.len();
            let time = builds[at].time(task, name, length, times)?.unwrap_or(f64::INFINITY);
            least[at] = least[at].min(time / times as f64);
        }
    }
    Ok(Some(least))
}

/// Returns the least time of each build for a file, then that of the installed program.
fn files(
    builds: &mut [Build],
    name: &str,
    program: &Path,
    file: &Path,
) -> Result<Vec<f64>, String> {
    let mut least = vec![f64::INFINITY; builds.len() + 1];
    for _ in 0..ROUNDS_OF_FILES {
        for (build, least) in builds.iter_mut().zip(&mut least) {
            *least = least.min(build.time("file", name, FILE_LEN, 1)?.unwrap_or(f64::INFINITY));
        }
        let mut command = Command::new(program);
        command.args(["sum", "-a", name]).arg(file).stdout(Stdio::null());
        let start = Instant::now();
        let status = command.status().map_err(|error| format!("{}: {error}", program.display()))?;
        let time = start.elapsed().as_nanos() as f64;
        if !status.success() {
            return Err(format!("{command:?}: {status}"));
        }
        let last = least.len() - 1;
        least[last] = least[last].min(time);
    }
    Ok(least)
}

impl Build {
    fn new(profile: &str, folder: &Path, file: &Path) -> Result<Build, String> {
        let mut cargo = cargo("build");
        cargo.args(["--locked", "--manifest-path", "bench/builds/Cargo.toml"]);
        run(cargo.args(["--profile", profile, "--target-dir"]).arg(folder))?;
        let program = folder.join(profile).join("bench-builds");
        let mut child = Command::new(&program)
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (tasks, answers) = pipes.ok_or("a program without pipes")?;
        Ok(Build { child, tasks, answers: BufReader::new(answers) })
    }

    fn ask(&mut self, task: &str) -> Result<String, String> {
        let mut answer = String::new();
        writeln!(self.tasks, "{task}")
            .and_then(|()| self.answers.read_line(&mut answer))
            .map_err(|error| format!("{task}: {error}"))?;
        Ok(answer.trim_end().to_owned())
    }

    fn time(
        &mut self,
        task: &str,
        name: &str,
        length: usize,
        times: usize,
    ) -> Result<Option<f64>, String> {
        let answer = self.ask(&format!("{task} {name} {length} {times}"))?;
        match &*answer {
            "-" => Ok(None),
            time => Ok(Some(time.parse().map_err(|_| format!("{task} {name}: {time:?}"))?)),
        }
    }
}

/// Installs the program as the README does, and returns its path.
fn install(target: &Path, folder: &Path) -> Result<PathBuf, String> {
    let place = folder.join("installed");
    let mut cargo = cargo("install");
    cargo.args(["--force", "--path", "crates/hashmill-cli", "--root"]).arg(&place);
    run(cargo.env("CARGO_TARGET_DIR", target))?;
    Ok(place.join("bin/hashmill"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A command of cargo in the root of the clone.
fn cargo(command: &str) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.arg(command).current_dir(root());
    cargo
}

fn run(command: &mut Command) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}

/// Writes the file that is hashed, which then is in the system's cache.
fn write_file(file: &Path) -> std::io::Result<()> {
    let block: Vec<u8> = (0..1_u32 << 20).map(|index| ((index * 37) >> 3) as u8).collect();
    let mut file = File::create(file)?;
    (0..FILE_LEN >> 20).try_for_each(|_| file.write_all(&block))
}
