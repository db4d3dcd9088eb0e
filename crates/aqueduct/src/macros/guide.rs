//! Guides: from the first server to many of them, and from elsewhere to here.
//!
//! | guide | for whom |
//! |---|---|
//! | [`first_server`] | everybody, ten minutes |
//! | [`hello`] | who compares |
//! | [`tools`], [`resources`], [`prompts`] | who offers something |
//! | [`asking`], [`subscriptions`] | who needs the client in mid-call, or tells it of changes |
//! | [`testing`] | who wants to know whether it works |
//! | [`mounting`], [`deploying`] | who serves others |
//! | [`from_rmcp`], [`from_fastmcp`], [`from_elixir`] | who comes from there |
//! | [`troubleshooting`] | who reads a message and wants the mend |

#[doc = include_str!("../docs/guide/first_server.md")]
pub mod first_server {}
#[doc = include_str!("../docs/guide/hello.md")]
pub mod hello {}
#[doc = include_str!("../docs/guide/tools.md")]
pub mod tools {}
#[doc = include_str!("../docs/guide/resources.md")]
pub mod resources {}
#[doc = include_str!("../docs/guide/prompts.md")]
pub mod prompts {}
#[doc = include_str!("../docs/guide/asking.md")]
pub mod asking {}
#[doc = include_str!("../docs/guide/subscriptions.md")]
pub mod subscriptions {}
#[doc = include_str!("../docs/guide/testing.md")]
pub mod testing {}
#[doc = include_str!("../docs/guide/mounting.md")]
pub mod mounting {}
#[doc = include_str!("../docs/guide/deploying.md")]
pub mod deploying {}
#[doc = include_str!("../docs/guide/from_rmcp.md")]
pub mod from_rmcp {}
#[doc = include_str!("../docs/guide/from_fastmcp.md")]
pub mod from_fastmcp {}
#[doc = include_str!("../docs/guide/from_elixir.md")]
pub mod from_elixir {}
#[doc = include_str!("../docs/guide/troubleshooting.md")]
pub mod troubleshooting {}
