package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
)

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestHandler(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.json", `{"first": 1}`)
	c, _, _ := consoletest.New("")
	h := handler(&input.Files{Console: c, Paths: []string{"a.json"}}, "127.0.0.1:80", "/secret/")
	get := func(method, path, host string) *httptest.ResponseRecorder {
		q := httptest.NewRequest(method, path, nil)
		q.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		return w
	}
	for _, c := range []struct {
		method, path, host string
		code               int
	}{
		{"GET", "/secret/", "127.0.0.1:80", 200},
		{"HEAD", "/secret/", "127.0.0.1:80", 200},
		{"GET", "/secret/", "127.0.0.1", 200}, // as browsers write it for port 80
		{"GET", "/secret/", "localhost:80", 200},
		{"GET", "/secret/", "localhost", 200},
		{"GET", "/secret/", "localhost:81", http.StatusMisdirectedRequest},
		{"GET", "/secret/", "localhost.evil.example:80", http.StatusMisdirectedRequest},
		{"GET", "/secret/", "127.0.0.1:8080", http.StatusMisdirectedRequest},
		{"GET", "/secret/", "", http.StatusMisdirectedRequest},
		{"GET", "/secret/", "evil.example", http.StatusMisdirectedRequest},
		{"GET", "/secret/", "127.0.0.1:81", http.StatusMisdirectedRequest},
		{"GET", "/", "127.0.0.1:80", 404},
		{"GET", "/secret/more", "127.0.0.1:80", 404},
		{"POST", "/secret/", "127.0.0.1:80", 405},
	} {
		if w := get(c.method, c.path, c.host); w.Code != c.code {
			t.Errorf("%s %s at %s: %d, want %d", c.method, c.path, c.host, w.Code, c.code)
		}
	}
	if allow := get("POST", "/secret/", "127.0.0.1:80").Header().Get("Allow"); allow != "GET, HEAD" {
		t.Errorf("Allow: %q", allow)
	}
	w := get("GET", "/secret/", "127.0.0.1:80")
	for name, want := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "frame-ancestors 'none'"} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	put(t, "a.json", `{"second": 1}`)
	if w := get("GET", "/secret/", "127.0.0.1:80"); !strings.Contains(w.Body.String(), ">second</span>") {
		t.Error("the file was not read again")
	}
	put(t, "a.json", `{`)
	if w := get("GET", "/secret/", "127.0.0.1:80"); w.Code != 500 || !strings.Contains(w.Body.String(), "a.json: ") {
		t.Errorf("%d, %s", w.Code, w.Body)
	}
}

// TestServe requires that serve refuses a malformed file before it prints an address,
// and that it ends when the context is canceled.
func TestServe(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "bad.json", `{`)
	put(t, "a.json", `{}`)
	c, stdout, _ := consoletest.New("")
	files := &input.Files{Console: c, Paths: []string{"bad.json"}}
	if err := serve(t.Context(), files, 0, false); failure.CodeOf(err) != failure.Data || stdout.Len() > 0 {
		t.Errorf("%v, %s", err, stdout)
	}
	ctx, cancel := context.WithCancel(t.Context())
	files.Paths = []string{"a.json"}
	c.Stdout = stopper{cancel}
	if err := serve(ctx, files, 0, false); err != nil {
		t.Error(err)
	}
}

// A stopper is standard output that ends the server when the address is printed.
type stopper struct{ cancel func() }

func (s stopper) Write(b []byte) (int, error) {
	s.cancel()
	return len(b), nil
}

// A brokenWriter fails.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// TestServeAddress requires the exit code of a failed write if the address cannot be printed.
func TestServeAddress(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.json", "1")
	c, _, _ := consoletest.New("")
	c.Stdout = brokenWriter{}
	err := serve(t.Context(), &input.Files{Console: c, Paths: []string{"a.json"}}, 0, false)
	if failure.CodeOf(err) != failure.Access || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("code %d: %v", failure.CodeOf(err), err)
	}
}
