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

use crate::field::{Field, bytes, dictionary, integers, nullable, primitive};
use crate::nested::{self, Kind, Nesting};
use crate::trouble::Trouble;
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_schema::{DataType, TimeUnit};
use half::f16;

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

/// Writes an integer from -2⁶⁴ to 2⁶⁴ - 1.
fn integer(value: i128, out: &mut Vec<u8>) {
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

/// Writes a tag and {1: seconds, -9: nanoseconds} (RFC 9581). The count has 64 bits in every column,
/// and dividing 128 bits would be slower.
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
    integer(count.div_euclid(a_second).into(), out);
    integer(-9, out);
    integer((count.rem_euclid(a_second) * nanoseconds).into(), out);
}

/// Writes a date as a number of days since 1970-01-01 (RFC 8943).
fn date(days: i128, out: &mut Vec<u8>) {
    head(6, 100, out);
    integer(days, out);
}

/// Writes a decimal fraction (RFC 8949 §3.4.4), whose integer `unscaled` writes.
fn decimal(scale: i8, out: &mut Vec<u8>, unscaled: impl FnOnce(&mut Vec<u8>)) {
    head(6, 4, out);
    head(4, 2, out);
    integer(-i128::from(scale), out);
    unscaled(out);
}

/// Returns the writer of the values of a column.
pub fn field<'a>(array: &'a dyn Array, name: &str) -> Result<Field<'a>, Trouble> {
    let write: Field<'a> = match array.data_type() {
        DataType::Null => Box::new(|_, out| out.push(0xf6)),
        DataType::Boolean => {
            let values = array.as_boolean();
            Box::new(move |i, out| out.push(0xf4 | u8::from(values.value(i))))
        }
        kind if kind.is_integer() => integers(array, |it, out| integer(it, out)),
        DataType::Float16 => primitive::<Float16Type>(array, |it, out| float(it.to_f64(), out)),
        DataType::Float32 => primitive::<Float32Type>(array, |it, out| float(it.into(), out)),
        DataType::Float64 => primitive::<Float64Type>(array, float),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            bytes(array, |text, out| string(3, text, out))
        }
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => bytes(array, |bytes, out| string(2, bytes, out)),
        DataType::Dictionary(..) => dictionary(array, |values| field(values, name))?,
        DataType::Date32 => integers(array, |days, out| date(days, out)),
        DataType::Date64 => {
            integers(array, |milliseconds, out| date(milliseconds.div_euclid(86_400_000), out))
        }
        DataType::Timestamp(unit, _) => {
            let unit = *unit;
            integers(array, move |count, out| time(1001, count as i64, unit, out))
        }
        DataType::Duration(unit) | DataType::Time32(unit) | DataType::Time64(unit) => {
            let unit = *unit;
            integers(array, move |count, out| time(1002, count as i64, unit, out))
        }
        DataType::Decimal32(_, scale) | DataType::Decimal64(_, scale) => {
            let scale = *scale;
            integers(array, move |it, out| decimal(scale, out, |out| integer(it, out)))
        }
        DataType::Decimal128(_, scale) => primitive::<Decimal128Type>(array, |it, out| {
            decimal(*scale, out, |out| big_integer(it.to_be_bytes(), out));
        }),
        DataType::Decimal256(_, scale) => primitive::<Decimal256Type>(array, |it, out| {
            decimal(*scale, out, |out| big_integer(it.to_be_bytes(), out));
        }),
        _ => nested::field::<Cbor>(array, name)?,
    };
    Ok(nullable(array, write, b"\xf6"))
}

/// Lists are arrays, structs and maps are maps, whose keys ascend by their encoded bytes (RFC 8949
/// §4.2.1).
struct Cbor;

impl Nesting for Cbor {
    const COMMA: &'static [u8] = b"";
    const COLON: &'static [u8] = b"";

    fn begin(kind: Kind, count: usize, out: &mut Vec<u8>) {
        let major = match kind {
            Kind::List => 4,
            Kind::Map => 5,
        };
        head(major, count as u64, out);
    }

    fn end(_: Kind, _: &mut Vec<u8>) {}

    fn value<'a>(array: &'a dyn Array, name: &str) -> Result<Field<'a>, Trouble> {
        field(array, name)
    }

    fn key<'a>(array: &'a dyn Array, name: &str) -> Result<Field<'a>, Trouble> {
        field(array, name)
    }

    fn name(field: &str) -> Vec<u8> {
        let mut key = Vec::new();
        string(3, field.as_bytes(), &mut key);
        key
    }
}
