import { $, call, say, startWorker, stopAll, wrong } from "./page.js";
import { copyPath } from "./find.js";
import { expandAll } from "./views.js";
import { changed, showTool, showView, undo, unsaved } from "./tools.js";

// This module opens files, handles the keyboard and starts the page.

// load shows a file or, if other is set, compares the data with it.
async function load(name, source, other) {
  try {
    if (!other) await replaceable();
    say("Reading " + name + " …", true);
    if (other) {
      $("differences").innerHTML = (await call("compare", [name], source)).html;
      say("");
      return;
    }
    const s = await call("open", [name, source.packed !== undefined], source);
    await changed(s, 0);
    tell({ name, summary: s.summary });
    const same = s.form.startsWith("MessagePack");
    say(s.form === "MessagePack" ? "" : "Read as " + s.form + "." + (same ? "" : " The bytes are those of the same values in MessagePack."), same);
  } catch (e) {
    if (e.message === "stopped") say("Stopped."); else say(name + ": " + e.message, true);
    if (!other) tell({ name, error: e.message });
  }
}

async function paste(text, form) {
  await replaceable();
  const s = await call("paste", [text, form]);
  await changed(s, 0);
  say("Read as " + s.form + ".");
}

let chooseOther = false; // the chosen file is the one to compare with
const choose = (event) => { chooseOther = event?.target.id === "other"; $("chooser").value = ""; $("chooser").click(); };
for (const id of ["open", "open2", "other"]) $(id).addEventListener("click", choose);
$("chooser").addEventListener("change", () => {
  const file = $("chooser").files[0];
  if (file) load(file.name, { file }, chooseOther);
});

// take opens the first file, or the text, that is dropped or pasted. A file that is dropped
// on the panel Compare is the one to compare with.
async function take(given, target) {
  const files = [...given.files], text = given.getData("text");
  if (files.length) await load(files[0].name, { file: files[0] }, $("panel-compare").contains(target));
  else if (text) paste(text, "auto").catch((e) => wrong(e));
  if (files.length > 1) say($("status").textContent + " Only the first of " + files.length + " files was opened.", true);
}

addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("drop"); });
addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("drop"); });
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("drop");
  take(event.dataTransfer, event.target);
});

const typing = (event) => /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
addEventListener("paste", (event) => {
  if (!typing(event)) take(event.clipboardData, event.target);
});
const ask = () => { $("badpaste").textContent = ""; $("pasting").showModal(); };
for (const id of ["paste", "paste2"]) $(id).addEventListener("click", ask);
$("show").addEventListener("click", async (event) => {
  event.preventDefault();
  try {
    await paste($("pasted").value, $("as").value);
    $("pasting").close();
  } catch (e) { $("badpaste").textContent = e.message === "stopped" ? "" : e.message; }
});

$("stop").addEventListener("click", stopAll);
const help = () => { $("help").showModal(); $("help").scrollTop = 0; }; // the button at the end has the focus
$("keys").addEventListener("click", help);
const keys = {
  "/": () => $("query").focus(), "?": help, "*": expandAll,
  1: () => { showView("tree"); $("tree").focus(); }, 2: () => { showView("hex"); $("hex").focus(); },
  3: () => { showView("text"); $("text").focus(); }, 4: () => { showView("side"); document.querySelector("#tools [aria-selected=true]").focus(); },
  o: choose, p: ask, s: () => $("save").click(), u: undo, y: copyPath,
  v: () => showTool("value"), l: () => showTool("lint"), b: () => showTool("sizes"), c: () => showTool("compare"), x: () => showTool("export"),
  Enter: () => { showTool("value"); $("value").focus(); },
};
addEventListener("keydown", (event) => {
  if (typing(event) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Enter" && event.target.closest("button,a,summary")) return;
  const run = keys[event.key];
  if (!run || document.body.className === "empty" && !"op?".includes(event.key)) return;
  event.preventDefault();
  run();
});

addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); }); // the browser asks

startWorker();
// A page in a frame shows what the page around it sends, and tells it the result; see
// element.js.
function tell(message) { if (parent !== window) parent.postMessage({ octet: message }, "*"); }
if (parent !== window) {
  document.documentElement.classList.add("framed");
  addEventListener("message", (event) => {
    const sent = event.source === parent && event.data?.octet;
    if (sent?.file) load(sent.name, { file: sent.file });
    else if (sent?.error) say(sent.error, true);
  });
  tell("ready");
}
const data = $("data");
if (data.dataset.size) {
  load(data.dataset.name, { packed: data.textContent.trim() });
  data.textContent = "";
} else {
  // Without data, the page shows what is after the # in its address.
  const follow = async () => {
    if (location.hash.length < 2) return;
    try {
      await paste(decodeURIComponent(location.hash.slice(1)), "auto");
    } catch (e) { wrong(e instanceof URIError ? new Error("The text after # is not URL-encoded.") : e); }
  };
  addEventListener("hashchange", follow);
  follow();
}
document.documentElement.dataset.ready = "true";
