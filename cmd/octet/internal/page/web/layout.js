import { $ } from "./page.js";

// The widths of the tree and of the side panel, which the user can change. A splitter is
// between two columns: it is dragged, or moved by the arrow keys.

const narrowest = 160; // pixels, of any column

function split(splitter, name, pane, sign) {
  const main = document.querySelector("main");
  const set = (width) => {
    width = Math.round(Math.max(narrowest, Math.min(width, main.clientWidth - 2 * narrowest)));
    main.style.setProperty(name, width + "px");
    splitter.setAttribute("aria-valuenow", String(width));
    splitter.setAttribute("aria-valuemax", String(main.clientWidth - 2 * narrowest));
  };
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    const from = event.clientX, width = pane.offsetWidth;
    const move = (e) => set(width + sign * (e.clientX - from));
    const end = () => { splitter.removeEventListener("pointermove", move); };
    splitter.addEventListener("pointermove", move);
    splitter.addEventListener("lostpointercapture", end, { once: true });
    event.preventDefault();
  });
  splitter.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -20, ArrowRight: 20 }[event.key];
    if (step) { set(pane.offsetWidth + sign * step); event.preventDefault(); }
  });
  splitter.addEventListener("dblclick", () => main.style.removeProperty(name)); // back to the first width
}
split($("split-tree"), "--tree", $("pane-tree"), 1);
split($("split-side"), "--side", $("pane-side"), -1);
