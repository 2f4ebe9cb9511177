//! Prints the table and writes the record.

use crate::implementations::Subject;
use crate::measure::{Contender, Figure};
use crate::{MIB, Task, machine, targets};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use time::OffsetDateTime;

/// The figures of one task and algorithm.
pub struct Group {
    pub task: Task,
    pub algorithm: Subject,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
}

pub struct Column {
    pub name: &'static str,
    pub backend: &'static str,
    pub label: String,
    pub is_ours: bool,
}

pub struct Row {
    pub length: usize,
    pub figures: Vec<Figure>,
    /// Whether hashmill's target is met, if there is one.
    met: Option<bool>,
}

impl Group {
    pub fn new(task: Task, algorithm: Subject, contenders: &[Contender]) -> Self {
        let columns = contenders.iter().map(|contender| Column {
            name: contender.name,
            backend: contender.backend,
            label: contender.label(),
            is_ours: contender.is_ours(),
        });
        Group { task, algorithm, columns: columns.collect(), rows: Vec::new() }
    }

    pub fn print_head(&self) {
        println!("\n{}", self.task.title(self.algorithm));
        let mut line = format!("{:>8}", "bytes");
        for column in &self.columns {
            let width = column.width();
            write!(line, "  {:>width$}", column.label).expect("strings take all");
        }
        println!("{line}  target");
    }

    pub fn print_row(&mut self, length: usize, figures: Vec<Figure>) {
        let best_peer = self.best(&figures, &[]);
        let mut line = match length.is_multiple_of(MIB) {
            true => format!("{:>4} MiB", length / MIB),
            false => format!("{length:>8}"),
        };
        for (column, figure) in self.columns.iter().zip(&figures) {
            let width = column.width();
            let cell = match best_peer {
                Some(peer) if column.is_ours => {
                    format!("{:.3} ({:.2})", figure.best, figure.best / peer)
                }
                _ => format!("{:.3}", figure.best),
            };
            write!(line, "  {cell:>width$}").expect("strings take all");
        }
        let mut met = None;
        if let Some(target) = targets::find(self.task, self.algorithm, length)
            && let Some(peer) = self.best(&figures, target.peers)
            && let Some(ours) = self.columns.iter().position(|column| column.is_ours)
        {
            let ratio = figures[ours].best / peer;
            // Round to two places, as printed: further places are noise.
            let is_met = (ratio * 100.0).round() / 100.0 >= target.ratio;
            let word = if is_met { "met" } else { "missed" };
            let peers = match target.peers {
                [] => "best peer".to_owned(),
                [peer] => (*peer).to_owned(),
                peers => format!("best of {}", peers.join(", ")),
            };
            write!(line, "  {word}: {ratio:.2} of {:.2} × {peers}", target.ratio)
                .expect("strings take all");
            met = Some(is_met);
        }
        println!("{line}");
        self.rows.push(Row { length, figures, met });
    }

    /// Returns the best figure of these peers, or of all peers if none is named.
    fn best(&self, figures: &[Figure], peers: &[&str]) -> Option<f64> {
        self.columns
            .iter()
            .zip(figures)
            .filter(|(column, _)| {
                !column.is_ours && (peers.is_empty() || peers.contains(&column.name))
            })
            .map(|(_, figure)| figure.best)
            .max_by(f64::total_cmp)
    }
}

impl Column {
    fn width(&self) -> usize {
        let figure = if self.is_ours { "0.000 (0.00)" } else { "0.000" };
        self.label.len().max(figure.len())
    }
}

pub fn print_summary(groups: &[Group]) {
    let targets = || groups.iter().flat_map(|group| &group.rows).filter_map(|row| row.met);
    let met = targets().filter(|&met| met).count();
    println!("\n{met} of {} targets met", targets().count());
}

/// Adds the figures to the machine's record of today.
pub fn record(machine: &str, rounds: u32, groups: &[Group]) -> io::Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let date = OffsetDateTime::now_utc().date();
    let commit = machine::commit(root);
    let folder = root.join("record").join(machine);
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{date}.csv"));
    let mut file = File::options().append(true).create(true).open(&path)?;
    let mut text = String::new();
    if file.metadata()?.len() == 0 {
        text.push_str(
            "date,commit,task,algorithm,length,implementation,backend,GB/s,ratio to best peer,median GB/s,rounds\n",
        );
    }
    for group in groups {
        let (task, algorithm) = (group.task.name(), group.algorithm);
        for Row { length, figures, .. } in &group.rows {
            let best_peer = group.best(figures, &[]);
            for (Column { label, backend, .. }, Figure { best, median }) in
                group.columns.iter().zip(figures)
            {
                let ratio =
                    best_peer.map_or_else(String::new, |peer| format!("{:.3}", best / peer));
                writeln!(
                    text,
                    "{date},{commit},{task},{algorithm},{length},{label},{backend},{best:.4},{ratio},{median:.4},{rounds}"
                )
                .expect("strings take all");
            }
        }
    }
    file.write_all(text.as_bytes())?;
    Ok(path)
}
