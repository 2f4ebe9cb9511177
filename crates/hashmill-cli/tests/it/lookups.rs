//! Where the files of a list are looked up: every format, with and without `--root` and `-r`, for
//! relative and absolute names, and for lists in other directories.

use crate::common::{A, Place};
use hashmill::Algorithm;
use std::fs;

/// A format: the name of a list that `check -r` finds, and its text for a file of this name that
/// contains "a".
struct Format {
    list: &'static str,
    text: fn(name: &str) -> String,
    names: Names,
}

#[derive(PartialEq, Eq)]
enum Names {
    Any,
    /// The format has no absolute names.
    Relative,
    /// This path follows from the list's format, whatever the file's name is.
    Fixed(&'static str),
    /// The list contains no name.
    None,
}

const A_MD5: &str = "0cc175b9c0f1b6a831c399e269772661";

fn formats() -> Vec<Format> {
    let any = |list, text| Format { list, text, names: Names::Any };
    vec![
        any("SHA256SUMS", |name| format!("{A}  {name}\n")),
        any("reversed.sums", |name| format!("{A} {name}\n")),
        any("bsd.sums", |name| format!("SHA256 ({name}) = {A}\n")),
        any("openssl.sums", |name| format!("SHA2-256({name})= {A}\n")),
        any("sri.sums", |name| format!("sha256:{A} md5:{A_MD5}  {name}\n")),
        any("at.sums", |name| format!("{name}@sha256:{A}\n")),
        any("cksum.sums", |name| format!("1220704766 1 {name}\n")),
        any("l.sfv", |name| format!("{name} e8b7be43\n")),
        any("rhash.sums", |name| format!("{name} {A_MD5} {A}\n")),
        any("hashdeep.sums", |name| {
            format!("%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n1,{A},{name}\n")
        }),
        any("l.mtree", |name| format!("#mtree\n{name} type=file sha256={A}\n")),
        Format {
            names: Names::Relative,
            ..any("nested.mtree", |name| {
                format!("/set type=file\n. type=dir\n    {name} sha256={A}\n..\n")
            })
        },
        Format {
            names: Names::Relative,
            ..any("manifest-sha256.txt", |name| format!("{A}  {name}\n"))
        },
        any("release.sums", |name| format!("Origin: X\nSHA256:\n {A} 1 {name}\n")),
        any("gentoo.sums", |name| format!("DATA {name} 1 SHA256 {A}\n")),
        any("pip.sums", |name| format!("{name}:\n--hash=sha256:{A}\n")),
        Format {
            names: Names::Fixed("x-1.0.tar.gz"),
            ..any("requirements.sums", |_| format!("x==1.0 --hash=sha256:{A}\n"))
        },
        Format {
            names: Names::Fixed("cache/download/m/@v/v1.0.0.mod"),
            ..any("go.sum", |_| {
                let list = format!("{A}  go.mod\n");
                let h1 = data_encoding::BASE64.encode(&Algorithm::Sha256.hash(list.as_bytes())[..]);
                format!("m v1.0.0/go.mod h1:{h1}\n")
            })
        },
        any("json.sums", |name| {
            format!("{{\"name\":\"{name}\",\"digests\":{{\"SHA256\":\"{A}\"}}}}\n")
        }),
        any("array.sums", |name| {
            format!("[{{\"Algorithm\":\"SHA256\",\"Hash\":\"{A}\",\"Path\":\"{name}\"}}]\n")
        }),
        any("properties.sums", |name| {
            format!("Algorithm : SHA256\nHash      : {A}\nPath      : {name}\n")
        }),
        any("table.sums", |name| format!("Algorithm Hash Path\n--- --- ---\nSHA256 {A} {name}\n")),
        any("csv.sums", |name| {
            format!("\"Algorithm\",\"Hash\",\"Path\"\n\"SHA256\",\"{A}\",\"{name}\"\n")
        }),
        any("certutil.sums", |name| format!("SHA256 hash of {name}:\n{A}\nCertUtil: -hashfile\n")),
        any("french.sums", |name| {
            format!("Hachage SHA256 de {name} :\n{A}\nCertUtil: -hashfile\n")
        }),
        Format { names: Names::None, ..any("x.sha256", |_| format!("{A}\n")) },
        Format {
            names: Names::None,
            ..any("x.sha3-256", |_| Algorithm::Sha3_256.hash(b"a").to_string())
        },
    ]
}

/// The directories in which a file of the list's name may lie.
const DIRECTORIES: [&str; 12] =
    [".", "t", "s", "t/t", "t/s", "t/./t", "t/t/s", "t/s/t", "t/s/s", "t/s/t/s", "s/t", "s/s"];

/// Where a list is, the options, and the directory in which its files are looked up: of a list with
/// names, and of one without. `%` stands for the absolute path of the current directory.
const CASES: [(&str, &[&str], &str, &str); 21] = [
    (".", &["LIST"], ".", "."),
    ("t", &["t/LIST"], ".", "t"),
    ("t", &["./t/LIST"], ".", "t"),
    ("t", &["%/t/LIST"], ".", "t"),
    ("t/s", &["t/s/LIST"], ".", "t/s"),
    (".", &["--root", "t", "LIST"], "t", "t"),
    (".", &["--root", "t/", "./LIST"], "t", "t"),
    ("s", &["--root", "t", "s/LIST"], "t", "t"),
    ("t", &["--root", "t", "t/LIST"], "t", "t"),
    ("t", &["--root", "./t", "t/LIST"], "t", "t"),
    ("t", &["--root", "%/t", "t/LIST"], "t", "t"),
    ("t", &["--root", "t", "%/t/LIST"], "t", "t"),
    ("t/s", &["--root", "t", "t/s/LIST"], "t", "t/s"),
    ("t/s", &["--root", "%/t/s/..", "./t/s/LIST"], "t", "t/s"),
    ("t", &["--root", ".", "t/LIST"], ".", "t"),
    ("t", &["-r", "t"], "t", "t"),
    ("t", &["-r", "./t/"], "t", "t"),
    ("t", &["-r", "%/t"], "t", "t"),
    ("t", &["-r", "t/LIST"], "t", "t"),
    ("t/s", &["-r", "t"], "t/s", "t/s"),
    ("t/s", &["-r", "."], "t/s", "t/s"),
];

#[test]
fn names_are_looked_up_by_one_rule() {
    let place = Place::new();
    let here = place.path("").display().to_string();
    let here = here.trim_end_matches('/');
    for format in formats() {
        let file = if let Names::Fixed(path) = format.names { path } else { "x" };
        let write = |directory: &str, content: &str| {
            let path = place.path(format!("{directory}/{file}"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        };
        DIRECTORIES.iter().for_each(|directory| write(directory, "damaged"));
        for (at, (list, options, named, nameless)) in CASES.into_iter().enumerate() {
            let directory = if format.names == Names::None { nameless } else { named };
            let names: &[_] = match format.names {
                Names::Any if at % 5 == 0 => {
                    &[("x", directory), ("./x", directory), ("%/s/x", "s")]
                }
                Names::Relative if at % 5 == 0 => &[("x", directory), ("./x", directory)],
                _ => &[("x", directory)],
            };
            for (name, directory) in names {
                // Only the file in this directory has the content that the list expects.
                write(directory, "a");
                let list = place.path(format!("{list}/{}", format.list));
                fs::write(&list, (format.text)(&name.replace('%', here))).unwrap();
                let options = options.iter().map(|it| it.replace('%', here));
                let options = options.map(|it| it.replace("LIST", format.list));
                let args: Vec<String> =
                    ["check", "--strict"].map(str::to_owned).into_iter().chain(options).collect();
                let ran = place.run("hashmill", &args);
                let count = ran.text().matches(": OK\n").count();
                let case = format!("{}, {name}, {args:?}", list.display());
                assert_eq!((ran.status, count), (Some(0), 1), "{case}: {ran:?}");
                write(directory, "damaged");
                fs::remove_file(list).unwrap();
            }
        }
    }
}

/// Maven's lists hold only a digest. A file below a directory of the same name is another file.
#[test]
fn a_digest_alone_is_of_the_file_beside_the_list() {
    let place = Place::new();
    fs::create_dir_all(place.path("dl/dl")).unwrap();
    let sha1 = "11f6ad8ec52a2984abaafd7c3b516503785c2072"; // of "x"
    place.write("dl/a.jar", "damaged\n").write("dl/dl/a.jar", "x").write("dl/a.jar.sha1", sha1);
    let warning = "hashmill: WARNING: 1 computed checksum did NOT match\n";
    let checked = "hashmill: checked 1 file in 1 list\n";
    let tree = ["check", "--strict", "-r", "dl"];
    place.run("hashmill", &tree).gave(1, "dl/a.jar: FAILED\n", &format!("{warning}{checked}"));
    let root = ["check", "--strict", "--root", "dl", "dl/a.jar.sha1"];
    place.run("hashmill", &root).gave(1, "a.jar: FAILED\n", warning);
    fs::remove_dir_all(place.path("dl/dl")).unwrap();
    place.write("dl/a.jar", "x");
    place.run("hashmill", &tree).gave(0, "dl/a.jar: OK\n", checked);
    place.run("hashmill", &root).gave(0, "a.jar: OK\n", "");
}
