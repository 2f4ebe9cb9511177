//! The lists that `hashmill check -r` finds.

use crate::common::{A, A_BLAKE2B, B, Place};
use std::fs;

const A_MD5: &str = "0cc175b9c0f1b6a831c399e269772661";

/// The names of lists that programs and projects publish, and a list of that kind, in which `f` is
/// right and `g` is damaged.
fn named() -> Vec<(&'static str, String)> {
    let gnu = format!("{A}  f\n{A}  g\n");
    let md5 = format!("{A_MD5}  f\n{A_MD5}  g\n");
    let bsd = format!("SHA256 (f) = {A}\nSHA256 (g) = {A}\n");
    let signed = |text: &str| {
        format!(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{text}-----BEGIN PGP \
             SIGNATURE-----\n\n=AAAA\n-----END PGP SIGNATURE-----\n"
        )
    };
    let release = format!("Origin: X\nSHA256:\n {A} 1 f\n {A} 1 g\n");
    let control = format!("Format: 3.0\nChecksums-Sha256:\n {A} 1 f\n {A} 1 g\n");
    vec![
        ("SHA256SUMS", gnu.clone()),
        ("sha256sum.txt", gnu.clone()),
        ("md5sum.txt", md5.clone()),
        ("SHA256SUM", gnu.clone()),
        ("SHASUMS256.txt", gnu.clone()),
        ("SHA256SUMS.asc", signed(&gnu)),
        ("SHA256", bsd.clone()),
        ("MD5", md5),
        ("CHECKSUM.SHA256-FreeBSD-14.3-RELEASE-amd64", bsd.clone()),
        ("Release", release.clone()),
        ("InRelease", signed(&release)),
        ("x.dsc", signed(&control)),
        ("x.changes", control),
        ("Manifest", format!("DIST f 1 SHA256 {A}\nDIST g 1 SHA256 {A}\n")),
        ("x.tar.xz.DIGESTS", gnu.clone()),
        ("x.hashdeep", format!("%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n1,{A},f\n1,{A},g\n")),
        ("x.b2", format!("{A_BLAKE2B}  f\n{A_BLAKE2B}  g\n")),
        ("x.sha256.txt", gnu.clone()),
        ("x_1.0_SHA256SUMS", gnu.clone()),
        ("x_1.0_checksums.txt", gnu.clone()),
        ("CHECKSUMS", bsd),
        ("SHA256SUMS.sig", format!("untrusted comment: x\nRWQ{}=\n{gnu}", "A".repeat(96))),
    ]
}

#[test]
fn lists_by_their_names() {
    for (name, text) in named() {
        let place = Place::new();
        fs::create_dir(place.path("t")).unwrap();
        place.write("t/f", "a").write("t/g", "damaged").write(format!("t/{name}"), text);
        let ran = place.run("hashmill", &["check", "-r", "t"]);
        assert_eq!(
            (ran.status, &*ran.text()),
            (Some(1), "t/f: OK\nt/g: FAILED\n"),
            "{name}: {ran:?}"
        );
        let said = "hashmill: checked 2 files in 1 list\n";
        assert!(ran.stderr.ends_with(said), "{name}: {}", ran.stderr);
    }
}

/// What looks like a list but has no such name is named, and is an error under `--strict`.
#[test]
fn lists_by_their_contents() {
    let place = Place::new();
    fs::create_dir_all(place.path("t/.git")).unwrap();
    place.write("t/f", "a").write("t/g", "damaged").write("t/SHA256SUMS", format!("{A}  f\n"));
    place.write(
        "t/README",
        format!("Check with `sha256sum -c`:\n\n    {A}  g\n\nThen install it.\n"),
    );
    place.write("t/numbers", "1 2 3\n4 5 6\n").write("t/MANIFEST", "README\nlib/x.pl\n");
    place.write("t/.git/packed-refs", "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8 refs/heads/main\n");
    place.write("t/sha256sum", b"\x7fELF\x02\0\0").write("t/shasum", "#!/usr/bin/perl\n");
    place
        .write("t/x.changes", "- first release\n")
        .write("t/SHA256SUMS.asc", "-----BEGIN PGP SIGNATURE-----\n");
    let checked = "hashmill: checked 1 file in 1 list\n";
    for strict in [&["check", "-r", "t"][..], &["check", "-r", "--strict", "t"]] {
        place.run("hashmill", strict).gave(0, "t/f: OK\n", checked);
    }
    place.run("hashmill", &["check", "-r", "--quiet", "t"]).gave(0, "", "");
    place.write("t/hash list", format!("# of 2026\n{A} *g\n"));
    let looks = "hashmill: 't/hash list': looks like a list, but its name is not that of a list: not checked\n";
    let said = format!("{looks}{checked}");
    place.run("hashmill", &["check", "-r", "t"]).gave(0, "t/f: OK\n", &said);
    place.run("hashmill", &["check", "-r", "--strict", "t"]).gave(1, "t/f: OK\n", &said);
    place.run("hashmill", &["check", "-r", "--strict", "--quiet", "t"]).gave(1, "", looks);
    place.run("hashmill", &["check", "-r", "--strict", "--status", "t"]).gave(1, "", "");
    // A file that the command line names is a list.
    let ran = place.run("hashmill", &["check", "-r", "t/hash list"]);
    assert_eq!((ran.status, &*ran.text()), (Some(1), "t/g: FAILED\n"), "{ran:?}");
    fs::remove_file(place.path("t/SHA256SUMS")).unwrap();
    let none = format!("{looks}hashmill: no lists found\n");
    place.run("hashmill", &["check", "-r", "t"]).gave(1, "", &none);
}

/// The summary counts all lists and the files that were compared.
#[test]
fn the_summary() {
    let place = Place::new();
    fs::create_dir_all(place.path("t/d")).unwrap();
    place.write("t/f", "a").write("t/d/g", "b");
    place.write("t/SHA256SUMS", format!("{A}  f\n{B}  d/g\n{A}  nosuch\n"));
    place.write("t/d/g.sha256sum", format!("{B}\n"));
    let ran = place.run("hashmill", &["check", "-r", "--ignore-missing", "t"]);
    ran.gave(0, "t/f: OK\nt/d/g: OK\nt/d/g: OK\n", "hashmill: checked 3 files in 2 lists\n");
}

/// A link to a list is not followed, and that is said.
#[cfg(unix)]
#[test]
fn links_to_lists() {
    let place = Place::new();
    fs::create_dir(place.path("t")).unwrap();
    place.write("t/f", "a").write("t/f.sha256", A);
    std::os::unix::fs::symlink("elsewhere", place.path("t/SHA256SUMS")).unwrap();
    let said =
        "hashmill: t: 1 symbolic link was not followed\nhashmill: checked 1 file in 1 list\n";
    place.run("hashmill", &["check", "-r", "t"]).gave(0, "t/f: OK\n", said);
}

/// A manifest names its tree, and its files are looked up there.
#[cfg(unix)]
#[test]
fn files_of_a_manifest() {
    let place = Place::new();
    place.shell("mkdir -p photos/d other/photos; echo 1 >photos/x; echo 2 >photos/d/y");
    place.run("hashmill", &["manifest", "create", "photos.manifest", "photos"]);
    let check = |args: &[&str]| place.run("hashmill", &[&["check", "--strict"], args].concat());
    let ok = "d/y: OK\nx: OK\n";
    check(&["photos.manifest"]).gave(0, ok, "");
    check(&["--all", "photos.manifest"]).gave(0, ok, "");
    place.shell("cd other && hashmill check --strict ../photos.manifest").gave(0, ok, "");
    let ran = place.shell("mkdir t; cp -r photos photos.manifest t; hashmill check -r --strict t");
    let checked = "hashmill: checked 2 files in 1 list\n";
    ran.gave(0, "t/photos/d/y: OK\nt/photos/x: OK\n", checked);
    // --root says where the files are now.
    place.shell("cp -r photos backup; echo damaged >backup/x");
    let warning = "hashmill: WARNING: 1 computed checksum did NOT match\n";
    check(&["--root", "backup", "photos.manifest"]).gave(1, "d/y: OK\nx: FAILED\n", warning);
    place.shell("echo damaged >photos/x; echo 3 >photos/new");
    let ran = check(&["--all", "photos.manifest"]);
    assert_eq!(
        (ran.status, &*ran.text()),
        (Some(1), "d/y: OK\nx: FAILED\nnew: NOT LISTED\n"),
        "{ran:?}"
    );
    // A damaged header does not lead to other files in silence.
    let text = fs::read_to_string(place.path("photos.manifest")).unwrap();
    place.write("photos.manifest", text.replace("# tree photos", "# tree backup"));
    let ran = check(&["photos.manifest"]);
    assert!(ran.status == Some(1) && ran.stderr.contains("1 line is improperly"), "{ran:?}");
}

/// A path of more than 4,096 bytes, which no call of the system takes.
#[cfg(target_os = "linux")]
#[test]
fn long_paths() {
    let place = Place::new();
    let part = "d".repeat(200);
    place.shell(&format!(
        "d={part}; mkdir t && cd t && for i in {{1..25}}; do mkdir $d && cd -P $d; done && printf a >f"
    ));
    let deep = format!("t/{}f", format!("{part}/").repeat(25));
    assert!(deep.len() > 4096);
    place.write("list", format!("{A}  {deep}\n{A}  {deep}x\n"));
    let ran = place.run("hashmill", &["check", "list"]);
    let expected = format!("{deep}: OK\n{deep}x: FAILED open or read\n");
    assert_eq!((ran.status, ran.text()), (Some(1), expected), "{}", ran.stderr);
    assert!(ran.stderr.contains("x: No such file or directory\n"), "{}", ran.stderr);
    let absolute = place.path(&deep).display().to_string();
    place.write("list", format!("{A}  {absolute}\n"));
    place.run("hashmill", &["check", "--strict", "list"]).gave(0, &format!("{absolute}: OK\n"), "");
    place.write("list", format!("{A}  {}\n", "x".repeat(5000)));
    let ran = place.run("hashmill", &["check", "list"]);
    assert!(ran.status == Some(1) && ran.stderr.contains("File name too long"), "{ran:?}");
}
