//! DuckDB's vectors of text and BLOBs.

use crate::api::{Api, Handle};

/// A value of type VARCHAR or BLOB, `duckdb_string_t`: its length in 4 bytes; then up to 12 bytes of
/// the value itself, or of a longer value the first 4 bytes and a pointer to the value.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Text([u8; 16]);

impl Text {
    /// # Safety
    /// The row of the value must not be NULL, and its vector must live as long as the result.
    unsafe fn bytes(&self) -> &[u8] {
        let length = u32::from_ne_bytes(*self.0.first_chunk().expect("4 bytes")) as usize;
        match self.0[4..].get(..length) {
            Some(inline) => inline,
            // SAFETY: the caller promises that the pointer of a longer value is valid.
            None => unsafe { std::slice::from_raw_parts(self.pointer(), length) },
        }
    }

    /// Returns the pointer to a value of more than 12 bytes.
    fn pointer(&self) -> *const u8 {
        let address = u64::from_ne_bytes(*self.0.last_chunk().expect("8 bytes"));
        std::ptr::with_exposed_provenance(address as usize)
    }

    /// Returns the value of these bytes, more than 12, of which `copy` points to a copy.
    fn new(bytes: &[u8], copy: *const u8) -> Self {
        let mut text = [0; 16];
        text[..4].copy_from_slice(&(bytes.len() as u32).to_ne_bytes());
        text[4..8].copy_from_slice(&bytes[..4]);
        text[8..].copy_from_slice(&(copy.expose_provenance() as u64).to_ne_bytes());
        Text(text)
    }
}

/// A column of a chunk, whose type is VARCHAR or BLOB.
pub struct Values<'v> {
    texts: &'v [Text],
    /// A bit for each row, which is 0 for NULL. There are no bits if no row is NULL.
    valid: Option<&'v [u64]>,
}

impl<'v> Values<'v> {
    /// # Safety
    /// The chunk must be that of a running call, have this column and at least one row, and live as
    /// long as `'v`.
    pub unsafe fn of(api: &Api, chunk: Handle, column: u64) -> Self {
        // SAFETY: the column exists.
        let (vector, count) = unsafe { ((api.get_vector)(chunk, column), (api.get_size)(chunk)) };
        let count = count as usize;
        // SAFETY: DuckDB makes the vectors of a call flat: a vector has a value for each row.
        let texts = unsafe { std::slice::from_raw_parts((api.get_data)(vector).cast(), count) };
        // SAFETY: the vector exists.
        let valid = unsafe { (api.get_validity)(vector) };
        let valid = match valid.is_null() {
            true => None,
            // SAFETY: there is a bit for each row.
            false => Some(unsafe { std::slice::from_raw_parts(valid, count.div_ceil(64)) }),
        };
        Values { texts, valid }
    }

    pub fn count(&self) -> usize {
        self.texts.len()
    }

    /// Returns the value of a row, or None for NULL.
    pub fn get(&self, row: usize) -> Option<&'v [u8]> {
        let is_valid = self.valid.is_none_or(|valid| valid[row / 64] >> (row % 64) & 1 == 1);
        // SAFETY: the row is not NULL, and the values live as long as their chunk.
        is_valid.then(|| unsafe { self.texts[row].bytes() })
    }
}

/// Writes to the rows of a vector the values of `width` bytes, more than 12, that `all` contains.
///
/// DuckDB's function for this copies one value into the vector's own memory. So it gets all of them as
/// if they were one value, and the values then point into this copy: one call, not one for each row.
///
/// # Safety
/// `output` must be the vector of a running call with as many rows.
pub unsafe fn write(api: &Api, output: Handle, all: &[u8], width: usize) {
    // SAFETY: the vector has at least one row, and DuckDB copies the bytes.
    unsafe { (api.assign_string)(output, 0, all.as_ptr(), all.len() as u64) };
    let count = all.len() / width;
    // SAFETY: the vector has a value for each row, and nothing else refers to them.
    let texts = unsafe { std::slice::from_raw_parts_mut((api.get_data)(output).cast(), count) };
    let copy = Text::pointer(&texts[0]);
    for (i, (text, bytes)) in texts.iter_mut().zip(all.chunks_exact(width)).enumerate() {
        *text = Text::new(bytes, copy.wrapping_add(i * width));
    }
}

/// Makes those rows of a vector NULL.
///
/// # Safety
/// `output` must be the vector of a running call that has these rows.
pub unsafe fn clear(api: &Api, output: Handle, rows: impl Iterator<Item = usize>) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    // SAFETY: the vector exists.
    unsafe { (api.ensure_validity_writable)(output) };
    // SAFETY: as above.
    let valid = unsafe { (api.get_validity)(output) };
    for row in rows {
        // SAFETY: there is a bit for each row, and nothing else refers to them.
        unsafe { *valid.add(row / 64) &= !(1 << (row % 64)) };
    }
}
