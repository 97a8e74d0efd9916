package page

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestSearch goes through the matches of a text in both directions. A match is inside text,
// in any case, and not inside a number.
func TestSearch(t *testing.T) {
	data := append([]byte("\x93\xa6needle\xcb\x5b\x5b\x5b\x5b\x5b\x5b\x5b\x5b\xa8a NEEDLE"), 0x81, 0xa6)
	data = append(data, "Needle\xa3[x]"...)
	p := open(t, "found.msgpack", data)
	p.ready()
	at := func(offset int, count string) {
		t.Helper()
		p.until(fmt.Sprintf(`document.querySelector("#hex b.cur")?.dataset.b === "%d" && document.querySelector("#count").textContent === %q`, offset, count))
	}
	p.js(`document.querySelector("#query").focus()`)
	p.press("n", "e", "e", "d", "l", "e", kb.Enter)
	at(2, "1 of 3")
	p.press(kb.Enter)
	at(20, "2 of 3")
	back := func() {
		p.js(`document.querySelector("#query").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", shiftKey: true, bubbles: true, cancelable: true }))`)
	}
	back()
	at(2, "1 of 3")
	back()
	at(28, "3 of 3")
	p.click("#previous")
	at(20, "2 of 3")
	p.click("#case")
	at(2, "1 of 1")
	p.set("#query", "[")
	p.click("#next")
	at(35, "1 of 1")
	p.set("#query", "nothing")
	p.click("#next")
	p.has("#status", "nothing: not found")
}

// TestStop stops the work on a file that takes long, and uses the page meanwhile.
func TestStop(t *testing.T) {
	p := open(t, "", nil)
	p.choose("sample.msgpack", sample(t))
	p.ready()
	large := people(8_000_000, false)
	p.choose("large.msgpack", large)
	// The page stops the work as soon as it shows it, because the work can end before the test hears of it.
	p.until(`!document.querySelector("#working").hidden && document.querySelector("#task").textContent === "Reading …" &&
		(document.querySelector("#stop").click(), true)`)
	p.has("#status", "Stopped")
	p.has("#name", "sample.msgpack") // the file before is still open
	p.click("#tool-lint")
	p.has("#findings", "uint 64, but uint 32 is enough")

	p.click("#tool-value")
	p.choose("large.msgpack", large)
	p.until(`document.querySelector("#name").textContent === "large.msgpack" && document.querySelectorAll("#text .win .ln").length > 0`)
	// The work can end before the test looks whether it is shown.
	p.js(`(() => {
		const bar = document.querySelector("#working");
		window.worked = false;
		new MutationObserver(() => { window.worked ||= !bar.hidden; }).observe(bar, { attributes: true });
	})()`)
	p.click("#tool-lint")
	p.until(`window.worked`)
	p.js(`document.querySelector("#tree").focus()`)
	p.press(kb.End)
	p.until(`document.querySelector("#tree [aria-selected=true]")`)
	if p.js(`document.querySelector("#working").hidden`) == "true" {
		t.Log("lint ended before the key was answered")
	}
	// The findings are others, so lint starts anew, and it is stopped before it can end.
	p.js(`document.querySelector("#strict").click(), document.querySelector("#stop").click()`)
	p.has("#findings", "Stopped")
	p.click("#findings [data-again]")
	p.wait(`/finding/.test(document.querySelector("#findings").textContent)`, patience)
}

// TestLongExport saves a text that is longer than what the page shows of it.
func TestLongExport(t *testing.T) {
	p := open(t, "people.msgpack", people(1_000_000, true))
	p.until(`document.querySelectorAll("#text .win .ln").length > 0 && document.querySelector("#copies").hidden === false`)
	p.click("#tool-export")
	p.until(`document.querySelector("#result").textContent.endsWith("Copy and Download give the complete text.")`)
	p.click("#download")
	text := p.file("people.json")
	if !bytes.HasPrefix(text, []byte("[\n  {\n    \"id\": 0,")) || !bytes.HasSuffix(text, []byte("\n  }\n]\n")) {
		t.Errorf("%d bytes were saved: %.40q … %q", len(text), text, text[max(0, len(text)-40):])
	}
}

// TestCopy copies the path, the value and the bytes of a value.
func TestCopy(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	p.js(`[...document.querySelectorAll("#tree .v")].find(c => c.textContent === '"grace@example.org"').click()`)
	p.chosen(`"grace@example.org"`)
	p.js(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`)
	for id, want := range map[string]string{
		"copypath": "users[1].email", "copyvalue": `"grace@example.org"`, "copyhex": "b1 67 72 61 63 65 40 65 78 61 6d 70 6c 65 2e 6f 72 67",
	} {
		p.click("#" + id)
		p.until(fmt.Sprintf(`window.copied === %q`, want))
	}
	p.js(`document.querySelector("#tree").focus()`)
	p.press("y")
	p.has("#status", "Copied the path users[1].email.")
	got := p.js(`(() => {
		const data = new DataTransfer();
		document.querySelector("#tree").dispatchEvent(new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true }));
		return data.getData("text");
	})()`)
	if got != `"grace@example.org"` {
		t.Errorf("Ctrl+C copied %q", got)
	}
}

// TestLayout requires that the offsets of the tree can be seen at 1280 pixels, that the
// columns can be resized, and that the tabs of the tools stay where they are.
func TestLayout(t *testing.T) {
	data := sample(t)
	long := append([]byte("\x81\xd9\x64"), strings.Repeat("k", 100)...)
	long = append(long, "\xd9\x78"+strings.Repeat("v", 120)...)
	p := open(t, "sample.msgpack", append(data, long...))
	p.ready()
	for _, width := range []int64{1280, 1900, 800} {
		p.look("light", width, 900)
		p.until(`innerWidth === ` + fmt.Sprint(width))
		hidden := p.js(`[...document.querySelectorAll("#tree .r .m")].filter(m => {
			const box = document.querySelector("#pane-tree .scroll").getBoundingClientRect(), at = m.getBoundingClientRect();
			return at.width === 0 || at.right > box.right + 1 || at.left < box.left;
		}).length`)
		if hidden != "0" {
			t.Errorf("at %d pixels, %s offsets cannot be seen", width, hidden)
		}
		places := map[string]bool{}
		for _, tool := range []string{"value", "lint", "sizes", "compare", "export"} {
			p.click("#tool-" + tool)
			p.until(`!document.querySelector("#panel-` + tool + `").hidden`)
			places[p.js(`["value", "sizes", "export"].map(t => { const r = document.querySelector("#tool-" + t).getBoundingClientRect(); return Math.round(r.left) + "," + Math.round(r.top); }).join(" ")`)] = true
		}
		if len(places) != 1 {
			t.Errorf("at %d pixels, the tabs move: %v", width, places)
		}
		p.click("#tool-value")
		p.shoot(fmt.Sprintf("layout-%d", width))
	}
	p.look("light", 1280, 900)
	p.until(`innerWidth === 1280`)
	p.js(`document.querySelector("#split-tree").focus()`)
	before := p.js(`document.querySelector("#pane-tree").offsetWidth`)
	p.press(kb.ArrowRight, kb.ArrowRight)
	p.until(`document.querySelector("#pane-tree").offsetWidth === ` + before + ` + 40`)
	p.js(`(() => {
		const s = document.querySelector("#split-tree");
		s.setPointerCapture = () => {};
		const at = (type, x) => s.dispatchEvent(new PointerEvent(type, { clientX: x, pointerId: 1, bubbles: true, cancelable: true }));
		at("pointerdown", 100); at("pointermove", 40); at("lostpointercapture", 40); at("pointermove", 400);
	})()`)
	p.until(`document.querySelector("#pane-tree").offsetWidth === ` + before + ` - 20`)
	p.js(`document.querySelector("#split-tree").dispatchEvent(new MouseEvent("dblclick"))`)
	p.until(`document.querySelector("#pane-tree").offsetWidth === ` + before)
}
