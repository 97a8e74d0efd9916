// The worker: it starts the WebAssembly and answers the page one call after another.
const waiting = []; // calls that came before the WebAssembly had started
let started = false;

self.octetReady = () => { started = true; for (const m of waiting.splice(0)) answer(m); };
self.octetProgress = (part) => self.postMessage({ progress: part });

self.onmessage = (event) => {
  const m = event.data;
  if (m.wasm !== undefined) { start(m.wasm); return; }
  if (started) answer(m); else waiting.push(m);
};

let last = Promise.resolve(); // of the last call
function answer(m) { last = last.then(() => run(m)); }

async function run(m) {
  try {
    if (m.file) await receive(m.file);
    if (m.packed) await receive(new Blob([await gunzip(base85(m.packed))]));
    const result = self.octetCall(m.method, ...m.args) || {};
    if (result.error) self.postMessage({ id: m.id, error: result.error });
    else self.postMessage({ id: m.id, result }, result.bytes ? [result.bytes.buffer] : []); // bytes are moved, not copied
  } catch (e) {
    self.postMessage({ id: m.id, error: String(e && e.message || e) });
  }
}

// receive gives a file to the WebAssembly in parts, so that the whole file is in memory
// only once. If it is compressed with gzip, the WebAssembly gets the content.
async function receive(file) {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (head[0] === 0x1f && head[1] === 0x8b) file = new Blob([await gunzip(new Uint8Array(await file.arrayBuffer()))]);
  const part = 4 << 20;
  self.octetCall("begin", file.size);
  for (let at = 0; at < file.size; at += part) {
    self.octetCall("receive", new Uint8Array(await file.slice(at, at + part).arrayBuffer()));
    self.octetProgress(at / file.size / 2); // the other half is reading the values
  }
}

async function gunzip(bytes) {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

// base85 reads the encoding that package page writes: five characters for four bytes.
function base85(text) {
  const alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%()*+,-./:;=>?@[]^_{|}";
  const value = new Uint8Array(128);
  for (let i = 0; i < 85; i++) value[alphabet.charCodeAt(i)] = i;
  const groups = Math.ceil(text.length / 5);
  const out = new Uint8Array(groups * 4);
  for (let g = 0; g < groups; g++) {
    let n = 0;
    for (let i = 5 * g; i < 5 * g + 5; i++) n = n * 85 + (i < text.length ? value[text.charCodeAt(i)] : 84);
    out[4 * g] = n / 0x1000000; out[4 * g + 1] = n >>> 16; out[4 * g + 2] = n >>> 8; out[4 * g + 3] = n;
  }
  return out.subarray(0, Math.floor(text.length * 4 / 5));
}

async function start(text) {
  try {
    const go = new Go();
    const { instance } = await WebAssembly.instantiate(await gunzip(base85(text)), go.importObject);
    await go.run(instance);
    self.postMessage({ fatal: "the WebAssembly stopped" });
  } catch (e) {
    self.postMessage({ fatal: String(e && e.message || e) });
  }
}
