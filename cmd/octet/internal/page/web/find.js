import { $, call, copy, say, stop, wrong } from "./page.js";
import { select, state } from "./views.js";

// Searching, and copying what is selected.

let searching = 0, counting = 0; // identifiers of the calls

// find goes to the next or the previous match, and then counts all matches.
async function find(back) {
  const query = $("query").value;
  stop(searching);
  stop(counting);
  const result = call("find", [query, $("case").getAttribute("aria-pressed") === "true", back, state.byte]);
  searching = result.id;
  try {
    const { offset, match } = await result;
    if (searching !== result.id) return;
    await select("offset", offset, offset);
    $("count").textContent = "";
    say(match ? "" : "Offset " + offset);
    if (match) await count(offset);
  } catch (e) {
    if (searching !== result.id) return;
    $("count").textContent = "";
    wrong(e, query);
  }
}
async function count(offset) {
  const result = call("count", [offset]);
  counting = result.id;
  try {
    const { n, total } = await result;
    if (counting === result.id) $("count").textContent = n.toLocaleString("en") + " of " + total.toLocaleString("en");
  } catch (e) { if (e.message !== "stopped") throw e; }
}

$("find").addEventListener("submit", (event) => { event.preventDefault(); find(false); });
$("previous").addEventListener("click", () => find(true));
$("query").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.shiftKey) { event.preventDefault(); find(true); }
  if (event.key === "Escape") $("tree").focus();
});
$("query").addEventListener("input", () => { $("count").textContent = ""; });
$("case").addEventListener("click", () => {
  $("case").setAttribute("aria-pressed", String($("case").getAttribute("aria-pressed") !== "true"));
  if ($("query").value) find(false);
});

// path returns the path of the selected value; that of a top-level value is a dot.
const path = () => state.selected.path || ".";
export const copyPath = () => { if (state.selected) copy(path(), "the path " + path()); };
$("copypath").addEventListener("click", copyPath);
$("copyvalue").addEventListener("click", () => copy(state.selected.text, "the value"));
$("copyhex").addEventListener("click", async () => {
  const { bytes } = await call("data", [state.selected.start, state.selected.end]);
  const list = new Uint8Array(await bytes.arrayBuffer());
  copy(Array.from(list, (b) => b.toString(16).padStart(2, "0")).join(" "), "the bytes");
});

// Ctrl+C copies the selected value, unless text is selected.
addEventListener("copy", (event) => {
  if (/^(INPUT|TEXTAREA)$/.test(event.target.tagName) || !getSelection().isCollapsed || !state.selected) return;
  event.preventDefault();
  if (!state.selected.editable) { say("The value is too long to copy. Export it."); return; }
  event.clipboardData.setData("text/plain", state.selected.text);
  say("Copied the value.");
});
