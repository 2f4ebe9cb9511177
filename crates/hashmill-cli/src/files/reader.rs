//! Reads files and passes their bytes to hashers.
//!
//! Files are read with `read` and never mapped into memory. SHA-256 of 1 GiB in the page cache took
//! 0.61 s mapped and 0.64 s read on one thread, and reading on a second thread saves as much (0.74 →
//! 0.69 s in this program). BLAKE3 of 1 GiB on two threads took 0.22 s mapped and 0.14 s read. A
//! mapped file that is truncated while it is read ends the program with SIGBUS, and its pages count
//! as the program's memory.

use crate::files::input::os_name;
use crate::files::job::{Jobs, STACK, changed};
#[cfg(unix)]
use crate::files::steps;
use crate::hashing::recipe::{Computation, Computed, Recipe};
use crate::hashing::tree::{Leaves, Root, TreeFunction};
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read, Seek};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The result of opening a name.
pub enum Opened {
    Regular(File, Metadata),
    /// Anything but a regular file. It is not opened, because opening a fifo waits for its writer
    /// and opening a tape rewinds it.
    Other,
}

/// Opens a file for reading if it is a regular file. With `regular`, a walk has just found that it
/// is one, so that is not checked before opening.
pub fn open(name: &[u8], regular: bool) -> io::Result<Opened> {
    let Some(file) = open_at_once(os_name(name).as_ref(), regular)? else {
        return Ok(Opened::Other);
    };
    let metadata = file.metadata()?;
    if metadata.is_file() { Ok(Opened::Regular(file, metadata)) } else { Ok(Opened::Other) }
}

/// Opens a file, unless it is not regular and that is checked. The name may belong to another file
/// after the check. Therefore opening does not wait for the writer of a fifo, and the caller must
/// check the type of the opened file.
#[cfg(unix)]
fn open_at_once(path: &Path, regular: bool) -> io::Result<Option<File>> {
    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, statat};
    use std::os::fd::AsFd;
    let (directory, name) = steps::directory(path)?;
    let directory = directory.as_ref().map_or(CWD, AsFd::as_fd);
    let mode = || statat(directory, name, AtFlags::empty()).map(|it| it.st_mode);
    if !regular && !FileType::from_raw_mode(mode()?).is_file() {
        return Ok(None);
    }
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    match openat(directory, name, flags, Mode::empty()) {
        // A file server holds a lease on the file and releases it only for an `open` that waits
        // (fcntl(2)). The O_PATH descriptor holds the file first, so that the name cannot be given
        // to a fifo before that `open`.
        #[cfg(target_os = "linux")]
        Err(rustix::io::Errno::AGAIN) => {
            use std::os::fd::AsRawFd;
            let held = openat(directory, name, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
            let held = File::from(held);
            Ok(Some(match held.metadata()?.is_file() {
                true => File::open(format!("/proc/self/fd/{}", held.as_raw_fd()))?,
                false => held,
            }))
        }
        opened => Ok(Some(opened?.into())),
    }
}

#[cfg(not(unix))]
fn open_at_once(path: &Path, regular: bool) -> io::Result<Option<File>> {
    let is_file = regular || std::fs::metadata(path)?.is_file();
    is_file.then(|| crate::files::input::open_path(path)).transpose()
}

/// Tells the system that the file is read once, from beginning to end. The system then reads
/// further ahead, and evicts these pages before others when memory is short.
fn advise(file: &File) {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Advice, fadvise};
        // Errors are ignored, because the advice only affects speed.
        let _ = fadvise(file, 0, None, Advice::Sequential);
        let _ = fadvise(file, 0, None, Advice::NoReuse);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

/// Asks the system to read the whole file now.
pub fn will_need(file: &File) {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Advice, fadvise};
        // Errors are ignored, because the advice only affects speed.
        let _ = fadvise(file, 0, None, Advice::WillNeed);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

/// Reads until the buffer is full or the file ends. Returns the number of bytes read.
pub fn fill(mut file: impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    repeat(buffer, |rest, _| file.read(rest))
}

/// Like `fill`, for a regular file that had `size` bytes when it was opened. If a read reaches that
/// size and does not fill the buffer, the file has ended, and no further read is needed to see that.
/// Files of the size 0 may have content (proc(5)).
pub fn fill_sized(mut file: impl Read, size: u64, buffer: &mut [u8]) -> io::Result<usize> {
    repeat(buffer, |rest, len| match len {
        1.. if len as u64 >= size => Ok(0),
        _ => file.read(rest),
    })
}

/// Calls `read` with the rest of the buffer and the number of bytes read so far, until the buffer is
/// full or nothing is read.
fn repeat(
    buffer: &mut [u8],
    mut read: impl FnMut(&mut [u8], usize) -> io::Result<usize>,
) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match read(&mut buffer[len..], len) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}

/// Computes the digests of `start` followed by the rest of the file, in one reading. With more than
/// one job, a long file is hashed on other threads while this thread reads, unless hashing is as
/// fast as reading. `read` is called after each block with its length in bytes; if it returns
/// `false`, the reading ends with an error. TupleHash absorbs the length of the message first, so
/// for TupleHash a pipe is read to its end before any of it is hashed.
pub fn digests(
    file: &File,
    start: &[u8],
    digests: &[Recipe],
    jobs: Jobs,
    read: &mut dyn FnMut(usize) -> bool,
) -> io::Result<Vec<Computed>> {
    let copy;
    let (mut file, mut len) = (file, None);
    if digests.iter().any(Recipe::needs_len) {
        let rest;
        (copy, rest) = measured(file)?;
        file = copy.as_ref().unwrap_or(file);
        len = Some(start.len() as u64 + rest);
    }
    let mut hashers: Vec<Computation> = digests.iter().map(|recipe| recipe.hasher(len)).collect();
    hashers.iter_mut().for_each(|hasher| hasher.update(start));
    let mut buffer = vec![0; BLOCK];
    let mut blocks = 0;
    let threads = loop {
        let block = fill(file, &mut buffer)?;
        hashers.iter_mut().for_each(|hasher| hasher.update(&buffer[..block]));
        if !read(block) {
            return Err(ErrorKind::Interrupted.into());
        }
        if block < BLOCK {
            return finished(&hashers, len);
        }
        blocks += 1;
        // The number of threads is only determined for long files, because that takes as long as
        // hashing a short one.
        if let ALONE = blocks
            && !digests.iter().all(Recipe::is_fast)
            && let threads @ 2.. = jobs.get()
        {
            break threads;
        }
    };
    advise(file);
    drop(buffer);
    ahead(file, &mut hashers, threads, read)?;
    finished(&hashers, len)
}

/// Returns the digests, unless the message was to have `len` bytes and had not.
fn finished(hashers: &[Computation], len: Option<u64>) -> io::Result<Vec<Computed>> {
    match hashers.iter().any(|it| len.is_some_and(|len| it.message_len() != len)) {
        true => Err(changed()),
        false => Ok(hashers.iter().map(Computation::finish).collect()),
    }
}

/// Returns the number of bytes that are left in a file. If only reading can tell, the rest of the
/// file is copied, and the unnamed copy is also returned.
fn measured(mut file: &File) -> io::Result<(Option<File>, u64)> {
    // The files of /proc have the length 0. On Windows a pipe has no metadata.
    if let Ok(metadata) = file.metadata()
        && metadata.is_file()
        && metadata.len() > 0
    {
        return Ok((None, metadata.len().saturating_sub(file.stream_position()?)));
    }
    let mut copy = tempfile::tempfile()?;
    let len = io::copy(&mut file, &mut copy)?;
    copy.rewind()?;
    Ok((Some(copy), len))
}

/// Reads on this thread and hashes on others. Each of these updates a part of the hashers with all
/// blocks.
///
/// ```text
///            ┌─ full ─> hashing thread ─┐
/// reads here ┤                          ├─ free ─> reads here
///            └─ full ─> hashing thread ─┘
/// ```
fn ahead(
    file: &File,
    hashers: &mut [Computation],
    threads: usize,
    read: &mut dyn FnMut(usize) -> bool,
) -> io::Result<()> {
    let part = hashers.len().div_ceil(threads);
    thread::scope(|scope| {
        let (freed, free) = mpsc::channel();
        let mut full: Vec<SyncSender<Arc<Block>>> = Vec::new();
        for hashers in hashers.chunks_mut(part) {
            let (sender, receiver) = mpsc::sync_channel(BLOCKS);
            let freed = freed.clone();
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || hash(hashers, &receiver, &freed))?;
            full.push(sender);
        }
        let mut made = 0;
        loop {
            let freed = match made {
                BLOCKS => Some(free.recv().map_err(|_| ErrorKind::BrokenPipe)?),
                _ => free.try_recv().ok(),
            };
            let mut buffer = match freed.map(Arc::into_inner) {
                Some(Some(Block { buffer, .. })) => buffer,
                Some(None) => continue, // Another thread has the block, too.
                None => {
                    made += 1;
                    vec![0; AHEAD]
                }
            };
            let len = fill(file, &mut buffer)?;
            let block = Arc::new(Block { buffer, len });
            if !full.iter().all(|full| full.send(block.clone()).is_ok()) {
                return Err(ErrorKind::BrokenPipe.into());
            }
            drop(block);
            if !read(len) {
                return Err(ErrorKind::Interrupted.into());
            }
            if len < AHEAD {
                return Ok(());
            }
        }
    })
}

/// Computes the digest of a whole file with a tree function. Each thread repeatedly takes the next
/// piece of the file, reads it and hashes its leaves. The thread that finishes the piece whose turn
/// it is joins it, and the following pieces that are already hashed, to the root.
pub fn tree_digest(
    file: &File,
    recipe: &Recipe,
    tree: &TreeFunction,
    jobs: Jobs,
    read: &(dyn Fn(usize) -> bool + Sync),
) -> io::Result<Computed> {
    advise(file);
    let (next, ended) = (AtomicU64::new(0), AtomicBool::new(false));
    let trunk = Mutex::new(Trunk { root: tree.root(), pieces: 0, len: 0, early: Vec::new() });
    let pieces = || -> io::Result<()> {
        let mut buffer = tree.buffer();
        let fill = |buffer: &mut [u8], start| {
            let len = fill_at(file, buffer, start)?;
            if read(len) { Ok(len) } else { Err(ErrorKind::Interrupted.into()) }
        };
        while !ended.load(Relaxed) {
            let index = next.fetch_add(1, Relaxed);
            let (len, leaves) = tree.read(index, &mut buffer, &fill)?.ok_or_else(changed)?;
            if len > 0 {
                let mut trunk = trunk.lock().unwrap_or_else(PoisonError::into_inner);
                trunk.put(index, len, leaves);
            }
            if (len as u64) < tree.piece_len() {
                break;
            }
        }
        Ok(())
    };
    let work = || {
        let outcome = pieces();
        // All threads stop at the end of the file or after an error.
        ended.store(true, Relaxed);
        outcome
    };
    thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..jobs.get()).filter_map(spawn).collect();
        let mut outcome = work();
        for other in others {
            let panicked = |_| Err(io::Error::other("a thread that hashes has panicked"));
            outcome = outcome.and(other.join().unwrap_or_else(panicked));
        }
        outcome
    })?;
    let Trunk { root, pieces, len, early } =
        trunk.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The file was truncated, and perhaps extended again, while it was read: it was at least `TREE` bytes
    // long when it was opened.
    if len < TREE || !early.is_empty() || len.div_ceil(tree.piece_len()) != pieces {
        return Err(changed());
    }
    Ok(Computed { bytes: root.finish(tree, recipe.len()), message_len: len, parts: None })
}

/// The root of a tree and the pieces that are joined to it.
struct Trunk {
    root: Root,
    /// The number of pieces that are joined, and, in `len`, the number of bytes in them.
    pieces: u64,
    len: u64,
    /// Pieces that were hashed before their turn, with their indices and their lengths in bytes.
    early: Vec<(u64, usize, Leaves)>,
}

impl Trunk {
    fn put(&mut self, index: u64, len: usize, leaves: Leaves) {
        self.early.push((index, len, leaves));
        while let Some(at) = self.early.iter().position(|piece| piece.0 == self.pieces) {
            let (_, len, leaves) = self.early.swap_remove(at);
            self.root.join(leaves);
            self.pieces += 1;
            self.len += len as u64;
        }
    }
}

/// Like `fill`, but reads from the offset `start` of the file.
pub fn fill_at(file: &File, buffer: &mut [u8], start: u64) -> io::Result<usize> {
    #[cfg(unix)]
    let read_at = std::os::unix::fs::FileExt::read_at;
    #[cfg(windows)]
    let read_at = std::os::windows::fs::FileExt::seek_read;
    repeat(buffer, |rest, len| read_at(file, rest, start + len as u64))
}

struct Block {
    buffer: Vec<u8>,
    len: usize,
}

fn hash(hashers: &mut [Computation], full: &Receiver<Arc<Block>>, freed: &Sender<Arc<Block>>) {
    for block in full {
        hashers.iter_mut().for_each(|hasher| hasher.update(&block.buffer[..block.len]));
        // Sending fails if the reader has ended, which is no error.
        let _ = freed.send(block);
    }
}

const BLOCK: usize = 256 << 10;
/// The minimal size in bytes of a file whose tree is hashed by several threads.
pub const TREE: u64 = 4 << 20;
/// The size in bytes of a buffer between the reader and the hashing threads. Each one may wake a
/// thread: SHA-256 of 1 GiB took 0.97 s of CPU, and 1.04 s with 256 KiB (openssl 1.02 s, Xeon).
const AHEAD: usize = 512 << 10;
/// The maximal number of buffers between the reader and the hashing threads.
const BLOCKS: usize = 4;
/// The number of blocks that are hashed on the reading thread before threads are started.
const ALONE: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use hashmill::Algorithm;
    use std::io::Write;

    /// Lengths below and above one block, the blocks that one thread hashes, and all buffers.
    #[test]
    fn any_length_on_any_number_of_threads() {
        let content: Vec<u8> =
            (0..20 * BLOCK as u32).map(|i| (i.wrapping_mul(i) >> 5) as u8).collect();
        let algorithms = [Algorithm::Sha256, Algorithm::Blake2b, Algorithm::Sha256];
        let wanted = algorithms.map(Recipe::of);
        for len in [0, 1, BLOCK - 1, BLOCK, ALONE * BLOCK, ALONE * BLOCK + 1, content.len()] {
            let content = &content[..len];
            let file = file(content);
            let expected = algorithms.map(|algorithm| algorithm.hash(content).to_vec());
            for threads in 1..5 {
                let values = read(&file, &wanted, threads).unwrap();
                let values: Vec<_> = values.into_iter().map(|value| value.bytes).collect();
                assert_eq!(values, expected, "{len} {threads}");
            }
        }
    }

    /// The reader and the hashing threads pass buffers to each other. None may be lost, whichever
    /// of them is faster.
    #[test]
    fn no_buffer_is_lost() {
        let file = file(&vec![1; 16 * BLOCK]);
        for count in [1, 3].repeat(20) {
            let wanted = vec![Recipe::of(Algorithm::Blake2b); count];
            assert_eq!(read(&file, &wanted, 4).unwrap().len(), count);
        }
    }

    #[test]
    fn a_reading_can_be_stopped() {
        for threads in [1, 2] {
            let file = file(&vec![1; 20 * BLOCK]);
            let mut left = 10;
            let outcome = digests(
                &file,
                b"",
                &[Recipe::of(Algorithm::Sha256)],
                Jobs::of(threads),
                &mut |_| {
                    left -= 1;
                    left > 0
                },
            );
            assert_eq!((outcome.unwrap_err().kind(), left), (ErrorKind::Interrupted, 0));
        }
    }

    /// Simulates a fifo that replaces the file after its type was checked.
    #[cfg(unix)]
    #[test]
    fn a_fifo_is_opened_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("fifo");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let opened = open_at_once(&path, true);
            sender.send(opened.map(|file| file.unwrap().metadata().unwrap().is_file()))
        });
        let opened = receiver.recv_timeout(std::time::Duration::from_secs(10));
        assert!(!opened.expect("opening does not wait").unwrap());
    }

    fn file(content: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        file.rewind().unwrap();
        file
    }

    fn read(mut file: &File, wanted: &[Recipe], threads: usize) -> io::Result<Vec<Computed>> {
        file.rewind()?;
        digests(file, b"", wanted, Jobs::of(threads), &mut |_| true)
    }
}
