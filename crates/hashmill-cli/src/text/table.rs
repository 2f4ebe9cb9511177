//! Tables of options. The parser, the help, the manual pages and the completions are made from them.
//!
//! clap's derive also makes structures from tables, but a first build must compile it, and for each
//! type of a value its code again. Here clap sees every value as an `OsString`.

use clap::builder::{
    PathBufValueParser, PossibleValue, PossibleValuesParser, Resettable, StringValueParser,
    TypedValueParser, ValueParser,
};
use clap::{Arg, ArgAction, ArgMatches, Command, Error, Id, ValueHint};
use std::ffi::{OsStr, OsString};
use std::num::{NonZero, ParseIntError};
use std::path::PathBuf;

/// The properties of an option or an operand.
#[derive(Clone, Copy)]
pub struct Row {
    pub id: &'static str,
    pub help: &'static str,
    pub long_help: Option<fn() -> String>,
    /// The name after `--`, if it is not the id with hyphens.
    pub long: &'static str,
    pub short: char,
    pub is_operand: bool,
    /// What the help calls the value.
    pub value: &'static str,
    /// Replaces the parser of the type.
    pub parser: Option<Parser>,
    pub default: &'static str,
    /// Separates the values of one argument.
    pub delimiter: Option<char>,
    pub hint: ValueHint,
    pub heading: &'static str,
    pub conflicts: &'static [&'static str],
    pub overrides: &'static [&'static str],
    pub requires: &'static str,
    pub hide: bool,
    pub hide_short_help: bool,
}

impl Row {
    pub const EMPTY: Row = Row {
        id: "",
        help: "",
        long_help: None,
        long: "",
        short: '\0',
        is_operand: false,
        value: "",
        parser: None,
        default: "",
        delimiter: None,
        hint: ValueHint::Unknown,
        heading: "",
        conflicts: &[],
        overrides: &[],
        requires: "",
        hide: false,
        hide_short_help: false,
    };

    fn arg(&self, action: ArgAction) -> Arg {
        let long = if self.long.is_empty() { self.id.replace('_', "-") } else { self.long.into() };
        let arg = Arg::new(self.id)
            .help(self.help.trim_start())
            .long_help(Resettable::from(self.long_help.map(|help| help().into())))
            .action(action)
            .short((self.short != '\0').then_some(self.short))
            .help_heading(given(self.heading))
            .requires(Resettable::from(given(self.requires).map(Id::from)))
            .conflicts_with_all(self.conflicts)
            .overrides_with_all(self.overrides)
            .hide(self.hide)
            .hide_short_help(self.hide_short_help);
        if self.is_operand { arg } else { arg.long(long) }
    }

    fn valued(&self, action: ArgAction, parser: Parser) -> Arg {
        self.arg(action)
            .value_hint(self.hint)
            .value_delimiter(self.delimiter)
            .value_parser(ValueParser::new(self.parser.unwrap_or(parser)))
            .value_name(given(self.value))
            .default_value(given(self.default))
            // Such a choice is offered to shells and not shown in the help.
            .hide_possible_values(matches!(self.parser, Some(Parser::Offered(_))))
    }
}

fn given(text: &'static str) -> Option<&'static str> {
    (!text.is_empty()).then_some(text)
}

/// What clap does with a value before it is read.
#[derive(Clone, Copy)]
pub enum Parser {
    /// Accepts every value.
    Any,
    /// Accepts a path, which is not empty.
    Path,
    /// Accepts a text if the function does.
    Text(fn(&str) -> Result<(), String>),
    /// Accepts one of these words.
    OneOf(&'static [&'static str]),
    /// Accepts every text. Completions offer these.
    Offered(fn() -> Vec<String>),
}

impl TypedValueParser for Parser {
    type Value = OsString;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<OsString, Error> {
        match self {
            Parser::Any => return Ok(value.to_owned()),
            Parser::Path => PathBufValueParser::new().parse_ref(command, arg, value).map(drop),
            Parser::Text(check) => check.parse_ref(command, arg, value),
            Parser::OneOf(words) => {
                PossibleValuesParser::new(*words).parse_ref(command, arg, value).map(drop)
            }
            Parser::Offered(_) => StringValueParser::new().parse_ref(command, arg, value).map(drop),
        }
        .map(|()| value.to_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        match self {
            Parser::OneOf(words) => Some(Box::new(words.iter().map(PossibleValue::new))),
            Parser::Offered(words) => Some(Box::new(words().into_iter().map(PossibleValue::new))),
            _ => None,
        }
    }
}

/// A field of a structure of options: an option, or a group of them.
pub trait Field {
    /// Adds the option or the group to a command.
    fn add(command: Command, row: &Row) -> Command;
    /// Returns the value that the arguments give.
    fn read(matches: &mut ArgMatches, id: &str) -> Self;
}

/// The options of a command.
pub trait Options: Field + Sized {
    const ABOUT: &'static str;

    fn add_all(command: Command) -> Command {
        Self::add(command, &Row::EMPTY)
    }

    /// Returns the table as a command of its own.
    fn program(name: &'static str) -> Command {
        let command = Command::new(name).about(Self::ABOUT.trim_start());
        Self::add_all(command.version(env!("CARGO_PKG_VERSION"))).args_override_self(true)
    }

    fn of(mut matches: ArgMatches) -> Self {
        Self::read(&mut matches, "")
    }
}

/// The value of an option.
pub trait Value: Sized {
    const PARSER: Parser;

    /// Returns the value, which the parser has accepted.
    fn of(value: OsString) -> Self;
    /// Returns the value of a text that the parser has accepted.
    fn accepted(text: &OsStr, read: impl FnOnce(&str) -> Option<Self>) -> Self {
        text.to_str().and_then(read).expect("the parser has accepted it")
    }
}

fn taken(matches: &mut ArgMatches, id: &str) -> Vec<OsString> {
    matches.remove_many(id).map(Iterator::collect).unwrap_or_default()
}

impl Field for bool {
    fn add(command: Command, row: &Row) -> Command {
        command.arg(row.arg(ArgAction::SetTrue))
    }

    fn read(matches: &mut ArgMatches, id: &str) -> bool {
        matches.get_flag(id)
    }
}

impl<V: Value> Field for Option<V> {
    fn add(command: Command, row: &Row) -> Command {
        command.arg(row.valued(ArgAction::Set, V::PARSER))
    }

    fn read(matches: &mut ArgMatches, id: &str) -> Option<V> {
        taken(matches, id).pop().map(V::of)
    }
}

impl<V: Value> Field for Vec<V> {
    fn add(command: Command, row: &Row) -> Command {
        let arg = row.valued(ArgAction::Append, V::PARSER);
        command.arg(if row.is_operand { arg.num_args(1..) } else { arg })
    }

    fn read(matches: &mut ArgMatches, id: &str) -> Vec<V> {
        taken(matches, id).into_iter().map(V::of).collect()
    }
}

/// An option that must be given, or has a default.
pub struct One<V>(pub V);

impl<V: Value> Field for One<V> {
    fn add(command: Command, row: &Row) -> Command {
        let arg = row.valued(ArgAction::Set, V::PARSER);
        command.arg(arg.required(row.default.is_empty()))
    }

    fn read(matches: &mut ArgMatches, id: &str) -> One<V> {
        One(Option::read(matches, id).expect("clap fails if it is not there"))
    }
}

impl Value for OsString {
    const PARSER: Parser = Parser::Any;

    fn of(value: OsString) -> OsString {
        value
    }
}

impl Value for PathBuf {
    const PARSER: Parser = Parser::Path;

    fn of(value: OsString) -> PathBuf {
        value.into()
    }
}

/// Makes types that are parsed from text values of options.
macro_rules! values {
    ($($Type:ty),* $(,)?) => {$(
        impl Value for $Type {
            const PARSER: Parser = Parser::Text(|text| match text.parse::<$Type>() {
                Ok(_) => Ok(()),
                Err(error) => Err(error.to_string()),
            });

            fn of(value: std::ffi::OsString) -> $Type {
                Self::accepted(&value, |text| text.parse().ok())
            }
        }
    )*};
}
pub(crate) use values;

values!(String, u64, usize, NonZero<usize>);

/// Makes numbers values of options. The error for one that is too large names the bounds.
macro_rules! bounded {
    ($($Type:ty),*) => {$(
        impl Value for $Type {
            const PARSER: Parser = Parser::Text(|text| {
                let number: i64 = text.parse().map_err(|error: ParseIntError| error.to_string())?;
                let bounded = <$Type>::try_from(number).map(drop);
                bounded.map_err(|_| format!("{number} is not in 0..={}", <$Type>::MAX))
            });

            fn of(value: std::ffi::OsString) -> $Type {
                Self::accepted(&value, |text| text.parse().ok())
            }
        }
    )*};
}

bounded!(u8, u32);

/// Defines a structure of options. Each field has the comment that is its help, and the properties
/// of its [`Row`]. The function at the end, if there is one, changes the command.
macro_rules! options {
    (
        $(#[doc = $about:literal])*
        $(#[derive($($Derived:ident),*)])?
        $visible:vis struct $Name:ident {$(
            $(#[doc = $help:literal])*
            $shown:vis $field:ident: $Type:ty $({ $($key:ident: $set:expr),* $(,)? })?
        ),* $(,)?}
        $(|$command:ident| $changed:expr)?
    ) => {
        $(#[doc = $about])*
        $(#[derive($($Derived),*)])?
        $visible struct $Name {$(
            $shown $field: $Type
        ),*}

        impl Options for $Name {
            const ABOUT: &'static str = concat!($($about),*);
        }

        impl Field for $Name {
            fn add(command: clap::Command, _: &Row) -> clap::Command {
                $(let command = <$Type as Field>::add(command, const {
                    &Row {
                        id: stringify!($field),
                        help: concat!($($help),*),
                        $($($key: $set,)*)?
                        ..Row::EMPTY
                    }
                });)*
                $(let command = { let $command = command; $changed };)?
                command
            }

            #[allow(unused_variables, reason = "a command can have no options")]
            fn read(matches: &mut clap::ArgMatches, _: &str) -> $Name {
                $Name {$(
                    $field: <$Type as Field>::read(matches, stringify!($field))
                ),*}
            }
        }
    };
}
pub(crate) use options;

/// Defines a choice between words.
macro_rules! choices {
    (
        $(#[$about:meta])*
        $visible:vis enum $Name:ident {$(
            $(#[$attribute:meta])*
            $Variant:ident = $word:literal
        ),* $(,)?}
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visible enum $Name {$(
            $(#[$attribute])*
            $Variant
        ),*}

        #[allow(dead_code, reason = "not every choice is written")]
        impl $Name {
            pub fn word(self) -> &'static str {
                match self {
                    $($Name::$Variant => $word),*
                }
            }

            pub fn named(word: &str) -> Option<$Name> {
                match word {
                    $($word => Some($Name::$Variant),)*
                    _ => None,
                }
            }
        }

        impl Value for $Name {
            const PARSER: Parser = Parser::OneOf(&[$($word),*]);

            fn of(value: std::ffi::OsString) -> $Name {
                Self::accepted(&value, $Name::named)
            }
        }
    };
}
pub(crate) use choices;
