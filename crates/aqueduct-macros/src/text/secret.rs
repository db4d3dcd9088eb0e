//! Which names are those of secrets.

/// Words that name a secret by themselves.
const WORDS: [&str; 14] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "credential",
    "credentials",
    "apikey",
    "pin",
    "cvv",
    "cvc",
    "otp",
];
/// Two words that do so together.
const PAIRS: [(&str, &str); 7] = [
    ("api", "key"),
    ("access", "key"),
    ("private", "key"),
    ("signing", "key"),
    ("credit", "card"),
    ("card", "number"),
    ("security", "code"),
];

/// Does the name say that what stands under it is a secret?
pub(crate) fn is_secret(name: &str) -> bool {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        let begins = letter.is_uppercase() && was_lower;
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
    }
    let pairs = words.iter().zip(words.iter().skip(1));
    let is_pair = |(first, second): (&String, &String)| {
        PAIRS.iter().any(|(one, other)| one == first && other == second)
    };
    words.iter().any(|word| WORDS.contains(&word.as_str())) || pairs.into_iter().any(is_pair)
}

#[cfg(test)]
mod tests {
    use super::is_secret;

    /// ELI-01: what is asked for in a form is held against the names of secrets.
    #[test]
    fn secrets_are_known_by_their_names_however_they_are_spelled() {
        for name in [
            "password",
            "db_password",
            "apiKey",
            "api_key",
            "API-key",
            "accessToken",
            "PIN",
            "clientSecret",
            "card_number",
            "private_key",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in ["max_tokens", "key", "pinned", "keyboard", "card", "secretary", "author", ""] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
