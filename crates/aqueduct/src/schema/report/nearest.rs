//! The name that somebody probably meant.

/// The longest name that is compared.
const LONGEST: usize = 64;

/// The known name nearest to `name`, when it is near enough to be meant.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let written = plain(name)?;
    let scored = known.filter_map(|candidate| {
        let distance = distance(&written, &plain(candidate)?);
        // One slip in a short name, one in three letters of a longer one.
        let allowed = (written.len().min(candidate.chars().count()) / 3).clamp(1, 3);
        // Of two that are equally near, the one that begins alike was meant.
        let beginning = usize::from(candidate.chars().next() != name.chars().next());
        (distance <= allowed && distance < written.len())
            .then_some((distance, beginning, candidate))
    });
    scored
        .min_by_key(|(distance, beginning, _)| (*distance, *beginning))
        .map(|(_, _, candidate)| candidate)
}

/// A name without what styles differ in: case, hyphens, underscores, spaces.
fn plain(name: &str) -> Option<Vec<char>> {
    if name.len() > LONGEST * 4 {
        return None;
    }
    let letters: Vec<char> = name
        .chars()
        .filter(|c| !matches!(c, '-' | '_' | ' ' | '.'))
        .flat_map(char::to_lowercase)
        .collect();
    (letters.len() <= LONGEST && !letters.is_empty()).then_some(letters)
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from one to the other.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=to.len()).collect();
    let mut last: Option<char> = None;
    for (row, a) in from.iter().enumerate() {
        let mut current = Vec::with_capacity(to.len() + 1);
        let mut left = row + 1;
        current.push(left);
        for (column, b) in to.iter().enumerate() {
            let at =
                |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&previous, column) + usize::from(a != b);
            let mut best = replaced.min(at(&previous, column + 1) + 1).min(left + 1);
            let swapped = column
                .checked_sub(1)
                .filter(|earlier| to.get(*earlier) == Some(a) && last.as_ref() == Some(b));
            if let Some(earlier) = swapped {
                best = best.min(at(&before, earlier) + 1);
            }
            current.push(best);
            left = best;
        }
        before = std::mem::replace(&mut previous, current);
        last = Some(*a);
    }
    previous.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[track_caller]
    fn check(name: &str, known: &[&str], expected: Option<&str>) {
        assert_eq!(nearest(name, known.iter().copied()), expected, "{name}");
    }

    #[test]
    fn a_slip_finds_the_name() {
        check("nmae", &["age", "name"], Some("name"));
        check("nam", &["name"], Some("name"));
        check("querry", &["query", "quest"], Some("query"));
        check("max_result", &["max_results"], Some("max_results"));
    }

    #[test]
    fn another_style_of_the_same_name_is_near() {
        check("userName", &["user_name"], Some("user_name"));
        check("USER-NAME", &["user_name"], Some("user_name"));
    }

    #[test]
    fn another_word_is_not_near() {
        check("colour", &["limit", "offset"], None);
        check("x", &["y"], None);
        check("", &["a"], None);
        check(&"x".repeat(10_000), &["a"], None);
    }
}
