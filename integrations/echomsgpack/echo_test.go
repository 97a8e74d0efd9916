package echomsgpack_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
	"github.com/octet-go/octet/integrations/echomsgpack"
	"github.com/octet-go/octet/internal/webtest"
	"github.com/octet-go/octet/msgpack"
)

const point = webtest.Point

var post = webtest.Post

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
	const typ = "application/vnd.msgpack"
	list := append(webtest.Exchanges(t),
		webtest.Exchange{Name: "no body", Type: typ, Status: 200, Want: "\x82\xa1x\x00\xa1y\x00"},
		webtest.Exchange{Name: "no type", Body: point, Status: 415, Want: "Unsupported Media Type"},
		webtest.Exchange{Name: "another type", Type: "text/csv", Body: "5,6", Status: 415, Want: "Unsupported Media Type"},
	)
	webtest.TestExchanges(t, list, func(c *msgpack.Codec, maxBytes int64) http.Handler {
		return newEcho(echomsgpack.Binder{Codec: c, MaxBytes: maxBytes})
	})
	e := echo.New()
	e.Binder = echomsgpack.Binder{}
	e.POST("/", func(c *echo.Context) error { return c.Bind(new(chan int)) })
	if w := post(e, typ, point); w.Code != 500 {
		t.Errorf("into a chan: status %d, want 500", w.Code)
	}
}

func TestParameters(t *testing.T) { webtest.TestParameters(t, newEcho(echomsgpack.Binder{})) }

func TestEmptyBody(t *testing.T) { webtest.TestEmptyBody(t, newEcho(echomsgpack.Binder{})) }

func TestMiddleware(t *testing.T) {
	decompressing, limited := newEcho(echomsgpack.Binder{}), newEcho(echomsgpack.Binder{})
	decompressing.Use(middleware.Decompress())
	limited.Use(middleware.BodyLimit(50))
	webtest.TestMiddleware(t, decompressing, limited)
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
	webtest.TestResponses(t, []webtest.Response{
		{Value: Point{5, 6}, Status: 200, Want: 200, Type: "application/json", Body: `{"x":5,"y":6}`},
		{Value: Point{5, 6}, Status: 201, Accept: "application/msgpack", Want: 201, Type: "application/msgpack", Body: point},
		{Value: Point{5, 6}, Status: 200, Accept: "application/json;q=0.1, application/vnd.msgpack", Want: 200, Type: "application/vnd.msgpack", Body: point},
		{Value: Point{5, 6}, Status: 204, Accept: "application/msgpack", Want: 204},
		{Value: Point{5, 6}, Status: 200, Accept: "text/html", Want: 406, Type: "application/json", Body: `{"message":"Not Acceptable"}`},
		{Value: Point{5, 6}, Status: 422, Accept: "text/html", Want: 422, Type: "application/json", Body: `{"x":5,"y":6}`},
		{Value: []any{"secret", make(chan int)}, Status: 200, Accept: "application/msgpack", Want: 500, Type: "application/json", Body: `{"message":"Internal Server Error"}`},
	}, func(r webtest.Response) http.Handler {
		e := echo.New()
		e.GET("/", func(ctx *echo.Context) error { return echomsgpack.Respond(ctx, r.Status, r.Value) })
		return e
	})
}

func TestConcurrency(t *testing.T) { webtest.TestConcurrency(t, newEcho(echomsgpack.Binder{})) }
