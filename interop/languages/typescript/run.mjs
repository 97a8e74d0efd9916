// Decodes the messages of a folder, and compares them with the values that the compiler has
// found to be of the printed types.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { decode } from "@msgpack/msgpack";

const { cases } = await import(pathToFileURL(process.argv[2] + "/check.js").href);
for (const [name, hex, want] of cases) {
  const got = decode(Buffer.from(hex, "hex"), { useBigInt64: true });
  try {
    assert.deepEqual(plain(got), plain(want));
  } catch (error) {
    console.log(name + ": " + error.message);
  }
}

// plain replaces the Buffers that decode returns for a Buffer.
function plain(v) {
  if (v instanceof Uint8Array) {
    return new Uint8Array(v);
  } else if (Array.isArray(v)) {
    return v.map(plain);
  } else if (v !== null && typeof v === "object" && !(v instanceof Date)) {
    return Object.fromEntries(Object.entries(v).map(([k, e]) => [k, plain(e)]));
  }
  return v;
}
