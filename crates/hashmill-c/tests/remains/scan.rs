//! The process that searches for the secrets.

use super::secrets::Secrets;
use super::{Case, Input, LONGEST_KEY, PAINT, PAINTED, What, cases};
use hashmill::{Algorithm, backend};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::process::{Child, Command, Stdio};

/// A program that uses keys: this one, or one in another language.
///
/// With `--child BACKEND` it does what [`child::run`](super::child::run) does. The address that it
/// writes may be 0. With `--list` another program prints its uses of a key, one in each line: the
/// function, its algorithm or rate, and a name. It is started for every use, so that each of its
/// calls of a library may be the first one.
pub struct Program {
    path: String,
    uses: Vec<(String, What)>,
    once: bool,
}

impl Program {
    pub fn own() -> Self {
        let path = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
        let uses = cases::all().into_iter().map(|Case { name, what, .. }| (name, what));
        Program { path, uses: uses.collect(), once: false }
    }

    pub fn other(path: &str) -> Self {
        let list = Command::new(path).arg("--list").output().unwrap();
        assert!(list.status.success(), "{path} --list");
        let uses = String::from_utf8(list.stdout).unwrap();
        Program { path: path.into(), uses: uses.lines().map(parsed).collect(), once: true }
    }

    fn start(&self, backend: &str) -> Child {
        let mut command = Command::new(&self.path);
        command.args(["--child", backend]).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().unwrap()
    }
}

/// Parses a line of a list.
fn parsed(line: &str) -> (String, What) {
    let [function, of, name] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
        panic!("{line:?}")
    };
    let algorithm = || of.parse::<Algorithm>().unwrap();
    let what = match function {
        "hmac" => What::Hmac(algorithm()),
        "hkdf" => What::Hkdf(algorithm()),
        "pbkdf2" => What::Pbkdf2(algorithm()),
        "kmac" => What::Kmac(of.parse().unwrap()),
        "blake2" => What::Blake2(algorithm()),
        "blake2x" => What::Blake2x(algorithm()),
        "blake3" => What::Blake3,
        _ => panic!("{line:?}"),
    };
    (format!("{function} {of}, {name}"), what)
}

/// The end of the names of uses that leave a part of the key, which must be found.
const ON_PURPOSE: &str = "left on purpose";

/// The lengths in bytes of a key, a short message and a long one.
type Lengths = [usize; 3];

/// Searches after every use of a key on every backend, because each backend leaves other bytes at
/// other depths of the stack. Fails if one leaves something.
pub fn run(program: &Program, backends: &str, filter: &str) {
    hashmill::self_test().unwrap();
    let mut names = vec!["auto"];
    if backends == "all" {
        names.extend(backend::names().filter(|name| backend::force(Some(name)).is_ok()));
        backend::force(None).unwrap();
    }
    let mut random = Random::new();
    let rounds = 1 + 3 * usize::from(std::env::var_os("HASHMILL_LONG").is_some());
    let mut children: Vec<Child> = names.iter().map(|name| program.start(name)).collect();
    let (mut count, mut failed) = (0, 0);
    for (number, (name, what)) in program.uses.iter().enumerate() {
        if !name.contains(filter) {
            continue;
        }
        count += 1;
        // The longest key for BLAKE2s; then a key that is longer than each block but KMAC's, an
        // empty message and one that is longer than two blocks.
        let mut all: Vec<Lengths> = vec![[32, 32, 1000], [200, 0, 261]];
        all.extend((0..rounds).map(|_| random.lengths()));
        for [key, short, long] in all {
            let lengths = [what.key_len(key), short, long];
            for (backend, child) in names.iter().zip(&mut children) {
                let fresh = || program.once.then(|| program.start(backend));
                let found = left(child, &fresh, number, *what, lengths);
                if found.is_some() == name.ends_with(ON_PURPOSE) {
                    continue;
                }
                failed += 1;
                let found = found.unwrap_or_default();
                let [key, short, long] = lengths;
                eprintln!("test {name} [{backend}] ... FAILED with a key of {key} bytes and");
                eprintln!("messages of {short} and {long}, {} places", found.len());
                let shown = if verbose() { usize::MAX } else { 4 };
                found.iter().take(shown).for_each(|place| eprintln!("    {place}"));
            }
        }
    }
    children.into_iter().for_each(stop);
    assert!(count > 0, "no such case");
    eprintln!("{count} uses of a key, {} backends: {failed} leave something", names.len());
    std::process::exit(i32::from(failed > 0));
}

/// Returns the places of the secrets that a use of a key leaves, if it leaves some of each of five
/// keys. If `fresh` returns a new process, the use runs in that one.
fn left(
    child: &mut Child,
    fresh: &dyn Fn() -> Option<Child>,
    number: usize,
    what: What,
    [len, short, long]: Lengths,
) -> Option<Vec<String>> {
    let mut last = None;
    for seed in 0..5 {
        if let Some(fresh) = fresh() {
            stop(std::mem::replace(child, fresh));
        }
        let key = &key_of(seed, number)[..len];
        let numbers = [number, len, short, long].map(|n| u16::try_from(n).unwrap().to_le_bytes());
        let input = child.stdin.as_mut().unwrap();
        input.write_all(numbers.as_flattened()).unwrap();
        input.write_all(key).unwrap();
        let mut stack = [0; 8];
        child.stdout.as_mut().unwrap().read_exact(&mut stack).unwrap();
        let stack = u64::from_le_bytes(stack);
        if verbose() && stack != 0 {
            eprintln!("case {number}: {} bytes of stack", depth(child.id(), stack));
        }
        let secrets = Secrets::of(what, &Input::new(key, short, long));
        let found = secrets.find(child.id(), stack + PAINTED as u64);
        if found.is_empty() {
            return None;
        }
        last = Some(found);
    }
    last
}

fn verbose() -> bool {
    std::env::var_os("REMAINS_VERBOSE").is_some()
}

/// Ends a child, whose input ends.
fn stop(mut child: Child) {
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

/// Returns how many of the filled bytes of the stack were used.
fn depth(process: u32, stack: u64) -> usize {
    let mut bytes = vec![0; PAINTED];
    let memory = File::open(format!("/proc/{process}/mem")).unwrap();
    memory.read_exact_at(&mut bytes, stack).unwrap();
    PAINTED - bytes.iter().position(|&byte| byte != PAINT).unwrap_or(PAINTED)
}

/// Returns a key whose bytes occur nowhere else.
fn key_of(seed: u8, number: usize) -> [u8; LONGEST_KEY] {
    let mut key = [0; LONGEST_KEY];
    let text = format!("remains {seed} {number}");
    key.copy_from_slice(&hashmill::shake256::<LONGEST_KEY>(text.as_bytes())[..]);
    key
}

impl What {
    /// The nearest length to this one that a key may have.
    fn key_len(self, len: usize) -> usize {
        match self {
            What::Blake3 => 32,
            What::Blake2(Algorithm::Blake2b | Algorithm::Blake2bp) => len.min(64),
            What::Blake2x(Algorithm::Blake2b) => len.min(64),
            What::Blake2(_) | What::Blake2x(_) => len.min(32),
            _ => len,
        }
    }
}

/// Random lengths.
struct Random(u64);

impl Random {
    /// Takes the seed of the environment, or a new one, and prints it.
    fn new() -> Self {
        let seed = std::env::var("REMAINS_SEED").ok().map(|seed| seed.parse().unwrap());
        let seed = seed.unwrap_or_else(|| {
            use std::hash::{BuildHasher, RandomState};
            RandomState::new().hash_one(0)
        });
        eprintln!("REMAINS_SEED={seed}");
        Random(seed)
    }

    /// A number from `least` to `most`: the first bytes of a digest of the seed and a counter.
    fn number(&mut self, least: usize, most: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        let digest = hashmill::sha256(self.0.to_le_bytes());
        least + usize::from(u16::from_le_bytes([digest[0], digest[1]])) % (most - least + 1)
    }

    /// Words of a key of less than eight bytes are too few to be searched.
    fn lengths(&mut self) -> Lengths {
        [self.number(8, LONGEST_KEY), self.number(0, 300), self.number(150, 2000)]
    }
}
