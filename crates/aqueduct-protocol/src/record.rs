//! The one shape that all structs of the protocol have, so that a file says only what differs.

/// Declares a struct of the protocol: its serde attributes, `new` with what is required, and a
/// builder method for every optional member.
///
/// A member is required, `Option`al, or has a value (`= …`) until a builder method gives another.
/// An optional member that is absent is not written, rather than written as `null`.
/// Text is taken as `impl Into<String>`, everything else as its own type, so that literals need no
/// suffix.
macro_rules! record {
    ($(#[$about:meta])* $name:ident { $($body:tt)* }) => {
        record!(@next [$(#[$about])* $name] [] [] [] [] $($body)*);
    };

    (@next $head:tt [$($field:tt)*] [$($param:tt)*] [$($init:tt)*] [$($set:tt)*]
        $(#[doc = $doc:literal])* $(#[serde $serde:tt])* $member:ident: Option<String>,
        $($rest:tt)*) => {
        record!(@next $head
            [$($field)* $(#[doc = $doc])* $(#[serde $serde])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $member: Option<String>,]
            [$($param)*]
            [$($init)* $member: None,]
            [$($set)* $(#[doc = $doc])*
                #[must_use]
                pub fn $member(mut self, $member: impl Into<String>) -> Self {
                    self.$member = Some($member.into());
                    self
                }]
            $($rest)*);
    };

    (@next $head:tt [$($field:tt)*] [$($param:tt)*] [$($init:tt)*] [$($set:tt)*]
        $(#[doc = $doc:literal])* $(#[serde $serde:tt])* $member:ident: Option<$type:ty>,
        $($rest:tt)*) => {
        record!(@next $head
            [$($field)* $(#[doc = $doc])* $(#[serde $serde])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $member: Option<$type>,]
            [$($param)*]
            [$($init)* $member: None,]
            [$($set)* $(#[doc = $doc])*
                #[must_use]
                pub fn $member(mut self, $member: $type) -> Self {
                    self.$member = Some($member);
                    self
                }]
            $($rest)*);
    };

    (@next $head:tt [$($field:tt)*] [$($param:tt)*] [$($init:tt)*] [$($set:tt)*]
        $(#[doc = $doc:literal])* $(#[serde $serde:tt])* $member:ident: String,
        $($rest:tt)*) => {
        record!(@next $head
            [$($field)* $(#[doc = $doc])* $(#[serde $serde])* pub $member: String,]
            [$($param)* $member: impl Into<String>,]
            [$($init)* $member: $member.into(),]
            [$($set)*]
            $($rest)*);
    };

    (@next $head:tt [$($field:tt)*] [$($param:tt)*] [$($init:tt)*] [$($set:tt)*]
        $(#[doc = $doc:literal])* $(#[serde $serde:tt])* $member:ident: $type:ty = $value:expr,
        $($rest:tt)*) => {
        record!(@next $head
            [$($field)* $(#[doc = $doc])* $(#[serde $serde])* pub $member: $type,]
            [$($param)*]
            [$($init)* $member: $value,]
            [$($set)* $(#[doc = $doc])*
                #[must_use]
                pub fn $member(mut self, $member: $type) -> Self {
                    self.$member = $member;
                    self
                }]
            $($rest)*);
    };

    (@next $head:tt [$($field:tt)*] [$($param:tt)*] [$($init:tt)*] [$($set:tt)*]
        $(#[doc = $doc:literal])* $(#[serde $serde:tt])* $member:ident: $type:ty,
        $($rest:tt)*) => {
        record!(@next $head
            [$($field)* $(#[doc = $doc])* $(#[serde $serde])* pub $member: $type,]
            [$($param)* $member: $type,]
            [$($init)* $member,]
            [$($set)*]
            $($rest)*);
    };

    (@next [$(#[$about:meta])* $name:ident]
        [$($field:tt)*] [$($param:tt)*] [$($init:tt)*] [$($set:tt)*]) => {
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        $(#[$about])*
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $name { $($field)* }

        impl $name {
            #[doc = concat!("A `", stringify!($name), "` with what it must have.")]
            #[must_use]
            pub fn new($($param)*) -> Self {
                Self { $($init)* }
            }

            $($set)*
        }
    };
}

/// Declares an enum whose variants are words on the wire.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            ::serde::Serialize, ::serde::Deserialize,
        )]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// The word on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// What this word stands for.
            #[must_use]
            pub fn parse(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

pub(crate) use {record, words};
