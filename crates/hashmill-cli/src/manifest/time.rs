//! Writes and reads the times in manifests, in the format of RFC 3339 in UTC. The last date is
//! cached, because the next time is usually on the same day.

use jiff::Timestamp;

const DAY: i64 = 24 * 60 * 60;

/// Writes and reads times, and caches the last date.
#[derive(Clone, Copy, Default)]
pub struct Times {
    /// A day, as the number of days since 1970, and its date followed by T: `2026-11-21T`.
    day: Option<(i64, [u8; 11])>,
}

impl Times {
    /// Writes a time, or `-` for `None`.
    pub fn write(&mut self, time: Option<Timestamp>, text: &mut Vec<u8>) {
        let Some(time) = time else { return text.push(b'-') };
        let (seconds, nanoseconds) = (time.as_second(), time.subsec_nanosecond());
        let Some(date) = self.date(seconds).filter(|_| nanoseconds >= 0) else {
            return text.extend(time.to_string().bytes());
        };
        text.extend(date);
        let second = seconds.rem_euclid(DAY);
        let two = |number: i64| [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        let ([h, i], [m, n], [s, t]) =
            (two(second / 3600), two(second / 60 % 60), two(second % 60));
        text.extend([h, i, b':', m, n, b':', s, t]);
        if nanoseconds > 0 {
            let mut digits = [0; 9];
            let mut rest = nanoseconds;
            for digit in digits.iter_mut().rev() {
                *digit = b'0' + (rest % 10) as u8;
                rest /= 10;
            }
            let end = digits.iter().rposition(|&digit| digit != b'0').map_or(0, |last| last + 1);
            text.push(b'.');
            text.extend(&digits[..end]);
        }
        text.push(b'Z');
    }

    /// Returns the date of a time. Returns `None` for times before 1970.
    fn date(&mut self, seconds: i64) -> Option<[u8; 11]> {
        let day = seconds.div_euclid(DAY);
        if self.day.is_none_or(|(known, _)| known != day) {
            let midnight = Timestamp::from_second(day * DAY).ok().filter(|_| day >= 0)?;
            let date = midnight.to_string().as_bytes().first_chunk().copied()?;
            self.day = Some((day, date));
        }
        self.day.map(|(_, date)| date)
    }

    /// Parses a time that `write` has written, or any other valid time. Returns `Some(None)` for
    /// `-`.
    pub fn read(&mut self, text: &str) -> Option<Option<Timestamp>> {
        if text == "-" {
            return Some(None);
        }
        if let Some(time) = self.of_known_day(text.as_bytes()) {
            return Some(Some(time));
        }
        let time: Timestamp = text.parse().ok()?;
        self.date(time.as_second());
        Some(Some(time))
    }

    fn of_known_day(&self, text: &[u8]) -> Option<Timestamp> {
        let (day, date) = self.day?;
        let (clock, fraction) = text.strip_prefix(&date)?.split_first_chunk::<8>()?;
        let number = |digits: &[u8]| {
            digits.iter().try_fold(0, |number: i32, &digit| {
                digit.is_ascii_digit().then(|| 10 * number + i32::from(digit - b'0'))
            })
        };
        let &[h, i, b':', m, n, b':', s, t] = clock else { return None };
        let (hour, minute, second) = (number(&[h, i])?, number(&[m, n])?, number(&[s, t])?);
        let digits = match fraction.strip_suffix(b"Z")? {
            [] => b"0",
            [b'.', digits @ ..] if matches!(digits.len(), 1..=9) => digits,
            _ => return None,
        };
        let nanoseconds = number(digits)? * 10_i32.pow(9 - digits.len() as u32);
        let in_day = 3600 * hour + 60 * minute + second;
        let usual = hour < 24 && minute < 60 && second < 60;
        Timestamp::new(day * DAY + i64::from(in_day), nanoseconds).ok().filter(|_| usual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results equal those of jiff, whatever date was cached.
    #[test]
    fn times() {
        let mut times = Times::default();
        let seconds = [-1, 0, 1, 86_399, 86_400, 951_827_696, 1_795_361_031, 253_402_207_200];
        for (second, nanosecond) in seconds.into_iter().flat_map(|second| {
            [0, 1, 120_000_000, 123_456_789, 999_999_999].map(|nanosecond| (second, nanosecond))
        }) {
            let time = Timestamp::new(second, nanosecond).unwrap();
            for _ in 0..2 {
                let mut text = Vec::new();
                times.write(Some(time), &mut text);
                assert_eq!(String::from_utf8(text).unwrap(), time.to_string());
                assert_eq!(times.read(&time.to_string()), Some(Some(time)));
            }
        }
        let mut none = Vec::new();
        times.write(None, &mut none);
        assert_eq!((&none[..], times.read("-")), (&b"-"[..], Some(None)));
    }

    #[test]
    fn what_is_no_time() {
        let mut times = Times::default();
        times.read("2026-11-21T00:00:00Z").unwrap();
        for text in [
            "",
            "2026-11-21T",
            "2026-11-21T24:00:00Z",
            "2026-11-21T00:60:00Z",
            "2026-11-21T00:00:00.Z",
            "2026-11-21T00:00:00.1234567890Z",
            "2026-11-21T00:00:00.12x4Z",
            "2026-11-21T00:00:00",
            "2026-11-21T00 00:00Z",
            "2026-11-21T+1:00:00Z",
        ] {
            assert_eq!(times.read(text), None, "{text}");
        }
        assert_eq!(times.read("2026-11-21T01:00:00+01:00"), times.read("2026-11-21T00:00:00Z"));
    }
}
