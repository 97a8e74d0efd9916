package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/octet-go/octet/msgpack/wire"
)

// choose selects a file in the dialog of the browser.
func (p *tab) choose(name string, data []byte) {
	p.Helper()
	path := filepath.Join(p.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		p.Fatal(err)
	}
	p.run(chromedp.SetUploadFiles(chromedp.CSS("#chooser"), []string{path}))
}

// offers clicks a button that asks for a file. The browser shows no dialog.
func (p *tab) offers(button string) {
	p.Helper()
	p.js(`void (document.querySelector("#chooser").click = () => {})`)
	p.click(button)
}

func TestPaste(t *testing.T) {
	p := open(t, "", nil)
	p.has("#welcome", "Drop a MessagePack or JSON file here")
	for _, c := range []struct{ text, form, want string }{
		{"82 a1 61 01 A1 62 c0", "hex", "b: nil"},
		{`{"json": [1, 2.5]}`, "JSON or diagnostic notation", "json: [2 elements]"},
		{`{7: h'0102', "t": time'2026-01-01T00:00:00Z'}`, "JSON or diagnostic notation", "7: h'0102'"},
		{base64.StdEncoding.EncodeToString([]byte("\x92\xa5hello\xff")), "base64", `0: "hello"`},
	} {
		p.click("#paste")
		p.set("#pasted", c.text)
		p.click("#show")
		p.has("#status", "Read as "+c.form)
		p.until(fmt.Sprintf(`document.querySelector("#tree").textContent.replaceAll(/ +/g, " ").includes(%q)`, strings.ReplaceAll(c.want, ": ", "")))
	}
	p.click("#paste")
	p.set("#pasted", `{"a": 1,,}`)
	p.click("#show")
	p.until(`document.querySelector("#badpaste").textContent !== ""`)
	if p.js(`document.querySelector("#pasting").open`) != "true" {
		t.Error("the dialog closed although the text is wrong")
	}
}

func TestOpenAndDrop(t *testing.T) {
	p := open(t, "", nil)
	p.choose("one.msgpack", []byte("\x81\xa3one\x01"))
	p.has("#tree", "one")
	p.has("#name", "one.msgpack")
	p.choose("two.json", []byte(`{"two": [true]}`))
	p.has("#tree", "two")
	p.has("#status", "Read as JSON")
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write([]byte("\x81\xa5three\x03")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p.choose("three.msgpack.gz", z.Bytes())
	p.has("#tree", "three")
	for name, data := range map[string][]byte{"cut.gz": z.Bytes()[:z.Len()-1], "parts.gz": bytes.Repeat(z.Bytes(), 2)} {
		p.choose(name, data)
		p.has("#status", name+": this is compressed by gzip, which the browser cannot decompress")
	}
	p.js(`(() => {
		const files = new DataTransfer();
		files.items.add(new File([new Uint8Array([0x81, 0xa4, 0x66, 0x6f, 0x75, 0x72, 4])], "four.msgpack"));
		document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
	})()`)
	p.has("#tree", "four")
	p.has("#name", "four.msgpack")
	p.choose("five.json", []byte("\xff\xfe{\x00\"\x00v\x00\"\x00:\x005\x00}\x00"))
	p.has("#status", "Read as JSON in UTF-16LE")
	p.has("#tree", "v")
	p.choose("six.zst", []byte("\x28\xb5\x2f\xfd\x04\x00\x09\x00\x00\x01\x00\x00\x00\x00"))
	p.has("#status", "run zstd -d FILE first, or octet page FILE")
	p.choose("seven.png", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"))
	p.has("#status", "this looks like a PNG image")
	p.choose("eight.bin", []byte("\x01\x02\x03\x04\x05\x06"))
	p.has("#status", "Read as MessagePack, but it looks like an unknown binary format")
	p.choose("cut.msgpack", []byte("\x92\x01"))
	p.has("#fault", "truncated")
	p.has("#tree", "0")
}

func TestLintJumps(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	p.click("#tool-lint")
	p.has("#findings", "uint 64, but uint 32 is enough")
	p.click("#findings button")
	p.until(`document.querySelector("#tree [aria-selected=true]")?.textContent.includes("70000_u64")`)
	p.click("#fix")
	p.has("#status", "Rewritten in canonical form")
	p.until(`!document.querySelector("#findings").textContent.includes("uint 64")`)
	p.has("#tree", "70000")
}

func TestEdit(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	p.js(`[...document.querySelectorAll("#tree .v")].find(c => c.textContent === '"Ada Lovelace"').click()`)
	p.until(`document.querySelector("#value").value === '"Ada Lovelace"'`)
	bytes := `[...document.querySelectorAll("#hex b")].map(b => b.textContent).join("")`
	if strings.Contains(p.js(bytes), "41756775737461") {
		t.Error("the bytes have the new text before the edit")
	}
	p.set("#value", `"Augusta Ada King"`)
	p.js(`document.querySelector("#edit").requestSubmit()`)
	p.until(`document.querySelector("#tree").textContent.includes("Augusta Ada King")`)
	p.until(bytes + `.includes("41756775737461")`) // the rows are drawn in their turn
	p.has("#summary", "418 bytes")
	p.set("#value", `{"a": `)
	p.js(`document.querySelector("#edit").requestSubmit()`)
	p.until(`document.querySelector("#wrong").textContent !== ""`)
	p.click("#undo")
	p.until(`document.querySelector("#tree").textContent.includes("Ada Lovelace")`)
	p.has("#summary", "414 bytes")
	if p.js(`document.querySelector("#undo").disabled`) != "true" {
		t.Error("undo is offered although there is nothing to undo")
	}
}

func TestCompare(t *testing.T) {
	data := sample(t)
	p := open(t, "sample.msgpack", data)
	p.ready()
	p.click("#tool-compare")
	p.offers("#other")
	p.choose("same.msgpack", data)
	p.has("#differences", "no difference")
	p.choose("other.msgpack", bytes.Replace(data, []byte("Linus"), []byte("Lynus"), 1))
	p.has("#differences", `users[2].name`)
	p.has("#differences", `"Lynus"`)
	p.click("#differences [data-go]")
	p.chosen(`"Linus"`)
	p.has("#name", "sample.msgpack")
	drop := func(on, name string) {
		p.js(fmt.Sprintf(`void (() => {
			const files = new DataTransfer();
			files.items.add(new File(["\x07"], %q));
			document.querySelector(%q).dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
		})()`, name, on))
	}
	drop("#differences", "dropped.msgpack")
	p.has("#differences", "7")
	p.has("#name", "sample.msgpack")
	// The panel Compare does not change what Open and the rest of the page do.
	drop("#tree", "dropped.msgpack")
	p.has("#name", "dropped.msgpack")
	p.offers("#open")
	p.choose("opened.msgpack", data)
	p.has("#name", "opened.msgpack")
}

func TestSizes(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	p.click("#tool-sizes")
	p.has("#sizes", "users[].email")
	p.js(`[...document.querySelectorAll("#sizes rect")].find(r => r.textContent.startsWith("users[].email:")).dispatchEvent(new MouseEvent("click", { bubbles: true }))`)
	p.chosen(`"ada@example.org"`)
	p.js(`[...document.querySelectorAll("#sizes [data-path]")].find(b => b.dataset.path === "version").click()`)
	p.chosen(`"2.14.0"`)
	p.run(chromedp.EmulateViewport(400, 900))
	p.click("#view-side")
	p.until(`Math.abs(document.querySelector("#sizes svg").viewBox.baseVal.width - document.querySelector("#sizes svg").clientWidth) < 10`)
}

func TestExport(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	p.click("#tool-export")
	for form, wants := range map[string][]string{
		"json":       {`"name": "Ada Lovelace"`, `"since": "2026-01-01T00:00:00Z"`, `"7": null`},
		"reversible": {`$time`},
		"diag":       {"70000_u64", "h'89504e47", "7: nil"},
		"literal":    {"var values = []any{", `int64(1001)`, "time.Unix(1767225600, 0).UTC()", "msgpack.Ext{Type: 5, Data: []byte{0x01, 0x02}}"},
		"struct":     {"type Sample struct", "`msgpack:\"service\"`"},
	} {
		p.js(`(() => { const f = document.querySelector("#form"); f.value = "` + form + `"; f.dispatchEvent(new Event("change")); })()`)
		for _, want := range wants {
			p.until(fmt.Sprintf(`document.querySelector("#result").textContent.includes(%q)`, want))
		}
	}
	p.js(`(() => { const f = document.querySelector("#form"); f.value = "json"; f.dispatchEvent(new Event("change")); })()`)
	p.until(`document.querySelector("#lost").textContent.startsWith("JSON has no form for ")`)
	p.click("#only")
	for path, want := range map[string]string{"version": `"2.14.0"`, "users[0].name": `"Ada Lovelace"`} {
		p.set("#query", path)
		p.click("#next")
		p.until(fmt.Sprintf(`document.querySelector("#result").textContent.trim() === %q`, want))
	}
	p.click("#save")
	if !bytes.Equal(p.file("sample.msgpack"), sample(t)) {
		t.Error("other bytes were saved")
	}
}

// file waits for a file to be saved, and returns its content.
func (p *tab) file(name string) []byte {
	p.Helper()
	size := -1
	for range 500 {
		data, err := os.ReadFile(filepath.Join(p.save, name))
		if err == nil && len(data) > 0 && len(data) == size {
			return data
		}
		size = len(data)
		time.Sleep(20 * time.Millisecond)
	}
	p.Fatalf("%s was not saved", name)
	return nil
}

func TestKeyboard(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	row := func(text string) {
		t.Helper()
		p.until(fmt.Sprintf(`document.querySelector("#tree [aria-selected=true]")?.textContent.includes(%q) && document.querySelector("#tree").getAttribute("aria-activedescendant") === document.querySelector("#tree [aria-selected=true]").id`, text))
	}
	p.press("1", kb.ArrowDown)
	row("billing")
	p.press(kb.ArrowDown)
	row("2.14.0")
	p.press(kb.Home)
	row("12 pairs")
	p.press(kb.ArrowLeft)
	p.until(`document.querySelectorAll("#tree .r").length === 1`)
	p.press(kb.ArrowRight)
	p.until(`document.querySelectorAll("#tree .r").length === 13`)
	p.press("*")
	p.until(`document.querySelectorAll("#tree .r").length > 30`)
	p.press(kb.End)
	row("none")
	p.press("2", kb.Home)
	row("12 pairs")
	p.press(kb.ArrowRight)
	row("billing")
	p.press("3", kb.End)
	row("12 pairs") // the last line closes the map
	p.press(kb.ArrowUp)
	row("none")
	p.press("/")
	p.until(`document.activeElement.id === "query"`)
	p.set("#query", "") // the driver sends the character even if the key is handled
	p.press("users[1].name", kb.Enter)
	row("Grace Hopper")
	p.js(`document.activeElement.blur()`)
	p.press(kb.Enter)
	p.until(`document.activeElement.id === "value"`)
	p.press(kb.Escape, "l")
	p.until(`!document.querySelector("#panel-lint").hidden`)
	p.press("x")
	p.until(`!document.querySelector("#panel-export").hidden`)
	p.press("?")
	p.until(`document.querySelector("#help").open`)
	p.press(kb.Escape)
	p.until(`!document.querySelector("#help").open`)

	p.run(chromedp.EmulateViewport(400, 500))
	p.press("?")
	p.until(`document.querySelector("#help").open`)
	if top := p.js(`document.querySelector("#help").scrollTop`); top != "0" {
		t.Errorf("the help begins at pixel %s", top)
	}
}

// TestRowsOnce collapses and expands the tree while rows are being drawn, and checks that each row is drawn once.
func TestRowsOnce(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	p.press("1", kb.Home)
	p.until(`document.querySelector("#tree .r[aria-selected=true]")?.textContent.includes("12 pairs")`)
	rounds := "10"
	if os.Getenv("OCTET_LONG") != "" {
		rounds = "60"
	}
	got := p.js(`(async () => {
		const rounds = ` + rounds + `, tree = document.querySelector("#tree"), key = (name) => tree.dispatchEvent(new KeyboardEvent("keydown", { key: name, cancelable: true }));
		const rows = () => tree.querySelectorAll(".r").length, wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
		const settled = async (n) => { for (let i = 0; rows() !== n && i < 300; i++) await wait(10); };
		for (let round = 0; round < rounds; round++) {
			key("ArrowLeft");
			await settled(1);
			await wait(15 + round % 10); // the rows around those that can be seen are drawn after 20 ms
			key("ArrowRight");
			await settled(13);
			await wait(50);
			if (rows() !== 13) return rows() + " rows in round " + round;
		}
		return "";
	})()`)
	if got != "" {
		t.Error(got)
	}
}

// TestRowsInTurn moves through a long list whose rows arrive late, and not in the order in which they were asked for.
func TestRowsInTurn(t *testing.T) {
	source, err := web.ReadFile("web/rows.js")
	if err != nil {
		t.Fatal(err)
	}
	p := visit(t, "about:blank")
	got := p.js(`(async () => {
		` + strings.Replace(string(source), "export class", "class", 1) + `
		const box = document.createElement("div"), element = document.createElement("div");
		box.style = "height: 400px; overflow: auto";
		box.append(element);
		document.body.append(box);
		let state = 1;
		const random = (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n, wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
		const row = (i) => "<div>" + i + "</div>";
		const rows = new Rows(element, 200, 30, async (first, n) => {
			await wait(random(60));
			return { html: Array.from({ length: n }, (_, i) => row(first + i)).join("") };
		}, () => {});
		const wrong = () => {
			const drawn = rows.window ? [...rows.window.children].map((e) => Number(e.textContent)) : [];
			return drawn.length !== rows.to - rows.from || drawn.some((n, i) => n !== rows.from + i);
		};
		rows.set(20000);
		for (let i = 0; i < 150; i++) {
			await wait(random(40));
			rows.move(random(3) ? rows.at + random(41) - 20 : random(20000));
			if (wrong()) return "move " + i + ": rows " + rows.from + " to " + rows.to + " are " + rows.window.innerText.replaceAll("\n", " ");
		}
		return "";
	})()`)
	if got != "" {
		t.Error(got)
	}
}

// TestLabels checks that each control has a name, and each reference a target.
func TestLabels(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	p.click("#tool-sizes")
	p.has("#sizes", "Formats")
	nameless := p.js(`[...document.querySelectorAll("button,input,select,textarea,[role=tree],[role=grid],[role=listbox],[role=tablist],[role=tabpanel],section.pane,dialog,svg,pre")].filter(e =>
		!(e.getAttribute("aria-label") || e.getAttribute("aria-labelledby") || e.labels?.length || e.tagName === "BUTTON" && e.textContent.trim())).map(e => e.outerHTML.slice(0, 80)).join("\n")`)
	if nameless != "" {
		t.Errorf("without a name:\n%s", nameless)
	}
	lost := p.js(`[...document.querySelectorAll("[aria-controls],[aria-labelledby],[aria-activedescendant],label[for]")].filter(e =>
		["aria-controls", "aria-labelledby", "aria-activedescendant", "for"].some(a => e.hasAttribute(a) && !document.getElementById(e.getAttribute(a)))).map(e => e.outerHTML.slice(0, 80)).join("\n")`)
	if lost != "" {
		t.Errorf("refer to an element that does not exist:\n%s", lost)
	}
	if p.js(`document.documentElement.lang`) != "en" || p.js(`document.querySelectorAll("#tree [role=treeitem][aria-level][aria-posinset][aria-setsize]").length`) == "0" {
		t.Error("the language or the levels of the tree are missing")
	}
}

// TestLargeFile opens 100 MB. The page must keep drawing while the worker reads, and
// must never have more than a few thousand elements.
func TestLargeFile(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: reads 100 MB")
	}
	record := wire.AppendMapHeader(nil, 2)
	record = wire.AppendInt(wire.AppendString(record, "id"), 1<<40)
	record = wire.AppendString(wire.AppendString(record, "text"), strings.Repeat("x", 80))
	n := 100_000_000 / len(record)
	data := wire.AppendArrayHeader(make([]byte, 0, 100_000_100), uint32(n+1))
	for range n {
		data = append(data, record...)
	}
	data = wire.AppendString(data, "the end")
	p := open(t, "", nil)
	p.js(`(() => { window.frames0 = 0; const f = () => { window.frames0++; requestAnimationFrame(f); }; f(); })()`)
	p.choose("large.msgpack", data)
	p.until(`document.querySelector("#summary").textContent.includes("bytes") && document.querySelectorAll("#text .win .ln").length > 0`)
	if frames := p.js(`window.frames0 > 10`); frames != "true" {
		t.Errorf("the page drew only %s frames while the file was read", p.js(`window.frames0`))
	}
	p.js(`document.querySelector("#tree").focus()`)
	p.press(kb.End)
	p.until(`document.querySelector("#tree [aria-selected=true]")?.textContent.includes("the end")`)
	p.until(`document.querySelector("#hex").textContent.includes("` + fmt.Sprintf("%08x", len(data)/16*16) + `")`)
	p.until(`document.querySelector("#text [aria-selected=true]")?.textContent.includes("the end")`)
	p.set("#query", "[500000].text")
	p.js(`document.querySelector("#find").requestSubmit()`)
	p.until(`document.querySelector("#explain").textContent.includes("[500000].text")`)
	p.js(`document.querySelector("#pane-text .scroll").scrollTop = 1e6`)
	p.until(`document.querySelector("#text .win").getBoundingClientRect().top <= document.querySelector("#pane-text .scroll").getBoundingClientRect().top`)
	if p.js(`document.querySelectorAll("*").length < 30000`) != "true" {
		t.Errorf("the page has %s elements", p.js(`document.querySelectorAll("*").length`))
	}
	p.shoot("large")
}
