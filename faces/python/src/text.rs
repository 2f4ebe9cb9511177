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
//! ```
//!
//! Engines write floats in different ways, so floats are refused. So are years before 1 or after
//! 9999, and nanoseconds.

use crate::field::{Field, bytes, dictionary, integers, nullable, primitive, unsupported};
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
    let write: Field<'a> = match array.data_type() {
        DataType::Null => Box::new(move |_, out| out.extend(null)),
        DataType::Boolean => {
            let values = array.as_boolean();
            Box::new(move |i, out| {
                out.extend(if values.value(i) { "true" } else { "false" }.bytes())
            })
        }
        kind if kind.is_integer() => integers(array, |it, out: &mut Vec<u8>| {
            write!(out, "{it}").expect("vectors can be written to")
        }),
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
        DataType::Date32 => times(array, name, |days| Some(days * MICROSECONDS_A_DAY), date)?,
        DataType::Date64 => {
            let microseconds = |it: i128| it.div_euclid(86_400_000) * MICROSECONDS_A_DAY;
            times(array, name, move |it| Some(microseconds(it)), date)?
        }
        DataType::Timestamp(unit, _) => times(array, name, of(*unit), date_and_time)?,
        DataType::Time32(unit) | DataType::Time64(unit) => {
            times(array, name, of(*unit), time_of_day)?
        }
        other => {
            let instead = match other.is_floating() {
                true => "engines write floats in different ways; cast it to a decimal",
                false => "choose others, or cast it to a string",
            };
            return Err(unsupported(other, name, instead));
        }
    };
    Ok(nullable(array, write, null))
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

/// Returns the writer of a column of dates or times, after a check of all its values.
/// `microseconds` converts a value to microseconds since 1970-01-01T00:00.
fn times<'a>(
    array: &'a dyn Array,
    name: &str,
    microseconds: impl Fn(i128) -> Option<i128> + 'a,
    write: impl Fn(i128, &mut Vec<u8>) + 'a,
) -> Result<Field<'a>, Trouble> {
    let check = integers(array, |it, result: &mut Result<(), &str>| match microseconds(it) {
        None => {
            *result =
                Err("a time has nanoseconds, which rows as text have not: cast it to microseconds");
        }
        Some(it) if !DAYS.contains(&it.div_euclid(MICROSECONDS_A_DAY)) => {
            *result = Err("a year is not from 1 to 9999, as rows as text need it");
        }
        Some(_) => {}
    });
    for i in (0..array.len()).filter(|&i| array.is_valid(i)) {
        let mut result = Ok(());
        check(i, &mut result);
        result.map_err(|what| Trouble::Value(format!("column {name:?}: {what}")))?;
    }
    drop(check);
    Ok(integers(array, move |it, out| write(microseconds(it).unwrap_or(0), out)))
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
