package page

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/view"
	"github.com/octet-go/octet/msgpack/wire"
)

// sample is a file with values of all kinds.
func sample(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/sample.diag")
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := view.Parse(string(text), "text")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// ready waits until the WebAssembly has drawn the views.
func (p *tab) ready() {
	p.Helper()
	p.until(`document.querySelectorAll("#tree .win .r").length > 0 && document.querySelectorAll("#hex .win .h").length > 0 && document.querySelectorAll("#text .win .ln").length > 0 && document.getElementById("edit").hidden === false`)
}

// selected returns what is selected in the three views.
func (p *tab) selected() (tree, bytes, text string) {
	p.Helper()
	return p.js(`document.querySelector("#tree [aria-selected=true]")?.textContent || ""`),
		p.js(`[...document.querySelectorAll("#hex b.on, #hex b.in")].map(b => b.textContent).join("")`),
		p.js(`[...document.querySelectorAll("#text [aria-selected=true] .in")].map(c => c.textContent).join("")`)
}

// chosen waits until the value with the text is selected, and checks all views.
func (p *tab) chosen(text string) {
	p.Helper()
	want := fmt.Sprintf("%x", strings.Trim(text, `"`))
	p.until(fmt.Sprintf(`document.querySelector("#tree [aria-selected=true]")?.textContent.includes(%q)`, text))
	p.until(fmt.Sprintf(`[...document.querySelectorAll("#hex b.on, #hex b.in")].map(b => b.textContent).join("").includes(%q)`, want)) // drawn in its turn
	tree, bytes, line := p.selected()
	if !strings.Contains(bytes, want) || !strings.Contains(tree, text) || line != text {
		p.Errorf("selected in the tree %q, bytes %q, text %q; want %q", tree, bytes, line, text)
	}
}

func TestLinkedViews(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	p.js(`[...document.querySelectorAll("#text .c")].find(c => c.textContent === '"grace@example.org"').click()`)
	p.chosen(`"grace@example.org"`)
	p.js(`[...document.querySelectorAll("#tree .v")].find(c => c.textContent === '"engine"').click()`)
	p.chosen(`"engine"`)
	p.js(`document.querySelector("#hex [data-b='28']").click()`)
	p.chosen(`"2.14.0"`)
	p.has("#explain", "fixstr: the last 5 bits are the length, 6 bytes")
	p.has("#explain", "101 00110")
	for class, role := range map[string]string{"t": "a7", "k": "73", "s": "62"} {
		if got := p.js(`[...document.querySelectorAll("#hex b.` + class + `")].map(b => b.textContent).join(" ")`); !strings.Contains(got, role) {
			t.Errorf("bytes of role %s are %s, want %s among them", class, got, role)
		}
	}
}

// TestExplanations checks what the page says about values of different kinds.
func TestExplanations(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	for value, wants := range map[string][]string{
		`time'2026-03-09T12:30:00.5Z'`: {"timestamp 64", "30 bits: 500,000,000 nanoseconds", "users[1].since"},
		`ext(2, h'0123456789ab4def8123456789abcdef') Tarantool UUID? 01234567-89ab-4def-8123-456789abcdef`: {"a guess", "01234567-89ab-4def-8123-456789abcdef"},
		"1767225600":   {"As seconds", "2026-01-01T00:00:00Z", "uint 32"},
		"0.25":         {"sign +, exponent -2", "0 01111111101 0000"},
		"-5":           {"negative fixint", "111 11011"},
		"70000_u64":    {"4 bytes shorter is possible"},
		"[3 elements]": {"fixarray: the last 4 bits count 3 elements", "1001 0011"},
	} {
		p.js(fmt.Sprintf(`[...document.querySelectorAll("#tree .v")].find(c => c.textContent === %q).click()`, value))
		for _, want := range wants {
			p.has("#explain", want)
		}
	}
}

// TestFirstHundred checks that the first values are in the page without a click.
func TestFirstHundred(t *testing.T) {
	var data []byte
	for i := range 5000 {
		data = wire.AppendString(wire.AppendString(wire.AppendMapHeader(data, 1), "name"), fmt.Sprintf("value %d", i))
	}
	p := open(t, "many.msgpack", data)
	p.ready()
	p.until(`document.querySelectorAll("#tree .r").length >= 200`)
	text := p.text("#tree")
	for _, i := range []int{0, 1, 50, 99} {
		if want := fmt.Sprintf(`"value %d"`, i); !strings.Contains(text, want) {
			t.Errorf("the page does not show %s", want)
		}
	}
	p.until(`document.querySelectorAll("#tree [aria-expanded=true]").length === 100`)
	p.js(`document.querySelector("#pane-tree .scroll").scrollTo(0, 1e9)`)
	p.until(`document.querySelector("#tree").textContent.includes("4999:{1 pair}") || [...document.querySelectorAll("#tree .i")].some(i => i.textContent === "4999")`)
}

// TestAppearance draws the page in both color schemes and at two widths, and checks
// that nothing is wider than the window. Set OCTET_SCREENSHOTS to a folder to get
// the pictures.
func TestAppearance(t *testing.T) {
	p := open(t, "sample.msgpack", sample(t))
	p.ready()
	p.js(`document.querySelector('#tree .v.ext').click()`)
	for _, scheme := range []string{"light", "dark"} {
		background := map[string]string{"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}[scheme]
		for _, width := range []int64{1400, 400} {
			p.look(scheme, width, 900)
			p.until(`getComputedStyle(document.body).backgroundColor === "` + background + `"`)
			for _, view := range []string{"tree", "hex", "text", "side"} {
				if width == 1400 && view != "tree" {
					continue
				}
				p.click("#view-" + view)
				p.until(`document.documentElement.scrollWidth <= innerWidth`)
				p.shoot(fmt.Sprintf("%s-%d-%s", scheme, width, view))
			}
			for _, tool := range []string{"lint", "sizes", "export"} {
				p.click("#tool-" + tool)
				p.until(`document.querySelector("#panel-` + tool + `").innerText.length > 20`)
				p.shoot(fmt.Sprintf("%s-%d-%s", scheme, width, tool))
			}
			p.click("#tool-value")
		}
	}
}

// TestOwnData checks that the data of a page is MessagePack, even if a file with the
// same bytes would be JSON.
func TestOwnData(t *testing.T) {
	p := open(t, "numbers", []byte("[1]"))
	p.has("#summary", "3 values")
	p.until(`document.querySelectorAll("#text .win .ln").length === 3`)
	p.until(`document.querySelector("#status").textContent === ""`) // not: read as JSON
}
