//! Programs that people run, with the program's names first in the PATH: debhelper and debsums,
//! makepkg, rclone. A program that is not installed is not tried.

use crate::common::{Place, Ran, STAND_INS};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

/// A directory in which the program stands in for GNU's, and every call of it is recorded.
struct System(Place);

impl System {
    /// Returns `None` if one of the programs is not installed.
    fn with(programs: &[&str]) -> Option<System> {
        let found = |program: &&&str| {
            let paths = ["/usr/bin", "/bin"].map(|path| format!("{path}/{program}"));
            paths.iter().any(|path| fs::exists(path).unwrap())
        };
        if let Some(program) = programs.iter().find(|program| !found(program)) {
            println!("{program} is not there: not tried");
            return None;
        }
        let place = Place::new();
        let (program, calls) = (place.path("hashmill"), place.path("calls"));
        fs::copy(env!("CARGO_BIN_EXE_hashmill"), &program).unwrap();
        place.write("calls", "");
        let open = |name: &str, mode| {
            fs::set_permissions(place.path(name), fs::Permissions::from_mode(mode)).unwrap();
        };
        // makepkg does not run as root; then it runs as another user.
        open("", 0o777);
        open("calls", 0o666);
        fs::create_dir(place.path("first")).unwrap();
        for name in STAND_INS {
            let script = format!(
                "#!/bin/bash\necho {name} >> '{}'\nexec -a {name} '{}' \"$@\"\n",
                calls.display(),
                program.display()
            );
            place.write(format!("first/{name}"), script);
            open(&format!("first/{name}"), 0o755);
        }
        Some(System(place))
    }

    /// Runs a script that ends at its first error.
    fn run(&self, script: &str) -> Ran {
        let mut shell = Command::new("bash");
        shell
            .args(["-euc", script])
            .env(
                "PATH",
                format!("{}:/usr/sbin:/usr/bin:/sbin:/bin", self.0.path("first").display()),
            )
            .env("LC_ALL", "C")
            .env("HOME", self.0.path(""))
            .current_dir(self.0.path(""))
            .stdin(Stdio::null());
        let output = shell.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Ran { status: output.status.code(), stdout: output.stdout, stderr }
    }

    /// Returns the names by which the program was called, without repetitions.
    fn calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.0.path("calls")).unwrap();
        let mut names: Vec<String> = text.lines().map(str::to_owned).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// debhelper's `dh_md5sums` asks `md5sum` for the digests of a package's files. debsums, which
/// computes MD5 itself, and `md5sum -c` check them after `dpkg-deb` unpacked the package.
#[test]
fn a_package_of_debian() {
    let Some(system) = System::with(&["dh_md5sums", "dpkg-deb", "debsums"]) else { return };
    let ran = system.run(
        r#"mkdir -p debian/sample/usr/share/sample
        printf '%s\n' 'Source: sample' 'Section: misc' 'Priority: optional' \
            'Maintainer: Sample <sample@example.org>' 'Build-Depends: debhelper-compat (= 13)' '' \
            'Package: sample' 'Architecture: all' 'Description: sample' ' Sample.' > debian/control
        printf '%s\n' 'sample (1.0) unstable; urgency=low' '' '  * Sample.' '' \
            ' -- Sample <sample@example.org>  Mon, 01 Jan 2024 00:00:00 +0000' > debian/changelog
        echo 1 > 'debian/sample/usr/share/sample/a b'
        echo 2 > 'debian/sample/usr/share/sample/back\slash'
        dh_md5sums && dh_gencontrol && dpkg-deb --root-owner-group --build debian/sample sample.deb
        admin=root/var/lib/dpkg
        mkdir -p $admin/info
        dpkg-deb --extract sample.deb root && dpkg-deb --control sample.deb control
        (cd root && find usr | sed 's|^|/|') > $admin/info/sample.list
        cp control/md5sums $admin/info/sample.md5sums
        (cat control/control; echo 'Status: install ok installed') > $admin/status"#,
    );
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let check = "debsums --root=$PWD/root sample; cd root; md5sum -c ../control/md5sums";
    let ran = system.run(check);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(ran.text().matches("OK\n").count(), 4, "{ran:?}");
    system.0.write("root/usr/share/sample/a b", "3\n");
    let ran = system.run(&format!("set +e; {check}"));
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let words = (ran.text().matches("OK\n").count(), ran.text().matches("FAILED\n").count());
    assert_eq!(words, (2, 2), "{ran:?}");
    assert_eq!(system.calls(), ["md5sum"]);
}

/// makepkg makes the sums of a PKGBUILD and verifies them, with all functions that it knows.
#[test]
fn a_package_build() {
    let Some(system) = System::with(&["makepkg", "setpriv"]) else { return };
    let sums = ["ck", "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "b2"];
    let config = format!("source /etc/makepkg.conf\nINTEGRITY_CHECK=({})\n", sums.join(" "));
    system.0.write("config", config);
    let build = "pkgname=sample\npkgver=1\npkgrel=1\narch=(any)\nsource=('a b' 'f')\n";
    system.0.write("PKGBUILD", build).write("a b", "1\n");
    let run = |args: &str| {
        let user = "user=; [ $EUID != 0 ] || \
                    user='setpriv --reuid=65534 --regid=65534 --clear-groups'";
        // Without pacman, there are no packages on which this one could depend.
        let script = format!("export PACMAN=true; {user}; $user makepkg --config config {args}");
        system.run(&script)
    };
    let made = run("--geninteg");
    assert_eq!(made.status, Some(0), "{made:?}");
    assert!(made.text().contains(&format!("sha256sums=('{}'", sha256(b"1\n"))), "{made:?}");
    system.0.write("PKGBUILD", format!("{build}{}", made.text()));
    let ran = run("--verifysource");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(ran.stderr.matches("Passed").count(), 2 * sums.len(), "{ran:?}");
    system.0.write("f", "A");
    let ran = run("--verifysource");
    assert!(ran.status != Some(0) && ran.stderr.contains("f ... FAILED"), "{ran:?}");
    let mut names = sums.map(|sum| if sum == "ck" { "cksum".into() } else { format!("{sum}sum") });
    names.sort();
    assert_eq!(system.calls(), names);
}

fn sha256(content: &[u8]) -> String {
    hashmill::sha256(content).to_string()
}

/// rclone accepts a list of `sha256sum`, and `sha256sum -c` one of rclone.
#[test]
fn lists_of_rclone() {
    let Some(system) = System::with(&["rclone"]) else { return };
    let ran = system.run(
        "mkdir -p tree/sub && echo 1 > 'tree/a b' && echo 2 > tree/sub/c
        export RCLONE_CONFIG=/dev/null
        (cd tree && find . -type f -printf '%P\\0' | xargs -0 sha256sum) > SUMS
        rclone checksum sha256 SUMS tree
        rclone hashsum sha256 tree > theirs && cd tree && sha256sum -c ../theirs",
    );
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(ran.text().matches(": OK\n").count(), 2, "{ran:?}");
    let ran = system.run(
        "export RCLONE_CONFIG=/dev/null; echo 3 > tree/sub/c
        ! rclone checksum sha256 SUMS tree && cd tree && ! sha256sum -c ../theirs",
    );
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.text().contains("sub/c: FAILED\n"), "{ran:?}");
    assert_eq!(system.calls(), ["sha256sum"]);
}
