// <octet-inspector src="file.msgpack"> shows the inspector for a file. The attribute name is
// the name to show; without it, the end of src is. The method show(data, name) shows a Blob,
// an ArrayBuffer or a typed array. The event load says that a file is shown, and error that it
// is not; detail has the name, and the summary or the error. The inspector is in a frame without the rights of the page
// around it: nothing in the data can reach that page.
class OctetInspector extends HTMLElement {
  static observedAttributes = ["src"];
  #frame = null;
  #ready = false; // the frame takes files
  #sent = null; // what the frame shows, to be sent again if it loads anew
  #turn = 0;

  connectedCallback() {
    if (this.#frame) return;
    const style = new CSSStyleSheet();
    style.replaceSync(":host{display:block;height:600px}:host([hidden]){display:none}iframe{width:100%;height:100%;border:0}");
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    const frame = this.#frame = document.createElement("iframe");
    frame.title = "Octet inspector";
    frame.setAttribute("sandbox", "allow-scripts allow-downloads");
    frame.allow = "clipboard-write";
    addEventListener("message", (event) => {
      const message = event.source === frame.contentWindow && event.data?.octet;
      if (message?.name) this.dispatchEvent(new CustomEvent(message.error ? "error" : "load", { detail: message }));
      if (message !== "ready") return;
      this.#ready = true;
      if (this.#sent) this.#send(this.#sent); else this.#load();
    });
    frame.srcdoc = page;
    root.append(frame);
  }
  attributeChangedCallback() { if (this.#ready) this.#load(); }

  #decode(name) { try { return decodeURIComponent(name); } catch { return name; } } // a % may encode nothing
  async #load() {
    const src = this.getAttribute("src");
    if (!src) return;
    const turn = ++this.#turn;
    let name = this.getAttribute("name"), message;
    try {
      const address = new URL(src, document.baseURI);
      name ||= this.#decode(address.pathname.split("/").pop()) || "data";
      const answer = await fetch(address);
      message = answer.ok ? { name, file: await answer.blob() } : { name, error: name + ": the server answers " + answer.status };
    } catch (e) { message = { name: name || src, error: (name || src) + ": " + e.message }; }
    if (turn !== this.#turn) return; // src has changed
    this.#send(message);
    if (message.error) this.dispatchEvent(new CustomEvent("error", { detail: message }));
  }
  show(data, name = "data") {
    this.#turn++;
    this.#send({ name, file: data instanceof Blob ? data : new Blob([data]) });
  }
  #send(message) {
    this.#sent = message;
    if (this.#ready) this.#frame.contentWindow.postMessage({ octet: message }, "*"); // the origin of the frame is null
  }
}
customElements.define("octet-inspector", OctetInspector);
