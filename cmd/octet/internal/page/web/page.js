// This module has what all others use: elements, messages and calls of the worker.

export const $ = (id) => document.getElementById(id);

let said = 0;
// say shows a message, which screen readers read aloud. It removes the message after
// eight seconds, unless keep is set.
export function say(text, keep) {
  $("status").textContent = text;
  clearTimeout(said);
  if (text && !keep) said = setTimeout(() => { $("status").textContent = ""; }, 8000);
}

const calls = new Map(); // that have not ended, by their identifier
let lastCall = 0;
let worker;
let dead = ""; // why there is no worker anymore

// The status bar shows the work that has reported its progress last.
let shown = 0;
function progress(id, part) {
  const running = calls.get(id);
  if (!running) return;
  shown = id;
  $("working").hidden = false;
  $("task").textContent = running.task + " …";
  $("progress").value = part;
  $("part").textContent = Math.floor(100 * part) + " %";
}
function ended(id) {
  calls.delete(id);
  if (id === shown) { shown = 0; $("working").hidden = true; }
}
const tasks = {
  open: "Reading", paste: "Reading", edit: "Changing", undo: "Undoing", fix: "Rewriting", compare: "Comparing",
  find: "Searching", count: "Counting", example: "Searching", lint: "Checking", sizes: "Measuring", export: "Exporting",
};

// stop stops a call that has not ended. The worker then reports the error "stopped".
export function stop(id) { if (calls.has(id)) worker.postMessage({ stop: id }); }
export function stopAll() { for (const id of calls.keys()) stop(id); }

// workerEnded says why the worker has ended, also to all that wait for it.
function workerEnded(reason) {
  dead = reason;
  say(reason, true);
  for (const { reject } of calls.values()) reject(new Error(reason));
  calls.clear();
  $("working").hidden = true;
}

// startWorker starts the worker from the text in the page, without a request.
export function startWorker() {
  const url = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));
  worker = new Worker(url);
  worker.onmessage = (event) => {
    const m = event.data;
    if (m.progress !== undefined) { progress(m.id, m.progress); return; }
    if (m.begin !== undefined) { calls.get(m.id).begin?.(m.begin); return; }
    if (m.fatal) { workerEnded(m.fatal); return; }
    const call = calls.get(m.id);
    ended(m.id);
    if (m.error) call?.reject(new Error(m.error)); else call?.resolve(m.result);
  };
  worker.onerror = (event) => workerEnded("The inspector stopped: " + event.message + ". Reload the page.");
  worker.postMessage({ wasm: $("wasm").textContent.trim() });
  $("wasm").textContent = ""; // frees the memory of the text
}

// call runs a method of the WebAssembly and returns a promise, whose field id is for stop.
// source is a file for the methods that take one: { file } or { packed }. begin gets the
// beginning of an exported text before the rest is complete.
export function call(method, args = [], source = {}, begin) {
  const id = ++lastCall;
  const result = new Promise((resolve, reject) => {
    if (dead) { reject(new Error(dead)); return; }
    calls.set(id, { resolve, reject, begin, task: tasks[method] });
    worker.postMessage({ id, method, args, ...source });
  });
  return Object.assign(result, { id });
}

// wrong shows an error.
export function wrong(e, subject) {
  if (e.message === "stopped") say("Stopped.");
  else say((subject ? subject + ": " : "") + e.message, !subject);
}

// copy copies text.
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied " + what + ".");
  } catch (e) { say("Not copied: " + e.message); }
}

// tabs makes a list of tabs work with the mouse and the keyboard. It calls chosen with
// the tab that is chosen.
export function tabs(list, chosen) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const choose = (tab) => {
    for (const t of all) {
      t.setAttribute("aria-selected", String(t === tab));
      t.tabIndex = t === tab ? 0 : -1;
    }
    chosen(tab);
  };
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) choose(tab);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const tab = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    tab.focus();
    choose(tab);
    event.preventDefault();
  });
  return choose;
}
