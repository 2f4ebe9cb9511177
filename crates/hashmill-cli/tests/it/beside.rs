//! Digests that are kept beside the content of a file: `sum --write-sidecars` and `--write-xattrs`,
//! `check --xattrs`; and names in Unicode's normal forms.

use crate::common::{A, B, Place};
use std::fs;

#[test]
fn sidecars() {
    let place = Place::new();
    fs::create_dir_all(place.path("t/d")).unwrap();
    place.write("t/d/x.jar", "a").write("t/y", "b");
    let write = ["sum", "-r", "--write-sidecars", "-a", "sha256,sha512/256", "t"];
    place.run("hashmill", &write).gave(0, "", "");
    let text = |name: &str| fs::read_to_string(place.path(name)).unwrap();
    assert_eq!(text("t/d/x.jar.sha256"), format!("{A}  x.jar\n"));
    assert_eq!(text("t/y.sha256"), format!("{B}  y\n"));
    assert_eq!(text("t/y.sha512-256").len(), 64 + 2 + 2);
    let checked = place.run("hashmill", &["check", "-r", "t"]);
    assert_eq!((checked.status, checked.text().matches(": OK\n").count()), (Some(0), 4));
    // The sidecars of an earlier run get none, and are not touched.
    place.run("hashmill", &write).gave(0, "", "");
    assert_eq!(fs::read_dir(place.path("t")).unwrap().count(), 4);
    // A file of this name that says something else stays.
    place.write("t/y", "a").write("f.sha256", "mine");
    let left = "the file exists, with another content, and is left as it was\n";
    let ran = place.run("hashmill", &["sum", "--write-sidecars", "f", "t/y", "g"]);
    ran.gave(1, "", &format!("hashmill: f.sha256: {left}hashmill: t/y.sha256: {left}"));
    assert_eq!((text("f.sha256"), text("g.sha256")), ("mine".to_owned(), format!("{B}  g\n")));
    for wrong in [&["--write-sidecars"][..], &["--write-sidecars", "--json", "f"]] {
        assert_eq!(place.run("hashmill", &[&["sum"], wrong].concat()).status, Some(2), "{wrong:?}");
    }
}

/// The attributes are those of cshatag 2.2: `getfattr -d` shows the digest in hexadecimal and the time
/// with ten and nine digits.
#[cfg(target_os = "linux")]
#[test]
fn extended_attributes() {
    use std::time::{Duration, SystemTime};
    let place = Place::new();
    fs::create_dir(place.path("t")).unwrap();
    place.write("t/x", "a").write("t/y", "b");
    let set_time = |seconds| {
        let file = fs::File::options().write(true).open(place.path("t/x")).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::new(seconds, 20_775_051)).unwrap();
    };
    set_time(1_560_177_334);
    let attribute = |name: &str| {
        let mut value = [0; 128];
        let len = rustix::fs::getxattr(place.path("t/x"), name, &mut value).unwrap();
        String::from_utf8_lossy(&value[..len]).into_owned()
    };
    let write = ["sum", "--write-xattrs", "-r", "t"];
    let check = ["check", "--xattrs", "t/x"];
    place.run("hashmill", &check).gave(
        1,
        "",
        "hashmill: no file was verified\nhashmill: t/x: no SHA-256 in its extended attributes\n",
    );
    place.run("hashmill", &write).gave(0, "", "");
    assert_eq!(attribute("user.shatag.sha256"), A);
    assert_eq!(attribute("user.shatag.ts"), "1560177334.020775051");
    place.run("hashmill", &["check", "--xattrs", "-r", "t"]).gave(0, "t/x: OK\nt/y: OK\n", "");
    // The content differs, but not the time: the attributes stay.
    place.write("t/x", "b");
    set_time(1_560_177_334);
    let did_not = "hashmill: WARNING: 1 computed checksum did NOT match\n";
    place.run("hashmill", &check).gave(1, "t/x: FAILED\n", did_not);
    let ran = place.run("hashmill", &write);
    assert!(ran.status == Some(1) && ran.stderr.contains("t/x: corrupt"), "{}", ran.stderr);
    assert_eq!(attribute("user.shatag.sha256"), A);
    // It was modified.
    set_time(1_560_177_335);
    let modified = "hashmill: t/x: modified since its digest was stored\n";
    place.run("hashmill", &check).gave(1, "t/x: FAILED\n", &[did_not, modified].concat());
    place.run("hashmill", &write).gave(0, "", "");
    assert_eq!(attribute("user.shatag.sha256"), B);
    place.run("hashmill", &check).gave(0, "t/x: OK\n", "");
    let wrong = place.run("hashmill", &["sum", "--write-xattrs", "-a", "sha512", "f"]);
    assert_eq!(wrong.status, Some(2), "{}", wrong.stderr);
}

/// A Mac decomposes names. A list from there names files that another system has composed, and the
/// reverse.
#[cfg(target_os = "linux")]
#[test]
fn composed_and_decomposed_names() {
    let place = Place::new();
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}");
    for (listed, there, form) in [(composed, decomposed, "NFD"), (decomposed, composed, "NFC")] {
        fs::create_dir(place.path(form)).unwrap();
        place.write(format!("{form}/{there}"), "a");
        place.write("SUMS", format!("{A}  {listed}\n"));
        let check = ["check", "--root", form, "--all", "SUMS"];
        let mut command = place.command("hashmill");
        let ran = command.args(check).env("LC_ALL", "C.UTF-8").output().unwrap();
        let line = format!("{listed}: OK (its name is in {form})\n");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), line, "{ran:?}");
        assert_eq!(ran.status.code(), Some(0));
        let json = place.run("hashmill", &["check", "--root", form, "--json", "SUMS"]).text();
        assert!(json.contains(&format!("\"form\":\"{form}\"")), "{json}");
        // GNU's program knows no forms.
        place.write("SUMS", format!("{A}  {form}/{listed}\n"));
        assert_eq!(place.run("sha256sum", &["-c", "SUMS"]).status, Some(1));
    }
}
