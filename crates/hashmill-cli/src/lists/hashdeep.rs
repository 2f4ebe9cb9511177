//! The format of hashdeep and related programs of the package md5deep:
//!
//! ```text
//! %%%% HASHDEEP-1.0
//! %%%% size,md5,sha256,filename
//! ## Invoked from: /home
//! ##
//! 1,0cc175b9c0f1b6a831c399e269772661,ca978112ca1b...,/home/f
//! ```

use crate::hashing::recipe::Recipe;
use crate::lists::entry::{Entry, Parsed};
use crate::lists::expected::Meaning;
use crate::lists::syntax::{Context, Syntax};

#[derive(Default)]
pub struct Hashdeep {
    columns: Vec<String>,
}

impl Hashdeep {
    pub fn is(start: &[u8]) -> bool {
        start.starts_with(b"%%%% HASHDEEP-")
    }

    fn entry(&self, line: &[u8], meaning: &Meaning) -> Option<Entry> {
        let fields: Vec<&[u8]> = line.splitn(self.columns.len(), |&byte| byte == b',').collect();
        if fields.len() != self.columns.len() {
            return None;
        }
        let (mut size, mut name, mut claims) = (None, None, Vec::new());
        for (column, field) in self.columns.iter().zip(fields) {
            match &**column {
                "size" => size = Some(str::from_utf8(field).ok()?.parse().ok()?),
                "filename" => name = Some(field.to_vec()),
                // Columns of algorithms that this program does not have, such as tiger and
                // whirlpool, are ignored.
                algorithm if algorithm.parse::<Recipe>().is_err() => {}
                algorithm => claims.push(vec![meaning.tagged(algorithm, field)?]),
            }
        }
        let name = name.filter(|_| !claims.is_empty())?;
        Some(Entry::new(name, claims).with_size(size))
    }
}

impl Syntax for Hashdeep {
    fn line(&mut self, line: &[u8], context: &Context) -> Parsed {
        if let Some(columns) = line.strip_prefix(b"%%%% ") {
            let columns = String::from_utf8_lossy(columns);
            if columns.contains(',') {
                self.columns = columns.split(',').map(|it| it.trim().to_owned()).collect();
            }
            return Parsed::Comment;
        }
        if line.is_empty() || line.starts_with(b"#") {
            return Parsed::Comment;
        }
        self.entry(line, &context.meaning).into()
    }
}
