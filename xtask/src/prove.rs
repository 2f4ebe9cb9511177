//! `cargo xtask prove`: proves that the kernels compute the functions of the standards, see
//! proofs/README.md.

use crate::diffs::Diff;
use crate::faults::copy_workspace;
use crate::install::{self, install_to};
use crate::prelude::*;
use crate::{arm, python, wasm};
use std::time::{SystemTime, UNIX_EPOCH};

/// Proves all kernels, or those that the arguments name. `--mutants` checks that the proofs of
/// wrong kernels fail. `--planted` checks this only for the hand-written faults: all, or those of the
/// named kernels and of the rounds whose numbers are given. `--arm` proves the kernels of 64-bit Arm,
/// whose instructions qemu runs. `--wasm` proves those of WebAssembly. `--machine` proves the machine
/// code of some kernels. `--second` has a second solver answer every query again. `--write` records
/// that all were proved: see [`changed`].
pub fn prove(args: &[String]) -> Outcome {
    let dir = target().join("proofs");
    let is = |name: &str| args.iter().any(|arg| arg == name);
    if is("--write") {
        let others: Vec<String> = args.iter().filter(|arg| *arg != "--write").cloned().collect();
        let of_a_machine = others.iter().all(|arg| ["--arm", "--wasm"].contains(&&**arg));
        ensure(of_a_machine, "--write is for the proofs of all kernels of a machine")?;
        prove(&others)?;
        return run(proved(&others)?.arg("--write"));
    }
    if is("--machine") {
        return machine_code(&dir, args);
    }
    if !is("--planted") {
        let machine = match (is("--arm"), is("--wasm")) {
            (true, _) => Some(arm::TARGET),
            (_, true) => Some(wasm::TARGET),
            _ => None,
        };
        let mut command = prover("prove.py")?;
        command.arg(module(root(), &dir, machine)?);
        if machine != Some(wasm::TARGET) {
            command.arg("--hardware").arg(hardware(&dir, machine)?);
        }
        command.args(args.iter().filter(|arg| !["--arm", "--wasm", "--second"].contains(&&***arg)));
        let log = dir.join("queries");
        if is("--second") {
            environment(SECOND)?;
            remove_folder(&log)?;
            command.arg("--log").arg(&log);
        }
        run(command)?;
        if is("--second") {
            run(prover("second.py")?.arg(&log))?;
        }
    }
    if is("--planted") || args == ["--mutants"] { planted(&dir, args) } else { Ok(()) }
}

/// A program of `proofs`.
fn prover(program: &str) -> Result<Command, String> {
    let mut command = cmd!("{} proofs/{}", environment(REQUIREMENTS)?, program);
    command.env("PYTHONPYCACHEPREFIX", target().join("proofs/pycache"));
    Ok(command)
}

/// Does what [`prove`] does for all kernels of a machine, unless `proofs/proved.txt` says that the same
/// prover has proved the same kernels, compiled by the same rustc. The proofs take 13 of the 68 minutes
/// of processor time of all tests, and most commits change neither.
pub fn changed(args: &[String]) -> Outcome {
    if succeeds(proved(args)?) {
        println!("The same prover has proved these kernels, compiled by this rustc: proved.txt.");
        println!("To prove them again: cargo xtask prove {}", args.join(" "));
        return Ok(());
    }
    prove(args)
}

/// The command that tells whether the record is that of these kernels.
fn proved(args: &[String]) -> Result<Command, String> {
    let mut command = prover("proved.py")?;
    command.arg(rustc());
    command.arg(args.first().map_or("x86-64", |machine| machine.trim_start_matches('-')));
    Ok(command)
}

fn rustc() -> std::ffi::OsString {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// Proves machine code of the shared library in its installed form.
fn machine_code(dir: &Path, args: &[String]) -> Outcome {
    let prefix = dir.join("installed");
    install_to(&prefix, &install::HERE)?;
    let (options, names): (Vec<&String>, Vec<&String>) =
        args.iter().filter(|&arg| arg != "--machine").partition(|arg| arg.starts_with("--"));
    let named = |kernel: &&str| names.is_empty() || names.iter().any(|&it| kernel.contains(it));
    let mut command = prover("machine.py")?;
    command.args(options);
    command.arg(prefix.join("lib/libhashmill.so")).arg(install::link_map(&install::HERE));
    let kernels = include_str!("prove/machine_code.txt").lines().filter(|it| !it.starts_with('#'));
    run(command.args(kernels.filter(named)))
}

/// The faults of `planted.txt`, each by the kernels whose proofs must fail.
fn all_planted() -> Vec<Diff> {
    Diff::list(include_str!("prove/planted.txt")).collect()
}

/// The round of a fault and its file. Faults of one round are in different kernels and are built
/// together.
fn place(fault: &Diff) -> (&'static str, String) {
    let (round, file) = fault.place.split_once(' ').expect("a round and a file");
    (round, format!("crates/hashmill/src/{file}"))
}

/// Plants faults in a copy of the library and checks that the proofs of the affected kernels fail.
fn planted(dir: &Path, args: &[String]) -> Outcome {
    let copy = dir.join("planted");
    let (rounds, names): (Vec<&String>, Vec<&String>) = args
        .iter()
        .filter(|arg| !arg.starts_with("--"))
        .partition(|arg| arg.parse::<usize>().is_ok());
    let mut faults = all_planted();
    for fault in &mut faults {
        let named = |kernel: &&str| names.iter().any(|&name| kernel.contains(name));
        fault.by.retain(|kernel| names.is_empty() || named(kernel));
    }
    let chosen = |round| rounds.is_empty() || rounds.iter().any(|it| *it == round);
    faults.retain(|fault| !fault.by.is_empty() && chosen(place(fault).0));
    ensure(!faults.is_empty(), format!("no fault is planted for {args:?}"))?;
    faults.sort_by_key(|fault| place(fault).0);
    for round in faults.chunk_by(|one, next| place(one).0 == place(next).0) {
        copy_workspace(&copy)?;
        for fault in round {
            let file = copy.join(place(fault).1);
            write(&file, fault.plant(&read(&file)?)?)?;
            println!("planted for {}: {}", fault.by.join(" and "), fault.what);
        }
        let helped = copy.join("crates/hashmill/src/backend.rs");
        write(&helped, read(&helped)? + include_str!("prove/helper.rs"))?;
        let module = module(&copy, &dir.join("planted-build"), None)?;
        let mut command = prover("prove.py")?;
        command.arg("--refuse").arg(module);
        run(command.args(round.iter().flat_map(|fault| &fault.by)))?;
    }
    println!("{} planted faults, and none is proved", faults.len());
    Ok(())
}

/// The rounds of planted faults that take turns in the usual run.
const TURNS: [&str; 3] = ["4", "5", "6"];

/// What `--mutants` does, for five kernels, and the planted faults of one round, so that every run
/// of the tests shows that the prover refuses something. Each round needs a build of the library, so
/// that another round runs each day.
pub fn attacks() -> Outcome {
    let attack = "--mutants sha2::x86_sha::absorb_two keccak::kernel::portable \
                  blake2::x86_rows::b::avx2::absorb ascon::kernel::avx2";
    prove(&attack.split(' ').map(String::from).collect::<Vec<_>>())?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let round = TURNS[(since.as_secs() / 86_400) as usize % TURNS.len()];
    println!("today's round of planted faults is {round} of {}", TURNS.join(", "));
    prove(&["--planted".into(), round.into()])
}

/// Of all these kernels, and that the wrong ones are not proved.
pub fn machine() -> Outcome {
    prove(&["--machine".into()])?;
    prove(&["--machine".into(), "--mutants".into()])
}

/// Checks for the tools of the proofs, and for those that build the library and disassemble it.
pub fn machine_tools() -> Found {
    needs::all([tools(), install::tools(), needs::program("objdump", "binutils")])
}

pub fn tools() -> Found {
    environment(REQUIREMENTS).map(drop)
}

/// Checks for the tools of the proofs and for a second solver.
pub fn second_tools() -> Found {
    needs::all([tools(), environment(SECOND).map(drop)])
}

const REQUIREMENTS: &str = "proofs/requirements.txt";
const SECOND: &str = "proofs/requirements-second.txt";

/// Returns a Python interpreter that has the solver of these requirements.
fn environment(requirements: &str) -> Found<PathBuf> {
    needs::x86_64_linux("the kernels and the solver are for x86-64 Linux")?;
    let venv = succeeds(cmd!("python3 -c {}", "import venv, ensurepip"));
    let install = needs::debian("python3 python3-venv");
    needs::check(venv, "python3 -m venv makes no environment", install)?;
    let folder = target().join("proofs/venv");
    python::environment(Path::new("python3"), &folder, requirements)?;
    Ok(folder.join("bin/python"))
}

/// Checks for the tools of the proofs and for those that run Arm instructions.
pub fn arm_tools() -> Found {
    needs::all([tools(), arm::tools()])
}

/// Checks for the tools of the proofs and for rustc's standard library for WebAssembly.
pub fn wasm_tools() -> Found {
    needs::all([tools(), needs::target(wasm::TARGET, &["--crate-type=cdylib"], "", "")])
}

/// Compiles the library of this workspace, for this machine or another, to optimised LLVM IR and
/// returns the path of the file.
fn module(workspace: &Path, dir: &Path, machine: Option<&str>) -> Result<PathBuf, String> {
    let module = dir.join(format!("hashmill{}.ll", machine.unwrap_or_default()));
    let emit = module.to_str().ok_or("the target directory's name is no UTF-8")?;
    let mut command = cmd!("cargo rustc --package hashmill --lib --release --target-dir {}", dir);
    command.args(machine.map(|machine| format!("--target={machine}")));
    command.args([
        "--",
        "-Ccodegen-units=1",
        &format!("--emit=llvm-ir={emit}"),
        "--cfg=hashmill_proofs",
    ]);
    // With link-time optimisation, the optimiser would not finish here.
    command.env("CARGO_PROFILE_RELEASE_LTO", "off");
    if machine == Some(wasm::TARGET) {
        command.env("RUSTFLAGS", "-Ctarget-feature=+simd128");
    }
    run(command.current_dir(workspace)).map(|()| module)
}

/// Returns the command that runs single instructions.
fn hardware(dir: &Path, machine: Option<&str>) -> Result<String, String> {
    let (source, runner) = match machine {
        Some(_) => ("hardware_arm", arm::qemu("max")),
        None => ("hardware", String::new()),
    };
    let program = dir.join(source);
    let mut command = cmd!("{} --edition 2024 -O -o {} proofs/{}.rs", rustc(), program, source);
    if let Some(machine) = machine {
        command.args(["--target", machine, "-C", &format!("linker={}", arm::LINKER)]);
    }
    run(command)?;
    // In quotation marks, because the path can contain blanks.
    Ok(format!("{runner} '{}'", program.display()).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the long run plants the faults, and it must not fail there because a line changed.
    #[test]
    fn every_planted_text_is_in_its_file_once() {
        let faults = all_planted();
        assert!(faults.len() >= 56 && faults.iter().all(|fault| !fault.by.is_empty()));
        for fault in faults {
            let (_, file) = place(&fault);
            assert!(fault.plant(&read(&file).unwrap()).is_ok(), "{file}: {:?}", fault.text);
        }
    }
}
