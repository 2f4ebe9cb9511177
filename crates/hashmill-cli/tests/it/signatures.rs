//! `--verify-signature`: signatures by gpg and minisign.

use crate::common::{A, Place, Ran};
use std::fs;

/// A place with a home directory of gpg in it.
struct Gpg {
    place: Place,
}

impl Drop for Gpg {
    fn drop(&mut self) {
        self.shell("gpgconf --kill all");
    }
}

impl Gpg {
    /// Returns `None` if gpg cannot be used. `cargo xtask test` reports that.
    fn new() -> Option<Gpg> {
        let gpg = Gpg { place: Place::new() };
        fs::create_dir(gpg.place.path("gnupg")).unwrap();
        gpg.shell("chmod 700 gnupg");
        if gpg.shell("gpg --version").status != Some(0) {
            println!("gpg is not there: not tried");
            return None;
        }
        gpg.place.write("list", format!("{A}  f\n"));
        Some(gpg)
    }

    fn shell(&self, line: &str) -> Ran {
        self.place.shell(&format!("export GNUPGHOME=$PWD/gnupg; {line}"))
    }

    #[track_caller]
    fn done(&self, line: &str) -> String {
        let ran = self.shell(line);
        assert_eq!(ran.status, Some(0), "{line}: {}", ran.stderr);
        ran.text()
    }

    /// Makes a key, and returns its fingerprint.
    #[track_caller]
    fn key(&self, user: &str, expires: &str, options: &str) -> String {
        let make = "--batch --quiet --passphrase '' --quick-generate-key";
        self.done(&format!("gpg {options} {make} {user} ed25519 sign {expires}"));
        let shown = self.done(&format!("gpg --with-colons --list-keys {user}"));
        let line = shown.lines().find(|line| line.starts_with("fpr")).unwrap();
        line.split(':').nth(9).unwrap().to_owned()
    }

    /// Checks a list, whose signature must be accepted.
    #[track_caller]
    fn accepts(&self, options: &str, list: &str, signer: &str) {
        let said = format!("hashmill: {list}: signed by {signer}\n");
        self.check(options, list).gave(0, "f: OK\n", &said);
    }

    /// Checks a list, whose signature must not be accepted.
    #[track_caller]
    fn refuses(&self, options: &str, list: &str, message: &str) {
        self.check(options, list).gave(1, "", &format!("hashmill: {list}: {message}\n"));
    }

    fn check(&self, options: &str, list: &str) -> Ran {
        self.shell(&format!("hashmill check --verify-signature {options} {list}"))
    }
}

#[test]
fn signatures_by_gpg() {
    let Some(gpg) = Gpg::new() else { return };
    let key = gpg.key("me@example.org", "never", "");
    gpg.place.write("plain", format!("{A}  f\n"));
    gpg.done("gpg --batch --clearsign list; gpg --batch -b -a plain");
    let me = format!("the key {key} (me@example.org)");
    for list in ["list.asc", "plain"] {
        gpg.accepts("", list, &me);
        for option in ["--quiet", "--status"] {
            let out = gpg.check(option, list);
            assert_eq!((out.status, out.text(), &*out.stderr), (Some(0), "".to_owned(), ""));
        }
    }
    let signed = fs::read_to_string(gpg.place.path("list.asc")).unwrap();
    gpg.place.write("list.asc", signed.replace("  f", "  g")).write("plain", format!("{A}  f\n\n"));
    let short = &key[24..];
    for list in ["list.asc", "plain"] {
        let bad =
            format!("the signature by the key {short} (me@example.org) does not match the text");
        gpg.refuses("", list, &bad);
    }
    // Lines outside of the signed text are not checked, and two signed texts are refused.
    gpg.place.write("around", format!("{A}  g\n{signed}\n{A}  g\n"));
    for options in ["", "--strict", "--quiet"] {
        let said = format!("hashmill: around: signed by {me}\n");
        let said = if options == "--quiet" { "" } else { &said };
        let outside = "hashmill: around: 2 lines outside of the signed text were ignored\n";
        let stdout = if options == "--quiet" { "" } else { "f: OK\n" };
        gpg.check(options, "around").gave(0, stdout, &format!("{said}{outside}"));
    }
    gpg.check("--status", "around").gave(0, "", "");
    gpg.place.write("two", format!("{signed}{signed}"));
    gpg.refuses("", "two", "there are several signed texts");
    gpg.place.write("cut", signed.replace("-----END PGP SIGNATURE-----", ""));
    gpg.refuses("", "cut", "the signed text is cut off");
    // A signed message in the place of a detached signature is not a signature of the list.
    gpg.place.write("forged", format!("{A}  g\n"));
    for signature in ["list.asc", "list.gpg"] {
        gpg.done(
            "rm -f forged.*; gpg --batch --yes --sign list; gpg --batch --yes --clearsign list",
        );
        gpg.done(&format!("cp {signature} forged.asc"));
        let ran = gpg.check("", "forged");
        assert!(ran.status == Some(1) && ran.text().is_empty(), "{signature}: {ran:?}");
    }
}

/// Only the keys that --signer and --public-key name are accepted.
#[test]
fn pinned_keys_of_gpg() {
    let Some(gpg) = Gpg::new() else { return };
    let (me, other) =
        (gpg.key("me@example.org", "never", ""), gpg.key("other@example.org", "never", ""));
    gpg.place.write("plain", format!("{A}  f\n"));
    gpg.done("gpg --batch -u me@example.org --clearsign list");
    gpg.done("gpg --batch -u me@example.org -b -a plain");
    gpg.done("gpg --export -a me@example.org >me.key; gpg --export other@example.org >other.key");
    let mine = format!("the key {me} (me@example.org)");
    let blanks: String = me.chars().flat_map(|digit| [digit, ' ']).collect();
    let unknown = format!("{}0", &me[1..]);
    let id = &me[24..];
    for list in ["list.asc", "plain"] {
        for options in [
            &*format!("--signer {me}"),
            &format!("--signer '0x{}'", blanks.to_lowercase()),
            &format!("--signer {other} --signer {me}"),
            "--public-key me.key",
            &format!("--public-key me.key --signer {me}"),
        ] {
            gpg.accepts(options, list, &mine);
        }
        for (options, name) in [
            (&*format!("--signer {other}"), "--signer"),
            ("--public-key other.key", "--public-key"),
            (&format!("--public-key other.key --signer {me}"), "--public-key"),
        ] {
            let said =
                format!("the signature is by the key {id}, which is not the key that {name} names");
            gpg.refuses(options, list, &said);
        }
        let said =
            format!("the signature is by {mine}, which is not the key that --public-key names");
        gpg.refuses(&format!("--public-key me.key --signer {other}"), list, &said);
        let said = format!("gpg's keyring does not contain the key of --signer, {unknown}");
        gpg.refuses(&format!("--signer {unknown}"), list, &said);
        // A key of minisign does not accept any signature of gpg.
        let minisign = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
        let said = "there is no signature by the key of --public-key, a key of minisign or signify: \
                    its file would be LIST.minisig, LIST.sig or LIST.sign";
        gpg.refuses(&format!("--public-key {minisign}"), list, said);
    }
    // A text that both have signed is accepted for each of them.
    gpg.done("gpg --batch --yes -u me@example.org -u other@example.org --clearsign list");
    gpg.accepts(&format!("--signer {me}"), "list.asc", &mine);
    gpg.accepts(
        "--public-key other.key",
        "list.asc",
        &format!("the key {other} (other@example.org)"),
    );
    // The key is not in the keyring.
    gpg.done("gpg --batch --yes --delete-secret-and-public-key $(gpg --with-colons --list-keys me@example.org | awk -F: '/^fpr/{print $10; exit}')");
    let missing = format!("the signature is by the key {id}, which is not in gpg's keyring");
    gpg.refuses("", "plain", &missing);
    gpg.accepts("--public-key me.key", "plain", &mine);
    // Errors in the options.
    for (options, message) in [
        (&*format!("--signer {id}"), "is not a fingerprint"),
        (
            "--public-key nosuch",
            "neither a key of minisign or signify nor a file: No such file or directory",
        ),
        ("--public-key f", "f contains no public key of minisign, signify or OpenPGP"),
    ] {
        let ran = gpg.check(options, "plain");
        assert!(ran.status == Some(2) && ran.stderr.contains(message), "{ran:?}");
    }
}

/// What has expired or was revoked has its own message.
#[test]
fn expired_and_revoked_keys_of_gpg() {
    let Some(gpg) = Gpg::new() else { return };
    for list in ["key", "signature", "revoked"] {
        gpg.place.write(list, format!("{A}  f\n"));
    }
    let past = "--faked-system-time 20200101T000000!";
    let old = gpg.key("old@example.org", "1d", past);
    gpg.done(&format!("gpg {past} --batch -u old@example.org -b -a key"));
    let me = gpg.key("me@example.org", "never", past);
    gpg.done(&format!(
        "gpg {past} --batch --default-sig-expire 1d -u me@example.org -b -a signature"
    ));
    gpg.done("gpg --batch -u me@example.org -b -a revoked");
    let mine = format!("the key {me} (me@example.org)");
    let expired = format!("the signature is by the key {old} (old@example.org), which has expired");
    let (by_old, by_me) = (format!("--signer {old}"), format!("--signer {me}"));
    for options in ["", &by_old] {
        gpg.refuses(options, "key", &expired);
    }
    for options in ["", &by_me] {
        gpg.refuses(options, "signature", &format!("the signature by {mine} has expired"));
        gpg.accepts(options, "revoked", &mine);
    }
    gpg.done(&format!("sed 's/^:---/---/' gnupg/openpgp-revocs.d/{me}.rev | gpg --import"));
    for options in ["", &by_me] {
        let revoked = format!("the signature is by {mine}, which has been revoked");
        gpg.refuses(options, "revoked", &revoked);
    }
}

#[test]
fn signatures_by_minisign() {
    let place = Place::new();
    if place.shell("minisign -v").status != Some(0) {
        println!("minisign is not there: not tried");
        return;
    }
    place.write("list", format!("{A}  f\n"));
    // Makes keys until one has no slash, so that it can be the name of a file.
    let key = |file: &str| {
        loop {
            let made = place.shell(&format!("minisign -G -f -W -p {file}.pub -s {file}"));
            assert_eq!(made.status, Some(0), "{}", made.stderr);
            let text = fs::read_to_string(place.path(format!("{file}.pub"))).unwrap();
            let id = text.lines().next().unwrap().rsplit(' ').next().unwrap().to_owned();
            let key = text.lines().last().unwrap().to_owned();
            if !key.contains('/') {
                return (key, id);
            }
        }
    };
    let ((key, id), (other, other_id)) = (key("key"), key("other"));
    let check = |key: &str| {
        place.run("hashmill", &["check", "--verify-signature", "--public-key", key, "list"])
    };
    for options in ["", "-l"] {
        let signed = place.shell(&format!("minisign -S -s key -m list {options}"));
        assert_eq!(signed.status, Some(0), "{}", signed.stderr);
        place.write("bare", &key);
        for key in ["key.pub", "bare", &key] {
            check(key).gave(
                0,
                "f: OK\n",
                &format!("hashmill: list: signed by minisign's key {id}\n"),
            );
        }
        for key in ["other.pub", &other] {
            let said = format!(
                "hashmill: list: list.minisig is a signature by minisign's key {id}, \
                 but --public-key accepts only minisign's key {other_id}\n"
            );
            check(key).gave(1, "", &said);
        }
    }
    let without = place.run("hashmill", &["check", "--verify-signature", "list"]);
    without.gave(1, "", "hashmill: list: a signature by minisign requires --public-key\n");
    // A file that is named like a key does not replace the key.
    fs::copy(place.path("other.pub"), place.path(&key)).unwrap();
    check(&key).gave(0, "f: OK\n", &format!("hashmill: list: signed by minisign's key {id}\n"));
    fs::copy(place.path("key.pub"), place.path(&other)).unwrap();
    assert_eq!(check(&other).status, Some(1));
    // Another text, another trusted comment.
    let signature = fs::read_to_string(place.path("list.minisig")).unwrap();
    let said = format!(
        "hashmill: list: list.minisig is not a signature of this text by minisign's key {id}\n"
    );
    place.write("list.minisig", signature.replace("timestamp:", "timestamp:1"));
    check(&key).gave(1, "", &said);
    place.write("list.minisig", &signature).write("list", format!("{A}  f\n\n"));
    check(&key).gave(1, "", &said);
    place.write("list.minisig", "untrusted comment: x\n");
    check(&key).gave(1, "", "hashmill: list: list.minisig is not a signature by minisign\n");
}

/// A key, and a signature by it, which signify 31 made: of the text "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8  f",
/// with a newline.
const SIGNIFY_KEY: &str = "RWQTIUInmRWTq0gfSCjuliJn79yoyjOoiXwwIz6/jufW9k777q6heuff";
const SIGNIFY_SIGNATURE: &str = "RWQTIUInmRWTq+B5wpbOlzoNkhjx04S0J55sNHV9eyn28u/NiHEd6J59JAJ/O54+h4TwNaSw3d4TUmFB83jd0w6mlPYsyWQCbQ8=";

#[test]
fn signatures_by_signify() {
    let place = Place::new();
    let list = "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8  f\n";
    let signature = format!("untrusted comment: verify with key.pub\n{SIGNIFY_SIGNATURE}\n");
    place.write("key.pub", format!("untrusted comment: x public key\n{SIGNIFY_KEY}\n"));
    place.write("bare", SIGNIFY_KEY).write("list", list);
    let check = |args: &[&str]| {
        place.run("hashmill", &[&["check", "--verify-signature", "--strict"], args].concat())
    };
    let id = data_encoding::BASE64.decode(SIGNIFY_KEY.as_bytes()).unwrap();
    let id = data_encoding::HEXLOWER.encode(&id[2..10]);
    for name in ["list.sig", "list.sign", "list.minisig", "elsewhere"] {
        place.write(name, &signature);
        let named: &[&str] = if name == "elsewhere" { &["--signature", name] } else { &[] };
        for key in ["key.pub", "bare", SIGNIFY_KEY] {
            let ran = check(&[named, &["--public-key", key, "list"]].concat());
            ran.gave(0, "f: OK\n", &format!("hashmill: list: signed by signify's key {id}\n"));
        }
        // Another text, another signature, another key.
        place.write("list", format!("{list}\n"));
        let ran = check(&[named, &["--public-key", "key.pub", "list"]].concat());
        let said =
            format!("hashmill: list: {name} has no signature of this text by signify's key {id}\n");
        ran.gave(1, "", &said);
        place.write("list", list);
        let other = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
        let ran = check(&[named, &["--public-key", other, "list"]].concat());
        assert!(ran.status == Some(1) && ran.stderr.contains("accepts only"), "{ran:?}");
        let ran = check(&[named, &["list"]].concat());
        ran.gave(1, "", "hashmill: list: a signature by signify requires --public-key\n");
        std::fs::remove_file(place.path(name)).unwrap();
    }
    // A signature in the list itself. What is before it is not a part of the list.
    place.write("SHA1.sig", format!("{signature}{list}"));
    let ran = check(&["--public-key", "key.pub", "SHA1.sig"]);
    ran.gave(0, "f: OK\n", &format!("hashmill: SHA1.sig: signed by signify's key {id}\n"));
    place.write("SHA1.sig", format!("{signature}{list}{list}"));
    let ran = check(&["--public-key", "key.pub", "SHA1.sig"]);
    assert!(ran.status == Some(1) && ran.text().is_empty(), "{ran:?}");
    // The file of --signature must be there, and be of this kind.
    let ran = check(&["--public-key", "key.pub", "--signature", "nosuch", "list"]);
    ran.gave(1, "", "hashmill: list: nosuch: No such file or directory\n");
    let ran = check(&["--public-key", "key.pub", "--signature", "f", "list"]);
    ran.gave(1, "", "hashmill: list: f is not a signature by minisign or signify\n");
    place.write("elsewhere", &signature);
    let ran = check(&["--public-key", "key.pub", "--signature", "elsewhere", "list", "list"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("of one list"), "{ran:?}");
    // A file of --signature is no file that lists should name.
    let ran = check(&[
        "--all",
        "--root",
        "bin",
        "--public-key",
        "bare",
        "--signature",
        "elsewhere",
        "list",
    ]);
    assert!(!ran.text().contains("elsewhere"), "{ran:?}");
}

/// `sum` writes a list and its signature.
#[test]
fn signed_lists() {
    let Some(gpg) = Gpg::new() else { return };
    let key = gpg.key("me@example.org", "never", "");
    gpg.done("mkdir t; echo x >t/x");
    gpg.shell("hashmill sum -o t/SUMS --sign-with gpg t/x").gave(0, "", "");
    assert_eq!(gpg.done("ls -A t"), "SUMS\nSUMS.asc\nx\n");
    let signed = format!("hashmill: t/SUMS: signed by the key {key} (me@example.org)\n");
    gpg.check(&format!("--signer {key}"), "t/SUMS").gave(0, "t/x: OK\n", &signed);
    // The list is neither replaced nor in itself.
    let exists = "hashmill: t/SUMS: the file exists, and is left as it was\n";
    gpg.shell("hashmill sum -o t/SUMS f").gave(1, "", exists);
    gpg.shell("cd t && hashmill sum -r -o ALL --sign-with gpg:me@example.org").gave(0, "", "");
    let all = gpg.done("cat t/ALL");
    assert!(all.contains("./x\n") && all.contains("./SUMS\n") && !all.contains("ALL"), "{all}");
    let ran = gpg.shell("hashmill sum -o t/NEW --sign-with gpg:nobody@example.org f");
    let said = "hashmill: t/NEW: the list was written, but not signed: gpg did not sign it\n";
    assert!(ran.status == Some(1) && ran.stderr.ends_with(said), "{ran:?}");
    assert_eq!(gpg.shell("hashmill sum --sign-with gpg f").status, Some(2));
    let ran = gpg.shell("hashmill sum -o t/MISSING nosuch f");
    assert_eq!((ran.status, gpg.done("cat t/MISSING")), (Some(1), format!("{A}  f\n")));
    assert_eq!(gpg.shell("hashmill sum -o nosuch/SUMS f").status, Some(1));
    // The same signature under other names.
    gpg.done("mv t/SUMS.asc t/SUMS.sign");
    gpg.check("", "t/SUMS").gave(0, "t/x: OK\n", &signed);
    gpg.done("mv t/SUMS.sign elsewhere");
    assert_eq!(gpg.check("", "t/SUMS").status, Some(1));
    gpg.check("--signature elsewhere", "t/SUMS").gave(0, "t/x: OK\n", &signed);
    if gpg.shell("minisign -v").status != Some(0) {
        println!("minisign is not there: not tried");
        return;
    }
    gpg.done("minisign -G -W -p key.pub -s key");
    gpg.shell("hashmill sum -o MINI --sign-with minisign:key f").gave(0, "", "");
    for name in ["MINI.minisig", "MINI.sig", "MINI.sign"] {
        gpg.done(&format!("[ {name} = MINI.minisig ] || mv MINI.minisig {name}"));
        let ran = gpg.check("--public-key key.pub", "MINI");
        assert!(ran.status == Some(0) && ran.stderr.contains("minisign's key"), "{name}: {ran:?}");
        gpg.done(&format!("[ {name} = MINI.minisig ] || mv {name} MINI.minisig"));
    }
}

/// Manifests are signed when they are made, and verified in one step.
#[test]
fn signed_manifests() {
    let Some(gpg) = Gpg::new() else { return };
    let key = gpg.key("me@example.org", "never", "");
    gpg.done("mkdir t; echo x >t/x");
    let manifest = |args: &str| gpg.shell(&format!("hashmill manifest {args}"));
    let signed = format!("hashmill: t/m: signed by the key {key} (me@example.org)\n");
    let verify = format!("verify --verify-signature --signer {key} t/m");
    manifest("create --sign-with gpg t/m t").gave(0, "", "");
    manifest(&verify).gave(0, "", &signed);
    // What is outside of a signed text is not compared, and that is said.
    gpg.done(&format!(
        "gpg --batch --yes -u {key} --clearsign t/m; echo more >>t/m.asc; mv t/m.asc around"
    ));
    manifest(&format!("verify --verify-signature --signer {key} around t")).gave(
        1,
        "added    m\n",
        &format!(
            "{}hashmill: around: 1 line outside of the signed text was ignored\n",
            signed.replace("t/m", "around")
        ),
    );
    gpg.done(&format!("gpg --batch -u {key} -b -a t/m"));
    // The signature is no file of the tree, and an update signs again.
    gpg.done("echo changed >t/x");
    manifest(&verify).gave(1, "changed  x\n", &signed);
    let update = format!("update --verify-signature --signer {key} --sign-with gpg:{key} t/m");
    manifest(&update).gave(0, "changed  x\n", &signed);
    manifest(&verify).gave(0, "", &signed);
    // Without a new signature, the old one does not match.
    gpg.done("echo changed again >t/x");
    manifest("update t/m").gave(0, "changed  x\n", "");
    let id = &key[24..];
    let bad = format!(
        "hashmill: t/m: the signature by the key {id} (me@example.org) does not match the text\n"
    );
    for command in [&verify, &update] {
        manifest(command).gave(1, "", &bad);
    }
    let names = gpg.done("ls -A t");
    assert_eq!(names, "m\nm.asc\nx\n");
    let ran = manifest("update --sign-with gpg:nobody@example.org t/m");
    assert!(
        ran.status == Some(1)
            && ran.stderr.ends_with(
                "hashmill: t/m: the manifest was written, but not signed: gpg did not sign it\n"
            ),
        "{}",
        ran.stderr
    );
    assert_eq!(manifest("update --sign-with other t/m").status, Some(2));
    // With minisign.
    if gpg.shell("minisign -v").status != Some(0) {
        println!("minisign is not there: not tried");
        return;
    }
    gpg.done("minisign -G -W -p key.pub -s key");
    manifest("update --sign-with minisign:key t/m").gave(0, "", "");
    let ran = manifest("verify --verify-signature --public-key key.pub t/m");
    assert!(ran.status == Some(0) && ran.stderr.contains("signed by minisign's key"), "{ran:?}");
    gpg.done("minisign -G -W -p other.pub -s other");
    let ran = manifest("verify --verify-signature --public-key other.pub t/m");
    assert!(ran.status == Some(1) && ran.stderr.contains("accepts only"), "{ran:?}");
}
