//! The attributes of Aqueduct.
