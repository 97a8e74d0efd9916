package report

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
	"golang.org/x/net/html"
)

func TestPage(t *testing.T) {
	r := example.Results()
	text, err := page(r)
	if err != nil {
		t.Fatal(err)
	}
	again, err := page(r)
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("the page differs from run to run: %v", err)
	}
	root, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var captions, sections []string
	drawn, lines := 0, 0
	for n := range root.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "script" || n.Data == "link" || n.Data == "img" || n.Data == "iframe":
			t.Errorf("the page contains <%s>", n.Data)
		case n.Data == "caption":
			captions = append(captions, strings.TrimSpace(n.FirstChild.Data))
		case n.Data == "section":
			sections = append(sections, attribute(n, "id"))
		case n.Data == "svg":
			drawn++
		case n.Data == "tr" && n.Parent.Data == "tbody":
			lines++
		case n.Data == "a" && !strings.HasPrefix(attribute(n, "href"), "#"):
			t.Errorf("a link to %s", attribute(n, "href"))
		}
	}
	wantDrawn, wantLines := 0, len(r.Libraries)+len(leads(r))+len(r.Programs)
	for _, c := range charts(r) {
		wantDrawn += len(c.panels)
	}
	for _, c := range r.Cases {
		wantLines += len(c.Entries)
	}
	if drawn != wantDrawn || lines != wantLines {
		t.Errorf("%d panels and %d lines, want %d and %d", drawn, lines, wantDrawn, wantLines)
	}
	for _, g := range engine.Groups {
		if !slices.Contains(sections, g.Name) {
			t.Errorf("no section %s", g.Name)
		}
		for _, s := range seriesOf(r, g.Name) {
			if want := s.shape + ", " + s.verb; !slices.Contains(captions, want) {
				t.Errorf("no table %s", want)
			}
		}
	}
	for _, want := range []string{`content="default-src 'none'; style-src 'unsafe-inline'"`, "prefers-color-scheme: dark", "width=device-width", "var(--octet)", "by &lt;hand&gt;", `id="ahead"`, `<span class="about">what header is</span>`, "not available: the module proxy does not have it", r.Circumstances()} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %q", want)
		}
	}
}

func TestWritePage(t *testing.T) {
	r := example.Results()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := WritePage(path, r); err != nil {
		t.Fatal(err)
	}
	want, err := page(r)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, or a different page", err)
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
