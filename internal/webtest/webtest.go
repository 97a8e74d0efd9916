// Package webtest sends the same requests to the integrations with different web
// frameworks. Only their tests import it.
package webtest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// Point is the MessagePack of a struct with the fields x, which is 5, and y, which is 6.
const Point = "\x82\xa1x\x05\xa1y\x06"

// Post sends a body to a handler.
func Post(h http.Handler, contentType, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "/", strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// An Exchange is a request to a handler that answers with the point of the request, and the expected response.
type Exchange struct {
	Name       string
	Codec      *msgpack.Codec // of the handler; nil for the default
	MaxBytes   int64          // the limit of the handler; 0 for the default
	Type, Body string
	Status     int
	Want       string // is in the body of the response
}

// Exchanges returns those in which all frameworks answer alike.
func Exchanges(t *testing.T) []Exchange {
	few, err := msgpack.New(msgpack.Options{MaxElements: 1})
	if err != nil {
		t.Fatal(err)
	}
	const typ, json, small = "application/vnd.msgpack", `{"x":5,"y":6}`, int64(len(Point))
	z := "\xa1z\xc6\x00\x20\x00\x00" + strings.Repeat("\x00", 1<<21) // a field of 2 MiB
	return []Exchange{
		{Name: "registered type", Type: typ, Body: Point, Status: 200, Want: Point},
		{Name: "repeated parameter", Type: "application/msgpack; a=1; a=2", Body: Point, Status: 200, Want: Point},
		{Name: "old type", Type: "application/msgpack; charset=utf-8", Body: Point, Status: 200, Want: Point},
		{Name: "x type", Type: "application/x-msgpack", Body: Point, Status: 200, Want: Point},
		{Name: "JSON", Type: "application/json", Body: json, Status: 200, Want: json},
		{Name: "form", Type: "application/x-www-form-urlencoded", Body: "x=5&y=6", Status: 200, Want: json},
		{Name: "exactly the limit", MaxBytes: small, Type: typ, Body: Point, Status: 200, Want: Point},
		{Name: "no limit", MaxBytes: -1, Type: typ, Body: "\x83" + Point[1:] + z, Status: 200, Want: Point},

		{Name: "over the limit", MaxBytes: small, Type: typ, Body: Point + "\xc0", Status: 413, Want: "too large"},
		{Name: "JSON over the limit", MaxBytes: small, Type: "application/json", Body: json, Status: 413, Want: "too large"},
		{Name: "over the default limit", Type: typ, Body: "\x81" + z, Status: 413, Want: "too large"},
		{Name: "limit of the Codec", Codec: few, Type: typ, Body: Point, Status: 413, Want: "limit"},
		{Name: "truncated", Type: typ, Body: Point[:5], Status: 400, Want: "truncated"},
		{Name: "bytes after the value", Type: typ, Body: Point + "\xc0", Status: 400, Want: "after the value"},
		{Name: "wrong kind", Type: typ, Body: "\x81\xa1x\xa1s", Status: 400, Want: "want int"},
		{Name: "not JSON", Type: "application/json", Body: Point, Status: 400, Want: "invalid"},
		{Name: "count of 2^32-1", Type: typ, Body: "\xdf\xff\xff\xff\xff", Status: 400, Want: "truncated"},
		{Name: "nested deeply", Type: typ, Body: "\x81\xa1z" + strings.Repeat("\x91", 100000), Status: 400},
	}
}

// TestExchanges makes each exchange with the handler that make returns, and checks the response.
func TestExchanges(t *testing.T, list []Exchange, make func(c *msgpack.Codec, maxBytes int64) http.Handler) {
	t.Helper()
	for _, e := range list {
		w := Post(make(e.Codec, e.MaxBytes), e.Type, e.Body)
		if w.Code != e.Status || !strings.Contains(w.Body.String(), e.Want) {
			t.Errorf("%s: %d %q, want %d %q", e.Name, w.Code, w.Body, e.Status, e.Want)
		}
	}
}

// A Response is the expected answer of a handler to a request without a body.
type Response struct {
	Value      any    // what the handler answers with
	Status     int    // the status that the handler asks for
	Accept     string // of the request
	Want       int    // the status of the response
	Type, Body string
}

// TestResponses sends a request to the handler that make returns for each response, and checks the response. If that is
// MessagePack, it has a Content-Type of JSON before, as from middleware.
func TestResponses(t *testing.T, list []Response, make func(Response) http.Handler) {
	t.Helper()
	for _, c := range list {
		r := httptest.NewRequest("GET", "/", nil)
		if c.Accept != "" {
			r.Header.Set("Accept", c.Accept)
		}
		w := httptest.NewRecorder()
		h := w.Header()
		if strings.HasSuffix(c.Type, "msgpack") {
			h.Set("Content-Type", "application/json")
		}
		make(c).ServeHTTP(w, r)
		if w.Code != c.Want || h.Get("Content-Type") != c.Type || strings.TrimSpace(w.Body.String()) != c.Body {
			t.Errorf("Accept %q: %d %v %q, want %d %s %q", c.Accept, w.Code, h, w.Body, c.Want, c.Type, c.Body)
		}
		if c.Want != http.StatusNoContent && h.Get("Vary") != "Accept" {
			t.Errorf("Accept %q: Vary %q", c.Accept, h.Get("Vary"))
		}
	}
}

// TestEmptyBody checks that a handler does with an empty body what Echo does with one of JSON: the target stays unchanged
// if the request says that the body is empty.
func TestEmptyBody(t *testing.T, h http.Handler) {
	t.Helper()
	for _, contentType := range []string{"application/json", "application/msgpack"} {
		for length, status := range map[int64]int{0: 200, -1: 400} {
			r, w := httptest.NewRequest("POST", "/", strings.NewReader("")), httptest.NewRecorder()
			r.Header.Set("Content-Type", contentType)
			r.ContentLength = length
			h.ServeHTTP(w, r)
			if w.Code != status {
				t.Errorf("%s of length %d: status %d, want %d", contentType, length, w.Code, status)
			}
		}
	}
}

// TestParameters checks that a handler binds path and query parameters before the body, like Echo does with JSON. The path
// is /y, and the query has x.
func TestParameters(t *testing.T, h http.Handler) {
	t.Helper()
	for _, c := range []struct {
		method, target, body string
		status               int
		want                 string
	}{
		{"POST", "/9", "\x81\xa1x\x05", 200, "\x82\xa1x\x05\xa1y\x09"},
		{"POST", "/9", Point, 200, Point},
		{"POST", "/9", "\xc0", 200, "\x82\xa1x\x00\xa1y\x09"},
		{"POST", "/?x=9", "\x80", 200, "\x82\xa1x\x00\xa1y\x00"},
		{"GET", "/8?x=9", "\x80", 200, "\x82\xa1x\x09\xa1y\x08"},
		{"DELETE", "/8?x=9", "\x81\xa1x\x05", 200, "\x82\xa1x\x05\xa1y\x08"},
		{"POST", "/nine", Point, 400, "invalid syntax"},
		{"GET", "/?x=nine", Point, 400, "invalid syntax"},
	} {
		r := httptest.NewRequest(c.method, c.target, strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/msgpack")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s %s: %d %q, want %d %q", c.method, c.target, w.Code, w.Body, c.status, c.want)
		}
	}
}

// TestMiddleware checks that a handler accepts compressed bodies if middleware decompresses them, and that it answers 413
// if a body without a Content-Length exceeds the limit of middleware, which is less than 100 bytes.
func TestMiddleware(t *testing.T, decompressing, limited http.Handler) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(Point))
	z.Close()
	send := func(h http.Handler, encoding string, body []byte) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", "/", io.MultiReader(bytes.NewReader(body)))
		r.Header.Set("Content-Type", "application/msgpack")
		r.Header.Set("Content-Encoding", encoding)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	if w := send(decompressing, "gzip", b.Bytes()); w.Code != 200 || w.Body.String() != Point {
		t.Errorf("compressed: %d %q, want 200 %q", w.Code, w.Body, Point)
	}
	if w := send(limited, "", []byte("\x81\xa1z\xc4\xff"+strings.Repeat("\x00", 255))); w.Code != 413 {
		t.Errorf("over the limit of middleware: %d %q, want 413", w.Code, w.Body)
	}
	if w := send(limited, "", []byte(Point)); w.Code != 200 {
		t.Errorf("within the limit of middleware: %d %q, want 200", w.Code, w.Body)
	}
}

// TestConcurrency lets many clients send points to a server, which answers with them.
func TestConcurrency(t *testing.T, h http.Handler) {
	server := httptest.NewServer(h)
	defer server.Close()
	type point struct {
		X int `msgpack:"x"`
		Y int `msgpack:"y"`
	}
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			for i := range 30 {
				want := point{n, n*1000 + i}
				body, err := msgpack.Marshal(want)
				if err != nil {
					t.Error(err)
					return
				}
				resp, err := http.Post(server.URL, "application/msgpack", strings.NewReader(string(body)))
				if err != nil {
					t.Error(err)
					return
				}
				var got point
				err = msgpack.UnmarshalRead(resp.Body, &got)
				resp.Body.Close()
				if err != nil || got != want {
					t.Errorf("got %v, %v, want %v", got, err, want)
				}
			}
		})
	}
	wait.Wait()
}
