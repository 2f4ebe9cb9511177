//! The parts of a record that describe the machine and the commit.

use std::path::Path;
use std::process::Command;

/// Returns the CPU's model, its microarchitecture and its instruction sets that matter here, as in
/// `amd-epyc-zen-4-x86-64-avx512-sha`.
pub fn name() -> String {
    const NOISE: &[&str] = &["r", "tm", "cpu", "processor", "with"];
    let model = model().to_lowercase();
    // Models look like "… CPU @ 2.60GHz" and "… 8-Core Processor".
    let model = model.split('@').next().unwrap_or_default();
    let mut words: Vec<&str> = model
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty() && !NOISE.contains(word))
        .collect();
    let (microarchitecture, arch) = (microarchitecture(), std::env::consts::ARCH.replace('_', "-"));
    words.extend([&*microarchitecture, &arch].into_iter().filter(|word| !word.is_empty()));
    words.extend(features());
    words.join("-")
}

fn model() -> String {
    cpuinfo("model name").unwrap_or_else(|| {
        output(Path::new("/"), "sysctl", &["-n", "machdep.cpu.brand_string"]).unwrap_or_default()
    })
}

/// Returns the microarchitecture by its family and model (the Linux kernel's `intel-family.h` and
/// `cpu/amd.c`), or both numbers if it is not listed here, or nothing where there are none.
fn microarchitecture() -> String {
    let number = |name| cpuinfo(name).and_then(|number| number.parse::<u32>().ok());
    let (Some(family), Some(model)) = (number("cpu family"), number("model")) else {
        return String::new();
    };
    let amd = cpuinfo("vendor_id").is_some_and(|vendor| vendor == "AuthenticAMD");
    let name = match (amd, family, model) {
        (true, 0x19, 0x00..=0x0F | 0x20..=0x5F) => "zen-3",
        (true, 0x19, 0x10..=0x1F | 0x60..=0x7F | 0xA0..=0xAF) => "zen-4",
        (true, 0x1A, _) => "zen-5",
        (false, 6, 106 | 108) => "ice-lake",
        (false, 6, 143) => "sapphire-rapids",
        (false, 6, 207) => "emerald-rapids",
        (false, 6, 173 | 174) => "granite-rapids",
        _ => return format!("family-{family}-model-{model}"),
    };
    name.to_owned()
}

/// Returns what Linux says of the first CPU under that name.
fn cpuinfo(name: &str) -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
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
