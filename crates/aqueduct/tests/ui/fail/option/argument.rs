//! Options of arguments with values that they do not take, or where they mean nothing.

use aqueduct::prelude::*;

#[tool]
async fn a(#[arg = 5] n: u8) {} //~ options stand in parentheses

#[tool]
async fn b(#[arg(rename = "")] n: u8) {} //~ the name is empty

#[tool]
async fn c(#[arg(complete = cities)] city: String) {} //~ only arguments of prompts

#[prompt]
async fn d(#[arg(header = "Region")] region: String) -> String { //~ only arguments of tools
    region
}

#[prompt]
async fn e(#[arg(complete = |x| x)] region: String) -> String { //~ takes the path of an async function
    region
}

#[tool]
async fn f(#[arg(rename = "x")] y: u8, x: u8) {} //~ two arguments are called "x"

#[tool]
async fn g(#[arg(values(north))] way: String) {} //~ `values` takes texts in quotes

#[tool]
async fn h(#[cfg(unix)] way: String) {} //~ write two functions

fn main() {
    let _ = (list![a, b, c, f, g, h], list![d, e]);
}
