//! The rows of a table as messages.

use crate::cbor;
use crate::check::array_of;
use crate::field::{Field, Rows, unsupported};
use crate::text;
use crate::trouble::Trouble;
use arrow_array::{Array, ArrayRef};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use hashmill::many::Column;

/// The number of rows that are encoded at a time. It is enough for all lanes, and for most tables
/// the encoded bytes stay in the L2 cache.
const PART: usize = 2048;

/// How rows are encoded.
pub enum Profile {
    Cbor,
    /// The text of each value, with a separator between them and a token in place of null.
    Text {
        separator: String,
        null: String,
    },
}

impl From<Option<(String, String)>> for Profile {
    /// The text with that separator and token, if they are given.
    fn from(text: Option<(String, String)>) -> Self {
        text.map_or(Profile::Cbor, |(separator, null)| Profile::Text { separator, null })
    }
}

impl Profile {
    fn field<'a>(&'a self, array: &'a dyn Array, name: &str) -> Result<Field<'a>, Trouble> {
        match self {
            Profile::Cbor => cbor::field(array, name),
            Profile::Text { null, .. } => text::field(array, name, null.as_bytes()),
        }
    }

    fn row(&self, fields: &[Field<'_>], row: usize, out: &mut Rows) {
        match self {
            Profile::Cbor => {
                cbor::head(4, fields.len() as u64, out);
                fields.iter().for_each(|field| field(row, out));
            }
            Profile::Text { separator, .. } => {
                for (i, field) in fields.iter().enumerate() {
                    if i > 0 {
                        out.extend(separator.as_bytes());
                    }
                    field(row, out);
                }
            }
        }
    }
}

/// Returns the columns of a table, none of which has been checked.
pub fn columns_of(table: &ArrayData) -> Result<Vec<ArrayData>, Trouble> {
    if table.null_count() > 0 {
        return Err(Trouble::Value("a row of the table is null as a whole: drop such rows".into()));
    }
    let (begin, count) = (table.offset(), table.len());
    Ok(table.child_data().iter().map(|column| column.slice(begin, count)).collect())
}

/// Encodes the rows of a table and passes them to `part` as messages, at most `PART` at a time. A
/// row consists of the values of `columns` in that order, or of all columns. Only these columns are
/// checked.
pub fn each_part(
    table: &ArrayData,
    columns: Option<&[String]>,
    profile: &Profile,
    mut part: impl FnMut(&Column<'_, u64>) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let DataType::Struct(fields) = table.data_type() else {
        return Err(Trouble::Type(format!(
            "a table has columns; this is one column, of {}",
            table.data_type()
        )));
    };
    let all = columns_of(table)?;
    let place = |name: &String| {
        let mut found = (0..all.len()).filter(|&i| fields[i].name() == name);
        match (found.next(), found.next()) {
            (Some(i), None) => Ok(i),
            (None, _) => Err(Trouble::Key(name.clone())),
            _ => Err(Trouble::Value(format!("there are several columns {name:?}"))),
        }
    };
    let chosen: Vec<usize> = match columns {
        None => (0..all.len()).collect(),
        Some(names) => names.iter().map(place).collect::<Result<_, _>>()?,
    };
    let arrays: Vec<(ArrayRef, &str)> = chosen
        .into_iter()
        .map(|i| Ok((supported(&all[i], fields[i].name())?, fields[i].name().as_str())))
        .collect::<Result<_, Trouble>>()?;
    let fields: Vec<Field<'_>> =
        arrays.iter().map(|(array, name)| profile.field(array, name)).collect::<Result<_, _>>()?;
    if fields.is_empty() {
        return Err(Trouble::Value("a row has at least one column".into()));
    }
    let (mut rows, mut offsets) = (Rows::default(), Vec::with_capacity(PART + 1));
    for begin in (0..table.len()).step_by(PART) {
        rows.clear();
        offsets.clear();
        offsets.push(0);
        for row in begin..table.len().min(begin + PART) {
            profile.row(&fields, row, &mut rows);
            offsets.push(rows.len() as u64);
        }
        rows.trouble.take().map_or(Ok(()), Err)?;
        part(&Column::new(&rows.bytes, &offsets)?)?;
    }
    Ok(())
}

/// Returns the checked column, if a row can contain its values.
fn supported(column: &ArrayData, name: &str) -> Result<ArrayRef, Trouble> {
    match array_of(column) {
        Err(Trouble::Value(sentence)) => {
            Err(Trouble::Value(format!("column {name:?}: {sentence}")))
        }
        Err(Trouble::Type(_)) => {
            Err(unsupported(column.data_type(), name, "choose others, or cast it to a string"))
        }
        other => other,
    }
}
