//! The tests of C, C++ and Motoko.

use crate::needs::{Family, GCC, SANITIZERS};
use crate::prelude::*;
use crate::programs::{example, search};
use crate::{abi, arm, install};

pub fn c_needs(family: &Family) -> Found {
    let compiler = family.c_compiler().map(drop);
    needs::all([install::tools(), needs::program("pkg-config", "pkg-config"), compiler])
}

pub fn cpp_needs(family: &Family) -> Found {
    let compiler = family.cxx_compiler();
    // Without one, CMake looks for a compiler itself.
    let name = compiler.clone().unwrap_or("c++".into());
    let packages = [("GTest", "libgtest-dev"), ("nlohmann_json", "nlohmann-json3-dev")];
    needs::all([install::tools(), compiler.map(drop), needs::cmake(&name, &packages)])
}

/// Debian's compiled GoogleTest is for this machine only, so the Arm tests compile its source.
pub fn arm_needs() -> Found {
    let there = Path::new(GOOGLE_TEST).exists();
    let text = format!("{GOOGLE_TEST} is not there");
    let text = needs::check(there, text, needs::debian("libgtest-dev"));
    let cmake = needs::cmake("c++", &[("nlohmann_json", "nlohmann-json3-dev")]);
    let compiler = needs::program(ARM_CXX, "g++-aarch64-linux-gnu");
    needs::all([arm::tools(), compiler, text, needs::program("pkg-config", "pkg-config"), cmake])
}

const GOOGLE_TEST: &str = "/usr/src/googletest";
const ARM_CXX: &str = "aarch64-linux-gnu-g++";

const MOTOKO: &str = "faces/motoko";

/// The Motoko compiler comes from npm and stays in `node_modules`.
pub fn motoko_needs() -> Found {
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
    /// Empty on this machine.
    qemu: String,
    cmake: Vec<String>,
}

impl Machine {
    /// Returns this machine with the given compiler.
    fn here(compiler: String) -> Result<Machine, String> {
        let prefix = install::once()?;
        let dir = "faces";
        Ok(Machine {
            compiler,
            dir,
            prefix,
            sanitizers: SANITIZERS,
            qemu: String::new(),
            cmake: Vec::new(),
        })
    }

    /// Returns a 64-bit Arm machine. `cpu` is qemu's name for the CPU.
    fn arm(compiler: &str, cpu: &str) -> Machine {
        let system = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64"];
        Machine {
            compiler: compiler.into(),
            dir: "faces/arm",
            prefix: target().join("faces/arm/prefix"),
            sanitizers: &[],
            qemu: arm::qemu(cpu),
            cmake: system.map(str::to_owned).into(),
        }
    }

    fn dir(&self) -> PathBuf {
        target().join(self.dir)
    }

    fn program(&self, program: &Path) -> Command {
        let mut command = cmd!(format!("{} {{}}", self.qemu), program);
        command.env("LD_LIBRARY_PATH", self.prefix.join("lib"));
        command
    }

    /// Runs a compiler, with warnings as errors, and returns the program.
    fn compile(&self, name: &str, mut compiler: Command) -> Result<PathBuf, String> {
        let program = self.dir().join(name);
        run(compiler.args(WARNINGS).arg("-o").arg(&program)).map(|()| program)
    }

    /// Configures a project with these options and builds these targets, or all if none is named.
    fn configure(&self, source: &Path, build: &Path, more: &[String], targets: &[&str]) -> Outcome {
        let configure = "cmake -S {} -B {} -DCMAKE_PREFIX_PATH={} -DCMAKE_CXX_COMPILER={}";
        let mut configure = cmd!(configure, source, build, self.prefix, self.compiler);
        run(configure.args(&self.cmake).args(more))?;
        let mut make = cmd!("cmake --build {} --parallel 2", build);
        run(make.args(targets.iter().flat_map(|target| ["--target", target])))
    }
}

/// C and C++ on the Arm CPUs. The C library must find what each has. GHC has no cross compiler in
/// Debian: of the Haskell package what runs is `hashmill.h` over the C++ headers.
pub fn on_arm() -> Outcome {
    let machine = |cpu| Machine::arm(ARM_CXX, cpu);
    let max = machine("max");
    install::install_to(&max.prefix, &install::ON_ARM)?;
    c_on(&Machine { compiler: arm::LINKER.into(), ..machine("max") })?;
    let google_test = max.dir().join("googletest");
    let prefix = format!("-DCMAKE_INSTALL_PREFIX={}", max.prefix.display());
    let options = [prefix, "-DBUILD_GMOCK=OFF".into()];
    max.configure(Path::new(GOOGLE_TEST), &google_test, &options, &[])?;
    run(cmd!("cmake --install {}", google_test))?;
    cpp_on(&max, CPP)?;
    for (cpu, backends) in arm::CPUS {
        let mut test = machine(cpu).program(&max.dir().join(ARM_CXX).join("test_static"));
        run(test.arg("--gtest_brief=1").env("HASHMILL_BACKENDS", backends.join(",")))?;
    }
    Ok(())
}

pub fn c(family: &Family) -> Outcome {
    c_on(&Machine::here(family.c_compiler()?)?)
}

/// Tests the README's example and one long program, with sanitizers and pkg-config's flags.
fn c_on(machine: &Machine) -> Outcome {
    let prefix = &machine.prefix;
    let flags = |args: &str| {
        let mut command = cmd!(format!("pkg-config {args} hashmill"));
        stdout(command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))).map(|it| words(&it))
    };
    let shared = flags("--cflags --libs")?;
    // With -lhashmill the linker would choose the shared library.
    let all = flags("--static --cflags --libs")?;
    let archive = prefix.join("lib/libhashmill.a").display().to_string();
    let named = |flag: &String| if flag == "-lhashmill" { &archive } else { flag }.clone();
    let fixed: Vec<String> = all.iter().map(named).collect();

    small(Path::new(&archive))?;
    needs_libc_only(&prefix.join("lib/libhashmill.so"))?;
    if machine.qemu.is_empty() {
        abi::compare(prefix, &machine.compiler)?;
    }

    // The header is used in C90, too, by compilers that have its integer types.
    let c90 = "{} -std=c90 -pedantic -Werror -fsyntax-only -xc {}/include/hashmill.h";
    run(cmd!(c90, machine.compiler, prefix))?;

    let compile_and_run = |standard: &str, source: &Path, library: &[String]| {
        let mut compiler = cmd!("{} {} -O1 -g {}", machine.compiler, standard, source);
        compiler.args(machine.sanitizers).args(library);
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        run(machine.program(&machine.compile(&name, compiler)?))
    };
    let tests = root().join("crates/hashmill-c/tests");
    let consumer = tests.join("consumer.c");
    for standard in ["-std=c99", "-std=c11"] {
        compile_and_run(standard, &consumer, &shared)?;
        compile_and_run(standard, &consumer, &fixed)?;
    }
    compile_and_run("-std=c99", &tests.join("newcomers.c"), &shared)?;
    for readme in ["README.md", "crates/hashmill-c/README.md"] {
        compile_and_run("-std=c99", &example(readme, "c")?, &shared)?;
    }

    // Link statically, with only the flags that pkg-config prints.
    let mut compiler = cmd!("{} -std=c99 -O1 -static {}", machine.compiler, consumer);
    compiler.args(all);
    run(machine.program(&machine.compile("consumer_static", compiler)?))
}

/// What a program that is linked with it may grow by, at most. A family costs about 66 KB, with its
/// rows of kernels and its schedulers, and 160 KB more if it is in the list of algorithms: hashers of
/// several messages, and hashes of hashes. Roots of Merkle trees cost 13 KB.
fn small(archive: &Path) -> Outcome {
    const LIMIT: u64 = 3_900_000; // bytes, of which SM3 is one of eight families, and last blocks are 0.09 MB
    let size = fs::metadata(archive).map_err(failed(archive))?.len();
    ensure(size <= LIMIT, format!("{} has {size} bytes; the limit is {LIMIT}", archive.display()))
}

/// Checks that the shared library needs no other library than libc, and that all its symbols are
/// bound when it is loaded, so that the table of addresses is read-only afterwards.
fn needs_libc_only(library: &Path) -> Outcome {
    let dynamic = stdout(cmd!("readelf --dynamic --wide {}", library))?;
    let needed: Vec<&str> = dynamic.lines().filter(|line| line.contains("(NEEDED)")).collect();
    let libc = needed.len() == 1 && needed[0].contains("[libc.so.");
    let error = format!("{}:\n{dynamic}", library.display());
    ensure(libc && dynamic.contains("BIND_NOW"), error)
}

/// Splits pkg-config's output as a shell does: a backslash before a blank keeps it in the word.
fn words(flags: &str) -> Vec<String> {
    // A character that no path contains stands for the blanks that are kept.
    let kept = flags.replace("\\ ", "\0");
    kept.split_whitespace().map(|word| word.replace('\0', " ").replace('\\', "")).collect()
}

/// Searches the memory of a C program after each use of a key. The shared library's functions, and
/// those of libc that the static library calls, are bound at their first call.
pub fn c_remains() -> Outcome {
    let machine = Machine::here(GCC.c_compiler()?)?;
    let lib = machine.prefix.join("lib");
    for library in ["libhashmill.so", "libhashmill.a"] {
        let compiler = cmd!(
            "{} -std=gnu11 -O2 -fno-builtin -Wl,-z,lazy -I{}/include \
             crates/hashmill-c/tests/remains/remains.c {}",
            machine.compiler,
            machine.prefix,
            lib.join(library)
        );
        search(&machine.compile(&format!("remains-{library}"), compiler)?, "all", &lib)?;
    }
    Ok(())
}

/// Runs faces/motoko/tools/check.mjs with the compiler from npm, in one of its modes.
pub fn motoko(mode: &str) -> Outcome {
    run(needs::npm(MOTOKO, &format!("test --silent -- {mode}")))
}

/// The test programs of faces/cpp.
pub const CPP: &[&str] = &["test_headers", "test_linked", "test_static", OVER_HEADERS];

/// `hashmill.h` over the C++ headers: a library, not a program.
const OVER_HEADERS: &str = "hashmill_c";

pub fn cpp(family: &Family, programs: &[&str]) -> Outcome {
    cpp_on(&Machine::here(family.cxx_compiler()?)?, programs)
}

/// These tests, with sanitizers where they run; the README's examples, with the README's CMake text.
fn cpp_on(machine: &Machine, programs: &[&str]) -> Outcome {
    let build = machine.dir().join(&machine.compiler);
    // Sanitizers take minutes to compile what is inlined as a whole. qemu takes 25 s for
    // unoptimised tests, and 1.4 s for these.
    let level = if machine.sanitizers.is_empty() { "-O1" } else { "-O0" };
    let flags = [WARNINGS, machine.sanitizers, &[level, "-DHASHMILL_INLINE="]].concat().join(" ");
    let options = ["-DHASHMILL_TESTS=ON".into(), format!("-DCMAKE_CXX_FLAGS={flags}")];
    machine.configure(&root().join("faces/cpp"), &build, &options, programs)?;
    for program in programs.iter().filter(|name| **name != OVER_HEADERS) {
        run(machine.program(&build.join(program)).arg("--gtest_brief=1"))?;
    }
    if programs.contains(&OVER_HEADERS) {
        // The C compiler is the same program. The library needs none of C++'s libraries, but what
        // sanitizers add does.
        let tests = root().join("crates/hashmill-c/tests");
        let consumer = "{} -xc -std=c99 -O1 -g -DOVER_HEADERS -I{}/include {} -xnone {}";
        let library = build.join("libhashmill_c.a");
        let mut compiler =
            cmd!(consumer, machine.compiler, machine.prefix, tests.join("consumer.c"), library);
        compiler.args(machine.sanitizers);
        run(machine.program(&machine.compile("consumer-over-headers", compiler)?))?;
    }
    // Build with optimisation and with the kernels inlined.
    let project = machine.dir().join("cmake");
    for (language, file) in [("cmake", "CMakeLists.txt"), ("cpp", "example.cpp")] {
        copy(&example("README.md", language)?, &project.join(file))?;
    }
    let flags = format!("-DCMAKE_CXX_FLAGS={} -O2", WARNINGS.join(" "));
    let build = project.join(&machine.compiler);
    machine.configure(&project, &build, &[flags], &[])?;
    run(machine.program(&build.join("example")))?;
    let compile = |name: &str, options: &str, source: &Path, library: &[PathBuf]| {
        let words = format!("{{}} -std=c++20 -O2 -I{{}}/include {options} {{}}");
        let mut compiler = cmd!(words, machine.compiler, machine.prefix, source);
        compiler.args(library);
        machine.compile(&format!("cmake/{}/{name}", machine.compiler), compiler)
    };
    // The C++ package's own.
    let readme = example("faces/cpp/README.md", "cpp")?;
    let archive = [machine.prefix.join("lib/libhashmill.a")];
    run(machine.program(&compile("library", "-DHASHMILL_LINKED", &readme, &archive)?))?;
    let tests = root().join("faces/cpp/tests");
    run(machine.program(&compile("remains", "", &tests.join("remains.cpp"), &[])?))?;
    compile("constants.o", "-c", &tests.join("constants.cpp"), &[]).map(drop)
}
