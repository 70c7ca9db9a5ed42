//! What a build cost: the ten costliest units, from the report that cargo writes with `--timings`.

use crate::python::target;
use std::fs;
use std::time::Duration;

/// How many units are named.
const SHOWN: usize = 10;

/// One line: the seconds of a build, and its costliest units. Other jobs on the machine count, too.
pub(crate) fn line(seconds: Duration) -> String {
    let report = fs::read_to_string(target().join("cargo-timings/cargo-timing.html"));
    let costliest = costliest(&report.unwrap_or_default());
    let total = format!("built in {:.0} s", seconds.as_secs_f64());
    match costliest.is_empty() {
        true => format!("{total}; nothing was compiled"),
        false => format!("{total}; costliest units: {}", costliest.join(", ")),
    }
}

/// The units of a report with their seconds, the costliest first.
fn costliest(report: &str) -> Vec<String> {
    let data = report.split("const UNIT_DATA = [").nth(1).unwrap_or_default();
    let data = data.split("\n];").next().unwrap_or_default();
    let mut units: Vec<(f64, String)> = data.split("\n  }").filter_map(unit).collect();
    units.sort_by(|a, b| b.0.total_cmp(&a.0));
    units.truncate(SHOWN);
    units.iter().map(|(seconds, name)| format!("{name} {seconds:.0} s")).collect()
}

fn unit(text: &str) -> Option<(f64, String)> {
    let value = |key: &str| {
        let rest = text.split(&format!("\"{key}\": ")).nth(1)?;
        rest.lines().next().map(|line| line.trim_end_matches(','))
    };
    let name = value("name")?.trim_matches('"');
    // ` linkshift "lib"`, ` laws "test"`; a library needs no addition.
    let what = value("target").unwrap_or_default().replace("\\\"", "");
    let what = what.trim_matches('"').split_whitespace().collect::<Vec<_>>().join(" ");
    let name = if what.is_empty() { name.to_owned() } else { format!("{name} ({what})") };
    Some((value("duration")?.parse().ok()?, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_costliest_units_come_first() {
        let report = "const UNIT_DATA = [\n  {\n    \"name\": \"a\",\n    \"target\": \"\",\n    \
            \"duration\": 2.4,\n  },\n  {\n    \"name\": \"b\",\n    \"target\": \" laws \\\"test\\\"\",\n    \
            \"duration\": 11\n  }\n];\nconst OTHER = [\n  {\n  }\n];";
        assert_eq!(costliest(report), ["b (laws test) 11 s", "a 2 s"]);
        assert!(costliest("<html>").is_empty());
    }
}
