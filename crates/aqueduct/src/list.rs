//! The macro that lists functions by their names.

/// Lists what a server offers by the names of the functions that `#[tool]`, `#[prompt]` or
/// `#[resource]` mark; paths such as `notes::add` work too.
///
/// The compiler says of any other function that it expected a type: what the attributes leave
/// beside a function is a type of the same name. A name that is there twice is told when the
/// server is built.
///
/// ```
/// use aqueduct::prelude::*;
///
/// #[tool]
/// async fn ping() -> &'static str {
///     "pong"
/// }
///
/// let server = Server::new("example", "1.0.0").tools(list![ping]);
/// # let _ = server;
/// ```
#[macro_export]
macro_rules! list {
    ($($name:path),* $(,)?) => {
        [$(<$name as $crate::__private::Listed>::item()),*]
    };
}
