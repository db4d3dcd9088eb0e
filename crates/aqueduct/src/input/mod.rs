//! Asking the client in mid-call: its user, its model, its roots.
//!
//! A question ends the round: the client gets an `input_required` result with sealed state, and
//! calls again with the answer (Multi round-trip requests, SEP-2322). The handler is run again
//! from its beginning and finds the answer where it asked; what must not happen twice stands in
//! [`Context::once`].
//!
//! ```
//! use aqueduct::prelude::*;
//!
//! #[form]
//! struct Booking {
//!     /// Where to?
//!     city: String,
//!     nights: u8,
//! }
//!
//! /// Book a journey.
//! #[tool]
//! async fn book(ctx: Context) -> Result<String> {
//!     let booking: Booking = ctx.elicit("booking", "Where do you want to go?").await?;
//!     let receipt: u64 = ctx.once("charge", async || Ok::<_, Error>(42)).await?;
//!     Ok(format!("{} nights in {}, receipt {receipt}", booking.nights, booking.city))
//! }
//! ```
//!
//! [`Context::once`]: crate::Context::once

mod answer;
mod ask;
mod conversation;
mod field;
mod form;
mod question;
mod required;
mod state;

pub use self::answer::{Answer, Elicited};
pub use self::ask::Questions;
pub use self::field::{Choices, FormField};
pub use self::form::{Form, FormSpec};
pub use self::question::Question;
pub use self::required::InputRequired;
pub(crate) use self::state::{open, park, seal, spend};
pub use aqueduct_protocol::elicitation::{PrimitiveSchemaDefinition, RequestedSchema};
pub use aqueduct_protocol::input::{InputRequest, InputResponse};
pub use aqueduct_protocol::roots::Root;
pub use aqueduct_protocol::sampling::{CreateMessageRequestParams, CreateMessageResult};
