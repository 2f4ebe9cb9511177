//! polars' interface for plugins, version 0.1: polars finds functions in this library by their
//! names, and passes columns as arrays of Arrow's C data interface.
//!
//! An expression contains the options of the call as text. A key is not part of them, because plans
//! are printed and stored: the library keeps the function with its key, and the options name it.

use crate::data::{Data, Object, any_length, threads, wrong};
use arrow_array::ArrayRef;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::types::{BinaryViewType, StringViewType};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use hashmill::{AnyHasher, run_wiped};
use hashmill_arrow::check::{self, import};
use hashmill_arrow::function::{self, KEYED};
use hashmill_arrow::threads::pool;
use hashmill_arrow::{Asked, Form, Output, Profile, Trouble};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::ffi::{CString, c_char, c_void};
use std::hash::BuildHasher;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice::from_raw_parts;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

/// A column, `SeriesExport` in polars: its field and its chunks. Whoever receives it takes over the
/// chunks, and then calls `release`.
#[repr(C)]
pub struct Series {
    field: *const FFI_ArrowSchema,
    chunks: *const *mut FFI_ArrowArray,
    count: usize,
    release: Option<unsafe extern "C" fn(*mut Series)>,
    owner: *mut c_void,
}

/// What a [`Series`] of ours points to.
struct Owner {
    field: FFI_ArrowSchema,
    chunks: [Box<ManuallyDrop<FFI_ArrowArray>>; 1],
}

/// The options of a call.
struct Options {
    function: Arc<AnyHasher>,
    form: Form,
    profile: Profile,
}

/// The functions with keys that expressions use, by their names.
static KEYED_FUNCTIONS: Mutex<BTreeMap<String, Arc<AnyHasher>>> = Mutex::new(BTreeMap::new());

/// What separates the options of a call.
const SEPARATOR: char = '\0';

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

/// Check the options of an expression, and return them as text.
#[pyfunction(signature = (algorithm, key, output, length, threads, text))]
pub fn _plugin_options(
    algorithm: &str,
    key: Option<&Object<'_>>,
    output: &str,
    #[pyo3(from_py_with = any_length)] length: Option<usize>,
    #[pyo3(from_py_with = threads)] threads: usize,
    text: Option<(String, String)>,
) -> PyResult<String> {
    let key = key.map(Data::new).transpose()?;
    let Asked { function, form: Form { len: length, .. } } =
        Asked::parse(algorithm, key.as_deref(), output, length, threads)?;
    let name = if key.is_some() { keep(function) } else { String::new() };
    let profile = if text.is_some() { "text" } else { "cbor" };
    let (separator, null) = text.unwrap_or_default();
    let [length, threads] = [length, threads].map(|it| it.to_string());
    let options = [algorithm, &name, output, &length, &threads, profile, &separator, &null];
    match options.iter().any(|option| option.contains(SEPARATOR)) {
        true => Err(wrong("an option contains a zero byte")),
        false => Ok(options.join(&SEPARATOR.to_string())),
    }
}

/// Keeps a function with a key until the process ends, and returns its name. The name is a number
/// that tells nothing about the key, is the same for the same key, and is unlike those of other
/// processes, where the function is unknown.
fn keep(function: AnyHasher) -> String {
    static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    let tag = run_wiped(KEYED, || SEED.hash_one(&function.hash(b"")[..]));
    let name = format!("{tag:x}");
    kept().entry(name.clone()).or_insert_with(|| Arc::new(function));
    name
}

impl Options {
    /// Reads what polars passes to the library: a pickle of {"options": text}.
    ///
    /// # Safety
    /// The pickle must have `len` bytes.
    unsafe fn parse(pickle: *const u8, len: usize) -> Result<Self, Trouble> {
        // SAFETY: the caller promises it.
        let pickle = if len == 0 { &[] } else { unsafe { from_raw_parts(pickle, len) } };
        let wrong = |it: &str| Trouble::Value(format!("{it}: hashmill.polars makes expressions"));
        let text = unpickled(pickle).ok_or_else(|| wrong("the options have no text"))?;
        let parts: Vec<&str> = text.split(SEPARATOR).collect();
        let [algorithm, name, output, length, threads, profile, separator, null] = parts[..] else {
            return Err(wrong("the number of options is another"));
        };
        let number = |text: &str| text.parse().map_err(|_| wrong("an option is no number"));
        let function = match name {
            "" => Arc::new(function::named(algorithm, None).map_err(|_| wrong("no function"))?),
            _ => kept().get(name).cloned().ok_or_else(|| {
                let sentence = "this process has not the key of this expression: make the expression where it runs";
                Trouble::Value(sentence.into())
            })?,
        };
        let threads = pool(number(threads)?).map_err(|_| wrong("the number of threads"))?;
        let form = Form { len: number(length)?, hex: output == "hex", threads };
        let profile = match profile {
            "cbor" => Profile::Cbor,
            _ => Profile::Text { separator: separator.into(), null: null.into() },
        };
        Ok(Options { function, form, profile })
    }

    /// Returns the column of the digests that `chunk` adds to an output for each chunk.
    fn hash(
        &self,
        column: Column,
        chunk: impl Fn(&mut Output<'_>, &ArrayData, &Profile) -> Result<(), Trouble>,
    ) -> Result<Series, Trouble> {
        let mut output = Output::new(&self.function, &self.form);
        for array in column.chunks {
            chunk(&mut output, &import(array, column.kind.clone())?, &self.profile)?;
        }
        let array = match self.form.hex {
            true => output.finish_views::<StringViewType>(),
            false => output.finish_views::<BinaryViewType>(),
        };
        Series::new(&column.name, &array)
    }
}

fn kept() -> MutexGuard<'static, BTreeMap<String, Arc<AnyHasher>>> {
    KEYED_FUNCTIONS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Returns the text in a pickle of protocol 5 of the dictionary {"options": text}.
fn unpickled(pickle: &[u8]) -> Option<&str> {
    let frame = pickle.strip_prefix(b"\x80\x05\x95")?.get(8..)?;
    let (length, rest) = match frame.strip_prefix(b"}\x94\x8c\x07options\x94")? {
        [0x8c, length, rest @ ..] => (usize::from(*length), rest),
        [b'X', a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        _ => return None,
    };
    std::str::from_utf8(rest.get(..length)?).ok()
}

/// A column that polars has passed to the library.
struct Column {
    name: String,
    kind: DataType,
    chunks: Vec<FFI_ArrowArray>,
}

impl Column {
    /// # Safety
    /// `columns` must be the columns that polars passes to a call. They are taken over.
    unsafe fn of(columns: *mut Series, count: usize) -> Result<Self, Trouble> {
        let mut found = Err(Trouble::Value(format!("there are {count} columns, not one")));
        for i in 0..count {
            // SAFETY: polars passes `count` columns.
            let series = unsafe { &mut *columns.add(i) };
            let chunks = match series.count {
                0 => &[][..],
                // SAFETY: a column has this number of chunks.
                _ => unsafe { from_raw_parts(series.chunks, series.count) },
            };
            // SAFETY: the chunks are moved out, which marks them released.
            let chunks =
                chunks.iter().map(|&chunk| unsafe { FFI_ArrowArray::from_raw(chunk) }).collect();
            // SAFETY: a column has a field.
            let field = unsafe { &*series.field };
            if count == 1 {
                found = check::schema(field).and_then(|()| {
                    let name = field.name().unwrap_or_default().into();
                    Ok(Column { name, kind: DataType::try_from(field)?, chunks })
                });
            }
            if let Some(release) = series.release {
                // SAFETY: the column is released once, after its last use.
                unsafe { release(series) };
            }
        }
        found
    }

    /// Returns the column as bytes if it is of text. polars has checked that text is UTF-8.
    fn into_bytes(mut self) -> Self {
        self.kind = match self.kind {
            DataType::Utf8View => DataType::BinaryView,
            DataType::Utf8 => DataType::Binary,
            DataType::LargeUtf8 => DataType::LargeBinary,
            other => other,
        };
        self
    }
}

impl Series {
    fn new(name: &str, array: &ArrayRef) -> Result<Self, Trouble> {
        let field = Field::new(name, array.data_type().clone(), true);
        let (chunk, _) = to_ffi(&array.to_data())?;
        let chunks = [Box::new(ManuallyDrop::new(chunk))];
        let owner = Box::leak(Box::new(Owner { field: field.try_into()?, chunks }));
        Ok(Series {
            field: &raw const owner.field,
            chunks: owner.chunks.as_ptr().cast(),
            count: 1,
            release: Some(release),
            owner: std::ptr::from_mut(owner).cast(),
        })
    }
}

/// Frees what a [`Series`] of ours points to, but not the chunk itself, which polars has taken over.
unsafe extern "C" fn release(series: *mut Series) {
    // SAFETY: polars releases the series that it got from this library, once.
    unsafe {
        (*series).release = None;
        drop(Box::from_raw((*series).owner.cast::<Owner>()));
    }
}

/// Writes what `compute` returns to `place`, or keeps the error, for which polars asks.
///
/// # Safety
/// `place` must be valid for a write.
unsafe fn answer<T>(place: *mut T, compute: impl FnOnce() -> Result<T, Trouble>) {
    let text = match catch_unwind(AssertUnwindSafe(compute)) {
        // SAFETY: the caller promises it. What was there is empty and needs no destructor.
        Ok(Ok(value)) => return unsafe { place.write(value) },
        Ok(Err(trouble)) => trouble.to_string().replace('\0', ""),
        Err(_) => "hashmill has panicked, which is a mistake in it".into(),
    };
    ERROR.set(CString::new(text).unwrap_or_default());
}

/// The version 0.1 of the interface.
#[unsafe(no_mangle)]
extern "C" fn _polars_plugin_get_version() -> u32 {
    1
}

/// The error of the last call of this thread that failed.
#[unsafe(no_mangle)]
extern "C" fn _polars_plugin_get_last_error_message() -> *const c_char {
    ERROR.with_borrow(|error| error.as_ptr())
}

/// Defines the two functions that polars finds for a function of ours: one hashes a column, the other
/// returns the name and the type of the result, without its values.
macro_rules! plugin {
    ($hash:ident $field:ident: $column:path, $chunk:expr) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $hash(
            columns: *mut Series,
            count: usize,
            options: *const u8,
            options_len: usize,
            place: *mut Series,
            _context: *const c_void,
        ) {
            // SAFETY: polars passes these columns and options, and a place for the result.
            unsafe {
                answer(place, || {
                    let column = $column(Column::of(columns, count)?);
                    Options::parse(options, options_len)?.hash(column, $chunk)
                });
            }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $field(
            fields: *const FFI_ArrowSchema,
            _count: usize,
            place: *mut FFI_ArrowSchema,
            options: *const u8,
            options_len: usize,
        ) {
            // SAFETY: as above; polars passes at least one field.
            unsafe {
                answer(place, || {
                    let is_hex = Options::parse(options, options_len)?.form.hex;
                    let kind = if is_hex { DataType::Utf8View } else { DataType::BinaryView };
                    let name = (*fields).name().unwrap_or_default();
                    Ok(FFI_ArrowSchema::try_from(Field::new(name, kind, true))?)
                });
            }
        }
    };
}

plugin! {
    _polars_plugin_hash_column _polars_plugin_field_hash_column:
    Column::into_bytes, |output, chunk, _| output.values(chunk)
}
// The rows of a column of structs.
plugin! {
    _polars_plugin_hash_rows _polars_plugin_field_hash_rows:
    std::convert::identity, |output, chunk, profile| output.rows(chunk, None, profile)
}
