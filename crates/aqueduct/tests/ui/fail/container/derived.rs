//! Types that `#[args]` and `#[output]` cannot be put on so.

use aqueduct::prelude::*;

#[args]
#[derive(Clone, Deserialize)] //~ `#[args]` derives this already
struct Twice {
    n: u8,
}

#[output]
#[derive(Debug, aqueduct::schemars::JsonSchema)] //~ `#[output]` derives this already
struct Again {
    n: u8,
}

#[args]
struct Completed {
    #[arg(complete = cities)] //~ where the prompt or the resource is
    city: String,
    #[arg(deflaut = 1)] //~ did you mean `default`?
    n: u8,
}

#[args] //~ stands on a struct or an enum
fn function() {}

#[output] //~ stands on a struct or an enum
type Alias = u8;

fn main() {}
