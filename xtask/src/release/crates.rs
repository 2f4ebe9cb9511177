//! The crates as their registry gets them: each is unpacked elsewhere and built, tested, documented
//! and installed there.

use super::common::{VERSION, scratch, unpack};
use crate::prelude::*;

pub fn make(folder: &Path) -> Outcome {
    // What `cargo publish` would pack: it refuses a checkout with changes, and builds both crates.
    run(cmd!("cargo package --locked --package hashmill --package hashmill-cli"))?;
    let elsewhere = scratch("crates")?;
    let built = target().join("package");
    for name in ["hashmill", "hashmill-cli"] {
        let file = format!("{name}-{VERSION}.crate");
        copy(&built.join(&file), &folder.join(&file))?;
        unpack(&folder.join(&file), &elsewhere)?;
    }
    let library = elsewhere.join(format!("hashmill-{VERSION}"));
    let program = elsewhere.join(format!("hashmill-cli-{VERSION}"));
    let cargo = |args: &str| {
        let mut cargo = cmd!(format!("cargo {args}"));
        cargo.env("CARGO_TARGET_DIR", elsewhere.join("target")).current_dir(&library);
        cargo
    };
    run(cargo("test --release --all-features"))?;
    run(cargo("doc --no-deps --all-features").env("RUSTDOCFLAGS", "--deny warnings"))?;
    // Until the library is in the registry, the program takes the unpacked one.
    let patch = format!("patch.crates-io.hashmill.path={:?}", library.display().to_string());
    let prefix = elsewhere.join("installed");
    let mut install = cargo("install --config");
    install.arg(patch).arg("--path").arg(program).arg("--root").arg(&prefix);
    run(install.current_dir(&elsewhere))?;
    run(cmd!("{}/bin/hashmill self test", prefix).current_dir(&elsewhere))?;
    remove_folder(&elsewhere)
}
