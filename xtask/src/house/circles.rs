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

/// The files of one circle, and a small set of arrows whose removal would break it.
pub struct Circle<'a> {
    pub files: Vec<usize>,
    pub closing: Vec<&'a Arrow>,
}

/// The strongly connected components of more than one file.
pub fn circles(files: usize, arrows: &[Arrow]) -> Vec<Circle<'_>> {
    let reach: Vec<_> = (0..files).map(|file| reached(file, files, arrows)).collect();
    let mut circles = vec![];
    for (file, reached) in reach.iter().enumerate() {
        let members: Vec<_> = (0..files).filter(|&to| reached[to] && reach[to][file]).collect();
        // Every member finds the circle; only the first one adds it.
        if members.len() > 1 && members[0] == file {
            let closing = closing(&members, arrows);
            circles.push(Circle { files: members, closing });
        }
    }
    circles
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

/// Orders the files so that few arrows point back, and returns those that do. Finding the smallest
/// set is NP-hard. This is the greedy heuristic of Eades, Lin and Smyth (1993): a file that uses no
/// other one left goes to the end; if there is none, the file with the most outgoing arrows in
/// excess of its incoming ones comes next.
fn closing<'a>(members: &[usize], arrows: &'a [Arrow]) -> Vec<&'a Arrow> {
    let (mut left, mut order) = (members.to_vec(), vec![]);
    let mut last = vec![];
    while !left.is_empty() {
        let count = |file: usize, of: fn(&Arrow) -> [usize; 2]| {
            let ends = arrows.iter().map(of);
            ends.filter(|[this, other]| *this == file && left.contains(other)).count() as isize
        };
        let uses = |file| count(file, |arrow| [arrow.from, arrow.to]);
        let used = |file| count(file, |arrow| [arrow.to, arrow.from]);
        let bottom = left.iter().position(|&file| uses(file) == 0);
        let top = (0..left.len()).max_by_key(|&at| match used(left[at]) {
            0 => isize::MAX,
            used => uses(left[at]) - used,
        });
        match bottom {
            Some(at) => last.push(left.remove(at)),
            None => order.push(left.remove(top.unwrap_or(0))),
        }
    }
    order.extend(last.into_iter().rev());
    let place = |file| order.iter().position(|&other| other == file);
    let back = |arrow: &&Arrow| matches!((place(arrow.from), place(arrow.to)), (Some(from), Some(to)) if from > to);
    arrows.iter().filter(back).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(pairs: &[(usize, usize)]) -> Vec<Arrow> {
        let arrow = |&(from, to): &(usize, usize)| Arrow { from, to, line: 0, name: String::new() };
        pairs.iter().map(arrow).collect()
    }

    #[test]
    fn a_circle_and_what_closes_it() {
        let arrows = arrows(&[(0, 1), (1, 2), (2, 3), (0, 2), (3, 1), (4, 0), (3, 5)]);
        let found = circles(6, &arrows);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].files, [1, 2, 3]);
        assert_eq!(found[0].closing.len(), 1);
    }

    #[test]
    fn layers_have_none() {
        assert!(circles(4, &arrows(&[(0, 1), (1, 2), (0, 2), (2, 3), (0, 3)])).is_empty());
    }
}
