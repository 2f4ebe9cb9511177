//! The parts of a record that describe the machine and the commit.

use std::path::Path;
use std::process::Command;

/// Returns the CPU's model and its instruction sets that matter here, as in
/// `intel-xeon-x86-64-avx512-sha`.
pub fn name() -> String {
    const NOISE: &[&str] = &["r", "tm", "cpu", "processor", "with"];
    let model = model().to_lowercase();
    // Models look like "… CPU @ 2.60GHz" and "… 8-Core Processor".
    let model = model.split('@').next().unwrap_or_default();
    let mut words: Vec<&str> = model
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty() && !NOISE.contains(word))
        .collect();
    let arch = std::env::consts::ARCH.replace('_', "-");
    words.push(&arch);
    words.extend(features());
    words.join("-")
}

fn model() -> String {
    if let Ok(text) = std::fs::read_to_string("/proc/cpuinfo") {
        let line = text.lines().find_map(|line| line.strip_prefix("model name"));
        return line.unwrap_or_default().to_owned();
    }
    output(Path::new("/"), "sysctl", &["-n", "machdep.cpu.brand_string"]).unwrap_or_default()
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    use std::arch::is_x86_feature_detected as has;
    let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512vl");
    let vector = if avx512 { Some("avx512") } else { has!("avx2").then_some("avx2") };
    [vector, has!("sha").then_some("sha"), has!("sha512").then_some("sha512")]
        .into_iter()
        .flatten()
        .collect()
}

#[cfg(target_arch = "aarch64")]
fn features() -> Vec<&'static str> {
    use std::arch::is_aarch64_feature_detected as has;
    [has!("sha2").then_some("sha2"), has!("sha3").then_some("sha3")].into_iter().flatten().collect()
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> Vec<&'static str> {
    Vec::new()
}

/// The commit that is measured; with a `+` if the library differs from it.
pub fn commit(bench: &Path) -> String {
    let Some(commit) = output(bench, "git", &["rev-parse", "--short", "HEAD"]) else {
        return "unknown".to_owned();
    };
    let changes = output(bench, "git", &["status", "--porcelain", "--", "../crates/hashmill/src"]);
    let mark = if changes.is_some_and(|changes| !changes.is_empty()) { "+" } else { "" };
    commit + mark
}

fn output(folder: &Path, program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(folder).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
