// The worker: it starts the WebAssembly and answers the calls of the page.
const waiting = []; // calls that came before the WebAssembly had started
let started = false;

self.octetReady = () => { started = true; for (const m of waiting.splice(0)) answer(m); };

self.onmessage = (event) => {
  const m = event.data;
  if (m.wasm !== undefined) start(m.wasm);
  else if (m.stop !== undefined) stop(m.stop);
  else if (started) answer(m); else waiting.push(m);
};

// A job pauses by octetPause, and goes on when the message that it sends itself arrives.
// Calls of the page are answered before.
const pauses = new MessageChannel();
pauses.port1.onmessage = (event) => self.octetResume(event.data);
let shown = 0; // when the progress was shown last
self.octetPause = (id, done) => {
  pauses.port2.postMessage(id);
  if (performance.now() - shown < 60) return;
  shown = performance.now();
  self.postMessage({ id, progress: done });
};

const jobs = new Map(); // by the identifier of the call: what ends it, and the parts of its text
self.octetDone = (id, result) => jobs.get(id).end(result);
self.octetPart = (id, bytes) => jobs.get(id).parts.push(new Blob([bytes]));
self.octetBegin = (id, text) => self.postMessage({ id, begin: text });

// Work that changes the data stops other work and waits for its end.
const changing = /^(open|paste|edit|undo|fix)$/;
const long = /^(open|paste|edit|undo|fix|compare|find|count|example|lint|sizes|export)$/;
const stopped = new Set(); // jobs that have not reached the WebAssembly when they are stopped
let lastChange = Promise.resolve();

function stop(id) {
  if (!jobs.has(id)) return;
  stopped.add(id);
  if (started) self.octetStop(id);
}

function answer(m) {
  if (!long.test(m.method)) { reply(m.id, () => self.octetCall(m.id, m.method, ...m.args)); return; }
  const job = { parts: [] };
  job.ended = new Promise((resolve) => { job.end = resolve; });
  const others = [...jobs.keys()];
  jobs.set(m.id, job);
  if (changing.test(m.method)) {
    others.forEach(stop);
    lastChange = lastChange.then(() => work(m, job));
  } else work(m, job);
}

async function work(m, job) {
  await reply(m.id, async () => {
    try {
      if (m.file) await receive(m.id, m.file);
      if (m.packed) await receive(m.id, new Blob([await gunzip(base85(m.packed))]));
      if (stopped.has(m.id)) throw new Error("stopped");
    } catch (e) {
      self.octetCall(m.id, "drop");
      throw e;
    }
    const failed = self.octetCall(m.id, m.method, ...m.args);
    const result = failed || await job.ended;
    return job.parts.length ? { ...result, blob: new Blob(job.parts) } : result;
  });
  jobs.delete(m.id);
  stopped.delete(m.id);
}

async function reply(id, run) {
  try {
    const result = await run() || {};
    if (result.bytes) result.bytes = new Blob([result.bytes]); // which the page gets without a copy
    self.postMessage(result.error ? { id, error: result.error } : { id, result });
  } catch (e) {
    self.postMessage({ id, error: String(e && e.message || e) });
  }
}

// receive gives a file to the WebAssembly in parts, so that the whole file is in memory
// only once. The browser reads the next part while the WebAssembly copies one. If the file
// is compressed with gzip, the WebAssembly gets the content.
async function receive(id, file) {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (head[0] === 0x1f && head[1] === 0x8b) {
    // The browser's own error is that of a request, and it also refuses several gzip files in one.
    try { file = new Blob([await gunzip(file)]); } catch {
      throw new Error("this is compressed by gzip, which the browser cannot decompress: it is damaged or has several parts; run gzip -d FILE first, or octet page FILE");
    }
  }
  const part = 4 << 20;
  self.octetCall(id, "begin", file.size);
  const read = (at) => file.slice(at, at + part).arrayBuffer();
  for (let at = 0, next = read(0); at < file.size; at += part) {
    const bytes = new Uint8Array(await next);
    if (at + part < file.size) next = read(at + part);
    const { error } = self.octetCall(id, "receive", bytes) || {};
    if (error) throw new Error(error);
    self.postMessage({ id, progress: at / file.size });
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
    if (typeof WebAssembly === "undefined" || typeof DecompressionStream === "undefined") {
      self.postMessage({ fatal: "The inspector needs WebAssembly and DecompressionStream. This browser does not have both, or they are turned off." });
      return;
    }
    const go = new Go();
    const { instance } = await WebAssembly.instantiate(await gunzip(base85(text)), go.importObject);
    await go.run(instance);
    throw new Error("the WebAssembly stopped");
  } catch (e) {
    self.postMessage({ fatal: "The inspector stopped: " + String(e && e.message || e) + ". Reload the page." });
  }
}
