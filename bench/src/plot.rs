//! Draws the figures as curves, one panel per group.

use crate::report::Group;
use crate::{KIB, MIB};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;
use std::fs;
use std::path::Path;

const COLUMNS: usize = 3;
const PANEL: (u32, u32) = (580, 340);
const LEGEND: i32 = 150;
const HEAD: u32 = 50;

/// Colours of the peers. A peer has one colour in all panels, and hashmill is drawn in the opposite
/// of the background.
const COLOURS: &[RGBColor] = &[
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(170, 170, 0),
    RGBColor(150, 118, 84),
];

struct Panel {
    title: String,
    lines: Vec<Line>,
}

struct Line {
    label: String,
    is_ours: bool,
    /// Message lengths in bytes and speeds in GB/s.
    points: Vec<(f64, f64)>,
}

#[derive(Clone, Copy)]
struct Theme {
    name: &'static str,
    paper: RGBColor,
    ink: RGBColor,
}

const LIGHT: Theme = Theme { name: "light", paper: WHITE, ink: BLACK };
const DARK: Theme =
    Theme { name: "dark", paper: RGBColor(13, 17, 23), ink: RGBColor(230, 237, 243) };

pub fn draw(file: &Path, machine: &str, groups: &[Group]) -> Result<(), Box<dyn Error>> {
    let panels: Vec<Panel> = groups.iter().map(Panel::of_group).collect();
    picture(file, &format!("GB/s over the message's length, {machine}"), &panels, LIGHT)
}

/// Draws the README's pictures from the last figures in a record, for one message and for many, on
/// a light and on a dark background, in the folder `pictures`.
pub fn pictures(record: &Path) -> Result<(), Box<dyn Error>> {
    const ALGORITHMS: &[&str] = &["SHA-256", "SHA-512", "SHA3-256", "BLAKE2b", "BLAKE2s", "KT128"];
    let text = fs::read_to_string(record)?;
    let machine = record.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures");
    fs::create_dir_all(&folder)?;
    for (task, what) in [("one", "one message"), ("many", "many messages, 1 MiB in all")] {
        let panels: Vec<Panel> =
            ALGORITHMS.iter().map(|name| Panel::of_record(&text, task, name)).collect();
        if panels.iter().all(|panel| panel.lines.is_empty()) {
            return Err(format!("{} has no figures of the task {task}", record.display()).into());
        }
        for theme in [LIGHT, DARK] {
            let file = folder.join(format!("{task}-{}.svg", theme.name));
            let title = format!(
                "{what}: GB/s on one thread over the message's length in bytes ({machine})"
            );
            picture(&file, &title, &panels, theme)?;
            println!("drawn in {}", file.display());
        }
    }
    Ok(())
}

impl Panel {
    fn of_group(group: &Group) -> Panel {
        let points =
            |i: usize| group.rows.iter().map(move |row| (row.length as f64, row.figures[i].best));
        let line = |(i, column): (usize, &crate::report::Column)| Line {
            label: column.label.clone(),
            is_ours: column.is_ours,
            points: points(i).collect(),
        };
        let lines = group.columns.iter().enumerate().map(line).collect();
        Panel { title: group.task.title(group.algorithm), lines }
    }

    /// The record's columns: date, commit, task, algorithm, length, implementation, backend, GB/s …
    fn of_record(text: &str, task: &str, algorithm: &str) -> Panel {
        let mut lines: Vec<Line> = Vec::new();
        for row in text.lines() {
            let fields: Vec<&str> = row.split(',').collect();
            let &[_, _, its_task, its_algorithm, length, label, _, figure, ..] = &fields[..] else {
                continue;
            };
            let (Ok(length), Ok(figure)) = (length.parse::<f64>(), figure.parse::<f64>()) else {
                continue;
            };
            // Figures of hashmill with a forced backend are not drawn.
            if (its_task, its_algorithm) != (task, algorithm) || label.starts_with("hashmill:") {
                continue;
            }
            let line = match lines.iter().position(|line| line.label == label) {
                Some(line) => &mut lines[line],
                None => {
                    let is_ours = label == crate::implementations::OURS;
                    lines.push(Line { label: label.to_owned(), is_ours, points: Vec::new() });
                    lines.last_mut().expect("it was pushed")
                }
            };
            // A later run replaces an earlier one.
            line.points.retain(|&(at, _)| at != length);
            line.points.push((length, figure));
        }
        lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
        Panel { title: algorithm.to_owned(), lines }
    }
}

fn picture(file: &Path, title: &str, panels: &[Panel], theme: Theme) -> Result<(), Box<dyn Error>> {
    let columns = panels.len().clamp(1, COLUMNS);
    let rows = panels.len().div_ceil(columns).max(1);
    let size = (PANEL.0 * columns as u32, PANEL.1 * rows as u32 + HEAD);
    let root = SVGBackend::new(file, size).into_drawing_area();
    root.fill(&theme.paper)?;
    let root = root.titled(title, ("sans-serif", 24).into_font().color(&theme.ink))?;
    let mut names: Vec<&str> = Vec::new();
    for line in panels.iter().flat_map(|panel| &panel.lines).filter(|line| !line.is_ours) {
        if !names.contains(&line.label.as_str()) {
            names.push(&line.label);
        }
    }
    for (panel, area) in panels.iter().zip(root.split_evenly((rows, columns))) {
        panel.draw(&names, &area, theme)?;
    }
    root.present()?;
    Ok(())
}

impl Panel {
    fn draw(
        &self,
        names: &[&str],
        area: &DrawingArea<SVGBackend<'_>, Shift>,
        theme: Theme,
    ) -> Result<(), Box<dyn Error>> {
        let mut lengths: Vec<f64> =
            self.lines.iter().flat_map(|line| &line.points).map(|point| point.0).collect();
        lengths.sort_by(f64::total_cmp);
        lengths.dedup();
        let (Some(&first), Some(&last)) = (lengths.first(), lengths.last()) else { return Ok(()) };
        let best = self.lines.iter().flat_map(|line| &line.points).map(|point| point.1);
        let top = best.fold(0.0, f64::max);
        let text = |size: i32| ("sans-serif", size).into_font().color(&theme.ink);
        // Labels that would overlap are left out.
        let mut written: Vec<f64> = Vec::new();
        for &length in &lengths {
            if written.last().is_none_or(|last| length >= 2.0 * last) {
                written.push(length);
            }
        }
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .margin_right(LEGEND)
            .caption(&self.title, text(18))
            .x_label_area_size(28)
            .y_label_area_size(40)
            .build_cartesian_2d(
                (first / 1.2..last * 1.2).log_scale().with_key_points(written),
                0.0..top * 1.1,
            )?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(theme.ink.mix(0.15))
            .axis_style(theme.ink)
            .label_style(text(12))
            .x_label_formatter(&|length| match *length as usize {
                length if length >= MIB => format!("{} MiB", length / MIB),
                length if length >= KIB => format!("{} KiB", length / KIB),
                length => length.to_string(),
            })
            .draw()?;
        let legend = area.dim_in_pixel().0 as i32 - LEGEND + 12;
        // hashmill comes first in the legend and is drawn last, above the other curves.
        let ours = self.lines.iter().filter(|line| line.is_ours).count();
        let mut shade = 0.0;
        for (i, line) in self.lines.iter().enumerate().rev() {
            let style = if line.is_ours {
                shade += 1.0 / ours as f64;
                theme.ink.mix(shade).stroke_width(3)
            } else {
                let colour = names.iter().position(|&name| name == line.label).unwrap_or_default();
                COLOURS[colour % COLOURS.len()].stroke_width(2)
            };
            chart.draw_series(LineSeries::new(line.points.iter().copied(), style))?;
            let points = line.points.iter().map(|&point| Circle::new(point, 3, style.filled()));
            chart.draw_series(points)?;
            let y = 60 + 18 * i as i32;
            area.draw(&PathElement::new([(legend, y), (legend + 16, y)], style))?;
            area.draw(&Text::new(line.label.as_str(), (legend + 20, y - 6), text(14)))?;
        }
        Ok(())
    }
}
