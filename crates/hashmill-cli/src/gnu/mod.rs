//! Stand-ins for GNU coreutils' `md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum
//! cksum` and `sum`: they have the options, output, messages and exit statuses of version 9.11 in
//! the C locale's English. `sha3sum`, `shake128sum` and `shake256sum` follow the same conventions.

pub mod algorithms;
pub mod getopt;
pub mod line;
pub mod options;
pub mod programs;
pub mod run;
pub mod settings;
