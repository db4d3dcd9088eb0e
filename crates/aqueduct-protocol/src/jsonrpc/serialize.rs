//! A serde serializer that writes compact JSON straight into a buffer.
//!
//! It gives the same bytes as `serde_json`'s and differs in one thing: text is looked at in blocks
//! for what must be escaped, which is most of what a long result costs.

use serde::ser::{self, Error as _, Serialize};
use serde_json::Error;

use super::write_string;

/// How the names begin by which `serde_json`'s own serializer knows what it is to copy: a raw value,
/// and a number that is kept as text.
const COPIED: &str = "$serde_json::private::";

/// Writes `value` as JSON at the end of `out`.
///
/// ```
/// let mut out = Vec::new();
/// aqueduct_protocol::jsonrpc::write_value(&mut out, &("a\n", [1, 2], None::<u8>))?;
/// assert_eq!(out, br#"["a\n",[1,2],null]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// When the value cannot be written as JSON, as a map with keys that are not strings; what is
/// behind the old end of `out` is then of no use.
pub fn write_value<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) -> Result<(), Error> {
    value.serialize(Writer { out, copies: false })
}

struct Writer<'o> {
    out: &'o mut Vec<u8>,
    /// A text is JSON already.
    copies: bool,
}

/// An array or object that is being written.
struct Compound<'o> {
    out: &'o mut Vec<u8>,
    is_empty: bool,
    /// What closes it.
    end: &'static [u8],
}

impl<'o> Compound<'o> {
    fn new(out: &'o mut Vec<u8>, start: u8, end: &'static [u8]) -> Self {
        out.push(start);
        Self { out, is_empty: true, end }
    }

    /// `{"variant":` and then what `start` begins.
    fn variant(out: &'o mut Vec<u8>, variant: &str, start: u8, end: &'static [u8]) -> Self {
        out.push(b'{');
        write_string(out, variant);
        out.push(b':');
        Self::new(out, start, end)
    }

    fn separate(&mut self) {
        if !self.is_empty {
            self.out.push(b',');
        }
        self.is_empty = false;
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.separate();
        write_value(self.out, value)
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        self.separate();
        write_string(self.out, name);
        self.out.push(b':');
        write_value(self.out, value)
    }

    fn close(self) {
        self.out.extend_from_slice(self.end);
    }
}

/// A struct, or the text that `serde_json` passes off as one.
enum Fields<'o> {
    Members(Compound<'o>),
    Copied(&'o mut Vec<u8>),
}

/// Writes a scalar the way `serde_json` does.
macro_rules! scalars {
    ($($method:ident: $type:ty,)+) => {$(
        fn $method(self, value: $type) -> Result<(), Error> {
            serde_json::to_writer(self.out, &value)
        }
    )+};
}

impl<'o> ser::Serializer for Writer<'o> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'o>;
    type SerializeTuple = Compound<'o>;
    type SerializeTupleStruct = Compound<'o>;
    type SerializeTupleVariant = Compound<'o>;
    type SerializeMap = Compound<'o>;
    type SerializeStruct = Fields<'o>;
    type SerializeStructVariant = Compound<'o>;

    scalars! {
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
        serialize_f32: f32,
        serialize_f64: f64,
        serialize_char: char,
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        if self.copies {
            self.out.extend_from_slice(text.as_bytes());
        } else {
            write_string(self.out, text);
        }
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        let mut array = Compound::new(self.out, b'[', b"]");
        for byte in bytes {
            array.element(byte)?;
        }
        array.close();
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &str, _: u32, variant: &str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T>(self, _: &'static str, value: &T) -> Result<(), Error>
    where
        T: Serialize + ?Sized,
    {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error>
    where
        T: Serialize + ?Sized,
    {
        let mut object = Compound::new(self.out, b'{', b"}");
        object.member(variant, value)?;
        object.close();
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'o>, Error> {
        Ok(Compound::new(self.out, b'[', b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'o>, Error> {
        Ok(Compound::new(self.out, b'[', b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'o>, Error> {
        Ok(Compound::new(self.out, b'[', b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'o>, Error> {
        Ok(Compound::variant(self.out, variant, b'[', b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'o>, Error> {
        Ok(Compound::new(self.out, b'{', b"}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Fields<'o>, Error> {
        if name.starts_with(COPIED) {
            return Ok(Fields::Copied(self.out));
        }
        Ok(Fields::Members(Compound::new(self.out, b'{', b"}")))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'o>, Error> {
        Ok(Compound::variant(self.out, variant, b'{', b"}}"))
    }
}

impl ser::SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T>(&mut self, name: &'static str, value: &T) -> Result<(), Error>
    where
        T: Serialize + ?Sized,
    {
        match self {
            Self::Members(members) => members.member(name, value),
            Self::Copied(out) => value.serialize(Writer { out, copies: true }),
        }
    }

    fn end(self) -> Result<(), Error> {
        if let Self::Members(members) = self {
            members.close();
        }
        Ok(())
    }
}

impl ser::SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.separate();
        let start = self.out.len();
        write_value(self.out, key)?;
        match self.out.get(start) {
            Some(b'"') => Ok(()),
            // A number or a truth value, which is a key when it is quoted.
            Some(b'-' | b'0'..=b'9' | b't' | b'f') => {
                self.out.insert(start, b'"');
                self.out.push(b'"');
                Ok(())
            }
            _ => Err(Error::custom("key must be a string")),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.out.push(b':');
        write_value(self.out, value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

/// Sequences of every kind are written alike.
macro_rules! sequences {
    ($($trait:ident: $method:ident,)+) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.element(value)
            }

            fn end(self) -> Result<(), Error> {
                self.close();
                Ok(())
            }
        }
    )+};
}

sequences! {
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field,
}

impl ser::SerializeStructVariant for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T>(&mut self, name: &'static str, value: &T) -> Result<(), Error>
    where
        T: Serialize + ?Sized,
    {
        self.member(name, value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;
    use serde_json::{Value, json};

    use super::write_value;
    use crate::jsonrpc::RawJson;

    fn check(value: &(impl Serialize + ?Sized)) {
        let mut ours = Vec::new();
        let written = write_value(&mut ours, value).map(|()| String::from_utf8(ours).unwrap());
        let theirs = serde_json::to_string(value);
        assert_eq!(written.map_err(|e| e.to_string()), theirs.map_err(|e| e.to_string()));
    }

    #[derive(Serialize)]
    enum Shape {
        Unit,
        Newtype(u8),
        Tuple(u8, &'static str),
        Struct { a: Option<u8>, b: char },
    }

    #[derive(Serialize)]
    struct Everything<'a> {
        unit: (),
        shapes: [Shape; 4],
        numbers: (i8, u16, i32, u64, i128, u128, f32, f64, f64, f64),
        text: &'a str,
        bytes: &'a [u8],
        some: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        absent: Option<bool>,
        map: BTreeMap<i32, Vec<Value>>,
        truths: BTreeMap<bool, ()>,
        raw: RawJson,
    }

    #[test]
    fn every_kind_of_value_is_written_as_serde_json_writes_it() {
        let raw = RawJson::from_text(r#"{ "kept" : 1.0e3 }"#.to_owned()).unwrap();
        check(&Everything {
            unit: (),
            shapes: [
                Shape::Unit,
                Shape::Newtype(1),
                Shape::Tuple(2, "x"),
                Shape::Struct { a: None, b: '"' },
            ],
            numbers: (-1, 2, -3, u64::MAX, i128::MIN, u128::MAX, 0.1, 1e300, f64::NAN, -0.0),
            text: "a \"b\" \\ \n\r\t\u{8}\u{c}\u{1f} é🎉",
            bytes: &[0, 255],
            some: Some(true),
            absent: None,
            map: BTreeMap::from([(-1, vec![json!({})]), (2, vec![json!([1, null])])]),
            truths: BTreeMap::from([(true, ())]),
            raw,
        });
        check(&json!({"": [], "a": {"b": [{}, {"c": "\u{0}"}]}}));
        check("");
        check(&[(); 0]);
    }

    #[test]
    fn a_key_that_is_no_text_is_refused() {
        check(&BTreeMap::from([((1, 2), 3)]));
        check(&BTreeMap::from([(None::<u8>, 3)]));
    }
}
