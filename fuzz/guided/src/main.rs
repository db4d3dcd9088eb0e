//! The fuzzer around the target that `FUZZ_TARGET` names.

#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let Some(target) = fuzz::target(&name) else { panic!("FUZZ_TARGET={name:?} is no target") };
    target.run
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
