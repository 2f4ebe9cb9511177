//! `hashmill completions` and `hashmill man`. Shells and groff, if they are installed, must accept
//! the output.

use crate::common::{Place, STAND_INS};
use std::process::{Command, Stdio};

/// Runs a program. Returns `None` if it is not installed.
fn run(program: &str, args: &[&str], stdin: &std::path::Path) -> Option<(String, String)> {
    let output = Command::new(program)
        .args(args)
        .stdin(std::fs::File::open(stdin).unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output();
    let Ok(output) = output else {
        println!("{program} is not there: not tried");
        return None;
    };
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Some((text(output.stdout), text(output.stderr)))
}

/// Returns the long options in a help text.
fn options(help: &str) -> Vec<&str> {
    // A line of a paragraph can begin with an option's name, but it is not indented.
    let line = |line: &'_ str| {
        let text = line.trim_start();
        line.starts_with("  ") && text.starts_with('-') && !text.starts_with("- ")
    };
    help.lines()
        .filter(|it| line(it))
        .filter_map(|line| line.split("--").nth(1)?.split([' ', '=', '<']).next())
        .collect()
}

#[test]
fn completions_have_every_option() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let whole = place.run("hashmill", &["completions", shell]);
        assert_eq!((whole.status, &*whole.stderr), (Some(0), ""), "{shell}");
        for subcommand in ["sum", "check", "list", "install", "sha256sum", "cksum", "sha3sum"] {
            let help = place.run("hashmill", &[subcommand, "--help"]).text();
            assert!(options(&help).len() > 1, "{help}");
            for option in options(&help) {
                assert!(whole.text().contains(option), "{shell}: {subcommand} --{option}");
            }
        }
        for name in STAND_INS {
            let script = place.run("hashmill", &["completions", shell, name]).text();
            for option in options(&place.run(name, &["--help"]).text()) {
                assert!(script.contains(option), "{shell}: {name} --{option}");
            }
        }
    }
    let ran = place.run("hashmill", &["completions", "bash", "nosuch"]);
    assert_eq!((ran.status, ran.text().as_str()), (Some(2), ""));
}

#[cfg(unix)]
#[test]
fn shells_take_them() {
    let place = Place::new();
    let nothing = std::path::Path::new("/dev/null");
    for shell in ["bash", "zsh", "fish"] {
        for name in STAND_INS.into_iter().chain(["hashmill"]) {
            let script = place.path(format!("{name}.{shell}"));
            std::fs::write(&script, place.run("hashmill", &["completions", shell, name]).stdout)
                .unwrap();
            if let Some(said) = run(shell, &["-n", script.to_str().unwrap()], nothing) {
                assert_eq!(said, (String::new(), String::new()), "{shell}: {name}");
            }
        }
    }
    let source = place.path("hashmill.bash");
    for (words, expected) in [
        ("hashmill sum --js", "--json"),
        ("hashmill sum -a blake2sp", "blake2sp"),
        ("hashmill cksum -a sha51", "sha512"),
        ("hashmill sha256sum --ign", "--ignore-missing"),
        ("hashmill comple", "completions"),
    ] {
        let script = format!(
            "source {}; words=({words}); COMP_WORDS=(\"${{words[@]}}\"); COMP_CWORD=$((${{#words[@]}} - 1)); \
             _hashmill hashmill \"${{words[-1]}}\" \"${{words[-2]}}\"; echo \"${{COMPREPLY[@]}}\"",
            source.display()
        );
        let (stdout, stderr) =
            run("bash", &["-c", &script], nothing).expect("these tests need bash");
        assert_eq!((&*stdout, &*stderr), (&*format!("{expected}\n"), ""), "{words}");
        let script =
            format!("source {}; complete -C '{words}'", place.path("hashmill.fish").display());
        if let Some((stdout, stderr)) = run("fish", &["-c", &script], nothing) {
            assert!(
                stdout.lines().any(|line| line.split('\t').next() == Some(expected)),
                "{stdout}"
            );
            assert_eq!(stderr, "");
        }
    }
}

#[test]
fn manual_pages_are_whole() {
    let place = Place::new();
    std::fs::create_dir(place.path("man1")).unwrap();
    place.run("hashmill", &["man", "--directory", "man1"]).gave(0, "", "");
    let mut count = 0;
    for entry in std::fs::read_dir(place.path("man1")).unwrap() {
        let path = entry.unwrap().path();
        let page = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        // The words of a subcommand's name. The name `self-test` itself contains a hyphen.
        let args = match name {
            "hashmill-self-test" => vec!["self-test"],
            _ => name.split('-').skip(1).collect(),
        };
        // `man` writes the same page for a single subcommand.
        assert_eq!(place.run("hashmill", &[&["man"], &args[..]].concat()).text(), page);
        let plain = page.replace("\\-", "-");
        for option in options(&place.run("hashmill", &[&args[..], &["--help"]].concat()).text()) {
            assert!(plain.contains(&format!("--{option}")), "{name}: --{option}");
        }
        if let Some(said) = run("groff", &["-Kutf8", "-man", "-ww", "-Tutf8", "-z"], &path) {
            assert_eq!(said, (String::new(), String::new()), "{name}");
        }
        count += 1;
    }
    assert!(count > STAND_INS.len() + 5);
    let ran = place.run("hashmill", &["man", "nosuch"]);
    assert_eq!((ran.status, ran.text().as_str()), (Some(2), ""));
    let ran = place.run("hashmill", &["man", "-d", "nosuch"]);
    ran.gave(1, "", "hashmill: nosuch: No such file or directory\n");
}
