//! The encoding of rows as text, which SQL engines can compute too. It is the form of dbt's
//! `generate_surrogate_key`, with one text for each value:
//!
//! ```text
//! null                the token for null
//! text                itself
//! bool                false, true
//! integers            decimal digits
//! decimals            decimal digits with a point, without zeros at the end of the fraction: 1.5, 2
//! dates               2024-02-29
//! timestamps          2024-02-29 12:00:00.000000, in UTC if they have a zone
//! times of day        12:00:00.000000
//! bytes               lower-case hexadecimal digits
//! lists               [1,2,null], ["a","b"]
//! structs, maps       {"a":1,"b":["x"]}, the keys in the order of their encoded bytes
//! ```
//!
//! Engines write floats in different ways, so floats are refused. So are years before 1 or after
//! 9999, and nanoseconds.

use crate::field::{Field, bytes, dictionary, integers, nullable, primitive, unsupported};
use crate::nested::{self, Kind, Nesting};
use crate::trouble::Trouble;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrowPrimitiveType};
use arrow_schema::{DataType, TimeUnit};
use std::io::Write;

const MICROSECONDS_A_DAY: i128 = 86_400_000_000;
/// 0001-01-01 and 9999-12-31, in days since 1970-01-01.
const DAYS: std::ops::RangeInclusive<i128> = -719_162..=2_932_896;

/// Returns the writer of the values of a column, with `null` in place of null.
pub fn field<'a>(array: &'a dyn Array, name: &str, null: &'a [u8]) -> Result<Field<'a>, Trouble> {
    Ok(nullable(array, present(array, name, null)?, null))
}

/// Returns the writer of the values that are not null.
fn present<'a>(array: &'a dyn Array, name: &str, null: &'a [u8]) -> Result<Field<'a>, Trouble> {
    let write: Field<'a> = match array.data_type() {
        DataType::Null => Box::new(move |_, out| out.extend(null)),
        DataType::Boolean => {
            let values = array.as_boolean();
            Box::new(move |i, out| {
                out.extend(if values.value(i) { "true" } else { "false" }.bytes())
            })
        }
        kind if kind.is_integer() => {
            integers(array, |it, out| write!(out.bytes, "{it}").expect("vectors can be written to"))
        }
        DataType::Decimal32(_, scale) => decimal::<Decimal32Type>(array, *scale),
        DataType::Decimal64(_, scale) => decimal::<Decimal64Type>(array, *scale),
        DataType::Decimal128(_, scale) => decimal::<Decimal128Type>(array, *scale),
        DataType::Decimal256(_, scale) => decimal::<Decimal256Type>(array, *scale),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            bytes(array, |text, out| out.extend(text))
        }
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => bytes(array, hex),
        DataType::Dictionary(..) => dictionary(array, |values| field(values, name, null))?,
        DataType::Date32 => times(array, name, |days| Some(days * MICROSECONDS_A_DAY), date),
        DataType::Date64 => {
            let microseconds = |it: i128| it.div_euclid(86_400_000) * MICROSECONDS_A_DAY;
            times(array, name, move |it| Some(microseconds(it)), date)
        }
        DataType::Timestamp(unit, _) => times(array, name, of(*unit), date_and_time),
        DataType::Time32(unit) | DataType::Time64(unit) => {
            times(array, name, of(*unit), time_of_day)
        }
        other if other.is_floating() => {
            let instead = "engines write floats in different ways; cast it to a decimal";
            return Err(unsupported(other, name, instead));
        }
        _ => nested::field::<Json>(array, name)?,
    };
    Ok(write)
}

/// Lists, structs and maps are written as JSON (RFC 8259) without spaces. Its strings have a
/// backslash before a quotation mark and a backslash, and no other escapes, not even for control
/// characters, because engines do not agree on others.
struct Json;

impl Nesting for Json {
    const COMMA: &'static [u8] = b",";
    const COLON: &'static [u8] = b":";

    fn begin(kind: Kind, _: usize, out: &mut Vec<u8>) {
        out.push(match kind {
            Kind::List => b'[',
            Kind::Map => b'{',
        });
    }

    fn end(kind: Kind, out: &mut Vec<u8>) {
        out.push(match kind {
            Kind::List => b']',
            Kind::Map => b'}',
        });
    }

    fn value<'a>(array: &'a dyn Array, name: &str) -> Result<Field<'a>, Trouble> {
        let kind = array.data_type();
        let write = match kind {
            DataType::Dictionary(..) => dictionary(array, |values| Self::value(values, name))?,
            DataType::Null | DataType::Boolean => present(array, name, b"null")?,
            _ if kind.is_integer() || kind.is_decimal() || kind.is_nested() => {
                present(array, name, b"null")?
            }
            _ => Self::key(array, name)?,
        };
        Ok(nullable(array, write, b"null"))
    }

    /// Every key is a string.
    fn key<'a>(array: &'a dyn Array, name: &str) -> Result<Field<'a>, Trouble> {
        let write = present(array, name, b"null")?;
        Ok(Box::new(move |i, out| {
            let begin = out.len();
            write(i, out);
            let text = out.split_off(begin);
            quoted(&text, out);
        }))
    }

    fn name(field: &str) -> Vec<u8> {
        let mut key = Vec::new();
        quoted(field.as_bytes(), &mut key);
        key
    }
}

fn quoted(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        if matches!(byte, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.push(b'"');
}

fn decimal<T: ArrowPrimitiveType<Native: std::fmt::Display>>(
    array: &dyn Array,
    scale: i8,
) -> Field<'_> {
    primitive::<T>(array, move |it, out| {
        let digits = it.to_string();
        let (sign, digits) = match digits.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", &*digits),
        };
        let fraction = usize::from(scale.unsigned_abs());
        out.extend(sign.bytes());
        if scale <= 0 {
            out.extend(digits.bytes());
            out.extend(std::iter::repeat_n(b'0', if digits == "0" { 0 } else { fraction }));
            return;
        }
        let digits = format!("{digits:0>width$}", width = fraction + 1);
        let (whole, fraction) = digits.split_at(digits.len() - fraction);
        out.extend(whole.bytes());
        let fraction = fraction.trim_end_matches('0');
        if !fraction.is_empty() {
            out.push(b'.');
            out.extend(fraction.bytes());
        }
    })
}

fn hex(bytes: &[u8], out: &mut Vec<u8>) {
    for byte in bytes {
        out.extend([byte >> 4, byte & 15].map(|it| b"0123456789abcdef"[usize::from(it)]));
    }
}

/// Returns the number of microseconds of a number of units, or None if it is no integer.
fn of(unit: TimeUnit) -> impl Fn(i128) -> Option<i128> {
    move |it| match unit {
        TimeUnit::Second => Some(it * 1_000_000),
        TimeUnit::Millisecond => Some(it * 1_000),
        TimeUnit::Microsecond => Some(it),
        TimeUnit::Nanosecond => (it % 1_000 == 0).then_some(it / 1_000),
    }
}

/// Returns the writer of a column of dates or times. `microseconds` converts a value to microseconds
/// since 1970-01-01T00:00.
fn times<'a>(
    array: &'a dyn Array,
    name: &str,
    microseconds: impl Fn(i128) -> Option<i128> + 'a,
    write: impl Fn(i128, &mut Vec<u8>) + 'a,
) -> Field<'a> {
    let name = name.to_owned();
    integers(array, move |it, out| {
        let what = match microseconds(it) {
            Some(it) if DAYS.contains(&it.div_euclid(MICROSECONDS_A_DAY)) => return write(it, out),
            Some(_) => "a year is not from 1 to 9999, as rows as text need it",
            None => "a time has nanoseconds, which rows as text have not: cast it to microseconds",
        };
        out.trouble = Some(Trouble::Value(format!("column {name:?}: {what}")));
    })
}

fn date(microseconds: i128, out: &mut Vec<u8>) {
    // Days since 0000-03-01, so that a leap day is the last day of a year, and then the parts of the
    // Gregorian cycle of 400 years.
    let days = microseconds.div_euclid(MICROSECONDS_A_DAY) + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months from March on have 31, 30, 31, 30, 31 days, and so on: 153 days in five months.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = 400 * era + year + next;
    write!(out, "{year:04}-{month:02}-{day:02}").expect("vectors can be written to");
}

fn time_of_day(microseconds: i128, out: &mut Vec<u8>) {
    let (seconds, fraction) =
        (microseconds.div_euclid(1_000_000), microseconds.rem_euclid(1_000_000));
    let seconds = seconds.rem_euclid(86_400);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    write!(out, "{hours:02}:{minutes:02}:{seconds:02}.{fraction:06}")
        .expect("vectors can be written to");
}

fn date_and_time(microseconds: i128, out: &mut Vec<u8>) {
    date(microseconds, out);
    out.push(b' ');
    time_of_day(microseconds, out);
}
