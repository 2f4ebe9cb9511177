//! The format of hashdeep and related programs of the package md5deep:
//!
//! ```text
//! %%%% HASHDEEP-1.0
//! %%%% size,md5,sha256,filename
//! ## Invoked from: /home
//! ##
//! 1,0cc175b9c0f1b6a831c399e269772661,ca978112ca1b...,/home/f
//! ```

use crate::lists::entry::{Entry, Records};
use crate::lists::expected::Meaning;
use crate::lists::syntax::{Context, Syntax};
use crate::text::line::is_comment;

#[derive(Default)]
pub struct Hashdeep {
    columns: Vec<String>,
}

impl Hashdeep {
    fn entry(&self, line: &[u8], meaning: &Meaning) -> Option<Entry> {
        let fields: Vec<&[u8]> = line.splitn(self.columns.len(), |&byte| byte == b',').collect();
        if fields.len() != self.columns.len() {
            return None;
        }
        let mut fields = self.columns.iter().map(|it| &**it).zip(fields);
        let field = |name| fields.clone().find(|it| it.0 == name).map(|it| it.1);
        let (size, name) = (field("size"), field("filename")?);
        // Sizes, names, tiger and whirlpool are columns of no algorithm of this program.
        let entry = Entry::new(name.to_vec(), meaning.all(&mut fields)?);
        if let Some(size) = size { entry.sized(size) } else { Some(entry) }
    }
}

impl Syntax for Hashdeep {
    fn line(&mut self, line: &[u8], context: &Context) -> Records {
        let columns = line.strip_prefix(b"%%%% ");
        if let Some(columns) = columns.filter(|it| it.contains(&b',')) {
            let columns = String::from_utf8_lossy(columns);
            self.columns = columns.split(',').map(|it| it.trim().to_owned()).collect();
        }
        let is_record = columns.is_none() && !is_comment(line);
        is_record.then(|| self.entry(line, &context.meaning)).into_iter().collect()
    }
}
