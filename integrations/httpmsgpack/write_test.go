package httpmsgpack_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/octet-go/octet/integrations/httpmsgpack"
	"github.com/octet-go/octet/msgpack"
)

func TestNegotiation(t *testing.T) {
	const vnd, old, x, js = "application/vnd.msgpack", "application/msgpack", "application/x-msgpack", "application/json"
	both, only := httpmsgpack.Format{}, httpmsgpack.Format{NoJSON: true}
	for _, c := range []struct {
		f                   httpmsgpack.Format
		contentType, accept string
		want                string // "": status 406
	}{
		{both, "", "", js},
		{only, "", "", vnd},
		{both, old, "", old},
		{both, vnd + "; charset=utf-8", "", vnd},
		{both, js, "", js},
		{only, js, "", vnd},
		{both, "text/plain", "", js},
		{both, "", " ", js},
		{both, "", "*/*", js},
		{both, x, "*/*", x},
		{both, old, "application/*", old},
		{both, js, vnd, vnd},
		{both, old, js, js},
		{both, "", old, old},
		{both, "", "Application/MSGPACK", old},
		{both, "", "text/html, application/msgpack;q=0.9, */*;q=0.8", old},
		{both, "", "application/json;q=0.2, application/x-msgpack ; q=0.3", x},
		{both, "", "application/json, application/msgpack", js},
		{both, old, "application/json, application/msgpack", old},
		{both, "", "*/*, application/json;q=0", vnd},
		{both, old, "application/msgpack;q=0.1, application/*;q=0.5", vnd},
		{both, "", "application/json;q=2, application/msgpack;q=0.1", old},
		{both, "", "application/json;q=NaN, application/msgpack;q=0.1", old},
		{both, "", "application/json;q=, application/msgpack;q=0.1", old},
		{both, "", "text/html", ""},
		{both, "", "*/*;q=0", ""},
		{only, "", js, ""},
		{both, "", ",;,", ""},
		{both, old, "application/msgpack;q=-1", ""},
		{both, "", strings.Repeat("a/b,", 10000) + vnd, vnd},
	} {
		r := request(c.contentType, "")
		if c.accept != "" {
			r.Header["Accept"] = strings.SplitAfterN(c.accept, ",", 2) // two lines of the header
		}
		w := httptest.NewRecorder()
		err := c.f.Write(w, r, http.StatusOK, Point{5, 6})
		if c.want == "" {
			if httpmsgpack.StatusOf(err) != http.StatusNotAcceptable || w.Body.Len() != 0 {
				t.Errorf("Content-Type %q, Accept %.40q: %v, want status 406", c.contentType, c.accept, err)
			}
			continue
		}
		if got := w.Header().Get("Content-Type"); err != nil || got != c.want {
			t.Errorf("Content-Type %q, Accept %.40q: %q, %v, want %q", c.contentType, c.accept, got, err, c.want)
		}
		var p Point
		unmarshal := msgpack.Unmarshal
		if c.want == js {
			unmarshal = json.Unmarshal
		}
		if err := unmarshal(w.Body.Bytes(), &p); err != nil || p != (Point{5, 6}) {
			t.Errorf("body is %v, %v", p, err)
		}
	}
}

func TestWriteHeaders(t *testing.T) {
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept", httpmsgpack.MediaType)
	w := httptest.NewRecorder()
	w.Header().Set("Vary", "Origin")
	if err := httpmsgpack.Write(w, r, http.StatusCreated, Point{5, 6}); err != nil {
		t.Fatal(err)
	}
	if got := w.Header().Values("Vary"); w.Code != 201 || len(got) != 2 || got[1] != "Accept" {
		t.Errorf("status %d, Vary %q", w.Code, got)
	}
	if got := w.Header().Get("Content-Length"); got != strconv.Itoa(w.Body.Len()) {
		t.Errorf("Content-Length %s, body has %d bytes", got, w.Body.Len())
	}

	r.Method = http.MethodHead
	w = httptest.NewRecorder()
	if err := httpmsgpack.Write(w, r, http.StatusOK, Point{5, 6}); err != nil || w.Body.Len() != 0 || w.Header().Get("Content-Length") != "7" {
		t.Errorf("HEAD: %v, %v, %d bytes of body", err, w.Header(), w.Body.Len())
	}

	r.Method = http.MethodGet
	w = httptest.NewRecorder()
	w.Header().Set("Content-Encoding", "gzip") // of middleware whose Write compresses
	if err := httpmsgpack.Write(w, r, http.StatusOK, Point{5, 6}); err != nil || w.Header().Get("Content-Length") != "" {
		t.Errorf("with Content-Encoding: %v, %v", err, w.Header())
	}
	for _, status := range []int{http.StatusNoContent, http.StatusNotModified} {
		w = httptest.NewRecorder()
		if err := httpmsgpack.Write(w, r, status, nil); err != nil || w.Code != status || w.Header().Get("Content-Type") != "" {
			t.Errorf("status %d: %v, %d, %v", status, err, w.Code, w.Header())
		}
	}
}

// TestWriteErrors checks that nothing is written if the value cannot be encoded, and that the next
// response does not contain a part of it.
func TestWriteErrors(t *testing.T) {
	for _, accept := range []string{"application/msgpack", "application/json"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		err := httpmsgpack.Write(w, r, http.StatusOK, []any{"secret", make(chan int)})
		if httpmsgpack.StatusOf(err) != 500 || w.Body.Len() != 0 || w.Header().Get("Content-Type") != "" {
			t.Errorf("%s: %v, body %q", accept, err, w.Body)
		}
		httpmsgpack.WriteError(w, r, err)
		if w.Code != 500 || w.Body.String() != "Internal Server Error\n" {
			t.Errorf("%s: response %d %q", accept, w.Code, w.Body)
		}
		w = httptest.NewRecorder()
		if err := httpmsgpack.Write(w, r, http.StatusOK, 1); err != nil || w.Body.Len() != 1 {
			t.Errorf("%s: %v, body %q", accept, err, w.Body)
		}
	}
	broken := errors.New("connection lost")
	for range 2 {
		w := &brokenWriter{httptest.NewRecorder(), broken}
		if err := httpmsgpack.Write(w, request("application/msgpack", ""), 200, 1); err != broken {
			t.Errorf("broken connection: %v, want %v", err, broken)
		}
	}
}

type brokenWriter struct {
	http.ResponseWriter
	err error
}

func (w *brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestWriteError(t *testing.T) {
	_, marshal := msgpack.Marshal(make(chan int))
	for _, c := range []struct {
		err    error
		status int
		body   string
	}{
		{errors.New("password is 123"), 500, "Internal Server Error"},
		{marshal, 500, "Internal Server Error"},
		{&httpmsgpack.Error{Status: 413, Err: errors.New("too long")}, 413, "httpmsgpack: too long"},
	} {
		w := httptest.NewRecorder()
		httpmsgpack.WriteError(w, nil, c.err)
		if w.Code != c.status || strings.TrimSpace(w.Body.String()) != c.body {
			t.Errorf("%v: %d %q, want %d %q", c.err, w.Code, w.Body, c.status, c.body)
		}
	}
}
