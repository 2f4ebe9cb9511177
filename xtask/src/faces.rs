//! `cargo xtask faces`: the tests of the other languages.

use crate::install::{self, install_to};
use crate::needs::{self, CLANG, Family, GCC, Missing, SANITIZERS};
use crate::programs::{example, search};
use crate::{Outcome, abi, arm, duckdb, haskell, js, python, root, run, stdout, target};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tests of one language. C and C++ have one such entry per compiler.
pub struct Face {
    pub name: &'static str,
    pub purpose: &'static str,
    /// Whether only `cargo xtask test --long` runs it. On two cores of an Intel Xeon, `engines` installs
    /// 2 GB of Ray, Spark and others, the functions of DataFusion take many minutes to build, and the
    /// others take one to four minutes each.
    pub is_long: bool,
    pub needs: fn() -> Result<(), Missing>,
    pub test: fn() -> Outcome,
}

pub const FACES: &[Face] = &[
    Face {
        name: "c/gcc",
        purpose: "hashmill.h from C99 and C11, with the static and the shared library",
        is_long: false,
        needs: || c_needs(&GCC),
        test: || c(&Machine::here(GCC.c_compiler()?)?),
    },
    Face {
        name: "c/remains",
        purpose: "no key stays in the memory of a C program that is linked lazily",
        is_long: false,
        needs: || needs::all([c_needs(&GCC), needs::memory()]),
        test: c_remains,
    },
    Face {
        name: "c/clang",
        purpose: "the same by another compiler",
        is_long: false,
        needs: || c_needs(&CLANG),
        test: || c(&Machine::here(CLANG.c_compiler()?)?),
    },
    Face {
        name: "haskell",
        purpose: "the Haskell package: documentation, answers, properties, README's example",
        is_long: false,
        needs: || needs::all([install::tools(), needs::haskell()]),
        test: haskell::haskell,
    },
    Face {
        name: "haskell/remains",
        purpose: "no key stays in the memory of a Haskell program, with the package's own kernels and with the library",
        is_long: false,
        needs: || needs::all([install::tools(), needs::haskell(), needs::memory()]),
        test: haskell::remains,
    },
    Face {
        name: "motoko",
        purpose: "the Motoko package in the compiler's usual mode, and its instruction counts",
        is_long: false,
        needs: motoko_needs,
        test: || motoko("wasm64"),
    },
    Face {
        name: "motoko/wasm32",
        purpose: "the same in the compiler's other mode",
        is_long: true,
        needs: motoko_needs,
        test: || motoko("wasm32"),
    },
    Face {
        name: "js",
        purpose: "the JavaScript package: vectors/, node:crypto, noble-hashes, a packed package, README",
        is_long: false,
        needs: js::tools,
        test: js::js,
    },
    Face {
        name: "js/remains",
        purpose: "no state that comes from a key stays in memory after a call of the native part",
        is_long: true,
        needs: || needs::all([needs::node(20), needs::memory()]),
        test: js::remains,
    },
    Face {
        name: "js/others",
        purpose: "the same in Deno, Bun, workerd and Firefox, and in bundles of esbuild, rollup, vite and webpack",
        is_long: true,
        needs: js::other_tools,
        test: js::others,
    },
    Face {
        name: "python",
        purpose: "the Python package: its wheel, CPython's tests of hashlib and hmac, columns, README",
        is_long: false,
        needs: python::test_tools,
        test: python::python,
    },
    Face {
        name: "duckdb",
        purpose: "the extension of DuckDB: every function beside hashlib's, keys in files, errors",
        is_long: true,
        needs: python::tools,
        test: duckdb::test,
    },
    Face {
        name: "datafusion",
        purpose: "the functions of DataFusion: every function, type and output, keys, errors",
        is_long: true,
        needs: python::datafusion_tools,
        test: python::datafusion,
    },
    Face {
        name: "engines",
        purpose: "the Python package in query engines, on clusters, and on object stores",
        is_long: true,
        needs: python::engine_tools,
        test: python::engines,
    },
    Face {
        name: "cpp/gcc",
        purpose: "the C++ headers, alone and linked; vectors/ through them and through hashmill.h",
        is_long: false,
        needs: || cpp_needs(&GCC),
        test: || cpp(&Machine::here(GCC.cxx_compiler()?)?, CPP),
    },
    Face {
        name: "cpp/clang",
        purpose: "the tests of the headers alone, and the examples, by another compiler",
        is_long: false,
        needs: || cpp_needs(&CLANG),
        test: || cpp(&Machine::here(CLANG.cxx_compiler()?)?, &["test_headers"]),
    },
    Face {
        name: "cpp/clang/linked",
        purpose: "the headers linked with the library, by that compiler",
        is_long: true,
        needs: || cpp_needs(&CLANG),
        test: || cpp(&Machine::here(CLANG.cxx_compiler()?)?, &["test_linked", "test_static"]),
    },
    Face {
        name: "arm/faces",
        purpose: "the same of C and C++ on 64-bit Arm, emulated by qemu, and the C++ text of the Haskell package",
        is_long: true,
        needs: arm_needs,
        test: on_arm,
    },
];

impl Face {
    /// Returns true if `name` is this face's whole name, as `cpp/gcc`, or its first component, as
    /// `cpp`.
    fn is(&self, name: &str) -> bool {
        self.name == name || self.name.split('/').next() == Some(name)
    }
}

/// Runs the tests of the named languages, or of all. Lists those that this machine cannot run, and
/// returns an error if it can run none.
pub fn faces(args: &[String]) -> Outcome {
    if args == ["js", "--measure"] {
        return js::measure();
    }
    if let Some(unknown) = args.iter().find(|name| !FACES.iter().any(|face| face.is(name))) {
        let list: String =
            FACES.iter().map(|f| format!("\n  {:9} {}", f.name, f.purpose)).collect();
        return Err(format!("there is no face {unknown:?}; there are:{list}"));
    }
    let wanted = |face: &&Face| args.is_empty() || args.iter().any(|name| face.is(name));
    let mut left_out = Vec::new();
    let mut ran = 0;
    for face in FACES.iter().filter(wanted) {
        match (face.needs)() {
            Ok(()) => {
                (face.test)()?;
                ran += 1;
            }
            Err(missing) => left_out.push(format!("\nleft out: {}: {missing}", face.name)),
        }
    }
    let left_out = left_out.concat();
    match ran {
        0 => Err(left_out),
        _ => {
            eprintln!("{left_out}");
            Ok(())
        }
    }
}

fn c_needs(family: &Family) -> Result<(), Missing> {
    let compiler = family.c_compiler().map(drop);
    needs::all([install::tools(), needs::program("pkg-config", "pkg-config"), compiler])
}

fn cpp_needs(family: &Family) -> Result<(), Missing> {
    let (compiler, name) = match family.cxx_compiler() {
        Ok(name) => (Ok(()), name),
        // CMake then looks for a compiler itself.
        Err(missing) => (Err(missing), "c++".into()),
    };
    let packages = [("GTest", "libgtest-dev"), ("nlohmann_json", "nlohmann-json3-dev")];
    needs::all([install::tools(), compiler, needs::cmake(&name, &packages)])
}

/// Debian's compiled GoogleTest is for this machine only, so the Arm tests compile its source.
fn arm_needs() -> Result<(), Missing> {
    let text = match Path::new(GOOGLE_TEST).exists() {
        true => Ok(()),
        false => {
            Err(Missing::new(format!("{GOOGLE_TEST} is not there"), needs::debian("libgtest-dev")))
        }
    };
    let cmake = needs::cmake("c++", &[("nlohmann_json", "nlohmann-json3-dev")]);
    let compiler = needs::program(ARM_CXX, "g++-aarch64-linux-gnu");
    needs::all([arm::tools(), compiler, text, needs::program("pkg-config", "pkg-config"), cmake])
}

const GOOGLE_TEST: &str = "/usr/src/googletest";
const ARM_CXX: &str = "aarch64-linux-gnu-g++";

const MOTOKO: &str = "faces/motoko";

/// The Motoko compiler comes from npm and stays in `node_modules`.
fn motoko_needs() -> Result<(), Missing> {
    needs::all([needs::node(18), needs::program("npm", "npm")])?;
    needs::npm_packages(MOTOKO)
}

const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"];

/// A target machine: its compiler, the place of the library, and the program that runs its
/// executables.
struct Machine {
    compiler: String,
    /// Path below the target directory.
    dir: &'static str,
    prefix: PathBuf,
    /// Flags for sanitizers; empty where qemu emulates the CPU.
    sanitizers: &'static [&'static str],
    qemu: Option<String>,
    cmake: Vec<String>,
}

impl Machine {
    /// Returns this machine with the given compiler.
    fn here(compiler: String) -> Result<Machine, String> {
        let prefix = install::once()?;
        let dir = "faces";
        Ok(Machine { compiler, dir, prefix, sanitizers: SANITIZERS, qemu: None, cmake: Vec::new() })
    }

    /// Returns a 64-bit Arm machine. `cpu` is qemu's name for the CPU.
    fn arm(compiler: &str, cpu: &str) -> Machine {
        let system = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64"];
        Machine {
            compiler: compiler.into(),
            dir: "faces/arm",
            prefix: target().join("faces/arm/prefix"),
            sanitizers: &[],
            qemu: Some(arm::qemu(cpu)),
            cmake: system.map(str::to_owned).into(),
        }
    }

    fn dir(&self) -> PathBuf {
        target().join(self.dir)
    }

    fn program(&self, program: &Path) -> Command {
        let words = self.qemu.iter().flat_map(|qemu| qemu.split(' '));
        let words: Vec<&OsStr> = words.map(OsStr::new).chain([program.as_os_str()]).collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).env("LD_LIBRARY_PATH", self.prefix.join("lib"));
        command
    }

    /// Configures a project with these options and builds these targets, or all if none is named.
    fn configure(&self, source: &Path, build: &Path, more: &[String], targets: &[&str]) -> Outcome {
        run(Command::new("cmake")
            .args([OsStr::new("-S"), source.as_os_str(), OsStr::new("-B"), build.as_os_str()])
            .arg(format!("-DCMAKE_PREFIX_PATH={}", self.prefix.display()))
            .arg(format!("-DCMAKE_CXX_COMPILER={}", self.compiler))
            .args(&self.cmake)
            .args(more))?;
        run(Command::new("cmake")
            .arg("--build")
            .arg(build)
            .args(["--parallel", "2"])
            .args(targets.iter().flat_map(|target| ["--target", target])))
    }
}

/// C and C++ on the Arm CPUs. The C library must find what each has. GHC has no cross compiler in
/// Debian: of the Haskell package what runs is the C++ text that it carries.
fn on_arm() -> Outcome {
    let machine = |cpu| Machine::arm(ARM_CXX, cpu);
    let max = machine("max");
    install_to(&max.prefix, &install::ON_ARM)?;
    c(&Machine { compiler: arm::LINKER.into(), ..machine("max") })?;
    let google_test = max.dir().join("googletest");
    let prefix = format!("-DCMAKE_INSTALL_PREFIX={}", max.prefix.display());
    let options = [prefix, "-DBUILD_GMOCK=OFF".into()];
    max.configure(Path::new(GOOGLE_TEST), &google_test, &options, &[])?;
    run(Command::new("cmake").arg("--install").arg(google_test))?;
    cpp(&max, CPP)?;
    for (cpu, backends) in arm::CPUS {
        let program = max.dir().join(ARM_CXX).join("test_static");
        let mut command = machine(cpu).program(&program);
        run(command.arg("--gtest_brief=1").env("HASHMILL_BACKENDS", backends.join(",")))?;
    }
    Ok(())
}

/// Tests the README's example and one long program, with sanitizers and pkg-config's flags.
fn c(machine: &Machine) -> Outcome {
    let prefix = &machine.prefix;
    let flags = |args: &[&str]| -> Result<Vec<String>, String> {
        let output = Command::new("pkg-config")
            .args(args)
            .arg("hashmill")
            .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
            .output()
            .map_err(|e| format!("pkg-config: {e}"))?;
        let flags = String::from_utf8_lossy(&output.stdout);
        Ok(words(&flags))
    };
    let shared = flags(&["--cflags", "--libs"])?;
    // With -lhashmill the linker would choose the shared library.
    let mut fixed = flags(&["--static", "--cflags", "--libs"])?;
    let archive = prefix.join("lib/libhashmill.a").display().to_string();
    fixed
        .iter_mut()
        .filter(|flag| *flag == "-lhashmill")
        .for_each(|flag| flag.clone_from(&archive));

    small(Path::new(&archive))?;
    needs_libc_only(&prefix.join("lib/libhashmill.so"))?;
    if machine.qemu.is_none() {
        abi::compare(prefix, &machine.compiler)?;
    }

    // The header is used in C90, too, by compilers that have its integer types.
    run(Command::new(&machine.compiler)
        .args(["-std=c90", "-pedantic", "-Werror", "-fsyntax-only", "-xc"])
        .arg(prefix.join("include/hashmill.h")))?;

    let compile_and_run = |standard, source: &Path, library: &[String]| {
        let program = machine.dir().join(source.file_stem().unwrap_or_default());
        run(Command::new(&machine.compiler)
            .args([standard, "-O1", "-g"])
            .args(WARNINGS)
            .args(machine.sanitizers)
            .arg(source)
            .args(library)
            .args([OsStr::new("-o"), program.as_os_str()]))?;
        run(&mut machine.program(&program))
    };
    let consumer = root().join("crates/hashmill-c/tests/consumer.c");
    for standard in ["-std=c99", "-std=c11"] {
        compile_and_run(standard, &consumer, &shared)?;
        compile_and_run(standard, &consumer, &fixed)?;
    }
    compile_and_run("-std=c99", &root().join("crates/hashmill-c/tests/newcomers.c"), &shared)?;
    for readme in ["README.md", "crates/hashmill-c/README.md"] {
        compile_and_run("-std=c99", &example(readme, "c")?, &shared)?;
    }

    // Link statically, with only the flags that pkg-config prints.
    let program = machine.dir().join("consumer_static");
    run(Command::new(&machine.compiler)
        .args(["-std=c99", "-O1", "-static"])
        .arg(&consumer)
        .args(flags(&["--static", "--cflags", "--libs"])?)
        .args([OsStr::new("-o"), program.as_os_str()]))?;
    run(&mut machine.program(&program))
}

/// What a program that is linked with it may grow by, at most. A family costs about 66 KB, with its
/// rows of kernels and its schedulers, and 160 KB more if it is in the list of algorithms: hashers of
/// several messages, and hashes of hashes. Roots of Merkle trees cost 13 KB.
fn small(archive: &Path) -> Outcome {
    const LIMIT: u64 = 3_650_000; // bytes
    let size = fs::metadata(archive).map_err(|e| format!("{}: {e}", archive.display()))?.len();
    match size <= LIMIT {
        true => Ok(()),
        false => Err(format!("{} has {size} bytes; the limit is {LIMIT}", archive.display())),
    }
}

/// Checks that the shared library needs no other library than libc, and that all its symbols are
/// bound when it is loaded, so that the table of addresses is read-only afterwards.
fn needs_libc_only(library: &Path) -> Outcome {
    let dynamic = stdout(Command::new("readelf").args(["--dynamic", "--wide"]).arg(library))?;
    let needed: Vec<&str> = dynamic.lines().filter(|line| line.contains("(NEEDED)")).collect();
    let libc = needed.len() == 1 && needed[0].contains("[libc.so.");
    match libc && dynamic.contains("BIND_NOW") {
        true => Ok(()),
        false => Err(format!("{}:\n{dynamic}", library.display())),
    }
}

/// Splits pkg-config's output as a shell does: a backslash before a blank keeps it in the word.
fn words(flags: &str) -> Vec<String> {
    let (mut words, mut escaped) = (vec![String::new()], false);
    for c in flags.trim().chars() {
        match c {
            '\\' if !escaped => escaped = true,
            c if c.is_whitespace() && !escaped => words.push(String::new()),
            c => {
                words.last_mut().expect("it begins with one").push(c);
                escaped = false;
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Searches the memory of a C program after each use of a key. The shared library's functions, and
/// those of libc that the static library calls, are bound at their first call.
fn c_remains() -> Outcome {
    let machine = Machine::here(GCC.c_compiler()?)?;
    let lib = machine.prefix.join("lib");
    for name in ["libhashmill.so", "libhashmill.a"] {
        let program = machine.dir().join(format!("remains-{name}"));
        run(Command::new(&machine.compiler)
            .args(["-std=gnu11", "-O2", "-fno-builtin", "-Wl,-z,lazy"])
            .args(WARNINGS)
            .arg(root().join("crates/hashmill-c/tests/remains/remains.c"))
            .arg("-I")
            .arg(machine.prefix.join("include"))
            .arg(lib.join(name))
            .args([OsStr::new("-o"), program.as_os_str()]))?;
        search(&program, "all", &lib)?;
    }
    Ok(())
}

/// Runs faces/motoko/tools/check.mjs with the compiler from npm, in one of its modes.
fn motoko(mode: &str) -> Outcome {
    run(&mut needs::npm(MOTOKO, &["test", "--silent", "--", mode]))
}

/// The test programs of faces/cpp.
const CPP: &[&str] = &["test_headers", "test_linked", "test_static"];

/// These tests, with sanitizers where they run; the README's examples, with the README's CMake text.
fn cpp(machine: &Machine, programs: &[&str]) -> Outcome {
    let build = machine.dir().join(&machine.compiler);
    // Sanitizers take minutes to compile what is inlined as a whole. qemu takes 25 s for
    // unoptimised tests, and 1.4 s for these.
    let level = if machine.sanitizers.is_empty() { "-O1" } else { "-O0" };
    let flags = [WARNINGS, machine.sanitizers, &[level, "-DHASHMILL_INLINE="]].concat().join(" ");
    let options = ["-DHASHMILL_TESTS=ON".into(), format!("-DCMAKE_CXX_FLAGS={flags}")];
    machine.configure(&root().join("faces/cpp"), &build, &options, programs)?;
    for program in programs {
        run(machine.program(&build.join(program)).arg("--gtest_brief=1"))?;
    }
    // Build with optimisation and with the kernels inlined.
    let project = machine.dir().join("cmake");
    fs::create_dir_all(&project).map_err(|e| format!("{}: {e}", project.display()))?;
    for (language, file) in [("cmake", "CMakeLists.txt"), ("cpp", "example.cpp")] {
        let from = example("README.md", language)?;
        fs::copy(&from, project.join(file)).map_err(|e| format!("{}: {e}", from.display()))?;
    }
    let flags = format!("-DCMAKE_CXX_FLAGS={} -O2", WARNINGS.join(" "));
    let build = project.join(&machine.compiler);
    machine.configure(&project, &build, &[flags], &[])?;
    run(&mut machine.program(&build.join("example")))?;
    // The C++ package's own.
    let program = build.join("library");
    run(Command::new(&machine.compiler)
        .args(["-std=c++20", "-O2", "-DHASHMILL_LINKED"])
        .args(WARNINGS)
        .arg(example("faces/cpp/README.md", "cpp")?)
        .arg("-I")
        .arg(machine.prefix.join("include"))
        .arg(machine.prefix.join("lib/libhashmill.a"))
        .args([OsStr::new("-o"), program.as_os_str()]))?;
    run(&mut machine.program(&program))?;
    let remains = build.join("remains");
    run(Command::new(&machine.compiler)
        .args(["-std=c++20", "-O2"])
        .args(WARNINGS)
        .arg(root().join("faces/cpp/tests/remains.cpp"))
        .arg("-I")
        .arg(root().join("faces/cpp/include"))
        .args([OsStr::new("-o"), remains.as_os_str()]))?;
    run(&mut machine.program(&remains))?;
    run(Command::new(&machine.compiler)
        .args(["-std=c++20", "-O2"])
        .args(WARNINGS)
        .arg(root().join("faces/cpp/tests/constants.cpp"))
        .arg("-I")
        .arg(root().join("faces/cpp/include"))
        .args(["-c", "-o"])
        .arg(build.join("constants.o")))
}
