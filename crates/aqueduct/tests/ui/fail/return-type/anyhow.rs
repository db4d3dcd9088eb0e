//! Errors that `?` cannot turn into one for the model.

use aqueduct::prelude::*;

/// Like `anyhow::Error`: no error itself, and becomes one.
struct Any;

impl From<Any> for Box<dyn std::error::Error + Send + Sync> {
    fn from(_: Any) -> Self {
        "any".into()
    }
}

fn fails() -> std::result::Result<(), Any> {
    Err(Any)
}

fn boxed() -> std::result::Result<(), Box<dyn std::error::Error + Send + Sync>> {
    Err("boxed".into())
}

#[tool]
async fn any() -> Result<()> {
    fails()?; //~ write `.map_err(ToolError::wrap)?`
    Ok(())
}

#[tool]
async fn a_box() -> Result<()> {
    boxed()?; //~ write `.map_err(ToolError::wrap)?`
    Ok(())
}

#[tool]
async fn mended() -> Result<()> {
    boxed().map_err(ToolError::wrap)?;
    Ok(fails().map_err(ToolError::wrap)?)
}

fn main() {
    let _ = list![any, a_box, mended];
}
