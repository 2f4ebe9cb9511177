//! `cargo xtask install`: the C library, its headers, and what tells pkg-config and CMake of them.

use crate::arm;
use crate::prelude::*;
use crate::systems::{self, WINDOWS};
use std::sync::OnceLock;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const ARCHIVE: &str = "libhashmill.a";

pub fn install(args: &[String]) -> Outcome {
    let (mut prefix, mut machine) = (None, &HERE);
    let mut args = args.iter();
    while let Some(flag) = args.next() {
        let value = args.next().ok_or(WRONG)?;
        match &**flag {
            "--prefix" => prefix = Some(value),
            "--target" => machine = Machine::of(value)?,
            _ => return Err(WRONG.into()),
        }
    }
    let dir = absolute(prefix.ok_or(WRONG)?)?;
    machine.needs()?;
    install_to(&dir, machine)?;
    eprintln!("\nhashmill {VERSION} is in {}", dir.display());
    Ok(())
}

/// What the library is made for and with.
pub struct Machine {
    /// rustc's name, unless it is this machine.
    pub target: Option<&'static str>,
    /// The names of GNU's tools, but for their ends.
    pub tools: &'static str,
    /// The Debian packages with the C compiler.
    pub package: &'static str,
}

pub const HERE: Machine = Machine { target: None, tools: "", package: "" };

pub const ON_ARM: Machine =
    Machine { target: Some(arm::TARGET), tools: "aarch64-linux-gnu-", package: arm::COMPILER };

pub const ON_WINDOWS: Machine = Machine {
    target: Some(WINDOWS),
    tools: "x86_64-w64-mingw32-",
    package: "gcc-mingw-w64-x86-64",
};

impl Machine {
    /// Returns the machine of one of rustc's targets.
    fn of(target: &str) -> Result<&'static Machine, String> {
        let others = [&ON_ARM, &ON_WINDOWS];
        let names = others.map(|it| it.target.unwrap_or_default()).join(" and ");
        let machine = others.into_iter().find(|it| it.target == Some(target));
        machine.ok_or(format!("the C library is not made for {target:?}, but for {names}"))
    }

    /// What makes a shared library of the static one.
    pub fn needs(&self) -> Found {
        let Some(target) = self.target else { return tools() };
        needs::all([
            systems::target(target),
            needs::program(&self.tool("gcc"), self.package),
            needs::program(&self.tool("objcopy"), self.package),
        ])
    }

    fn is_windows(&self) -> bool {
        self.target == Some(WINDOWS)
    }

    /// The name of one of GNU's tools.
    fn tool(&self, name: &str) -> String {
        let name = if self.target.is_none() && name == "gcc" { "cc" } else { name };
        format!("{}{name}", self.tools)
    }
}

/// Writes objcopy's options that number the archive's sections, and returns the file's path. rustc
/// names the section of a function or a constant after it, and these names take 4 % of the archive.
/// Linkers remove sections that are not used whatever they are called.
fn short_names(archive: &Path, machine: &Machine) -> Result<PathBuf, String> {
    const KINDS: [&str; 3] = [".text.", ".rodata.", ".data.rel.ro."];
    let listed = stdout(cmd!("{} -h -w {}", machine.tool("objdump"), archive))?;
    let names = listed.lines().filter_map(|line| line.split_whitespace().nth(1));
    let mut options = String::new();
    for (number, name) in names.enumerate() {
        if let Some(kind) = KINDS.iter().find(|kind| name.starts_with(**kind)) {
            options += &format!("--rename-section={name}={kind}{number}\n");
        }
    }
    let file = target().join("section-names.txt");
    write(&file, options).map(|()| file)
}

/// Installs the library for this machine as a user installs it, once for all tests of this run.
/// Returns its prefix.
pub fn once() -> Result<PathBuf, String> {
    static INSTALLED: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let install = || {
        let prefix = target().join("faces/prefix");
        install_to(&prefix, &HERE).map(|()| prefix)
    };
    INSTALLED.get_or_init(install).clone()
}

/// `DIR/include`, `DIR/lib`, with `lib/pkgconfig` and `lib/cmake/hashmill`.
pub fn install_to(prefix: &Path, machine: &Machine) -> Outcome {
    install_in(prefix, "lib", machine)
}

/// The same with the libraries in the folder `lib` of `prefix`.
pub fn install_in(prefix: &Path, lib: &str, machine: &Machine) -> Outcome {
    // From `lib` to `prefix`.
    let up = vec![".."; lib.split('/').count()].join("/");
    ensure(cfg!(target_os = "linux"), "the C library is made on Linux only, so far")?;
    let (include, lib) = (prefix.join("include"), prefix.join(lib));
    make_archive(&lib.join(ARCHIVE), machine)?;
    copy_all(&root().join("crates/hashmill-c/include"), &include)?;
    copy_all(&root().join("faces/cpp/include"), &include)?;
    let shared = match machine.is_windows() {
        true => make_dll(prefix, &lib, machine)?,
        false => make_shared(&lib, machine)?,
    };

    for (file, to) in [
        ("hashmill.pc", "pkgconfig"),
        ("hashmillConfig.cmake", "cmake/hashmill"),
        ("hashmillConfigVersion.cmake", "cmake/hashmill"),
    ] {
        let text = read(Path::new("crates/hashmill-c/install").join(file))?
            .replace("@VERSION@", VERSION)
            .replace("@ABI@", abi())
            .replace("@SHARED@", &shared)
            .replace("@UP@", &up);
        write(lib.join(to).join(file), text)?;
    }
    Ok(())
}

/// Makes the shared library for Linux of the static one, and makes the static one smaller. Returns
/// the properties by which CMake finds it.
fn make_shared(lib: &Path, machine: &Machine) -> Result<String, String> {
    let archive = lib.join(ARCHIVE);
    let shared = format!("libhashmill.so.{VERSION}");
    let soname = format!("libhashmill.so.{}", abi());
    let words = "{} -shared -nostdlib -Wl,--gc-sections -Wl,-z,relro,-z,now,-z,defs -o {} \
                 -Wl,-soname,{} -Wl,-Map={} -Wl,--version-script=crates/hashmill-c/install/hashmill.map \
                 -Wl,--whole-archive {} -Wl,--no-whole-archive -lc";
    let (gcc, map) = (machine.tool("gcc"), link_map(machine));
    run(cmd!(words, gcc, lib.join(&shared), soname, map, archive))?;
    // The shared library keeps them, for profilers. In the static one they are 6 % of its size, and
    // no function of ours unwinds or calls one that does.
    let (objcopy, names) = (machine.tool("objcopy"), short_names(&archive, machine)?);
    run(cmd!("{} --remove-section=.eh_frame @{} {}", objcopy, names, archive))?;
    link(shared.as_ref(), &lib.join(&soname))?;
    link(soname.as_ref(), &lib.join("libhashmill.so"))?;
    Ok(format!(
        "IMPORTED_LOCATION \"${{hashmill_lib}}/{shared}\"\n    IMPORTED_SONAME \"{soname}\""
    ))
}

/// Makes `bin/hashmill.dll` and its import library of the static library. Returns the properties by
/// which CMake finds them. The DLL exports what begins with `hashmill_`, which is all that is global.
fn make_dll(prefix: &Path, lib: &Path, machine: &Machine) -> Result<String, String> {
    let dll = prefix.join("bin/hashmill.dll");
    make_folder(&prefix.join("bin"))?;
    let words = "{} -shared -static-libgcc -Wl,--gc-sections -Wl,--export-all-symbols -o {} \
                 -Wl,--out-implib,{}/libhashmill.dll.a -Wl,--whole-archive {} -Wl,--no-whole-archive";
    run(cmd!(words, machine.tool("gcc"), dll, lib, lib.join(ARCHIVE)))?;
    let up = "${hashmill_prefix}/bin/hashmill.dll";
    Ok(format!(
        "IMPORTED_LOCATION \"{up}\"\n    IMPORTED_IMPLIB \"${{hashmill_lib}}/libhashmill.dll.a\""
    ))
}

/// What the linker put where in the shared library, for the proof of its machine code.
pub fn link_map(machine: &Machine) -> PathBuf {
    built(machine).join("libhashmill.map")
}

fn built(machine: &Machine) -> PathBuf {
    target().join(machine.target.unwrap_or_default()).join("c")
}

/// The static library: one object with the functions of hashmill.h and what they need, and no other
/// global name, so that a program may also link other libraries that are written in Rust.
///
/// rustc's archive has some 300 objects more, the compiler's own library, nearly all of which
/// nothing needs.
fn make_archive(archive: &Path, machine: &Machine) -> Outcome {
    let package = "--package hashmill-c --no-default-features --lib --crate-type staticlib";
    let mut cargo = cmd!(format!("cargo rustc --profile c {package}"));
    run(cargo.args(machine.target.map(|target| format!("--target={target}"))))?;
    let dir = built(machine);
    let built = dir.join("libhashmill_c.a");
    let names = stdout(cmd!("{} --defined-only --extern-only {}", machine.tool("nm"), built))?;
    let ours = names.lines().filter_map(|line| line.split(' ').nth(2));
    let ours = ours.filter(|name| name.starts_with("hashmill_"));
    let object = dir.join("hashmill.o");
    // In a file, because there are more than a hundred.
    let undefined = dir.join("undefined.txt");
    write(&undefined, ours.map(|name| format!("-Wl,--undefined={name}\n")).collect::<String>())?;
    let words = "{} -r -nostdlib -Os -ffunction-sections -fno-asynchronous-unwind-tables \
                 -Wl,--gc-sections -o {} @{} xtask/src/install/personality.c {}";
    run(cmd!(words, machine.tool("gcc"), object, undefined, built))?;
    let keep = "--wildcard --remove-section=.llvm* --keep-global-symbol=hashmill_*";
    let words = format!("{{}} --strip-unneeded {keep} {{}}");
    run(cmd!(words, machine.tool("objcopy"), object))?;
    make_folder(archive.parent().unwrap_or(archive))?;
    // `ar` would add to an archive that is there.
    _ = fs::remove_file(archive);
    run(cmd!("{} rcsD {} {}", machine.tool("ar"), archive, object))
}

/// What makes a shared library of the static one.
pub fn tools() -> Found {
    needs::all([needs::program("cc", "gcc libc6-dev"), needs::program("objcopy", "binutils")])
}

/// Where the ABI stays the same: up to the second number of the version, before version 1.
pub fn abi() -> &'static str {
    VERSION.rsplit_once('.').map_or(VERSION, |(abi, _)| abi)
}
