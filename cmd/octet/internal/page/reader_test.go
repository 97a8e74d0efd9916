package page

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/octet-go/octet/msgpack/wire"
)

// TestLink opens addresses with data after the #, and goes back and forward between them.
func TestLink(t *testing.T) {
	p := open(t, "", nil)
	address := p.js(`location.href`)
	p.js(`void (location.hash = '["first"]')`)
	p.has("#tree", `"first"`)
	p.js(`void (location.hash = '["second"]')`)
	p.has("#tree", `"second"`)
	p.js(`history.back()`)
	p.has("#tree", `"first"`)
	p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(address+`#["100%"]`))
	p.has("#status", "The text after # is not URL-encoded")
	p.until(`document.documentElement.dataset.ready === "true"`)
}

// TestNothingSelected opens data without a complete value after other data. The page shows nothing of the data before.
func TestNothingSelected(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	p.click("#tool-lint")
	p.has("#findings", "uint 64, but uint 32 is enough")
	p.click("#tool-value")
	none := `document.querySelector("#copies").hidden && document.querySelector("#edit").hidden`
	p.choose("cut.msgpack", []byte("\x01\xda"))
	p.has("#explain", "positive fixint")
	p.js(`document.querySelector("#hex [data-b='1']").click()`)
	p.has("#explain", "There is no complete value at offset 1.")
	p.until(none)
	p.choose("one.msgpack", []byte("\x07"))
	p.has("#explain", "positive fixint")
	p.until(`!(` + none + `)`)
	p.click("#tool-lint")
	p.has("#findings", "Nothing")
	p.choose("empty.msgpack", nil)
	p.has("#name", "empty.msgpack")
	p.until(`document.querySelector("#explain").textContent === "" && document.querySelector("#findings").textContent === ""`)
	p.until(none)
}

// TestSeveralFiles drops two files at once. The page says that it has opened only one.
func TestSeveralFiles(t *testing.T) {
	p := open(t, "", nil)
	p.js(`void (window.drop = (...names) => {
		const files = new DataTransfer();
		for (const name of names) files.items.add(new File([name.endsWith(".json") ? "[5]" : "\x07"], name));
		document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
	})`)
	p.js(`drop("one.msgpack", "two.msgpack")`)
	p.has("#name", "one.msgpack")
	p.has("#status", "Only the first of 2 files was opened.")
	p.js(`drop("three.json", "four.json", "five.json")`)
	p.has("#status", "Read as JSON.")
	p.has("#status", "Only the first of 3 files was opened.")
	p.js(`drop("six.msgpack")`)
	p.has("#name", "six.msgpack")
	p.until(`document.querySelector("#status").textContent === ""`)
}

// TestUnsaved checks that a page with edits that were not saved asks before it is left or shows other data.
func TestUnsaved(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	asks := func(want string) {
		t.Helper()
		if got := p.js(`String(!dispatchEvent(new Event("beforeunload", { cancelable: true })))`); got != want {
			t.Errorf("asks: %s, want %s", got, want)
		}
	}
	edit := func(text string) {
		t.Helper()
		p.set("#value", text)
		p.js(`document.querySelector("#edit").requestSubmit()`)
		p.has("#tree", text)
		p.has("#status", "Changed.")
	}
	asks("false")
	edit("12345")
	asks("true")
	p.click("#undo")
	p.has("#status", "Undone.")
	asks("false")
	edit("23456")
	p.click("#save")
	p.file("sample.msgpack")
	asks("false")
	edit("34567")
	other := func(answer string) {
		t.Helper()
		p.choose("other.msgpack", []byte("\x07"))
		p.until(`document.querySelector("#losing").open`)
		p.has("#losing", "sample.msgpack has edits that are not saved.")
		p.shoot("losing")
		p.click("#losing [value=" + answer + "]")
	}
	other("keep")
	p.has("#status", "Stopped.")
	p.has("#tree", "34567")
	p.click("#paste")
	p.set("#pasted", "[true]")
	p.click("#show")
	p.until(`document.querySelector("#losing").open`)
	p.click("#losing [value=keep]")
	p.until(`!document.querySelector("#losing").open && document.querySelector("#pasting").open`)
	p.press(kb.Escape)
	p.has("#tree", "34567")
	asks("true")
	p.click("#tool-compare")
	p.offers("#other")
	p.choose("other.msgpack", []byte("\x07"))
	p.until(`document.querySelector("#differences").textContent !== ""`)
	p.offers("#open")
	asks("true")
	other("drop")
	p.has("#name", "other.msgpack")
	asks("false")
}

// TestNoWebAssembly checks that the page says what it lacks if the browser has no WebAssembly, instead of waiting for it.
func TestNoWebAssembly(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, "sample.msgpack", sample(t)); err != nil {
		t.Fatal(err)
	}
	worker := `<script type="text/plain" id="worker">`
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, bytes.Replace(b.Bytes(), []byte(worker), []byte(worker+"delete self.WebAssembly;"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	p := visit(t, (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String())
	p.has("#status", "sample.msgpack: The inspector needs WebAssembly")
	p.has("#tree", "billing")
	p.shoot("nowebassembly")
	p.choose("other.msgpack", []byte("\x07"))
	p.has("#status", "other.msgpack: The inspector needs WebAssembly")
	p.click("#paste")
	p.set("#pasted", "[true]")
	p.click("#show")
	p.has("#badpaste", "The inspector needs WebAssembly")
}

// TestDirection checks that a value from right to left does not change places with its key or with what is beside it.
func TestDirection(t *testing.T) {
	p := open(t, "שלום", []byte("\x81\xa6\xd7\x90\xd7\x91\xd7\x92\xa6\xd7\x93\xd7\x94\xd7\x95"))
	p.ready()
	for _, pair := range []string{`document.querySelectorAll("#text .ln:nth-child(2) .c")`, `document.querySelectorAll("#name, #summary")`} {
		if p.js(`(([key, value]) => key.getBoundingClientRect().right <= value.getBoundingClientRect().left)(`+pair+`)`) != "true" {
			t.Errorf("%s: %s", pair, p.js(`JSON.stringify([...`+pair+`].map((e) => [e.textContent, e.getBoundingClientRect()]))`))
		}
	}
	p.shoot("direction")
}

// TestNarrow checks that the controls and a long message are inside a window of 320 pixels.
func TestNarrow(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	p.look("light", 320, 640)
	p.until(`innerWidth === 320`)
	p.choose("text.txt", []byte(strings.Repeat("Not a value. ", 10)))
	p.has("#status", "strings are in double quotes")
	cut := `[...document.querySelectorAll("header :is(input, button), footer, #status")].filter((e) => {
		const at = e.getBoundingClientRect();
		return at.right > innerWidth || at.bottom > innerHeight || e.id === "status" && e.scrollWidth > e.clientWidth;
	}).map((e) => e.id || e.tagName).join(" ")`
	p.shoot("narrow")
	if got := p.js(cut); got != "" {
		t.Errorf("not inside the window: %s", got)
	}
	p.look("light", 320, 256) // a window of 1280 × 1024 at 400 %
	p.until(`innerHeight === 256`)
	p.js(`document.querySelector("main").scrollIntoView()`)
	if got := p.js(`document.querySelector("#pane-tree .scroll").clientHeight`); len(got) < 3 {
		t.Errorf("the tree has %s pixels in a window that is not high", got)
	}
	if got := p.js(`document.querySelector("#views").clientHeight >= document.querySelector("#view-tree").offsetHeight`); got != "true" {
		t.Error("the tabs of the views are cut in a window that is not high")
	}
	p.shoot("low")
}

// TestParent goes from the last of many values to what contains it.
func TestParent(t *testing.T) {
	list := append(wire.AppendArrayHeader(nil, 20000), make([]byte, 20000)...)
	p := open(t, "list.msgpack", append(wire.AppendString(wire.AppendMapHeader(nil, 1), "list"), list...))
	p.until(`document.querySelectorAll("#tree .win .r").length > 0 && !document.querySelector("#copies").hidden`)
	p.set("#query", "list[19999]")
	p.js(`document.querySelector("#find").requestSubmit()`)
	p.has("#explain", "list[19999]")
	p.js(`document.querySelector("#tree").focus()`)
	for _, want := range []string{"[20,000 elements]", "{1 pair}"} {
		p.press(kb.ArrowLeft)
		p.until(`document.querySelector("#tree [aria-selected=true]")?.textContent.includes("` + want + `")`)
		p.press(kb.ArrowLeft) // collapses it
		p.until(`document.querySelector("#tree [aria-selected=true]")?.getAttribute("aria-expanded") === "false"`)
	}
}

// TestNoScript checks that the page says what it lacks if the browser runs no scripts.
func TestNoScript(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	address := p.js(`location.href`)
	p.run(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}), chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	p.has("body", "This page needs JavaScript")
	p.has("#tree", "billing")
	p.shoot("noscript")
}
