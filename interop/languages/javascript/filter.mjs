// Reads values with one MessagePack library and writes them again.
//
// Usage: node filter.mjs LIBRARY. Each line of the standard input is a message in hexadecimal. Each line of the output is
// a JSON object: {"read": description, "write": hexadecimal}, where "read_error" or "write_error" replaces a part that
// the library refused. The grammar of descriptions is in describe.go.

import { createInterface } from "node:readline";
import { writeSync } from "node:fs";

const hex = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");

function describe(v) {
  switch (typeof v) {
    case "boolean":
      return v ? "t" : "f";
    case "bigint":
      return `i${v}`;
    case "number":
      return describeNumber(v);
    case "string":
      return "s" + Buffer.from(v, "utf8").toString("hex");
    case "undefined":
      return "?undefined";
  }
  if (v === null) return "n";
  if (v instanceof Uint8Array) return "b" + hex(v);
  if (Array.isArray(v)) return "[" + Array.from(v, describe).join() + "]";
  if (v instanceof Date) return describeDate(v);
  if (v instanceof Map) return describeEntries([...v.entries()]);
  if (typeof v.type === "number" && v.data instanceof Uint8Array) return `x${v.type}/${hex(v.data)}`;
  if (Object.getPrototypeOf(v) === null || v.constructor === Object || Object.hasOwn(v, "constructor")) {
    return describeEntries(Object.entries(v));
  }
  return "?" + v.constructor.name;
}

// A number is an integer if it is one that JavaScript counts exactly, otherwise a float.
function describeNumber(v) {
  if (Number.isSafeInteger(v) && !Object.is(v, -0)) return `i${v}`;
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(v);
  return "d" + bytes.toString("hex");
}

function describeDate(v) {
  const milliseconds = v.getTime();
  if (Number.isNaN(milliseconds)) return "?invalid Date";
  const seconds = Math.floor(milliseconds / 1000);
  return `T${seconds}.${String((milliseconds - seconds * 1000) * 1000000).padStart(9, "0")}`;
}

function describeEntries(entries) {
  return "{" + entries.map(([k, e]) => describe(k) + "=" + describe(e)).sort().join() + "}";
}

async function useMsgpack(options) {
  const { Decoder, Encoder } = await import("@msgpack/msgpack");
  return [(b) => new Decoder(options).decode(b), (v) => new Encoder(options).encode(v)];
}

async function useMsgpackr(options) {
  const { pack, unpack, Packr, addExtension } = await import("msgpackr");
  if (!options) return [unpack, pack];
  const packr = new Packr(options);
  return [(b) => packr.unpack(b), (v) => packr.pack(v)];
}

const libraries = {
  "@msgpack/msgpack": () => useMsgpack({}),
  "@msgpack/msgpack+": () => useMsgpack({ useBigInt64: true }),
  msgpackr: () => useMsgpackr(),
  "msgpackr+": () => useMsgpackr({ useRecords: false, mapsAsObjects: false }),
};

const [decode, encode] = await libraries[process.argv[2]]();

function answer(message) {
  let value, read;
  try {
    value = decode(message);
    read = describe(value);
  } catch (e) {
    return { read_error: String(e) };
  }
  try {
    return { read, write: hex(encode(value)) };
  } catch (e) {
    return { read, write_error: String(e) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  writeSync(1, JSON.stringify(answer(Buffer.from(line, "hex"))) + "\n");
}
