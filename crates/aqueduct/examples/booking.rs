//! A form for the user in mid-call, and work that is done once in all rounds.

use aqueduct::prelude::*;

/// A journey.
#[form]
struct Booking {
    /// Where to?
    city: String,
    /// How many nights?
    #[arg(default = 2, range = 1..=30)]
    nights: u8,
}

/// What a journey costs; it must not be charged twice.
async fn charge(booking: &Booking) -> Result<u32> {
    Ok(u32::from(booking.nights) * 90)
}

/// Book a journey.
#[tool(requires(elicitation))]
async fn book(ctx: Context) -> Result<String> {
    let booking: Booking = ctx.elicit("booking", "Where do you want to go?").await?;
    let price: u32 = ctx.once("charge", async || charge(&booking).await).await?;
    Ok(format!("{} nights in {} for {price}", booking.nights, booking.city))
}

#[tokio::main]
async fn main() -> Result<()> {
    Server::new("booking", "1.0.0").tools(list![book]).run().await
}
