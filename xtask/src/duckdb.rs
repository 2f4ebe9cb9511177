//! `cargo xtask duckdb`: the extension of DuckDB, with the metadata that DuckDB reads from the end of
//! the file; and its tests.

use crate::prelude::*;
use crate::python;
use std::env::consts::{ARCH, DLL_PREFIX, DLL_SUFFIX, OS};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Builds the extension and writes it to a folder.
pub fn duckdb(args: &[String]) -> Outcome {
    let file = match args {
        [] => build(&target().join("duckdb"))?,
        [folder] => build(&absolute(folder)?)?,
        _ => return Err(WRONG.into()),
    };
    println!("{}", file.display());
    Ok(())
}

/// Builds the extension and loads it in the DuckDB of Python's tests, whose package computes the
/// same functions.
pub fn test() -> Outcome {
    let file = build(&target().join("duckdb"))?;
    let mut pytest = cmd!(format!("{{}} -m {} tests", python::PYTEST), python::with_package()?);
    run(pytest.env("HASHMILL_DUCKDB", file).current_dir(root().join("crates/hashmill-duckdb")))
}

/// The extension for this machine's system and architecture, loaded in the DuckDB of Python's tests.
pub fn release(folder: &Path) -> Outcome {
    let file = build(folder)?;
    run(cmd!("{} -c {} {}", python::first()?.1, include_str!("release/duckdb.py"), file))
}

fn build(folder: &Path) -> Result<PathBuf, String> {
    let platform =
        platform(OS, ARCH).ok_or_else(|| format!("DuckDB has no name for {OS} on {ARCH}"))?;
    let package = "--release --locked --package hashmill-duckdb --lib";
    run(cmd!(format!("cargo rustc {package} -- -Cstrip=symbols")))?;
    let library = target().join("release").join(format!("{DLL_PREFIX}hashmill_duckdb{DLL_SUFFIX}"));
    let mut bytes = fs::read(&library).map_err(failed(&library))?;
    bytes.extend(footer(&platform, VERSION));
    let file = folder.join("hashmill.duckdb_extension");
    write(&file, bytes).map(|()| file)
}

/// Returns DuckDB's name of a system.
fn platform(os: &str, arch: &str) -> Option<String> {
    let names = [("linux", "linux"), ("macos", "osx"), ("windows", "windows")];
    let (_, os) = names.into_iter().find(|it| it.0 == os)?;
    let (_, arch) =
        [("x86_64", "amd64"), ("aarch64", "arm64")].into_iter().find(|it| it.0 == arch)?;
    Some(format!("{os}_{arch}"))
}

/// Returns what DuckDB reads from the end of an extension: eight fields of 32 bytes, the last one
/// first, and 256 bytes for a signature, which are zeros here. DuckDB loads an extension without a
/// signature if `allow_unsigned_extensions` is set.
fn footer(platform: &str, version: &str) -> Vec<u8> {
    // The format; the platform; the version of the C API; the version of the extension; the kind of
    // the interface.
    let fields = ["4", platform, "v1.2.0", version, "C_STRUCT", "", "", ""];
    let mut footer = Vec::new();
    for field in fields.iter().rev() {
        footer.extend(field.bytes().chain(std::iter::repeat(0)).take(32));
    }
    footer.extend([0; 256]);
    footer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_footer_ends_with_the_format_and_a_signature() {
        let footer = footer("linux_amd64", "0.1.0");
        assert_eq!(footer.len(), 512);
        assert!(footer[3 * 32..].starts_with(b"C_STRUCT\0"));
        assert!(footer[6 * 32..].starts_with(b"linux_amd64\0"));
        assert!(footer[7 * 32..].starts_with(b"4\0"));
        assert_eq!(platform(OS, "a CPU"), None);
    }
}
