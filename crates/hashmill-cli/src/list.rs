//! `hashmill list`: the algorithms, and what each runs on.

use crate::console::{Console, Failure};
use crate::digest::Algorithm;
use clap::ArgMatches;

pub fn run(console: &mut Console, matches: &ArgMatches) -> Result<bool, Failure> {
    let rows = if matches.get_flag("backends") { backends() } else { algorithms() };
    console.print(aligned(&rows)).map(|()| true)
}

fn algorithms() -> Vec<Vec<String>> {
    let heading = ["NAME", "TAG", "OUTPUT BITS", "BLOCK BITS", "STANDARD", "INTERFACES"];
    let rows = Algorithm::all().map(|algorithm| {
        let bits = 8 * algorithm.output_len();
        let interfaces = match algorithm {
            Algorithm::Ours(ours) if ours.is_xof() => "one many stream state xof",
            Algorithm::Ours(_) => "one many stream state hmac",
            Algorithm::Other(_) => "stream",
        };
        vec![
            algorithm.name().to_owned(),
            algorithm.tag().to_owned(),
            if algorithm.is_xof() { format!("any, {bits}") } else { bits.to_string() },
            (8 * algorithm.block_len()).to_string(),
            algorithm.standard().to_owned(),
            interfaces.to_owned(),
        ]
    });
    std::iter::once(heading.map(str::to_owned).to_vec()).chain(rows).collect()
}

fn backends() -> Vec<Vec<String>> {
    let heading = ["NAME", "BACKEND", "LANES", "THIS CPU", "ONE MESSAGE", "MANY"];
    let rows = hashmill::Algorithm::ALL.iter().flat_map(|algorithm| {
        algorithm.backends().map(|backend| {
            let chosen = |chosen: bool| if chosen { "used" } else { "" };
            vec![
                algorithm.name().to_owned(),
                backend.name.to_owned(),
                backend.lanes.to_string(),
                if backend.available { "yes" } else { "no" }.to_owned(),
                chosen(backend.one).to_owned(),
                chosen(backend.many).to_owned(),
            ]
        })
    });
    std::iter::once(heading.map(str::to_owned).to_vec()).chain(rows).collect()
}

/// Columns two blanks apart.
fn aligned(rows: &[Vec<String>]) -> String {
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let line: String =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}  ")).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
