package inspector

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
)

func setup(paths ...string) *input.Files {
	c, _, _ := consoletest.New("")
	return &input.Files{Console: c, Paths: paths}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.json", `{"first": 1}`)
	put(t, "empty.msgpack", "")
	put(t, "bad.json", `{"first": `)
	var asking bytes.Buffer
	if err := Write(t.Context(), setup(), &asking); err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]string{"a.json": ">first</span>", "empty.msgpack": "empty.msgpack"} {
		var b bytes.Buffer
		if err := Write(t.Context(), setup(name), &b); err != nil || !strings.Contains(b.String(), part) {
			t.Errorf("%s: %d bytes, %v", name, b.Len(), err)
		}
		if bytes.Equal(b.Bytes(), asking.Bytes()) {
			t.Errorf("%s: the page asks for a file", name)
		}
	}
	var b bytes.Buffer
	if err := Write(t.Context(), setup("bad.json"), &b); failure.CodeOf(err) != failure.Data || b.Len() > 0 {
		t.Errorf("malformed JSON: %v, and %d bytes were written", err, b.Len())
	}
}

func TestAnswer(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.json", `{"first": 1}`)
	answer := site{setup("a.json"), "127.0.0.1:80", "/secret/"}.answer
	page := request{"GET", "127.0.0.1:80", "/secret/"}
	for _, c := range []struct {
		q      request
		status string
	}{
		{page, "200 OK"},
		{request{"HEAD", page.host, page.path}, "200 OK"},
		{request{"GET", "evil.example", page.path}, "421 Misdirected Request"},
		{request{"GET", "127.0.0.1:81", page.path}, "421 Misdirected Request"},
		{request{"GET", "", page.path}, "421 Misdirected Request"},
		{request{"GET", page.host, "/"}, "404 Not Found"},
		{request{"GET", page.host, "/secret/more"}, "404 Not Found"},
		{request{"POST", page.host, page.path}, "405 Method Not Allowed"},
	} {
		if a := answer(t.Context(), c.q); a.status != c.status {
			t.Errorf("%v: %s, want %s", c.q, a.status, c.status)
		}
	}
	if a := answer(t.Context(), page); !slices.Contains(a.fields, "frame-ancestors 'none'") {
		t.Errorf("another page can show this one in a frame: %q", a.fields)
	}
	put(t, "a.json", `{"second": 1}`)
	if a := answer(t.Context(), page); !bytes.Contains(a.body, []byte(">second</span>")) {
		t.Error("the file was not read again")
	}
	put(t, "a.json", `{`)
	if a := answer(t.Context(), page); !strings.HasPrefix(a.status, "500 ") || !bytes.Contains(a.body, []byte("a.json: ")) {
		t.Errorf("%s, %s", a.status, a.body)
	}
}

// TestServe requires that Serve refuses a malformed file before it prints an address,
// and that it ends when the context is canceled.
func TestServe(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "bad.json", `{`)
	put(t, "a.json", `{}`)
	c, stdout, _ := consoletest.New("")
	files := &input.Files{Console: c, Paths: []string{"bad.json"}}
	if err := Serve(t.Context(), files, 0, false); failure.CodeOf(err) != failure.Data || stdout.Len() > 0 {
		t.Errorf("%v, %s", err, stdout)
	}
	ctx, cancel := context.WithCancel(t.Context())
	files.Paths = []string{"a.json"}
	c.Stdout = stopper{cancel}
	if err := Serve(ctx, files, 0, false); err != nil {
		t.Error(err)
	}
}

// A stopper is standard output that ends the server when the address is printed.
type stopper struct{ cancel func() }

func (s stopper) Write(b []byte) (int, error) {
	s.cancel()
	return len(b), nil
}
