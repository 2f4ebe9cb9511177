//! The writers of a column's values, of which the encodings of rows are made.

use crate::trouble::Trouble;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrowPrimitiveType};
use arrow_buffer::{ArrowNativeType, ScalarBuffer};
use arrow_schema::DataType;
use std::ops::{Deref, DerefMut};

/// The encoded bytes of rows.
#[derive(Default)]
pub struct Rows {
    pub bytes: Vec<u8>,
    /// Why a value cannot be encoded; the bytes are of no use then.
    pub trouble: Option<Trouble>,
}

impl Deref for Rows {
    type Target = Vec<u8>;
    fn deref(&self) -> &Vec<u8> {
        &self.bytes
    }
}

impl DerefMut for Rows {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }
}

/// A function that appends the encoded value of a row.
pub type Field<'a> = Box<dyn Fn(usize, &mut Rows) + 'a>;

pub fn unsupported(kind: &DataType, name: &str, instead: &str) -> Trouble {
    Trouble::Type(format!("column {name:?} of {kind} is not part of a row's encoding: {instead}"))
}

/// Returns the writer of a column of numbers of a type.
pub fn primitive<'a, T: ArrowPrimitiveType>(
    array: &'a dyn Array,
    write: impl Fn(T::Native, &mut Vec<u8>) + 'a,
) -> Field<'a> {
    let values = array.as_primitive::<T>().values();
    Box::new(move |i, out| write(values[i], out))
}

/// Returns the writer of a column of integers, dates or times.
pub fn integers<'a>(array: &dyn Array, write: impl Fn(i128, &mut Rows) + 'a) -> Field<'a> {
    fn of<'a, T: ArrowNativeType + Into<i128>>(
        array: &dyn Array,
        write: impl Fn(i128, &mut Rows) + 'a,
    ) -> Field<'a> {
        let data = array.to_data();
        let values = ScalarBuffer::<T>::new(data.buffers()[0].clone(), data.offset(), data.len());
        Box::new(move |i, out| write(values[i].into(), out))
    }
    let kind = array.data_type();
    match (kind.is_unsigned_integer(), kind.primitive_width()) {
        (true, Some(1)) => of::<u8>(array, write),
        (true, Some(2)) => of::<u16>(array, write),
        (true, Some(4)) => of::<u32>(array, write),
        (true, _) => of::<u64>(array, write),
        (false, Some(1)) => of::<i8>(array, write),
        (false, Some(2)) => of::<i16>(array, write),
        (false, Some(4)) => of::<i32>(array, write),
        (false, _) => of::<i64>(array, write),
    }
}

/// Returns the writer of a column of text or of byte strings.
pub fn bytes<'a>(array: &'a dyn Array, write: impl Fn(&[u8], &mut Vec<u8>) + 'a) -> Field<'a> {
    fn of<'a, T: ByteArrayType>(
        array: &'a dyn Array,
        write: impl Fn(&[u8], &mut Vec<u8>) + 'a,
    ) -> Field<'a> {
        let values = array.as_bytes::<T>();
        Box::new(move |i, out| write(values.value(i).as_ref(), out))
    }
    fn of_views<'a, T: ByteViewType>(
        array: &'a dyn Array,
        write: impl Fn(&[u8], &mut Vec<u8>) + 'a,
    ) -> Field<'a> {
        let values = array.as_byte_view::<T>();
        Box::new(move |i, out| write(values.value(i).as_ref(), out))
    }
    match array.data_type() {
        DataType::Utf8 => of::<Utf8Type>(array, write),
        DataType::LargeUtf8 => of::<LargeUtf8Type>(array, write),
        DataType::Binary => of::<BinaryType>(array, write),
        DataType::LargeBinary => of::<LargeBinaryType>(array, write),
        DataType::Utf8View => of_views::<StringViewType>(array, write),
        DataType::BinaryView => of_views::<BinaryViewType>(array, write),
        _ => {
            let values = array.as_fixed_size_binary();
            Box::new(move |i, out| write(values.value(i), out))
        }
    }
}

/// Returns the writer of a dictionary column, given that of its values.
pub fn dictionary<'a>(
    array: &'a dyn Array,
    field: impl FnOnce(&'a dyn Array) -> Result<Field<'a>, Trouble>,
) -> Result<Field<'a>, Trouble> {
    let dictionary = array.as_any_dictionary();
    let value = field(&**dictionary.values())?;
    Ok(integers(dictionary.keys(), move |key, out| value(key as usize, out)))
}

/// Returns a writer that writes `null` in place of null.
pub fn nullable<'a>(array: &'a dyn Array, write: Field<'a>, null: &'a [u8]) -> Field<'a> {
    match array.nulls().filter(|nulls| nulls.null_count() > 0) {
        None => write,
        Some(nulls) => Box::new(move |i, out| match nulls.is_null(i) {
            true => out.extend(null),
            false => write(i, out),
        }),
    }
}
