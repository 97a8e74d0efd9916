import { $, call, copy, say, stop, tabs, wrong } from "./page.js";
import { collapseAll, deselect, expandAll, select, state, update } from "./views.js";

// The panels beside the views: value, lint, sizes, compare and export.

let tool = "value";
const fresh = new Set(); // panels that show the current data

const chooseTool = tabs($("tools"), (tab) => {
  tool = tab.id.slice("tool-".length);
  document.querySelector("main").dataset.tool = tool;
  for (const panel of document.querySelectorAll(".panel")) panel.hidden = panel.id !== "panel-" + tool;
  fill();
});
export const showTool = (name) => { showView("side"); chooseTool($("tool-" + name)); };

const chooseView = tabs($("views"), (tab) => {
  document.querySelector("main").dataset.view = tab.id.slice("view-".length);
  fill();
});
export const showView = (name) => chooseView($("view-" + name));

export let unsaved = false; // the data has edits that were neither undone nor saved

// replaceable returns when other data may take the place of the data. If that has edits that are not saved, it asks, with
// a dialog of its own, because a page in a frame may have no right to those of the browser. An answer that keeps them
// throws the error "stopped".
export async function replaceable() {
  if (!unsaved) return;
  const dialog = $("losing");
  $("edited").textContent = $("name").textContent;
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
  await new Promise((resolve) => { dialog.addEventListener("close", resolve, { once: true }); });
  if (dialog.returnValue !== "drop") throw new Error("stopped");
}

// changed shows new data in the views and the panels, and selects the value at offset.
export async function changed(s, offset) {
  fresh.clear();
  unsaved = s.undo;
  $("count").textContent = "";
  $("differences").textContent = "";
  await update(s);
  if (s.size) await select("offset", offset < s.size ? offset : 0); else clear();
  await fill();
}

// clear empties the panels, which have nothing to show of no data.
function clear() {
  deselect(0);
  for (const id of ["findings", "sizes", "result", "lost"]) $(id).textContent = "";
}

// The treemap is drawn for the width of its panel.
let resized = 0;
addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(() => { fresh.delete("sizes"); fill(); }, 100);
});

const running = new Map(); // by tool: the call that fills its panel
// run makes a call for the panel of a tool and stops the one before it.
function run(tool, ...args) {
  stop(running.get(tool));
  const result = call(...args);
  running.set(tool, result.id);
  return result;
}

// fill fills the panel that is shown, unless it already shows the current data.
async function fill() {
  const width = $("panel-" + tool).clientWidth; // 0 while another view is shown
  if (fresh.has(tool) || !state.size || !width) return;
  fresh.add(tool);
  if (tool === "lint") await list("lint", "findings", [$("strict").checked]);
  if (tool === "sizes") await list("sizes", "sizes", [width - 24]);
  if (tool === "export") await preview();
}

// list shows the HTML that a method returns.
async function list(method, place, args) {
  const result = run(method, method, args);
  const late = setTimeout(() => { $(place).textContent = "Working …"; }, 200);
  try {
    const { html } = await result;
    if (running.get(method) === result.id) $(place).innerHTML = html;
  } catch (e) {
    if (running.get(method) !== result.id) return; // a newer call has stopped this one
    wrong(e);
    $(place).innerHTML = '<p>Stopped. <button type="button" data-again>Start again</button></p>';
  } finally { clearTimeout(late); }
}
$("panel-lint").parentElement.addEventListener("click", (event) => {
  if (!event.target.closest("[data-again]")) return;
  fresh.delete(tool);
  fill();
});

// preview shows the beginning of the exported text, and what JSON has no form for.
async function preview() {
  const result = run("export", "export", [$("form").value, part(), false], {}, (text) => { $("result").textContent = text; });
  $("result").textContent = "";
  $("lost").textContent = "";
  try {
    const { text, note } = await result;
    if (running.get("export") !== result.id) return;
    $("lost").textContent = note;
    if ($("result").textContent !== text) $("result").textContent = text;
  } catch (e) {
    if (running.get("export") !== result.id) return;
    $("lost").textContent = e.message === "stopped" ? "Stopped before the end of the data." : "Not exported: " + e.message;
    if (e.message !== "stopped") $("result").textContent = "";
  }
}
// part returns the offset of the value to export, or -1 for all data.
const part = () => $("only").checked && state.selected ? state.selected.start : -1;

// exported returns all of the exported text as a Blob.
async function exported() {
  const { blob, note } = await run("export", "export", [$("form").value, part(), true]);
  $("lost").textContent = note;
  return blob;
}

export function download(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); // by then the browser has read it
}
const base = () => ($("name").textContent.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "") || "data");

$("strict").addEventListener("change", () => { fresh.delete("lint"); fill(); });
for (const id of ["form", "only"]) $(id).addEventListener("change", preview);
document.addEventListener("selected", () => {
  if (!$("only").checked) return;
  fresh.delete("export");
  fill();
});
const longestCopy = 32 << 20; // bytes; a clipboard with more makes other programs slow
$("copy").addEventListener("click", async () => {
  try {
    const blob = await exported();
    if (blob.size > longestCopy) say("The text has " + blob.size + " bytes, too many to copy. Download it.");
    else copy(await blob.text(), "the text");
  } catch (e) { wrong(e); }
});
$("download").addEventListener("click", async () => {
  const ending = { json: ".json", reversible: ".json", diag: ".diag", literal: ".go", struct: ".go" }[$("form").value];
  try { download(base() + ending, await exported()); } catch (e) { wrong(e); }
});
$("save").addEventListener("click", async () => {
  download(base() + ".msgpack", (await call("data", [0, -1])).bytes);
  unsaved = false;
});

async function attempt(method, args, offset) {
  const s = await call(method, args);
  await changed(s, s.offset >= 0 ? s.offset : offset);
}
$("edit").addEventListener("submit", async (event) => {
  event.preventDefault();
  const at = state.selected.start;
  try {
    await attempt("edit", [at, $("value").value], at);
    say("Changed.");
  } catch (e) { $("wrong").textContent = e.message === "stopped" ? "" : e.message; }
});
$("value").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) $("edit").requestSubmit();
  if (event.key === "Escape") $("tree").focus();
});
export async function undo() {
  if ($("undo").disabled) return;
  try {
    await attempt("undo", [], 0);
    say("Undone.");
  } catch (e) { wrong(e); }
}
$("undo").addEventListener("click", undo);
$("fix").addEventListener("click", async () => {
  try {
    await attempt("fix", [], 0);
    say("Rewritten in canonical form.");
  } catch (e) { wrong(e, "Rewrite"); }
});
$("expand").addEventListener("click", expandAll);
$("collapse").addEventListener("click", collapseAll);

// A click on an element with data-go selects the value at this offset. A click on a path
// in the list of sizes, or on its rectangle, selects the first value with the path.
document.addEventListener("click", async (event) => {
  const go = event.target.closest("[data-go]");
  if (go) {
    const at = Math.min(+go.dataset.go, state.size - 1);
    showView("tree");
    if (await select("offset", at)) say(""); else say("There is no complete value at offset " + at + ".");
  }
  let path = event.target.closest("[data-path]")?.dataset.path;
  if (event.target.tagName === "rect") path = event.target.textContent.replace(/: [^:]*$/, ""); // its title is the path and the size
  if (path === undefined) return;
  try {
    await select("offset", (await call("example", [path])).offset);
    showView("tree");
  } catch (e) { wrong(e, path); }
});
