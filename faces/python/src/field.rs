//! The writers of a column's values, of which the encodings of rows are made.

use crate::trouble::Trouble;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrowPrimitiveType};
use arrow_buffer::ArrowNativeType;
use arrow_schema::DataType;

/// A function that appends the encoded value of a row to a buffer.
pub type Field<'a> = Box<dyn Fn(usize, &mut Vec<u8>) + 'a>;

pub fn unsupported(kind: &DataType, name: &str, instead: &str) -> Trouble {
    Trouble::Type(format!("column {name:?} of {kind} is not part of a row's encoding: {instead}"))
}

/// Returns the writer of a column of numbers.
pub fn primitive<'a, T: ArrowPrimitiveType>(
    array: &'a dyn Array,
    write: impl Fn(T::Native, &mut Vec<u8>) + 'a,
) -> Field<'a> {
    let values = array.as_primitive::<T>().values();
    Box::new(move |i, out| write(values[i], out))
}

/// Returns the writer of a dictionary column, given that of its values.
pub fn dictionary<'a>(
    array: &'a dyn Array,
    field: impl FnOnce(&'a dyn Array) -> Result<Field<'a>, Trouble>,
) -> Result<Field<'a>, Trouble> {
    fn at<'a, K: ArrowDictionaryKeyType>(array: &'a dyn Array, value: Field<'a>) -> Field<'a> {
        let keys = array.as_dictionary::<K>().keys().values();
        Box::new(move |i, out| value(keys[i].as_usize(), out))
    }
    let DataType::Dictionary(keys, _) = array.data_type() else {
        return Err(Trouble::Type("this is no dictionary".into()));
    };
    let value = field(&**array.as_any_dictionary().values())?;
    Ok(match **keys {
        DataType::Int8 => at::<Int8Type>(array, value),
        DataType::Int16 => at::<Int16Type>(array, value),
        DataType::Int32 => at::<Int32Type>(array, value),
        DataType::Int64 => at::<Int64Type>(array, value),
        DataType::UInt8 => at::<UInt8Type>(array, value),
        DataType::UInt16 => at::<UInt16Type>(array, value),
        DataType::UInt32 => at::<UInt32Type>(array, value),
        _ => at::<UInt64Type>(array, value),
    })
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
