//! The encoding of rows as CBOR: each row is a CBOR array (RFC 8949) in the deterministic encoding
//! of §4.2.1.
//!
//! ```text
//! null                            f6                        RFC 8949 §3.3
//! false, true                     f4, f5
//! integers of all widths          major type 0 or 1, shortest
//! floats of all widths            the shortest of 16, 32, 64 bits with the same value; every NaN is f97e00
//! text                            major type 3, UTF-8
//! bytes                           major type 2
//! dates                           tag 100, days since 1970-01-01       RFC 8943
//! timestamps                      tag 1001, {1: seconds since 1970-01-01T00:00, -9: nanoseconds}   RFC 9581
//! times of day, durations         tag 1002, {1: seconds, -9: nanoseconds}
//! lists                           major type 4
//! structs, maps                   major type 5, the keys in the order of their encoded bytes
//! decimals                        tag 4, [-scale, unscaled integer], the integer as tag 2 or 3 beyond 64 bits
//! ```
//!
//! CBOR was chosen instead of a new format for three reasons:
//!
//! - It is unambiguous. Every item contains its kind and its length, so that ("ab", "c") and
//!   ("a", "bc") differ, as do null, "" and 0.
//! - It does not depend on the widths that a library chooses (int32 or int64, string or
//!   string_view).
//! - Every language has a library that writes it, so the digest of a row can be checked without
//!   hashmill.
//!
//! The names of the columns are not part of the encoding, but those of the fields of structs are.

use crate::field::{Field, dictionary, nullable, primitive, unsupported};
use crate::trouble::Trouble;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{
    Array, ArrowPrimitiveType, GenericListArray, MapArray, OffsetSizeTrait, StructArray,
};
use arrow_schema::{DataType, TimeUnit};
use half::f16;

/// What to do with a column of a type that is not encoded.
const INSTEAD: &str = "choose others, or cast it to a string";

/// Writes a major type with its argument in the shortest form (RFC 8949 §3).
pub fn head(major: u8, argument: u64, out: &mut Vec<u8>) {
    let kind = major << 5;
    match argument {
        0..24 => out.push(kind | argument as u8),
        24..0x100 => out.extend([kind | 24, argument as u8]),
        0x100..0x1_0000 => {
            out.push(kind | 25);
            out.extend((argument as u16).to_be_bytes());
        }
        0x1_0000..0x1_0000_0000 => {
            out.push(kind | 26);
            out.extend((argument as u32).to_be_bytes());
        }
        _ => {
            out.push(kind | 27);
            out.extend(argument.to_be_bytes());
        }
    }
}

fn integer(value: i64, out: &mut Vec<u8>) {
    match value {
        0.. => head(0, value as u64, out),
        // Major type 1 encodes -1 - argument.
        _ => head(1, !value as u64, out),
    }
}

/// Writes an integer of any width, given in two's complement and big-endian (RFC 8949 §3.4.3).
fn big_integer<const N: usize>(mut bytes: [u8; N], out: &mut Vec<u8>) {
    let negative = bytes[0] >= 0x80;
    if negative {
        bytes.iter_mut().for_each(|byte| *byte = !*byte);
    }
    let first = bytes.iter().position(|&byte| byte != 0).unwrap_or(N);
    match &bytes[first..] {
        short if short.len() <= 8 => {
            let value = short.iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
            head(u8::from(negative), value, out);
        }
        long => {
            head(6, if negative { 3 } else { 2 }, out);
            string(2, long, out);
        }
    }
}

/// Writes the shortest float with the same value. Every NaN has one encoding (RFC 8949 §4.2.2).
fn float(value: f64, out: &mut Vec<u8>) {
    let (half, single) = (f16::from_f64(value), value as f32);
    if value.is_nan() {
        out.extend([0xf9, 0x7e, 0x00]);
    } else if half.to_f64() == value {
        out.push(0xf9);
        out.extend(half.to_be_bytes());
    } else if f64::from(single) == value {
        out.push(0xfa);
        out.extend(single.to_be_bytes());
    } else {
        out.push(0xfb);
        out.extend(value.to_be_bytes());
    }
}

fn string(major: u8, bytes: &[u8], out: &mut Vec<u8>) {
    head(major, bytes.len() as u64, out);
    out.extend(bytes);
}

/// Writes a tag and {1: seconds, -9: nanoseconds} (RFC 9581).
fn time(tag: u64, count: i64, unit: TimeUnit, out: &mut Vec<u8>) {
    let (a_second, nanoseconds) = match unit {
        TimeUnit::Second => (1, 1_000_000_000),
        TimeUnit::Millisecond => (1_000, 1_000_000),
        TimeUnit::Microsecond => (1_000_000, 1_000),
        TimeUnit::Nanosecond => (1_000_000_000, 1),
    };
    head(6, tag, out);
    head(5, 2, out);
    integer(1, out);
    integer(count.div_euclid(a_second), out);
    integer(-9, out);
    integer(count.rem_euclid(a_second) * nanoseconds, out);
}

fn decimal<'a, T: ArrowPrimitiveType>(
    array: &'a dyn Array,
    scale: i8,
    write: impl Fn(T::Native, &mut Vec<u8>) + 'a,
) -> Field<'a> {
    primitive::<T>(array, move |value, out| {
        head(6, 4, out);
        head(4, 2, out);
        integer(-i64::from(scale), out);
        write(value, out);
    })
}

/// Returns the writer of the values of a column.
pub fn field<'a>(array: &'a dyn Array, name: &str) -> Result<Field<'a>, Trouble> {
    let write: Field<'a> = match array.data_type() {
        DataType::Null => Box::new(|_, out| out.push(0xf6)),
        DataType::Boolean => {
            let values = array.as_boolean();
            Box::new(move |i, out| out.push(0xf4 | u8::from(values.value(i))))
        }
        DataType::Int8 => primitive::<Int8Type>(array, |it, out| integer(it.into(), out)),
        DataType::Int16 => primitive::<Int16Type>(array, |it, out| integer(it.into(), out)),
        DataType::Int32 => primitive::<Int32Type>(array, |it, out| integer(it.into(), out)),
        DataType::Int64 => primitive::<Int64Type>(array, integer),
        DataType::UInt8 => primitive::<UInt8Type>(array, |it, out| head(0, it.into(), out)),
        DataType::UInt16 => primitive::<UInt16Type>(array, |it, out| head(0, it.into(), out)),
        DataType::UInt32 => primitive::<UInt32Type>(array, |it, out| head(0, it.into(), out)),
        DataType::UInt64 => primitive::<UInt64Type>(array, |it, out| head(0, it, out)),
        DataType::Float16 => primitive::<Float16Type>(array, |it, out| float(it.to_f64(), out)),
        DataType::Float32 => primitive::<Float32Type>(array, |it, out| float(it.into(), out)),
        DataType::Float64 => primitive::<Float64Type>(array, float),
        DataType::Utf8 => {
            let values = array.as_string::<i32>();
            Box::new(move |i, out| string(3, values.value(i).as_bytes(), out))
        }
        DataType::LargeUtf8 => {
            let values = array.as_string::<i64>();
            Box::new(move |i, out| string(3, values.value(i).as_bytes(), out))
        }
        DataType::Utf8View => {
            let values = array.as_string_view();
            Box::new(move |i, out| string(3, values.value(i).as_bytes(), out))
        }
        DataType::Binary => {
            let values = array.as_binary::<i32>();
            Box::new(move |i, out| string(2, values.value(i), out))
        }
        DataType::LargeBinary => {
            let values = array.as_binary::<i64>();
            Box::new(move |i, out| string(2, values.value(i), out))
        }
        DataType::BinaryView => {
            let values = array.as_binary_view();
            Box::new(move |i, out| string(2, values.value(i), out))
        }
        DataType::FixedSizeBinary(_) => {
            let values = array.as_fixed_size_binary();
            Box::new(move |i, out| string(2, values.value(i), out))
        }
        DataType::Dictionary(..) => dictionary(array, |values| field(values, name))?,
        DataType::Date32 => primitive::<Date32Type>(array, |days, out| {
            head(6, 100, out);
            integer(days.into(), out);
        }),
        DataType::Date64 => primitive::<Date64Type>(array, |milliseconds, out| {
            head(6, 100, out);
            integer(milliseconds.div_euclid(86_400_000), out);
        }),
        DataType::Timestamp(unit, _) => times(array, 1001, *unit),
        DataType::Duration(unit) => match unit {
            TimeUnit::Second => span::<DurationSecondType>(array, *unit),
            TimeUnit::Millisecond => span::<DurationMillisecondType>(array, *unit),
            TimeUnit::Microsecond => span::<DurationMicrosecondType>(array, *unit),
            TimeUnit::Nanosecond => span::<DurationNanosecondType>(array, *unit),
        },
        DataType::Time32(TimeUnit::Second) => primitive::<Time32SecondType>(array, |it, out| {
            time(1002, it.into(), TimeUnit::Second, out)
        }),
        DataType::Time32(_) => primitive::<Time32MillisecondType>(array, |it, out| {
            time(1002, it.into(), TimeUnit::Millisecond, out);
        }),
        DataType::Time64(unit @ TimeUnit::Microsecond) => {
            span::<Time64MicrosecondType>(array, *unit)
        }
        DataType::Time64(unit) => span::<Time64NanosecondType>(array, *unit),
        DataType::Decimal32(_, scale) => {
            decimal::<Decimal32Type>(array, *scale, |it, out| integer(it.into(), out))
        }
        DataType::Decimal64(_, scale) => decimal::<Decimal64Type>(array, *scale, integer),
        DataType::Decimal128(_, scale) => decimal::<Decimal128Type>(array, *scale, |it, out| {
            big_integer(it.to_be_bytes(), out);
        }),
        DataType::Decimal256(_, scale) => decimal::<Decimal256Type>(array, *scale, |it, out| {
            big_integer(it.to_be_bytes(), out);
        }),
        DataType::List(_) => list(array.as_list::<i32>(), name)?,
        DataType::LargeList(_) => list(array.as_list::<i64>(), name)?,
        DataType::FixedSizeList(_, width) => {
            let (value, width) =
                (field(array.as_fixed_size_list().values(), name)?, *width as usize);
            Box::new(move |i, out| {
                head(4, width as u64, out);
                (i * width..(i + 1) * width).for_each(|j| value(j, out));
            })
        }
        DataType::Struct(_) => structs(array.as_struct(), name)?,
        DataType::Map(..) => maps(array.as_map(), name)?,
        other => return Err(unsupported(other, name, INSTEAD)),
    };
    Ok(nullable(array, write, b"\xf6"))
}

fn list<'a, O: OffsetSizeTrait>(
    array: &'a GenericListArray<O>,
    name: &str,
) -> Result<Field<'a>, Trouble> {
    let (offsets, value) = (array.value_offsets(), field(array.values(), name)?);
    Ok(Box::new(move |i, out| {
        let (begin, end) = (offsets[i].as_usize(), offsets[i + 1].as_usize());
        head(4, (end - begin) as u64, out);
        (begin..end).for_each(|j| value(j, out));
    }))
}

/// A struct is a map from the names of its fields to their values. The keys of a map ascend by their
/// encoded bytes (RFC 8949 §4.2.1).
fn structs<'a>(array: &'a StructArray, name: &str) -> Result<Field<'a>, Trouble> {
    let mut entries: Vec<(Vec<u8>, Field<'a>)> = Vec::new();
    for (it, column) in array.fields().iter().zip(array.columns()) {
        let mut key = Vec::new();
        string(3, it.name().as_bytes(), &mut key);
        entries.push((key, field(column, name)?));
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    if entries.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(Trouble::Value(format!("column {name:?} has two fields of one name")));
    }
    Ok(Box::new(move |i, out| {
        head(5, entries.len() as u64, out);
        for (key, value) in &entries {
            out.extend(key);
            value(i, out);
        }
    }))
}

/// Returns the writer of a column of maps, after a check that no map has a key twice.
fn maps<'a>(array: &'a MapArray, name: &str) -> Result<Field<'a>, Trouble> {
    let (key, value) = (field(array.keys(), name)?, field(array.values(), name)?);
    let offsets = array.value_offsets();
    let sorted = move |i: usize| {
        let mut keys: Vec<(Vec<u8>, usize)> = (offsets[i] as usize..offsets[i + 1] as usize)
            .map(|j| {
                let mut bytes = Vec::new();
                key(j, &mut bytes);
                (bytes, j)
            })
            .collect();
        keys.sort();
        keys
    };
    for i in (0..array.len()).filter(|&i| array.is_valid(i)) {
        if sorted(i).windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(Trouble::Value(format!("column {name:?}: map {i} has a key twice")));
        }
    }
    Ok(Box::new(move |i, out| {
        let keys = sorted(i);
        head(5, keys.len() as u64, out);
        for (key, j) in keys {
            out.extend(key);
            value(j, out);
        }
    }))
}

fn span<'a, T: ArrowPrimitiveType<Native = i64>>(
    array: &'a dyn Array,
    unit: TimeUnit,
) -> Field<'a> {
    primitive::<T>(array, move |it, out| time(1002, it, unit, out))
}

fn times(array: &dyn Array, tag: u64, unit: TimeUnit) -> Field<'_> {
    match unit {
        TimeUnit::Second => {
            primitive::<TimestampSecondType>(array, move |it, out| time(tag, it, unit, out))
        }
        TimeUnit::Millisecond => {
            primitive::<TimestampMillisecondType>(array, move |it, out| time(tag, it, unit, out))
        }
        TimeUnit::Microsecond => {
            primitive::<TimestampMicrosecondType>(array, move |it, out| time(tag, it, unit, out))
        }
        TimeUnit::Nanosecond => {
            primitive::<TimestampNanosecondType>(array, move |it, out| time(tag, it, unit, out))
        }
    }
}
