//! Tells the package's code for which interpreter it is compiled.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
