//! Lists of wrong lines: `faults/faults.txt` and `prove/planted.txt`. Blank lines are between them, and
//! `#` begins a comment.

/// A wrong line, or several.
pub struct Diff {
    /// What is before the colon of the first line.
    pub place: &'static str,
    pub what: &'static str,
    /// The text to replace, which occurs exactly once in its file.
    pub text: String,
    pub instead: String,
    /// What must notice it: the lines with `=`.
    pub by: Vec<&'static str>,
}

impl Diff {
    pub fn list(text: &'static str) -> impl Iterator<Item = Diff> {
        let diffs = text.trim_end().split("\n\n").filter(|it| !it.starts_with('#'));
        diffs.map(|diff| {
            let lines = |mark| {
                let lines = diff.lines().filter_map(move |line| line.strip_prefix(mark));
                lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>()
            };
            let (place, what) =
                diff.lines().next().unwrap_or_default().split_once(": ").expect(diff);
            let (text, instead) = (lines('-').join("\n"), lines('+').join("\n"));
            Diff { place, what, text, instead, by: lines('=') }
        })
    }

    /// Replaces it in the text of its file, or says how often it is there instead of once.
    pub fn plant(&self, text: &str) -> Result<String, String> {
        match text.matches(&self.text).count() {
            1 => Ok(text.replace(&self.text, &self.instead)),
            count => Err(format!("{}: {:?} is there {count} times", self.place, self.text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_planted_once() {
        let list = "# A comment.\n\na.rs: what\n-  b\n-\n- c\n+ d\n= e\n= f\n";
        let diff = Diff::list(list).next().expect("a diff");
        assert_eq!((diff.place, diff.what, &*diff.by), ("a.rs", "what", &["e", "f"][..]));
        assert_eq!(diff.plant("a b\n\nc.").as_deref(), Ok("ad."));
        assert!(diff.plant("").is_err() && diff.plant(" b\n\nc b\n\nc").is_err());
    }
}
