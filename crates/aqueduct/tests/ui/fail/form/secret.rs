//! A form must not ask for a secret: the client's model may read what is typed.

use aqueduct::prelude::*;

#[form]
struct Login {
    user: String,
    password: String, //~ a form must not ask for a secret
    #[arg(rename = "apiKey")] //~ a form must not ask for a secret
    key: String,
    #[arg(not_secret)]
    token: String,
}

#[args]
struct Arguments {
    #[arg(not_secret)] //~ `not_secret` is for the fields of a form
    token: String,
}

fn main() {}
