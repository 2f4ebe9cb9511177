//! How the programs of `src/bin` measure.

use std::time::Instant;

/// Returns the least nanoseconds of each of `count` works, which take turns in `rounds` rounds. Before
/// its turn `prepare` is called, whose time does not count. A sample takes `sample` nanoseconds or one
/// call of `run`.
pub fn least(
    count: usize,
    (rounds, sample): (usize, f64),
    mut prepare: impl FnMut(usize),
    mut run: impl FnMut(usize),
) -> Vec<f64> {
    let (mut best, mut times) = (vec![f64::MAX; count], vec![1.0; count]);
    for round in 0..=rounds {
        for i in 0..count {
            prepare(i);
            let start = Instant::now();
            (0..times[i] as usize).for_each(|_| run(i));
            let time = start.elapsed().as_nanos() as f64 / times[i];
            match round {
                0 => times[i] = (sample / time).max(1.0).ceil(),
                _ => best[i] = best[i].min(time),
            }
        }
    }
    best
}
