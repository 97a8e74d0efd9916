// Rows draws the part of a long list that can be seen and, a few at a time so that the
// page answers in between, the rows around it. Browsers limit the height of an element, so
// the scroll bar of a very long list is scaled.

const rowHeight = 20;
const tallest = 4e6; // pixels

export class Rows {
  // fetch(first, n) returns a promise of HTML; drawn() is called after each change. over
  // is the number of rows that are drawn above and below those that can be seen, of which
  // step are drawn at a time.
  constructor(element, over, step, fetch, drawn) {
    // at is the first row that can be seen. The rows from "from" to "to" are drawn. If
    // stale is set, they have changed. turn counts the beginnings of drawing all rows, and
    // the changes of what is drawn: what was asked for in an earlier turn does not fit to
    // the rows of this one. drawing is the turn in which all rows were asked for last, or 0
    // if they are there.
    Object.assign(this, { element, over, step, fetch, drawn, total: 0, at: 0, from: 0, to: 0, turn: 0, drawing: 0, stale: true });
    this.box = element.parentElement;
    this.box.addEventListener("scroll", () => this.scrolled());
    this.box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    new ResizeObserver(() => this.draw()).observe(this.box);
  }
  get shown() { return Math.max(1, Math.floor(this.box.clientHeight / rowHeight)); }
  get height() { return Math.min(this.total * rowHeight, tallest); }
  get scaled() { return this.total * rowHeight > tallest; }
  get last() { return Math.max(0, this.total - this.shown); }

  // set says how many rows there are, and that all have changed.
  set(total) {
    this.total = total;
    this.stale = true;
    this.element.style.height = this.height + "px";
    this.at = Math.min(this.at, this.last);
    return this.draw();
  }
  scrolled() {
    const top = this.box.scrollTop;
    // move has caused this event. In a scaled list, a pixel is many rows, so calculating
    // the row from the pixel would move the list again.
    if (this.expected !== undefined && Math.abs(top - this.expected) < 1) { this.expected = undefined; return; }
    this.at = this.scaled ? top / (this.height - this.box.clientHeight) * this.last : top / rowHeight;
    this.draw();
  }
  // wheel scrolls a scaled list by rows, because the browser would scroll by pixels.
  wheel(event) {
    if (!this.scaled || event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    this.move(this.at + (event.deltaMode ? event.deltaY * 3 : event.deltaY / rowHeight));
  }
  // move scrolls to a row.
  move(at) {
    this.at = Math.max(0, Math.min(at, this.last));
    const top = this.scaled ? this.at / this.last * (this.height - this.box.clientHeight) : this.at * rowHeight;
    if (Math.abs(top - this.box.scrollTop) >= 1) { this.expected = top; this.box.scrollTop = top; this.expected = this.box.scrollTop; }
    return this.draw();
  }
  // reveal scrolls only if the row cannot be seen: by one row if it is the next one,
  // otherwise so that a third of the rows is above it.
  reveal(row) {
    if (row < this.at) return this.move(row < this.at - 1 ? row - Math.floor(this.shown / 3) : row);
    if (row > this.at + this.shown - 1) return this.move(row > this.at + this.shown ? row - Math.floor(this.shown / 3) : row - this.shown + 1);
    return this.draw();
  }
  async draw() {
    if (!this.total) { this.stale = false; if (this.window) this.window.textContent = ""; return; }
    const first = Math.floor(this.at), end = Math.min(this.total, first + this.shown + 2);
    if (this.stale || first < this.from || end > this.to) {
      const turn = this.drawing = ++this.turn;
      const from = Math.max(0, first - this.step), to = Math.min(this.total, end + this.step);
      const { html } = await this.fetch(from, to - from);
      if (turn !== this.turn) return; // a later call draws newer rows
      this.turn++;
      this.drawing = 0;
      if (!this.window) {
        this.window = document.createElement("div");
        this.window.className = "win";
        this.window.role = "presentation";
        this.element.replaceChildren(this.window);
      }
      this.window.innerHTML = html;
      Object.assign(this, { from, to, stale: false });
      this.drawn();
    }
    this.place();
    this.extend();
  }
  // place moves the rows that are drawn to where they belong.
  place() {
    const top = this.scaled ? this.box.scrollTop - (this.at - this.from) * rowHeight : this.from * rowHeight;
    this.window.style.transform = `translateY(${top}px)`;
  }
  // extend soon draws some rows more, and removes those that are far away.
  extend() {
    clearTimeout(this.later);
    this.later = setTimeout(async () => {
      if (this.drawing) return; // which extends the new rows
      const { turn } = this;
      const low = Math.max(0, Math.floor(this.at) - this.over), high = Math.min(this.total, Math.floor(this.at) + this.shown + this.over);
      const below = Math.min(this.step, high - this.to), above = Math.min(this.step, this.from - low);
      if (below <= 0 && above <= 0) return;
      const { html } = await (below > 0 ? this.fetch(this.to, below) : this.fetch(this.from - above, above));
      if (turn !== this.turn || this.stale) return;
      this.turn++;
      const rows = this.window.children;
      if (below > 0) {
        this.window.insertAdjacentHTML("beforeend", html);
        this.to += below;
        for (; this.from < low - this.step; this.from++) rows[0].remove();
      } else {
        this.window.insertAdjacentHTML("afterbegin", html);
        this.from -= above;
        for (; this.to > high + this.step; this.to--) rows[rows.length - 1].remove();
      }
      this.place();
      this.drawn();
      this.extend();
    }, 20);
  }
}
