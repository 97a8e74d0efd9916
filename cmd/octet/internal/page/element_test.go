package page

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// TestElement opens the page docs/inspector.html, which has the inspector as an element.
func TestElement(t *testing.T) {
	var script bytes.Buffer
	if err := WriteElement(&script); err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("../../../../docs/inspector.html")
	if err != nil {
		t.Fatal(err)
	}
	// The events of the element are kept from the beginning.
	listen := `<script>window.events = []; for (const e of ["load", "error"]) document.addEventListener(e, (event) => { if (event.detail) window.events.push(event.detail); }, true);</script><script src="octet`
	html := strings.Replace(string(example), `<script src="octet`, listen, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(html))
		case "/octet-inspector.js":
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			_, _ = w.Write(script.Bytes())
		case "/sample.msgpack":
			_, _ = w.Write(sample(t))
		case "/favicon.ico":
			w.WriteHeader(http.StatusNoContent)
		default:
			http.NotFound(w, q)
		}
	}))
	defer s.Close()
	p := visit(t, s.URL+"/")
	last := func(want map[string]string) {
		t.Helper()
		p.until(`window.events.length > 0`)
		var got map[string]string
		if err := json.Unmarshal([]byte(p.js(`JSON.stringify(window.events.shift())`)), &got); err != nil {
			t.Fatal(err)
		}
		for key, value := range want {
			if !strings.Contains(got[key], value) {
				t.Errorf("%s is %q, want %q", key, got[key], value)
			}
		}
	}
	last(map[string]string{"name": "sample.msgpack", "summary": "414 bytes, 1 value"})
	p.shoot("element")
	if p.js(`(() => { try { return document.querySelector("octet-inspector").shadowRoot.querySelector("iframe").contentDocument === null; } catch { return true; } })()`) != "true" {
		t.Error("the frame has the rights of the page")
	}
	p.js(`document.querySelector("octet-inspector").show(new Uint8Array([0x93, 1, 2, 3]), "bytes")`)
	last(map[string]string{"name": "bytes", "summary": "4 bytes, 1 value"})
	p.js(`document.querySelector("octet-inspector").show(new Blob(["{\"a\": "]), "bad.json")`)
	last(map[string]string{"name": "bad.json", "error": "this looks like JSON"})
	p.js(`document.querySelector("octet-inspector").shadowRoot.querySelector("iframe").focus()`)
	p.press("c") // the panel Compare
	p.js(`document.querySelector("octet-inspector").setAttribute("src", "sample.msgpack?again")`)
	last(map[string]string{"name": "sample.msgpack", "summary": "414 bytes"})
	p.js(`(() => {
		const get = fetch;
		window.fetch = () => get("sample.msgpack");
		document.querySelector("octet-inspector").setAttribute("src", "100%.msgpack");
	})()`)
	last(map[string]string{"name": "100%.msgpack", "summary": "414 bytes"})
	p.js(`document.querySelector("octet-inspector").setAttribute("src", "http://[")`)
	last(map[string]string{"name": "http://[", "error": "http://[: "})
}
