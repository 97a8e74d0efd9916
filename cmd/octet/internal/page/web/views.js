import { $, call, say } from "./page.js";
import { Rows } from "./rows.js";

// The tree, the hex grid and the text, and the value that is selected in all three.

export const state = { size: 0, lines: 0, selected: null, byte: 0 };
let width = 16; // bytes in a row of the hex grid
// fits returns the width for the space that the grid has. While another view is shown,
// it has none, and the width stays as it is.
const fits = () => $("hex").parentElement.clientWidth === 0 ? width : $("hex").parentElement.clientWidth < 590 ? 8 : 16;

export const tree = new Rows($("tree"), 500, 40, (first, n) => call("tree", [first, n]), () => markTree());
export const hex = new Rows($("hex"), 60, 8, (first, n) => call("hex", [first, n, width]), () => markHex());
export const text = new Rows($("text"), 200, 40, (first, n) => call("text", [first, n]), () => markText());

// update shows data that has changed.
export function update(s) {
  Object.assign(state, { size: s.size, lines: s.lines });
  document.body.className = "";
  $("name").textContent = s.name;
  $("summary").textContent = s.summary;
  document.title = s.name + " – Octet inspector";
  $("fault").hidden = !s.fault;
  $("fault").firstElementChild.textContent = s.fault;
  $("gofault").dataset.go = s.faultAt;
  $("undo").disabled = !s.undo;
  width = fits();
  if (s.note) say(s.note);
  return Promise.all([tree.set(s.rows), hex.set(Math.ceil(s.size / width)), text.set(s.lines)]);
}
new ResizeObserver(() => {
  if (width === fits() || !state.size) return;
  width = fits();
  hex.set(Math.ceil(state.size / width)).then(() => hex.reveal(Math.floor(state.byte / width)));
}).observe($("hex").parentElement);

// select shows a value in all views and returns it, or null if there is none. kind says
// what n is: an offset, a row of the tree or a line of the text. byte is the offset of
// the byte to show, which is the first one of the value by default.
export async function select(kind, n, byte) {
  const found = await call("select", [kind, n]);
  if (found.none) { // a byte after the last complete value
    if (kind === "offset") { deselect(n); hex.reveal(Math.floor(n / width)); }
    return null;
  }
  state.selected = found;
  state.byte = byte === undefined ? found.start : byte;
  $("explain").innerHTML = found.html;
  $("edit").hidden = !found.editable;
  $("copies").hidden = false;
  $("copyvalue").disabled = !found.editable;
  $("copyhex").disabled = found.end - found.start > 1 << 20;
  $("value").value = found.text;
  $("wrong").textContent = "";
  if (found.rows !== tree.total) tree.set(found.rows); // containers were expanded to show the value
  document.dispatchEvent(new Event("selected"));
  await Promise.all([tree.reveal(found.row), hex.reveal(Math.floor(state.byte / width)), text.reveal(found.line)]);
  mark();
  return found;
}

// deselect says that no value has the byte at an offset.
export function deselect(offset) {
  Object.assign(state, { byte: offset, selected: null });
  $("explain").textContent = state.size ? "There is no complete value at offset " + offset + "." : "";
  $("edit").hidden = $("copies").hidden = true;
  mark();
}

// mark highlights the selected value in what is drawn. Each view also does it alone when it
// has drawn rows.
function mark() { markTree(); markHex(); markText(); }

function markTree() {
  const s = state.selected;
  for (const row of $("tree").querySelectorAll(".r[aria-selected=true]")) row.setAttribute("aria-selected", "false");
  $("tree").removeAttribute("aria-activedescendant");
  const row = s && $("t" + s.node);
  if (row) {
    row.setAttribute("aria-selected", "true");
    $("tree").setAttribute("aria-activedescendant", row.id);
  }
}

let marked = []; // the cells of the hex grid that are highlighted
function markHex() {
  for (const cell of marked) { cell.classList.remove("on", "in", "cur"); cell.removeAttribute("id"); }
  marked = [];
  if (!hex.window) return;
  // both calls set for the two cells of a byte, if they are drawn.
  const both = (at, set) => {
    const row = hex.window.children[Math.floor(at / width) - hex.from];
    if (!row) return;
    for (const part of [row.children[1], row.children[2]]) { // bytes and characters
      const cell = part.children[at % width];
      if (cell) { set(cell); marked.push(cell); }
    }
  };
  const s = state.selected;
  const end = s ? Math.min(s.end, hex.to * width) : 0;
  for (let at = s ? Math.max(s.start, hex.from * width) : 0; at < end; at++) both(at, (cell) => cell.classList.add(at < s.head ? "on" : "in"));
  both(state.byte, (cell) => {
    if (cell.tagName !== "B") return;
    cell.classList.add("cur");
    cell.id = "byte";
    $("hex").setAttribute("aria-activedescendant", "byte");
  });
}

function markText() {
  const s = state.selected;
  for (const line of $("text").querySelectorAll(".ln")) {
    const here = !!s && +line.dataset.l === s.line;
    for (const part of line.querySelectorAll(".c")) {
      const at = +part.dataset.o;
      part.classList.toggle("in", !!s && at >= s.start && at < s.end);
    }
    line.setAttribute("aria-selected", String(here));
    if (here) { line.id = "line"; $("text").setAttribute("aria-activedescendant", "line"); } else if (line.id) line.removeAttribute("id");
  }
}

export async function toggle(offset) {
  const s = await call("toggle", [offset]);
  await tree.set(s.rows);
}
export async function expandAll() {
  const s = await call("expand", [state.selected ? state.selected.node : -1]);
  if (s.note) say(s.note);
  await tree.set(s.rows);
  if (state.selected) await select("offset", state.selected.start);
}
export async function collapseAll() {
  const s = await call("collapse");
  state.selected = null;
  await tree.set(s.rows);
  await tree.move(0);
}

$("tree").addEventListener("click", (event) => {
  const row = event.target.closest(".r");
  if (!row) return;
  const offset = +row.dataset.o;
  if (event.target.className === "w" && row.hasAttribute("aria-expanded")) { toggle(offset); return; }
  const key = event.target.closest(".k");
  select("offset", key ? +key.dataset.o : offset);
});
$("tree").addEventListener("dblclick", (event) => {
  const row = event.target.closest(".r[aria-expanded]");
  if (row) toggle(+row.dataset.o);
});
$("hex").addEventListener("click", (event) => {
  const cell = event.target.closest("[data-b]");
  if (cell) select("offset", +cell.dataset.b, +cell.dataset.b);
});
$("text").addEventListener("click", (event) => {
  const part = event.target.closest(".c") || event.target.closest(".ln")?.querySelector(".c");
  if (part) select("offset", +part.dataset.o);
});

// moves returns the number to go to for a key, or undefined.
function moves(key, now, step, page, last) {
  const to = { ArrowUp: now - step, ArrowDown: now + step, PageUp: now - page, PageDown: now + page, Home: 0, End: last }[key];
  return to === undefined ? undefined : Math.max(0, Math.min(to, last));
}

$("tree").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const s = state.selected;
  const to = moves(event.key, s ? s.row : -1, 1, tree.shown, tree.total - 1);
  const row = s && $("t" + s.node);
  const open = row && row.getAttribute("aria-expanded");
  if (to !== undefined) select("row", to);
  else if (event.key === "ArrowRight" && open === "false") toggle(s.node);
  else if (event.key === "ArrowRight" && open === "true") select("row", s.row + 1);
  else if (event.key === "ArrowLeft" && open === "true") toggle(s.node);
  else if (event.key === "ArrowLeft" && s?.parent >= 0) select("offset", s.parent);
  else return;
  event.preventDefault();
});
$("hex").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  let to = moves(event.key, state.byte, width, width * hex.shown, state.size - 1);
  if (event.key === "ArrowLeft") to = Math.max(0, state.byte - 1);
  if (event.key === "ArrowRight") to = Math.min(state.size - 1, state.byte + 1);
  if (to === undefined) return;
  select("offset", to, to);
  event.preventDefault();
});
$("text").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const to = moves(event.key, state.selected ? state.selected.line : -1, 1, text.shown, state.lines - 1);
  if (to === undefined) return;
  select("line", to);
  event.preventDefault();
});
