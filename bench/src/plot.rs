//! The figures as curves, one panel a group.

use crate::report::Group;
use crate::{KIB, MIB};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

const COLUMNS: usize = 3;
const PANEL: (u32, u32) = (580, 340);
const LEGEND: i32 = 150;
const HEAD: u32 = 50;

/// Ours is black; an implementation keeps its colour in all panels.
const COLOURS: &[RGBColor] = &[
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(170, 170, 0),
    RGBColor(120, 94, 60),
];

pub fn draw(file: &Path, machine: &str, groups: &[Group]) -> Result<(), Box<dyn Error>> {
    let columns = groups.len().clamp(1, COLUMNS);
    let rows = groups.len().div_ceil(columns).max(1);
    let size = (PANEL.0 * columns as u32, PANEL.1 * rows as u32 + HEAD);
    let root = SVGBackend::new(file, size).into_drawing_area();
    root.fill(&WHITE)?;
    let root =
        root.titled(&format!("GB/s over the message's length, {machine}"), ("sans-serif", 24))?;
    let mut names: Vec<&str> = Vec::new();
    for column in groups.iter().flat_map(|group| &group.columns).filter(|column| !column.is_ours) {
        if !names.contains(&column.name) {
            names.push(column.name);
        }
    }
    for (group, area) in groups.iter().zip(root.split_evenly((rows, columns))) {
        panel(group, &names, &area)?;
    }
    root.present()?;
    Ok(())
}

fn panel(
    group: &Group,
    names: &[&str],
    area: &DrawingArea<SVGBackend<'_>, Shift>,
) -> Result<(), Box<dyn Error>> {
    let lengths: Vec<f64> = group.rows.iter().map(|row| row.length as f64).collect();
    let (Some(&first), Some(&last)) = (lengths.first(), lengths.last()) else { return Ok(()) };
    let best = group.rows.iter().flat_map(|row| &row.figures).map(|figure| figure.best);
    let top = best.fold(0.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .margin_right(LEGEND)
        .caption(group.task.title(group.algorithm), ("sans-serif", 18))
        .x_label_area_size(28)
        .y_label_area_size(40)
        .build_cartesian_2d(
            (first / 1.2..last * 1.2).log_scale().with_key_points(lengths.clone()),
            0.0..top * 1.1,
        )?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|length| match *length as usize {
            length if length >= MIB => format!("{} MiB", length / MIB),
            length if length >= KIB => format!("{} KiB", length / KIB),
            length => length.to_string(),
        })
        .draw()?;
    let legend = area.dim_in_pixel().0 as i32 - LEGEND + 12;
    // Ours comes first in the legend, and is drawn last, on top.
    let mut shade = 0.0;
    for (i, column) in group.columns.iter().enumerate().rev() {
        let style = if column.is_ours {
            let ours = group.columns.iter().filter(|column| column.is_ours).count();
            shade += 1.0 / ours as f64;
            BLACK.mix(shade).stroke_width(3)
        } else {
            let colour = names.iter().position(|&name| name == column.name).unwrap_or_default();
            COLOURS[colour % COLOURS.len()].stroke_width(2)
        };
        let points = || group.rows.iter().map(|row| (row.length as f64, row.figures[i].best));
        chart.draw_series(LineSeries::new(points(), style))?;
        chart.draw_series(points().map(|point| Circle::new(point, 3, style.filled())))?;
        let y = 60 + 18 * i as i32;
        area.draw(&PathElement::new([(legend, y), (legend + 16, y)], style))?;
        area.draw(&Text::new(column.label.as_str(), (legend + 20, y - 6), ("sans-serif", 14)))?;
    }
    Ok(())
}
