//! Numbers with nouns.

/// Returns a number and what is counted, in the singular or in the plural: `1 file`, `2 files`.
pub fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
