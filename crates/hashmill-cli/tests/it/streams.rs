//! Closed, full and broken streams: the program writes a message and returns a status, and never
//! panics.

use crate::common::{A, Place};
use std::io::{BufRead, BufReader, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Commands that use a list `l` and a file `f`, in all ways of calling the program.
const COMMANDS: [&str; 8] = [
    "sha256sum f",
    "sha256sum -c l",
    "sha256sum --help",
    "sha256sum --version",
    "hashmill sum f",
    "hashmill check l",
    "hashmill list",
    "hashmill --help",
];

fn place() -> Place {
    let place = Place::new();
    place.write("l", format!("{A}  f\n"));
    place
}

#[test]
fn closed_stdout() {
    let place = place();
    for command in COMMANDS {
        let name = command.split(' ').next().unwrap();
        place.shell(&format!("{command} >&-")).gave(
            1,
            "",
            &format!("{name}: write error: Bad file descriptor\n"),
        );
        // The first opened file must not get the descriptor of the closed stream.
        place.shell(&format!("{command} <&- >&-")).gave(
            1,
            "",
            &format!("{name}: write error: Bad file descriptor\n"),
        );
    }
    place.shell("sha256sum --status -c l >&-").gave(0, "", "");
}

#[test]
fn full_disk() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let place = place();
    for command in COMMANDS {
        let name = command.split(' ').next().unwrap();
        place.shell(&format!("{command} >/dev/full")).gave(
            1,
            "",
            &format!("{name}: write error: No space left on device\n"),
        );
    }
    // A message that cannot be written is also an error.
    place.write("l", format!("junk\n{A}  f\n"));
    place.shell("sha256sum -c l 2>/dev/full").gave(1, "f: OK\n", "");
}

#[test]
fn closed_stdin() {
    let place = place();
    let twice =
        "sha256sum: -: Bad file descriptor\nsha256sum: standard input: Bad file descriptor\n";
    place.shell("sha256sum <&-").gave(1, "", twice);
    place.shell("sha256sum - f <&-").gave(1, &format!("{A}  f\n"), twice);
    place.shell("sha256sum f <&-").gave(0, &format!("{A}  f\n"), "");
    let twice =
        "sha256sum: 'standard input': read error\nsha256sum: standard input: Bad file descriptor\n";
    place.shell("sha256sum -c <&-").gave(1, "", twice);
    place.shell("hashmill sum <&-").gave(1, "", "hashmill: -: Bad file descriptor\n");
    place.shell("hashmill check - l <&-").gave(
        1,
        "f: OK\n",
        "hashmill: 'standard input': read error\n",
    );
}

#[test]
fn closed_stderr() {
    let place = place();
    place.shell("sha256sum f 2>&-").gave(0, &format!("{A}  f\n"), "");
    place.shell("sha256sum nosuch f 2>&-").gave(1, &format!("{A}  f\n"), "");
    place.write("l", format!("junk\n{A}  f\n"));
    place.shell("sha256sum -c l 2>&-").gave(1, "f: OK\n", "");
    place.shell("sha256sum f <&- >&- 2>&-").gave(1, "", "");
    place.shell("hashmill sum nosuch f <&- 2>&-").gave(1, &format!("{A}  f\n"), "");
}

#[test]
fn broken_pipe() {
    let place = place();
    // With the shell's default signals, the program ends silently when the reader closes the pipe.
    let many = "names=$(yes f | head -20000)";
    place.shell(&format!("{many}; sha256sum $names | head -1; echo ${{PIPESTATUS[0]}}")).gave(
        0,
        &format!("{A}  f\n141\n"),
        "",
    );
    // If the signal is ignored, the error is reported.
    let ran = place.shell(&format!(
        "{many}; trap '' PIPE; (sha256sum $names; echo $? >status) | head -1; cat status"
    ));
    ran.gave(0, &format!("{A}  f\n1\n"), "sha256sum: write error: Broken pipe\n");
}

#[test]
fn unreadable_files_and_lists() {
    let place = place();
    std::fs::create_dir(place.path("d")).unwrap();
    place.shell("sha256sum -c d nosuch l").gave(
        1,
        "f: OK\n",
        "sha256sum: d: read error\nsha256sum: nosuch: No such file or directory\n",
    );
    place.shell("sha256sum <d").gave(1, "", "sha256sum: -: Is a directory\n");
    place.shell("hashmill check d nosuch l").gave(
        1,
        "f: OK\n",
        "hashmill: d: read error\nhashmill: -r checks the lists below it: hashmill check -r d\n\
         hashmill: nosuch: No such file or directory\n",
    );
}

#[test]
fn a_list_without_an_end_of_line_takes_no_more_memory() {
    let place = place();
    // In 64 MiB of address space, an endless line does not fit.
    let ran = place.shell("ulimit -v 65536; (head -c 200M /dev/zero; echo; cat l) | sha256sum -c");
    ran.gave(0, "f: OK\n", "sha256sum: WARNING: 1 line is improperly formatted\n");
}

#[test]
fn no_descriptor_is_lost_from_file_to_file() {
    let place = place();
    let ran = place.shell("ulimit -n 16; sha256sum $(yes f | head -200) | uniq -c; hashmill check $(yes l | head -200) | uniq -c");
    ran.gave(0, &format!("    200 {A}  f\n    200 f: OK\n"), "");
}

/// Finished lines are written before the program waits for more input.
#[test]
fn lines_are_in_time() {
    let place = place();
    place.shell("mkfifo fifo");
    let mut child = place
        .command("hashmill")
        .args(["sum", "f", "fifo"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        sender.send(line).unwrap();
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        sender.send(rest).unwrap();
    });
    let line = receiver.recv_timeout(Duration::from_secs(20)).expect("a line before the fifo's");
    assert_eq!(line, format!("{A}  f\n"));
    place.shell("printf a > fifo");
    assert_eq!(receiver.recv().unwrap(), format!("{A}  fifo\n"));
    assert!(child.wait().unwrap().success());
}

/// Many lines are written together, and no line is divided. Each datagram is one write.
#[test]
fn lines_are_written_together() {
    let place = place();
    std::fs::create_dir(place.path("d")).unwrap();
    for i in 0..400 {
        place.write(format!("d/{i}"), "a");
    }
    let (ours, theirs) = UnixDatagram::pair().unwrap();
    let mut child = place
        .command("hashmill")
        .args(["sum", "-r", "d"])
        .stdout(Stdio::from(OwnedFd::from(theirs)))
        .spawn()
        .unwrap();
    ours.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let (mut writes, mut lines) = (0, 0);
    let mut buffer = [0; 1 << 16];
    loop {
        let ended = child.try_wait().unwrap().is_some();
        match ours.recv(&mut buffer) {
            Ok(len) if len > 0 => {
                let text = &buffer[..len];
                assert!(text.starts_with(A.as_bytes()) && text.ends_with(b"\n"));
                // A pipe accepts at most 4096 bytes undivided.
                assert!(len <= 4096);
                lines += text.iter().filter(|&&byte| byte == b'\n').count();
                writes += 1;
            }
            _ if ended => break,
            _ => {}
        }
    }
    assert_eq!(lines, 400);
    assert!(writes < 100, "{writes} writes");
}

/// If output and messages go to the same file, they are in the order in which they were printed.
#[test]
fn lines_and_messages_keep_their_order() {
    let place = place();
    let line = format!("{A}  f\n");
    place.shell("hashmill sum f absent f 2>&1").gave(
        1,
        &format!("{line}hashmill: absent: No such file or directory\n{line}"),
        "",
    );
}

/// The program waits for a file server's lease on a file, as programs do that open files without
/// O_NONBLOCK.
#[cfg(target_os = "linux")]
#[test]
fn a_lease_is_waited_for() {
    let place = place();
    let holder = "import fcntl, os, signal, sys, time
file = open('f', 'r+')
def give(*_):
    time.sleep(0.2)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    sys.exit()
signal.signal(signal.SIGIO, give)
fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
print('held', flush=True)
time.sleep(60)
";
    let python = std::process::Command::new("python3")
        .args(["-c", holder])
        .current_dir(place.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut python) = python else { return println!("there is no python3: not tried") };
    let mut line = String::new();
    BufReader::new(python.stdout.take().unwrap()).read_line(&mut line).unwrap();
    if line == "held\n" {
        place.run("hashmill", &["sum", "f"]).gave(0, &format!("{A}  f\n"), "");
    } else {
        println!("this file system has no leases: not tried");
    }
    python.kill().unwrap();
    python.wait().unwrap();
}
