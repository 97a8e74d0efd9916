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

const calls = new Map();
let lastCall = 0;
let worker;

// startWorker starts the worker from the text in the page, without a request.
export function startWorker() {
  const url = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));
  worker = new Worker(url);
  worker.onmessage = (event) => {
    const m = event.data;
    if (m.progress !== undefined) {
      $("progress").hidden = false;
      $("progress").value = m.progress;
      return;
    }
    if (m.fatal) { say("The inspector stopped: " + m.fatal + ". Reload the page.", true); return; }
    const { resolve, reject } = calls.get(m.id);
    calls.delete(m.id);
    $("progress").hidden = true;
    if (m.error) reject(new Error(m.error)); else resolve(m.result);
  };
  worker.onerror = (event) => say("The inspector stopped: " + event.message, true);
  worker.postMessage({ wasm: $("wasm").textContent.trim() });
  $("wasm").textContent = ""; // frees the memory of the text
}

// call runs a method of the WebAssembly. source is a file for the methods that
// take one: { file } or { packed }.
export function call(method, args = [], source = {}) {
  const id = ++lastCall;
  return new Promise((resolve, reject) => {
    calls.set(id, { resolve, reject });
    worker.postMessage({ id, method, args, ...source });
  });
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
