//! A scalar function of DataFusion that hashes a column or rows.

use arrow_array::cast::AsArray;
use arrow_array::types::{BinaryViewType, StringViewType};
use arrow_array::{Array, ArrayRef, BinaryArray, LargeBinaryArray, StructArray, new_empty_array};
use arrow_schema::{DataType, Field, FieldRef};
use datafusion_common::{Result, exec_datafusion_err, internal_err};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};
use hashmill_arrow::{Asked, Profile, Trouble};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

pub struct Hashing {
    name: String,
    asked: Asked,
    /// The encoding of rows, if the function hashes rows.
    rows: Option<Profile>,
    signature: Signature,
}

impl Hashing {
    pub fn new(name: String, asked: Asked, rows: Option<Profile>) -> Self {
        let signature = match rows {
            None => Signature::any(1, Volatility::Immutable),
            Some(_) => Signature::variadic_any(Volatility::Immutable),
        };
        Hashing { name, asked, rows, signature }
    }

    fn kind(&self) -> DataType {
        if self.asked.form.hex { DataType::Utf8View } else { DataType::BinaryView }
    }

    fn hash(&self, fields: &[FieldRef], columns: Vec<ArrayRef>) -> Result<ArrayRef, Trouble> {
        let mut output = self.asked.output();
        match (&self.rows, &*columns) {
            (None, [column]) => output.values(&bytes(column).to_data())?,
            (None, _) => {
                return Err(Trouble::Type(format!("there are {} columns, not one", columns.len())));
            }
            (Some(_), []) => return Err(Trouble::Type("a row has at least one column".into())),
            (Some(profile), _) => {
                let table = StructArray::try_new(fields.into(), columns, None)?;
                output.rows(&table.to_data(), None, profile)?;
            }
        }
        Ok(match self.asked.form.hex {
            true => output.finish_views::<StringViewType>(),
            false => output.finish_views::<BinaryViewType>(),
        })
    }

    /// Calls [`Hashing::hash`], whose panics must not reach the functions that DataFusion calls.
    fn run(&self, fields: &[FieldRef], columns: Vec<ArrayRef>) -> Result<ArrayRef> {
        match catch_unwind(AssertUnwindSafe(|| self.hash(fields, columns))) {
            Ok(hashed) => {
                hashed.map_err(|trouble| exec_datafusion_err!("{}: {trouble}", self.name))
            }
            Err(_) => internal_err!("hashmill has panicked, which is a mistake in it"),
        }
    }
}

/// Returns a column of text as bytes, and another as it is. DataFusion has checked that text is
/// UTF-8.
fn bytes(column: &ArrayRef) -> ArrayRef {
    match column.data_type() {
        DataType::Utf8 => Arc::new(BinaryArray::from(column.as_string().clone())),
        DataType::LargeUtf8 => Arc::new(LargeBinaryArray::from(column.as_string().clone())),
        DataType::Utf8View => Arc::new(column.as_string_view().clone().to_binary_view()),
        _ => column.clone(),
    }
}

impl ScalarUDFImpl for Hashing {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Returns the type of the digests, or the error that columns of these types would cause: plans
    /// are made before rows are read.
    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let field = |kind: &DataType| Arc::new(Field::new("", kind.clone(), true));
        let fields: Vec<FieldRef> = types.iter().map(field).collect();
        self.run(&fields, types.iter().map(new_empty_array).collect())?;
        Ok(self.kind())
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let columns = ColumnarValue::values_to_arrays(&args.args)?;
        self.run(&args.arg_fields, columns).map(ColumnarValue::Array)
    }
}

/// Plans and logs show this, so it does not contain the key.
impl fmt::Debug for Hashing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hashing").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Functions of one name may have different keys, so a function is equal only to itself.
impl PartialEq for Hashing {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Hashing {}

impl Hash for Hashing {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.name.hash(hasher);
    }
}
