package echomsgpack_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/octet-go/octet/integrations/echomsgpack"
	"github.com/octet-go/octet/msgpack"
)

const point = "\x82\xa1x\x05\xa1y\x06"

// newEcho answers with the point of the request, and shows the text of errors.
func newEcho(b echomsgpack.Binder) *echo.Echo {
	e := echo.New()
	e.Binder = b
	e.HTTPErrorHandler = echo.DefaultHTTPErrorHandler(true)
	handler := func(c *echo.Context) error {
		var p Point
		if err := c.Bind(&p); err != nil {
			return err
		}
		return b.Respond(c, http.StatusOK, p)
	}
	for _, method := range []string{"GET", "POST", "DELETE"} {
		e.Add(method, "/", handler)
		e.Add(method, "/:y", handler)
	}
	return e
}

func TestBind(t *testing.T) {
	few, err := msgpack.New(msgpack.Config{MaxElements: 1})
	if err != nil {
		t.Fatal(err)
	}
	small := echomsgpack.Binder{MaxBytes: int64(len(point))}
	zero := echomsgpack.Binder{}
	const typ = "application/vnd.msgpack"
	for _, c := range []struct {
		name      string
		b         echomsgpack.Binder
		typ, body string
		status    int
		want      string // of the response
	}{
		{"registered type", zero, typ, point, 200, point},
		{"old type", zero, "application/msgpack; charset=utf-8", point, 200, point},
		{"x type", zero, "application/x-msgpack", point, 200, point},
		{"JSON", zero, "application/json", `{"x":5,"y":6}`, 200, `{"x":5,"y":6}`},
		{"form", zero, "application/x-www-form-urlencoded", "x=5&y=6", 200, `{"x":5,"y":6}`},
		{"exactly the limit", small, typ, point, 200, point},
		{"no limit", echomsgpack.Binder{MaxBytes: -1}, typ, "\x83\xa1x\x05\xa1y\x06\xa1z\xc6\x00\x20\x00\x00" + strings.Repeat("\x00", 1<<21), 200, point},
		{"no body", zero, typ, "", 200, "\x82\xa1x\x00\xa1y\x00"},

		{"no type", zero, "", point, 415, "Unsupported Media Type"},
		{"another type", zero, "text/csv", "5,6", 415, "Unsupported Media Type"},
		{"over the limit", small, typ, point + "\xc0", 413, "too large"},
		{"JSON over the limit", small, "application/json", `{"x":5,"y":6}`, 413, "too large"},
		{"over the default limit", zero, typ, "\x81\xa1z\xc6\x00\x20\x00\x00" + strings.Repeat("\x00", 1<<21), 413, "too large"},
		{"limit of the Codec", echomsgpack.Binder{Codec: few}, typ, point, 413, "limit"},
		{"truncated", zero, typ, point[:5], 400, "truncated"},
		{"bytes after the value", zero, typ, point + "\xc0", 400, "after the value"},
		{"wrong kind", zero, typ, "\x81\xa1x\xa1s", 400, "want int"},
		{"not JSON", zero, "application/json", point, 400, "invalid"},
		{"count of 2^32-1", zero, typ, "\xdf\xff\xff\xff\xff", 400, "truncated"},
		{"nested deeply", zero, typ, "\x81\xa1z" + strings.Repeat("\x91", 100000), 400, ""},
	} {
		w := post(newEcho(c.b), c.typ, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %q, want %d %q", c.name, w.Code, w.Body, c.status, c.want)
		}
	}
	e := echo.New()
	e.Binder = zero
	e.POST("/", func(c *echo.Context) error { return c.Bind(new(chan int)) })
	if w := post(e, typ, point); w.Code != 500 {
		t.Errorf("into a chan: status %d, want 500", w.Code)
	}
}

// TestParameters checks that path and query parameters are bound before the body, like Echo does with JSON.
func TestParameters(t *testing.T) {
	for _, c := range []struct {
		method, target, body string
		status               int
		want                 string
	}{
		{"POST", "/9", "\x81\xa1x\x05", 200, "\x82\xa1x\x05\xa1y\x09"},
		{"POST", "/9", point, 200, point},
		{"POST", "/?x=9", "\x80", 200, "\x82\xa1x\x00\xa1y\x00"},
		{"GET", "/8?x=9", "\x80", 200, "\x82\xa1x\x09\xa1y\x08"},
		{"DELETE", "/8?x=9", "\x81\xa1x\x05", 200, "\x82\xa1x\x05\xa1y\x08"},
		{"POST", "/nine", point, 400, "invalid syntax"},
		{"GET", "/?x=nine", point, 400, "invalid syntax"},
	} {
		r := httptest.NewRequest(c.method, c.target, strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/msgpack")
		w := httptest.NewRecorder()
		newEcho(echomsgpack.Binder{}).ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s %s: %d %q, want %d %q", c.method, c.target, w.Code, w.Body, c.status, c.want)
		}
	}
}

type nextBinder struct{ err error }

func (n nextBinder) Bind(*echo.Context, any) error { return n.err }

func TestNext(t *testing.T) {
	e := newEcho(echomsgpack.Binder{Next: nextBinder{errors.New("the next binder")}})
	if w := post(e, "application/json", "{}"); w.Code != 500 || !strings.Contains(w.Body.String(), "the next binder") {
		t.Errorf("JSON: %d %q", w.Code, w.Body)
	}
	if w := post(e, "application/msgpack", point); w.Code != 200 {
		t.Errorf("MessagePack: %d %q", w.Code, w.Body)
	}
}

func TestRespond(t *testing.T) {
	for _, c := range []struct {
		v            any
		accept       string
		status, want int
		typ, body    string
	}{
		{Point{5, 6}, "", 200, 200, "application/json", `{"x":5,"y":6}`},
		{Point{5, 6}, "application/msgpack", 201, 201, "application/msgpack", point},
		{Point{5, 6}, "application/json;q=0.1, application/vnd.msgpack", 200, 200, "application/vnd.msgpack", point},
		{Point{5, 6}, "application/msgpack", 204, 204, "", ""},
		{Point{5, 6}, "text/html", 200, 406, "application/json", `{"message":"Not Acceptable"}`},
		{[]any{"secret", make(chan int)}, "application/msgpack", 200, 500, "application/json", `{"message":"Internal Server Error"}`},
	} {
		e := echo.New()
		e.GET("/", func(ctx *echo.Context) error { return echomsgpack.Respond(ctx, c.status, c.v) })
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept", c.accept)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		h := w.Header()
		if w.Code != c.want || h.Get("Content-Type") != c.typ || strings.TrimSpace(w.Body.String()) != c.body {
			t.Errorf("Accept %q: %d %v %q, want %d %s %q", c.accept, w.Code, h, w.Body, c.want, c.typ, c.body)
		}
		if c.want != 204 && h.Get("Vary") != "Accept" {
			t.Errorf("Accept %q: Vary %q", c.accept, h.Get("Vary"))
		}
	}
}

func TestConcurrency(t *testing.T) {
	server := httptest.NewServer(newEcho(echomsgpack.Binder{}))
	defer server.Close()
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			for i := range 30 {
				want := Point{n, n*1000 + i}
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
				var got Point
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
