//! `cargo xtask abi`: what programs that were compiled with hashmill.h depend on,
//! `crates/hashmill-c/abi.txt`, against the header and the shared library.

use crate::install;
use crate::prelude::*;

/// Every exported name with its version, every declaration and number, and how structures are laid
/// out where pointers have 64 bits. A line that goes or changes breaks programs; one that comes
/// does not.
const RECORDED: &str = "crates/hashmill-c/abi.txt";
const HEADER: &str = "crates/hashmill-c/include/hashmill.h";

/// Shows what differs, or with `--write` makes it the record.
pub fn abi(args: &[String]) -> Outcome {
    record("abi", args, RECORDED, || of(&install::once()?, "cc"))
}

/// The library that is installed there, its structures as that compiler lays them out.
pub fn compare(prefix: &Path, compiler: &str) -> Outcome {
    record("abi", &[], RECORDED, || of(prefix, compiler))
}

fn of(prefix: &Path, compiler: &str) -> Result<String, String> {
    let header = without_comments(&read(HEADER)?);
    let mut lines = declarations(&header);
    let structures = structures(&header);
    lines.extend(layout(&structures, prefix, compiler)?.lines().map(str::to_owned));
    let symbols = stdout(cmd!("readelf --dyn-syms --wide {}/lib/libhashmill.so", prefix))?;
    let exported =
        symbols.lines().filter(|line| line.contains(" GLOBAL ") && !line.contains(" UND "));
    let exported = exported.filter_map(|line| line.split_whitespace().nth(7));
    lines.extend(exported.map(|name| format!("symbol {name}")));
    lines.sort();
    Ok(lines.join("\n") + "\n")
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once("*/").map_or("", |(_, rest)| rest))
}

/// Numbers, types and functions, one a line, however the header breaks them.
fn declarations(header: &str) -> Vec<String> {
    let mut found: Vec<String> = header
        .lines()
        .filter_map(|line| line.strip_prefix("#define HASHMILL_"))
        .filter(|define| define.contains(' ') && !define.starts_with("ALIGNED"))
        .filter(|define| !define.starts_with("VERSION"))
        .map(|define| format!("number HASHMILL_{define}"))
        .collect();
    let code = header.lines().filter(|line| !line.starts_with('#') && !line.starts_with("extern"));
    let code = code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    for statement in statements(&code) {
        match statement.strip_prefix("enum { ").and_then(|it| it.strip_suffix(" }")) {
            Some(list) => {
                let numbers = list.split(',').map(str::trim).filter(|it| !it.is_empty());
                found.extend(numbers.map(|it| format!("number {it}")));
            }
            None if statement.starts_with("typedef struct") => {}
            None if statement.starts_with("typedef") => found.push(format!("type {statement}")),
            None => found.push(format!("function {statement}")),
        }
    }
    found
}

/// What semicolons outside of braces end.
fn statements(code: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ';' if depth == 0 => {
                found.push(code[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

/// The structures with the names of their fields.
fn structures(header: &str) -> Vec<(&str, Vec<&str>)> {
    let structures = header.split("typedef struct ").skip(1).filter_map(|text| {
        let (name, rest) = text.split_once(" {")?;
        let (fields, _) = rest.split_once("\n}")?;
        let fields = fields.split(';').filter_map(|field| {
            field.split('[').next()?.split([' ', '*', '\n']).rfind(|word| !word.is_empty())
        });
        Some((name, fields.collect()))
    });
    structures.collect()
}

/// What a C program says of their sizes.
fn layout(
    structures: &[(&str, Vec<&str>)],
    prefix: &Path,
    compiler: &str,
) -> Result<String, String> {
    let mut code = "#include <hashmill.h>\n#include <stdio.h>\nint main(void) {\n".to_owned();
    for (name, fields) in structures {
        code += &format!(
            "printf(\"struct {name}: %zu bytes, aligned to %zu\\n\", sizeof({name}), _Alignof({name}));\n"
        );
        for field in fields {
            code += &format!(
                "printf(\"struct {name}.{field}: %zu bytes at %zu\\n\", \
                 sizeof((({name} *)0)->{field}), offsetof({name}, {field}));\n"
            );
        }
    }
    let (source, program) = (target().join("faces/abi.c"), target().join("faces/abi"));
    write(&source, code + "return 0;\n}\n")?;
    run(cmd!("{} -std=c11 -I {}/include {} -o {}", compiler, prefix, source, program))?;
    stdout(cmd!("{}", program))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "/* int no(void); */\n#define HASHMILL_SIZE 8\n#define HASHMILL_H\n\
        typedef int status;\nenum {\n    A = 1, /* one */\n    B = 2,\n};\n\
        typedef struct pair {\n    const void *first;\n    unsigned char second[HASHMILL_SIZE];\n} pair;\n\
        status f(const pair *p,\n         int more);\n";

    #[test]
    fn declarations_however_they_are_broken() {
        let expected = [
            "number HASHMILL_SIZE 8",
            "type typedef int status",
            "number A = 1",
            "number B = 2",
            "function status f(const pair *p, int more)",
        ];
        assert_eq!(declarations(&without_comments(HEADER)), expected);
    }

    #[test]
    fn structures_with_their_fields() {
        assert_eq!(structures(HEADER), [("pair", vec!["first", "second"])]);
    }
}
