//! The word that somebody probably meant.

/// The candidate that `word` is most like, if it is much like any.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let plain = |text: &str| text.replace(['_', '-'], "").to_lowercase();
    let word = plain(word);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let other = plain(candidate);
        let shortened = word.len() >= 3 && other.starts_with(&word);
        let distance = if shortened { 1 } else { distance(&word, &other) };
        let close = distance <= (word.len().max(other.len()) / 3).max(1) && !word.is_empty();
        if close && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many letters must be added, removed, replaced or swapped with their neighbours.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    let mut previous = None;
    for (row, letter) in from.chars().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in to.iter().enumerate() {
            let at = |line: &[usize], place: usize| line.get(place).copied().unwrap_or(usize::MAX);
            let mut least = (at(&above, column) + usize::from(letter != *other))
                .min(at(&above, column + 1) + 1)
                .min(at(&current, column) + 1);
            let swapped =
                column > 0 && previous == Some(*other) && to.get(column - 1) == Some(&letter);
            if swapped && !before.is_empty() {
                least = least.min(at(&before, column - 1) + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut above, current);
        previous = Some(letter);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = ["read_only", "destructive", "description", "name"];

    #[track_caller]
    fn check(word: &str, expected: Option<&str>) {
        assert_eq!(nearest(word, KNOWN), expected, "{word}");
    }

    #[test]
    fn a_slip_a_swap_and_a_short_form_are_understood() {
        check("readonly", Some("read_only"));
        check("readOnly", Some("read_only"));
        check("naem", Some("name"));
        check("desc", Some("description"));
        check("destructiv", Some("destructive"));
    }

    #[test]
    fn what_is_like_nothing_is_left_alone() {
        check("schema", None);
        check("x", None);
    }
}
