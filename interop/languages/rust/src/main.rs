//! Reads values with one MessagePack library and writes them again.
//!
//! Usage: octet-interop LIBRARY. Each line of the standard input is a message in hexadecimal. Each line of the output is a
//! JSON object: {"read": description, "write": hexadecimal}, where "read_error" or "write_error" replaces a part that the
//! library refused. The grammar of descriptions is in describe.go.

mod dynamic;

use std::io::{self, BufRead, Write};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn unhex(line: &str) -> Vec<u8> {
    (0..line.len() / 2)
        .map(|i| u8::from_str_radix(&line[2 * i..2 * i + 2], 16).expect("hexadecimal"))
        .collect()
}

fn float(d: f64) -> String {
    format!("d{:016x}", d.to_bits())
}

fn entries(mut list: Vec<String>) -> String {
    list.sort();
    format!("{{{}}}", list.join(","))
}

fn describe(v: &rmpv::Value) -> String {
    use rmpv::Value::*;
    match v {
        Nil => "n".into(),
        Boolean(true) => "t".into(),
        Boolean(false) => "f".into(),
        Integer(i) => format!("i{i}"),
        F32(f) => float(f64::from(*f)),
        F64(f) => float(*f),
        String(s) => format!("s{}", hex(s.as_bytes())),
        Binary(b) => format!("b{}", hex(b)),
        Ext(code, data) => format!("x{code}/{}", hex(data)),
        Array(list) => format!("[{}]", list.iter().map(describe).collect::<Vec<_>>().join(",")),
        Map(list) => entries(list.iter().map(|(k, e)| format!("{}={}", describe(k), describe(e))).collect()),
    }
}

/// The result of reading and writing one message: the description and the bytes, or what failed.
struct Answer {
    read: Result<String, String>,
    write: Result<Vec<u8>, String>,
}

impl Answer {
    fn refused(error: String) -> Answer {
        Answer { read: Err(error), write: Ok(Vec::new()) }
    }

    fn line(self) -> String {
        let mut object = serde_json::Map::new();
        match self.read {
            Err(e) => {
                object.insert("read_error".into(), e.into());
            }
            Ok(read) => {
                object.insert("read".into(), read.into());
                match self.write {
                    Ok(bytes) => object.insert("write".into(), hex(&bytes).into()),
                    Err(e) => object.insert("write_error".into(), e.into()),
                };
            }
        }
        serde_json::Value::Object(object).to_string()
    }
}

fn with_rmpv(message: &[u8]) -> Answer {
    let mut rest = message;
    let value = match rmpv::decode::read_value(&mut rest) {
        Err(e) => return Answer::refused(e.to_string()),
        Ok(_) if !rest.is_empty() => return Answer::refused("bytes after the value".into()),
        Ok(value) => value,
    };
    let mut bytes = Vec::new();
    let written = rmpv::encode::write_value(&mut bytes, &value);
    Answer { read: Ok(describe(&value)), write: written.map(|()| bytes).map_err(|e| e.to_string()) }
}

fn with_rmp_serde(message: &[u8]) -> Answer {
    let value: dynamic::Value = match rmp_serde::from_slice(message) {
        Err(e) => return Answer::refused(e.to_string()),
        Ok(value) => value,
    };
    Answer { read: Ok(value.describe()), write: rmp_serde::to_vec(&value).map_err(|e| e.to_string()) }
}

fn main() -> io::Result<()> {
    let answer = match std::env::args().nth(1).as_deref() {
        Some("rmp-serde") => with_rmp_serde,
        Some("rmpv") => with_rmpv,
        other => panic!("unknown library: {other:?}"),
    };
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        writeln!(out, "{}", answer(&unhex(line?.trim())).line())?;
        out.flush()?;
    }
    Ok(())
}
