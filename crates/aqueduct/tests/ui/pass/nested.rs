//! Tools inside of functions, and inside of macros.

use aqueduct::prelude::*;

macro_rules! doubled {
    ($name:ident: $number:ty = $default:expr, $doc:literal) => {
        #[doc = $doc]
        #[tool]
        async fn $name(#[arg(default = $default)] number: $number) -> String {
            number.to_string()
        }
    };
}

doubled!(double: u32 = 2, "Made by a macro.");

fn tools() -> [Tool; 2] {
    struct Local;

    /// Local.
    #[tool]
    async fn local(state: State<Local>) -> String {
        let _ = state;
        String::new()
    }

    list![local, double]
}

fn main() {
    drop(Server::new("test", "1").tools(tools()));
}
