//! Types that go in and out.

/// A page.
#[args]
struct Page<T: Clone> {
    /// How many
    #[arg(default = 20, range = 1..=100)]
    size: u32,
    #[arg(rename = "sort-by", values("name", "age"))]
    sort_by: Option<T>,
}

#[output(rename_all = "camelCase")]
#[derive(Debug)]
struct Hit {
    book_title: String,
}

#[args]
#[output]
enum Both {
    One,
    Two { #[arg(default)] n: u8 },
}
