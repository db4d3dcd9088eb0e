//! Times such as `"30s"`.

const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

/// How many milliseconds the text names, or how it should be written.
pub(super) fn millis(text: &str) -> Result<u64, String> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end).unwrap_or((text, ""));
    let unit = unit.trim();
    let wrong =
        || format!("{text:?} is no time; write `\"500ms\"`, `\"30s\"`, `\"5m\"` or `\"1h\"`");
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let (_, millis) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
    let total = number.checked_mul(*millis).ok_or_else(wrong)?;
    if total == 0 {
        return Err("no call ends in no time; give it more, or leave the option out".to_owned());
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_four_units() {
        assert_eq!(millis("250ms"), Ok(250));
        assert_eq!(millis("30s"), Ok(30_000));
        assert_eq!(millis("5 m"), Ok(300_000));
        assert_eq!(millis("1h"), Ok(3_600_000));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in ["", "30", "s", "1.5s", "30 seconds", "-1s", "99999999999999999999s", "0s"] {
            assert!(millis(text).is_err(), "{text}");
        }
    }
}
