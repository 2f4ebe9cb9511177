//! The scalar functions: their registration and their calls.

use crate::API;
use crate::api::{Api, BLOB, Handle, Scalar, TEXT};
use crate::vector::{Values, clear, write};
use hashmill::many::Hex;
use hashmill::{Algorithm, AnyHasher, run_wiped};
use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read};

/// The largest key in bytes.
const LONGEST_KEY: usize = 4096;
/// Bytes of the stack to clear after a key was read and absorbed.
const KEYED: usize = 16 * 1024;

macro_rules! names {
    (fixed { $($fixed:tt)* } no_hmac { $($bare:tt)* } xof { $($xof:tt)* }) => {
        names! { $($fixed)* $($bare)* $($xof)* }
    };
    ($($Name:ident = $code:literal, $function:ident, $Function:ty $(, $feature:literal)?;)*) => {
        /// The functions, each with its name in SQL.
        const FUNCTIONS: &[(Algorithm, &str)] = &[$((Algorithm::$Name, concat!("hm_", stringify!($function)))),*];
    };
}

hashmill::functions!(names);

/// What a function computes, in the pointer that DuckDB keeps for it: whether it returns text in
/// hexadecimal, and the code of its algorithm, which is 0 if the algorithm is an argument.
struct Info(usize);

impl Info {
    fn new(algorithm: Option<Algorithm>, hex: bool) -> Self {
        Info(algorithm.map_or(0, |it| usize::from(it.code())) << 1 | usize::from(hex))
    }

    fn is_hex(&self) -> bool {
        self.0 & 1 == 1
    }

    fn algorithm(&self) -> Option<Algorithm> {
        Algorithm::from_code((self.0 >> 1) as u8)
    }
}

/// Registers all functions with a database.
pub fn register(api: &Api, database: Handle) -> Result<(), CString> {
    let mut connection = std::ptr::null_mut();
    // SAFETY: the database is open.
    if unsafe { (api.connect)(database, &mut connection) } != 0 {
        return Err(c"hashmill cannot connect to the database".into());
    }
    let registered = FUNCTIONS
        .iter()
        .map(|&(algorithm, name)| (name, Some(algorithm), hash as Scalar))
        .chain([("hm_hmac", None, hmac as Scalar)])
        .try_for_each(|(name, algorithm, scalar)| {
            one(api, connection, name, Info::new(algorithm, true), scalar)?;
            let name = format!("{name}_binary");
            one(api, connection, &name, Info::new(algorithm, false), scalar)
        });
    // SAFETY: the connection is open, and closed once.
    unsafe { (api.disconnect)(&mut connection) };
    registered
}

/// Registers one function, for text and for BLOBs.
fn one(
    api: &Api,
    connection: Handle,
    name: &str,
    info: Info,
    scalar: Scalar,
) -> Result<(), CString> {
    let c_name = CString::new(name).expect("a name has no zero byte");
    // SAFETY: the objects are destroyed once, after their last use; DuckDB copies names and types.
    unsafe {
        let mut set = (api.create_set)(c_name.as_ptr());
        let [mut text, mut blob] = [TEXT, BLOB].map(|kind| (api.create_logical_type)(kind));
        for kind in [text, blob] {
            let mut function = (api.create_function)();
            (api.set_name)(function, c_name.as_ptr());
            if info.algorithm().is_none() {
                (api.add_parameter)(function, text);
                (api.add_parameter)(function, text);
            }
            (api.add_parameter)(function, kind);
            (api.set_return_type)(function, if info.is_hex() { text } else { blob });
            (api.set_extra_info)(function, std::ptr::without_provenance(info.0), None);
            (api.set_function)(function, scalar);
            (api.add_to_set)(set, function);
            (api.destroy_function)(&mut function);
        }
        let status = (api.register_set)(connection, set);
        (api.destroy_logical_type)(&mut text);
        (api.destroy_logical_type)(&mut blob);
        (api.destroy_set)(&mut set);
        match status {
            0 => Ok(()),
            _ => Err(CString::new(format!("{name} cannot be registered")).expect("as above")),
        }
    }
}

/// `hm_sha256(x)` and the others.
unsafe extern "C" fn hash(call: Handle, chunk: Handle, output: Handle) {
    // SAFETY: DuckDB calls this function with the information, the chunk and the vector of a call.
    unsafe {
        answer(call, chunk, output, |info, [values]| {
            let messages = (0..values.count()).map(|row| values.get(row)).collect();
            Ok((info.algorithm().map(Algorithm::hasher), messages))
        });
    }
}

/// `hm_hmac(algorithm, key_file, x)`. The first two arguments must be the same in all rows, or NULL.
unsafe extern "C" fn hmac(call: Handle, chunk: Handle, output: Handle) {
    // SAFETY: as above.
    unsafe {
        answer(call, chunk, output, |_, [algorithms, files, values]| {
            let mut asked = None;
            let mut messages = Vec::with_capacity(values.count());
            for row in 0..values.count() {
                let (Some(algorithm), Some(file), Some(value)) =
                    (algorithms.get(row), files.get(row), values.get(row))
                else {
                    messages.push(None);
                    continue;
                };
                if *asked.get_or_insert((algorithm, file)) != (algorithm, file) {
                    return Err(
                        "the algorithm and the key's file must be the same in all rows".into()
                    );
                }
                messages.push(Some(value));
            }
            Ok((asked.map(|(algorithm, file)| keyed(algorithm, file)).transpose()?, messages))
        });
    }
}

/// Returns HMAC with the key that is in a file. All bytes of the file belong to the key.
///
/// The file is read again for every chunk of 2,048 rows, so that no copy of the key stays in memory.
fn keyed(algorithm: &[u8], file: &[u8]) -> Result<AnyHasher, String> {
    let [algorithm, file] = [algorithm, file].map(String::from_utf8_lossy);
    let found: Algorithm = algorithm.parse().map_err(|error| format!("{algorithm}: {error}"))?;
    run_wiped(KEYED, || {
        let mut key = [0; LONGEST_KEY + 1];
        match read(&file, &mut key).map_err(|error| format!("{file}: {error}"))? {
            0 => Err(format!("{file}: the key is empty")),
            length => match key.get(..length).filter(|_| length <= LONGEST_KEY) {
                Some(key) => found.hmac(key).map(Into::into).map_err(|error| error.to_string()),
                None => Err(format!("{file}: the key is longer than {LONGEST_KEY} bytes")),
            },
        }
    })
}

/// Fills a buffer from a file, and returns how many bytes that were.
fn read(path: &str, buffer: &mut [u8]) -> io::Result<usize> {
    let (mut file, mut length) = (File::open(path)?, 0);
    while length < buffer.len() {
        match file.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// The function that hashes the rows of a chunk, or None if all are NULL; and the messages.
type Batch<'v> = Result<(Option<AnyHasher>, Vec<Option<&'v [u8]>>), String>;

/// Computes the values of a call whose function has `COLUMNS` arguments.
///
/// # Safety
/// The handles must be those of the call.
unsafe fn answer<const COLUMNS: usize>(
    call: Handle,
    chunk: Handle,
    output: Handle,
    batch: impl for<'v> FnOnce(&Info, [Values<'v>; COLUMNS]) -> Batch<'v>,
) {
    let Some(api) = API.get() else { return };
    // SAFETY: the chunk exists.
    if unsafe { (api.get_size)(chunk) } == 0 {
        return;
    }
    // SAFETY: the call exists.
    let info = Info(unsafe { (api.get_extra_info)(call) }.addr());
    // SAFETY: the chunk has a column for each argument, and stays during the call.
    let values = std::array::from_fn(|i| unsafe { Values::of(api, chunk, i as u64) });
    let done = batch(&info, values).and_then(|(hasher, messages)| {
        // The bytes of NULL are not read, and its digest is not shown.
        let bytes: Vec<&[u8]> = messages.iter().map(|it| it.unwrap_or_default()).collect();
        if let Some(hasher) = hasher {
            let width = hasher.output_len() << usize::from(info.is_hex());
            let mut digests = vec![0; bytes.len() * width];
            match info.is_hex() {
                true => hasher.hash_many(&bytes, &mut Hex(&mut digests)),
                false => hasher.hash_many(&bytes, &mut digests),
            }
            .map_err(|error| error.to_string())?;
            // SAFETY: the vector has as many rows as the chunk.
            unsafe { write(api, output, &digests, width) };
        }
        let nulls = messages.iter().enumerate().filter(|(_, message)| message.is_none());
        // SAFETY: as above.
        unsafe { clear(api, output, nulls.map(|(row, _)| row)) };
        Ok(())
    });
    if let Err(error) = done {
        let error = CString::new(error.replace('\0', "")).expect("there is no zero byte");
        // SAFETY: the call exists, and DuckDB copies the text.
        unsafe { (api.set_error)(call, error.as_ptr()) };
    }
}
