//! A value of any MessagePack type for rmp-serde, which needs a Rust type to decode into.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

pub enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Uint(u64),
    F32(f32),
    F64(f64),
    Str(String),
    Bin(Vec<u8>),
    Array(Vec<Value>),
    Map(Vec<(Value, Value)>),
    Ext(i8, Vec<u8>),
}

impl Value {
    pub fn describe(&self) -> String {
        match self {
            Value::Nil => "n".into(),
            Value::Bool(true) => "t".into(),
            Value::Bool(false) => "f".into(),
            Value::Int(i) => format!("i{i}"),
            Value::Uint(i) => format!("i{i}"),
            Value::F32(f) => crate::float(f64::from(*f)),
            Value::F64(f) => crate::float(*f),
            Value::Str(s) => format!("s{}", crate::hex(s.as_bytes())),
            Value::Bin(b) => format!("b{}", crate::hex(b)),
            Value::Ext(code, data) => format!("x{code}/{}", crate::hex(data)),
            Value::Array(list) => format!("[{}]", list.iter().map(Value::describe).collect::<Vec<_>>().join(",")),
            Value::Map(list) => {
                crate::entries(list.iter().map(|(k, e)| format!("{}={}", k.describe(), e.describe())).collect())
            }
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Nil => s.serialize_unit(),
            Value::Bool(v) => s.serialize_bool(*v),
            Value::Int(v) => s.serialize_i64(*v),
            Value::Uint(v) => s.serialize_u64(*v),
            Value::F32(v) => s.serialize_f32(*v),
            Value::F64(v) => s.serialize_f64(*v),
            Value::Str(v) => s.serialize_str(v),
            Value::Bin(v) => s.serialize_bytes(v),
            Value::Ext(code, data) => {
                s.serialize_newtype_struct(rmp_serde::MSGPACK_EXT_STRUCT_NAME, &(code, Bytes(data)))
            }
            Value::Array(list) => {
                let mut seq = s.serialize_seq(Some(list.len()))?;
                for element in list {
                    seq.serialize_element(element)?;
                }
                seq.end()
            }
            Value::Map(list) => {
                let mut map = s.serialize_map(Some(list.len()))?;
                for (key, element) in list {
                    map.serialize_entry(key, element)?;
                }
                map.end()
            }
        }
    }
}

struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_bytes(self.0)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Value, D::Error> {
        d.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_bool<E>(self, v: bool) -> Result<Value, E> {
        Ok(Value::Bool(v))
    }

    fn visit_i64<E>(self, v: i64) -> Result<Value, E> {
        Ok(Value::Int(v))
    }

    fn visit_u64<E>(self, v: u64) -> Result<Value, E> {
        Ok(Value::Uint(v))
    }

    fn visit_f32<E>(self, v: f32) -> Result<Value, E> {
        Ok(Value::F32(v))
    }

    fn visit_f64<E>(self, v: f64) -> Result<Value, E> {
        Ok(Value::F64(v))
    }

    fn visit_str<E>(self, v: &str) -> Result<Value, E> {
        Ok(Value::Str(v.into()))
    }

    fn visit_bytes<E>(self, v: &[u8]) -> Result<Value, E> {
        Ok(Value::Bin(v.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element()? {
            list.push(element);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = map.next_entry()? {
            list.push(entry);
        }
        Ok(Value::Map(list))
    }

    // rmp-serde passes an ext as a newtype struct of its type and its data.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, d: D) -> Result<Value, D::Error> {
        let (code, data): (i8, Data) = Deserialize::deserialize(d)?;
        Ok(Value::Ext(code, data.0))
    }
}

struct Data(Vec<u8>);

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Data, D::Error> {
        d.deserialize_bytes(DataVisitor)
    }
}

struct DataVisitor;

impl Visitor<'_> for DataVisitor {
    type Value = Data;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E>(self, v: &[u8]) -> Result<Data, E> {
        Ok(Data(v.into()))
    }

    fn visit_byte_buf<E>(self, v: Vec<u8>) -> Result<Data, E> {
        Ok(Data(v))
    }
}
