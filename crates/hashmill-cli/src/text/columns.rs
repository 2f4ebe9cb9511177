//! Formats tables for terminals.

/// Returns a table whose columns are aligned and separated by two blanks.
pub fn aligned(heading: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut all = vec![heading.iter().map(|&it| it.to_owned()).collect()];
    all.extend(rows);
    let width = |column: usize| all.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..heading.len()).filter_map(width).collect();
    let mut text = String::new();
    for row in &all {
        let line: String =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}  ")).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
