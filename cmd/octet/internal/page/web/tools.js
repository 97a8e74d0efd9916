import { $, call, say, tabs } from "./page.js";
import { collapseAll, expandAll, select, state, update } from "./views.js";

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
export const comparing = () => tool === "compare";

const chooseView = tabs($("views"), (tab) => {
  document.querySelector("main").dataset.view = tab.id.slice("view-".length);
  fill();
});
export const showView = (name) => chooseView($("view-" + name));

// changed shows new data in the views and the panels, and selects the value at offset.
export async function changed(s, offset) {
  fresh.clear();
  $("differences").textContent = "";
  await update(s);
  if (s.size) await select("offset", offset < s.size ? offset : 0);
  await fill();
}

// The treemap is drawn for the width of its panel.
let resized = 0;
addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(() => { fresh.delete("sizes"); fill(); }, 100);
});

// fill fills the panel that is shown, unless it already shows the current data.
async function fill() {
  const width = $("panel-" + tool).clientWidth; // 0 while another view is shown
  if (fresh.has(tool) || !state.size || !width) return;
  fresh.add(tool);
  try {
    if (tool === "lint") $("findings").innerHTML = (await call("lint", [$("strict").checked])).html;
    if (tool === "sizes") $("sizes").innerHTML = (await call("sizes", [width - 24])).html;
    if (tool === "export") await exportAs();
  } catch (e) { say(e.message, true); }
}

async function exported() {
  const only = $("only").checked && state.selected;
  const result = await call("export", [$("form").value, only ? state.selected.start : -1]);
  $("lost").textContent = result.note;
  return result.text;
}
async function exportAs() {
  const most = 200000; // characters; a browser draws more of them slowly
  try {
    const text = await exported();
    $("result").textContent = text.length > most ? text.slice(0, most) + "\n… Copy and Download give the complete text." : text;
  } catch (e) { $("result").textContent = e.message; $("lost").textContent = ""; }
}

export function download(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); // by then the browser has read it
}
const base = () => ($("name").textContent.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "") || "data");

$("strict").addEventListener("change", () => { fresh.delete("lint"); fill(); });
for (const id of ["form", "only"]) $(id).addEventListener("change", exportAs);
$("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(await exported());
    say("Copied.");
  } catch (e) { say("Not copied: " + e.message); }
});
$("download").addEventListener("click", async () => {
  const ending = { json: ".json", reversible: ".json", diag: ".diag", literal: ".go", struct: ".go" }[$("form").value];
  try { download(base() + ending, await exported()); } catch (e) { say(e.message); }
});
$("save").addEventListener("click", async () => download(base() + ".msgpack", (await call("data", [0, -1])).bytes));

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
  } catch (e) { $("wrong").textContent = e.message; }
});
$("value").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) $("edit").requestSubmit();
  if (event.key === "Escape") $("tree").focus();
});
export async function undo() {
  if ($("undo").disabled) return;
  await attempt("undo", [], 0);
  say("Undone.");
}
$("undo").addEventListener("click", undo);
$("fix").addEventListener("click", async () => {
  try {
    await attempt("fix", [], 0);
    say("Rewritten in canonical form.");
  } catch (e) { say(e.message); }
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
  } catch (e) { say(path + ": " + e.message); }
});

$("find").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const { offset } = await call("find", [$("query").value, state.byte]);
    await select("offset", offset, offset);
    say("Offset " + offset);
  } catch (e) { say($("query").value + ": " + e.message); }
});
