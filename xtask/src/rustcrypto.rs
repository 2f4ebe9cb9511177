//! The library under other crates: the tests in `compat/`, and the own tests of RustCrypto's crates
//! with hashmill in the place of `sha2`.

use crate::needs::{fetched, is_fetched};
use crate::prelude::*;

/// Versions of hmac, hkdf and pbkdf2 with the version of sha2 that they are generic over.
const GENERATIONS: [[&str; 2]; 2] = [["0.12", "0.10"], ["0.13", "0.11"]];

const CRATES: [&str; 3] = ["hmac", "hkdf", "pbkdf2"];

/// Workspaces of their own, so that their dependencies are built for nothing else.
pub fn rustcrypto() -> Outcome {
    cargo("test --locked --manifest-path compat/Cargo.toml")
}

pub const ALLOY: &str = "compat/alloy/Cargo.toml";

/// The tests of alloy's tries, whose dependencies are many.
pub fn alloy() -> Outcome {
    cargo(&format!("test --locked --manifest-path {ALLOY}"))
}

pub const SIGNATURES: &str = "bench/signatures/Cargo.toml";

/// Measures SLH-DSA with the sets whose signing is fast, beside another crate whose keys and
/// signatures must be the same, and on x86-64 the sampling of ML-KEM in the same way.
pub fn signatures() -> Outcome {
    cargo(&format!("run --release --locked --manifest-path {SIGNATURES} -- f"))?;
    if cfg!(target_arch = "x86_64") {
        cargo(&format!("run --release --locked --manifest-path {SIGNATURES} --bin ml_kem"))?;
    }
    Ok(())
}

pub const TREES: &str = "compat/trees/Cargo.toml";

/// Measures Merkle trees beside those of other crates, whose roots must be the same.
pub fn trees() -> Outcome {
    cargo(&format!("run --release --locked --manifest-path {TREES}"))
}

/// The own tests of RustCrypto's crates, with hashmill in the place of `sha2`.
pub fn own() -> Outcome {
    let built = target().join("compat/target");
    GENERATIONS.into_iter().try_for_each(|generation| {
        let manifest = patched(generation)?.join("Cargo.toml");
        let test = "cargo test --locked --tests --manifest-path {} --target-dir {}";
        run(cmd!(test, manifest, built))
    })
}

/// The packages that the tests are built of.
pub fn packages() -> Found {
    fetched("compat/Cargo.toml")?;
    // cargo copies the other packages from where it has downloaded these.
    if !is_fetched("compat/Cargo.toml") {
        return Ok(());
    }
    GENERATIONS.into_iter().try_for_each(|generation| {
        fetched(&patched(generation)?.join("Cargo.toml").to_string_lossy())
    })
}

/// A workspace of these crates, with `[patch]`: copies below `target`, since a patch counts in a
/// workspace's root only.
fn patched([version, sha2]: [&str; 2]) -> Result<PathBuf, String> {
    let (compat, place) = (root().join("compat"), target().join("compat").join(version));
    let options = "--locked --offline --format-version=1 --manifest-path=compat/Cargo.toml";
    let metadata = stdout(cmd!(format!("cargo metadata {options}")))?;
    for name in CRATES {
        let manifest = metadata.split('"').find(|text| {
            text.contains(&format!("/{name}-{version}.")) && text.ends_with("/Cargo.toml")
        });
        let manifest =
            manifest.ok_or_else(|| format!("compat/Cargo.lock has no {name} {version}"))?;
        copy_all(Path::new(manifest).parent().unwrap_or(&place), &place.join(name))?;
    }
    let sha2 = compat.join(format!("sha2-{sha2}"));
    let others = CRATES.map(|name| format!("{name} = {{ path = '{name}' }}\n")).concat();
    let workspace = format!(
        "[workspace]\nmembers = {CRATES:?}\nresolver = \"3\"\n\n\
         [patch.crates-io]\nsha2 = {{ path = {sha2:?} }}\n{others}\n[profile.test]\nopt-level = 2\n"
    );
    write(place.join("Cargo.toml"), workspace)?;
    copy(&sha2.join("tests.lock"), &place.join("Cargo.lock"))?;
    Ok(place)
}
