//! What a program says that was built without a store.

use aqueduct::store;

#[tokio::test]
async fn a_store_that_was_left_out_is_named_with_its_feature() {
    for (address, feature) in [("redb:x", "redb"), ("redis://host", "redis")] {
        let error = store::open(address).await.expect_err(address);
        assert!(error.to_string().contains(&format!("the feature \"{feature}\"")), "{error}");
    }
}
