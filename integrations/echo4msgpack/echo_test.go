package echo4msgpack_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/octet-go/octet/integrations/echo4msgpack"
	"github.com/octet-go/octet/internal/webtest"
	"github.com/octet-go/octet/msgpack"
)

const point = webtest.Point

var post = webtest.Post

// newEcho answers with the point of the request.
func newEcho(b echo4msgpack.Binder) *echo.Echo {
	e := echo.New()
	e.Binder = b
	handler := func(c echo.Context) error {
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
	const typ = "application/vnd.msgpack"
	list := append(webtest.Exchanges(t),
		webtest.Exchange{Name: "no body", Type: typ, Status: 200, Want: "\x82\xa1x\x00\xa1y\x00"},
		webtest.Exchange{Name: "no type", Body: point, Status: 415, Want: "Unsupported Media Type"},
		webtest.Exchange{Name: "another type", Type: "text/csv", Body: "5,6", Status: 415, Want: "Unsupported Media Type"},
	)
	webtest.TestExchanges(t, list, func(c *msgpack.Codec, maxBytes int64) http.Handler {
		return newEcho(echo4msgpack.Binder{Codec: c, MaxBytes: maxBytes})
	})
	e := echo.New()
	e.Binder = echo4msgpack.Binder{}
	e.POST("/", func(c echo.Context) error { return c.Bind(new(chan int)) })
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
		newEcho(echo4msgpack.Binder{}).ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s %s: %d %q, want %d %q", c.method, c.target, w.Code, w.Body, c.status, c.want)
		}
	}
}

type nextBinder struct{ err error }

func (n nextBinder) Bind(any, echo.Context) error { return n.err }

func TestNext(t *testing.T) {
	e := newEcho(echo4msgpack.Binder{Next: nextBinder{echo.NewHTTPError(500, "the next binder")}})
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
		{Point{5, 6}, "text/html", 200, 406, "application/json", `{"message":"httpmsgpack: no type that Accept allows is available"}`},
		{[]any{"secret", make(chan int)}, "application/msgpack", 200, 500, "application/json", `{"message":"Internal Server Error"}`},
	} {
		e := echo.New()
		e.GET("/", func(ctx echo.Context) error { return echo4msgpack.Respond(ctx, c.status, c.v) })
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

func TestConcurrency(t *testing.T) { webtest.TestConcurrency(t, newEcho(echo4msgpack.Binder{})) }
