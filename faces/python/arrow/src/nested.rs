//! Lists, structs and maps within rows.

use crate::field::{Field, Rows, unsupported};
use crate::trouble::Trouble;
use arrow_array::cast::AsArray;
use arrow_array::{Array, GenericListArray, MapArray, OffsetSizeTrait, StructArray};
use arrow_schema::DataType;
use std::ops::Range;

#[derive(Clone, Copy)]
pub enum Kind {
    List,
    /// A map, or a struct, which is a map from the names of its fields to their values.
    Map,
}

/// How an encoding writes lists and maps. The keys of a map are in the order of their encoded bytes.
pub trait Nesting {
    /// What is between the elements.
    const COMMA: &'static [u8];
    /// What is between a key and its value.
    const COLON: &'static [u8];
    fn begin(kind: Kind, count: usize, out: &mut Vec<u8>);
    fn end(kind: Kind, out: &mut Vec<u8>);
    /// Returns the writer of the elements of lists and of the values in maps.
    fn value<'a>(array: &'a dyn Array, name: &str) -> Result<Field<'a>, Trouble>;
    fn key<'a>(array: &'a dyn Array, name: &str) -> Result<Field<'a>, Trouble>;
    /// Returns the key for a field of a struct.
    fn name(field: &str) -> Vec<u8>;
}

/// Returns the writer of a column of lists, structs or maps without nulls.
pub fn field<'a, N: Nesting>(array: &'a dyn Array, name: &str) -> Result<Field<'a>, Trouble> {
    match array.data_type() {
        DataType::List(_) => list::<N, i32>(array.as_list(), name),
        DataType::LargeList(_) => list::<N, i64>(array.as_list(), name),
        DataType::FixedSizeList(_, width) => {
            let (value, width) =
                (N::value(array.as_fixed_size_list().values(), name)?, *width as usize);
            Ok(Box::new(move |i, out| elements::<N>(i * width..(i + 1) * width, &value, out)))
        }
        DataType::Struct(_) => structs::<N>(array.as_struct(), name),
        DataType::Map(..) => maps::<N>(array.as_map(), name),
        other => Err(unsupported(other, name, "choose others, or cast it to a string")),
    }
}

fn list<'a, N: Nesting, O: OffsetSizeTrait>(
    array: &'a GenericListArray<O>,
    name: &str,
) -> Result<Field<'a>, Trouble> {
    let (offsets, value) = (array.value_offsets(), N::value(array.values(), name)?);
    Ok(Box::new(move |i, out| {
        elements::<N>(offsets[i].as_usize()..offsets[i + 1].as_usize(), &value, out);
    }))
}

fn structs<'a, N: Nesting>(array: &'a StructArray, name: &str) -> Result<Field<'a>, Trouble> {
    let mut fields: Vec<(Vec<u8>, Field<'a>)> = Vec::new();
    for (it, column) in array.fields().iter().zip(array.columns()) {
        fields.push((N::name(it.name()), N::value(column, name)?));
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    if fields.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(Trouble::Value(format!("column {name:?} has two fields of one name")));
    }
    Ok(Box::new(move |i, out| {
        entries::<N>(fields.iter().map(|(key, value)| (&**key, value, i)), out);
    }))
}

fn maps<'a, N: Nesting>(array: &'a MapArray, name: &str) -> Result<Field<'a>, Trouble> {
    let (key, value) = (N::key(array.keys(), name)?, N::value(array.values(), name)?);
    let (offsets, name) = (array.value_offsets(), name.to_owned());
    Ok(Box::new(move |i, out| {
        let mut keys = Vec::new();
        for j in offsets[i] as usize..offsets[i + 1] as usize {
            let mut encoded = Rows::default();
            key(j, &mut encoded);
            out.trouble = out.trouble.take().or(encoded.trouble);
            keys.push((encoded.bytes, j));
        }
        keys.sort();
        if keys.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            let trouble = format!("column {name:?}: map {i} has a key twice");
            out.trouble = Some(Trouble::Value(trouble));
        }
        entries::<N>(keys.iter().map(|(key, j)| (&**key, &value, *j)), out);
    }))
}

fn elements<N: Nesting>(rows: Range<usize>, value: &Field<'_>, out: &mut Rows) {
    N::begin(Kind::List, rows.len(), out);
    for (nth, row) in rows.enumerate() {
        if nth > 0 {
            out.extend(N::COMMA);
        }
        value(row, out);
    }
    N::end(Kind::List, out);
}

/// Writes a map, given each key with the writer of its value and the row of that.
fn entries<'k, N: Nesting>(
    entries: impl ExactSizeIterator<Item = (&'k [u8], &'k Field<'k>, usize)>,
    out: &mut Rows,
) {
    N::begin(Kind::Map, entries.len(), out);
    for (nth, (key, value, row)) in entries.enumerate() {
        if nth > 0 {
            out.extend(N::COMMA);
        }
        out.extend(key);
        out.extend(N::COLON);
        value(row, out);
    }
    N::end(Kind::Map, out);
}
