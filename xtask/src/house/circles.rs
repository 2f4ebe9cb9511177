//! Circles between files: groups in which every file uses every other, directly or through others.

/// One file uses another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    pub line: usize,
    /// The path from the crate's root.
    pub name: String,
}

/// The strongly connected components of more than one file.
pub fn circles(files: usize, arrows: &[Arrow]) -> Vec<Vec<usize>> {
    let reach: Vec<_> = (0..files).map(|file| reached(file, files, arrows)).collect();
    let members = |file: usize| -> Vec<usize> {
        (0..files).filter(|&to| reach[file][to] && reach[to][file]).collect()
    };
    // Every member finds the circle; only the first one adds it.
    let found = (0..files).map(|file| (file, members(file)));
    found.filter(|(file, it)| it.len() > 1 && it[0] == *file).map(|(_, it)| it).collect()
}

/// For each file, whether a path of arrows leads to it.
fn reached(from: usize, files: usize, arrows: &[Arrow]) -> Vec<bool> {
    let (mut reached, mut next) = (vec![false; files], vec![from]);
    while let Some(file) = next.pop() {
        for arrow in arrows.iter().filter(|arrow| arrow.from == file) {
            if !std::mem::replace(&mut reached[arrow.to], true) {
                next.push(arrow.to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(pairs: &[(usize, usize)]) -> Vec<Arrow> {
        let arrow = |&(from, to): &(usize, usize)| Arrow { from, to, line: 0, name: String::new() };
        pairs.iter().map(arrow).collect()
    }

    #[test]
    fn a_circle_is_found_once() {
        let arrows = arrows(&[(0, 1), (1, 2), (2, 3), (0, 2), (3, 1), (4, 0), (3, 5)]);
        assert_eq!(circles(6, &arrows), [[1, 2, 3]]);
    }

    #[test]
    fn layers_have_none() {
        assert!(circles(4, &arrows(&[(0, 1), (1, 2), (0, 2), (2, 3), (0, 3)])).is_empty());
    }
}
