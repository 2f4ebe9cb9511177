//! hashmill's functions for DataFusion.
//!
//! DataFusion takes functions of other libraries as structs of function pointers, which
//! `datafusion-ffi` makes. Both sides must have the same major version of DataFusion.

mod function;

use datafusion_expr::ScalarUDF;
use datafusion_ffi::udf::FFI_ScalarUDF;
use function::Hashing;
use hashmill_arrow::{Asked, names};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// A scalar function, which `datafusion.udf` accepts.
#[pyclass(frozen, module = "hashmill_datafusion._native")]
struct Function(Arc<ScalarUDF>);

#[pymethods]
impl Function {
    /// A function of one column or, if `rows` is true, of any number of columns, whose rows it hashes.
    /// `text` has the separator and the token for null of rows that are encoded as text.
    #[new]
    #[pyo3(signature = (name, algorithm, *, key, output, length, threads, rows, text))]
    #[allow(clippy::too_many_arguments, reason = "Python's keywords")]
    fn new(
        name: String,
        algorithm: &str,
        key: Option<&[u8]>,
        output: &str,
        length: Option<usize>,
        threads: usize,
        rows: bool,
        text: Option<(String, String)>,
    ) -> PyResult<Self> {
        let asked = Asked::parse(algorithm, key, output, length, threads)?;
        let hashing = Hashing::new(name, asked, rows.then(|| text.into()));
        Ok(Function(Arc::new(hashing.into())))
    }

    /// Return the function as a capsule, by DataFusion's protocol.
    #[pyo3(signature = ())]
    fn __datafusion_scalar_udf__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let function = FFI_ScalarUDF::from(self.0.clone());
        PyCapsule::new_with_value(py, function, c"datafusion_scalar_udf")
    }
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("ALGORITHMS", names::all().collect::<Vec<_>>())?;
    module.add("DATAFUSION", datafusion_ffi::version())?;
    module.add_class::<Function>()
}
