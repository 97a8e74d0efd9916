package page

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/octet-go/octet/msgpack/wire"
)

// people returns about size bytes: maps of strings, numbers and lists, in one stream or in
// one array.
func people(size int, array bool) []byte {
	one := func(b []byte, i int) []byte {
		b = wire.AppendMapHeader(b, 7)
		b = wire.AppendInt(wire.AppendString(b, "id"), int64(i))
		b = wire.AppendString(wire.AppendString(b, "name"), "user "+strconv.Itoa(i*7919%1000003))
		b = wire.AppendString(wire.AppendString(b, "email"), "u"+strconv.Itoa(i)+"@example.org")
		b = wire.AppendFloat64(wire.AppendString(b, "score"), float64(i%10007)/7)
		b = wire.AppendBool(wire.AppendString(b, "active"), i%3 == 0)
		b = wire.AppendArrayHeader(wire.AppendString(b, "tags"), uint32(i%4))
		for k := range i % 4 {
			b = wire.AppendString(b, "tag"+strconv.Itoa(k))
		}
		return wire.AppendString(wire.AppendString(b, "note"), "lorem ipsum dolor sit amet, consectetur adipiscing elit")
	}
	data := make([]byte, 0, size+1000)
	if array {
		n := size / (len(one(nil, 999_999)))
		data = wire.AppendArrayHeader(data, uint32(n))
		for i := range n {
			data = one(data, i)
		}
		return data
	}
	for i := 0; len(data) < size; i++ {
		data = one(data, i)
	}
	return data
}

// TestMeasure opens a large file, works with it, and reports how long each kind of work
// takes, how long the page's own thread is busy at most, and how long an arrow key takes
// while the work runs. It asserts no times. OCTET_MEASURE is the size in megabytes:
//
//	OCTET_MEASURE=200 go test -run TestMeasure -v ./cmd/octet/internal/page
func TestMeasure(t *testing.T) {
	size, err := strconv.Atoi(os.Getenv("OCTET_MEASURE"))
	if err != nil {
		t.Skip("skipped: OCTET_MEASURE is not set to a number of megabytes")
	}
	for _, array := range []bool{false, true} {
		name := "stream"
		if array {
			name = "array"
		}
		t.Run(name, func(t *testing.T) { measure(t, people(size*1e6, array)) })
	}
}

// selected is the identifier of the selected row.
const selected = `(document.querySelector("#tree [aria-selected=true]")?.id || "")`

func measure(t *testing.T, data []byte) {
	path := filepath.Join(t.TempDir(), "large.msgpack")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	p := open(t, "", nil)
	p.js(`(() => { window.longest = 0; new PerformanceObserver((list) => { for (const e of list.getEntries()) window.longest = Math.max(window.longest, e.duration); }).observe({ type: "longtask" }); })()`)
	report := func(what string, begin func(), done string) {
		t.Helper()
		p.js(`void (window.longest = 0)`)
		start := time.Now()
		begin()
		p.wait(done, 5*time.Minute)
		took := time.Since(start)
		time.Sleep(200 * time.Millisecond) // the observer reports a little later
		t.Logf("%-28s %8.2f s, longest task of the page's thread: %s ms", what, took.Seconds(), p.js(`window.longest < 50 ? "under 50" : String(Math.round(window.longest))`))
	}
	idle := `document.querySelector("#working").hidden`
	p.choose("small.msgpack", sample(t)) // the WebAssembly has started when it is shown
	p.ready()
	report("open", func() { p.run(chromedp.SetUploadFiles(chromedp.CSS("#chooser"), []string{path})) },
		`document.querySelector("#name").textContent === "large.msgpack" && document.querySelectorAll("#text .win .ln").length > 0 && `+idle)
	t.Logf("%d bytes: %s", len(data), p.text("#summary"))
	search := func(text string) func() {
		return func() {
			p.set("#query", text)
			p.js(`(() => { document.querySelector("#count").textContent = ""; document.querySelector("#status").textContent = ""; document.querySelector("#find").requestSubmit(); })()`)
		}
	}
	report("search, no match", search("not there"), `document.querySelector("#status").textContent.includes("not found")`)
	report("search, one match", search(fmt.Sprintf("U%d@EXAMPLE.ORG", len(data)/300)), `document.querySelector("#count").textContent.includes("of")`)
	before := p.js(selected)
	report("search, the first match", search("lorem"), fmt.Sprintf(selected+` !== %q`, before))
	report("search, all are counted", search("lorem"), `document.querySelector("#count").textContent.includes("of")`)
	t.Logf("count: %s", p.text("#count"))
	place := "1000: name"
	if wire.FormatOf(data[0]).Kind() == wire.KindArray {
		place = "[1000].name"
	}
	report("path", search(place), `document.querySelector("#status").textContent.includes("Offset")`)
	key := func() {
		p.js(`document.querySelector("#tree").focus()`)
		for range 5 {
			before := p.js(selected)
			start := time.Now()
			p.press(kb.ArrowDown)
			p.wait(fmt.Sprintf(selected+` !== %q`, before), time.Minute)
			t.Logf("    an arrow key meanwhile: %d ms", time.Since(start).Milliseconds())
		}
	}
	report("lint", func() { p.click("#tool-lint"); key() }, `/finding|Nothing/.test(document.querySelector("#findings").textContent)`)
	report("sizes", func() { p.click("#tool-sizes"); key() }, `document.querySelector("#sizes svg") && `+idle)
	report("JSON, checked to the end", func() { p.click("#tool-export"); key() }, `document.querySelector("#result").textContent.length > 1e4 && `+idle)
	report("JSON, all of it", func() {
		p.click("#download")
		p.wait(`!document.querySelector("#working").hidden`, time.Minute)
	}, idle)
	report("stop lint", func() {
		p.click("#tool-lint")
		p.js(`document.querySelector("#strict").dispatchEvent(new Event("change"))`) // checks again
		p.wait(`!document.querySelector("#working").hidden`, time.Minute)
		p.click("#stop")
	}, `document.querySelector("#findings").textContent.includes("Stopped")`)
	p.shoot("measured")
}
