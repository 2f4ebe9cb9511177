//! The faults of `planted.txt`.

/// A wrong line in a kernel.
pub struct Planted {
    pub round: usize,
    /// Path below `crates/hashmill/src`.
    pub file: &'static str,
    pub what: &'static str,
    /// The text to replace, which occurs exactly once in the file.
    pub text: String,
    pub instead: String,
    /// The kernels whose proofs must fail.
    pub kernels: Vec<&'static str>,
}

/// What some faults call. It reads an address as a number, through memory, so that the optimiser
/// does not see it. The planted copy of `backend.rs` ends with it.
pub const HELPER: &str = r"
#[inline(always)]
pub(crate) fn number_of<T>(place: *const T) -> u64 {
    let mut kept = place;
    core::hint::black_box(&mut kept);
    unsafe { (&raw const kept).cast::<u64>().read() }
}
";

/// All of them, in their order.
pub fn planted() -> Result<Vec<Planted>, String> {
    let faults = include_str!("planted.txt").split("\n\n").filter(|it| !it.starts_with('#'));
    faults.map(|it| fault(it).ok_or_else(|| format!("planted.txt: {it}"))).collect()
}

fn fault(fault: &'static str) -> Option<Planted> {
    let lines = |mark| {
        let lines = fault.lines().filter_map(move |line| line.strip_prefix(mark));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>()
    };
    let (place, what) = fault.lines().next()?.split_once(": ")?;
    let (round, file) = place.split_once(' ')?;
    let (text, instead) = (lines('-').join("\n"), lines('+').join("\n"));
    Some(Planted { round: round.parse().ok()?, file, what, text, instead, kernels: lines('=') })
}
