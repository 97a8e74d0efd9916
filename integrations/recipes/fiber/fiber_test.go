package fiber_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/msgpack"
	"github.com/valyala/fasthttp"
)

const point = "\x82\xa1x\x05\xa1y\x06"

func TestBind(t *testing.T) {
	few, err := msgpack.New(msgpack.Options{MaxElements: 1})
	if err != nil {
		t.Fatal(err)
	}
	app := newApp(fiber.Config{})
	limited := fiber.New(fiber.Config{MsgPackEncoder: few.Marshal, MsgPackDecoder: few.Unmarshal})
	limited.Post("/", func(c fiber.Ctx) error { return c.Bind().WithAutoHandling().Body(new(Point)) })
	const typ = "application/vnd.msgpack"
	for _, c := range []struct {
		name      string
		app       *fiber.App
		typ, body string
		status    int
		want      string
	}{
		{"registered type", app, typ, point, 200, "\x82\xa1x\x0a\xa1y\x0c"},
		{"parameter", app, typ + "; charset=utf-8", point, 200, "\x82\xa1x\x0a\xa1y\x0c"},
		{"old type", app, "application/msgpack", point, 200, "\x82\xa1x\x0a\xa1y\x0c"},
		{"x type", app, "application/x-msgpack", point, 200, "\x82\xa1x\x0a\xa1y\x0c"},
		{"JSON", app, "application/json", `{"x":5,"y":6}`, 200, "\x82\xa1x\x0a\xa1y\x0c"},
		{"another type", app, "text/csv", "5,6", 422, ""},
		{"no type", app, "", point, 422, ""},
		{"empty", app, typ, "", 400, "truncated"},
		{"truncated", app, typ, point[:5], 400, "truncated"},
		{"old type, truncated", app, "application/msgpack", point[:5], 400, "truncated"},
		{"bytes after the value", app, typ, point + "\xc0", 400, "after the value"},
		{"wrong kind", app, typ, "\x81\xa1x\xa1s", 400, "want int"},
		{"count of 2^32-1", app, typ, "\xdf\xff\xff\xff\xff", 400, "truncated"},
		{"nested deeply", app, typ, "\x81\xa1z" + strings.Repeat("\x91", 100000), 400, ""},
		{"limit of the Codec", limited, typ, point, 400, "limit"},
	} {
		req := httptest.NewRequest("POST", "/", strings.NewReader(c.body))
		req.Header.Set("Content-Type", c.typ)
		req.Header.Set("Accept", typ)
		resp, err := c.app.Test(req)
		if err != nil {
			t.Fatal(err)
		}
		if text := body(resp); resp.StatusCode != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s: %d %q, want %d %q", c.name, resp.StatusCode, text, c.status, c.want)
		}
	}
}

// serve starts a server on the loopback interface and returns its URL.
func serve(t testing.TB, app *fiber.App) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- app.Listener(l, fiber.ListenConfig{DisableStartupMessage: true}) }()
	t.Cleanup(func() {
		if err := app.Shutdown(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

func TestLimit(t *testing.T) {
	url := serve(t, newApp(fiber.Config{BodyLimit: 100}))
	for n, want := range map[int]int{0: 200, 200: 413} {
		resp, err := http.Post(url, "application/msgpack", strings.NewReader(point+strings.Repeat("\x00", n)))
		if err != nil {
			t.Fatal(err)
		}
		body(resp)
		if resp.StatusCode != want {
			t.Errorf("%d bytes more: status %d, want %d", n, resp.StatusCode, want)
		}
	}
}

func TestCompressed(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(point)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	req := httptest.NewRequest("POST", "/", &b)
	req.Header.Set("Content-Type", "application/msgpack")
	req.Header.Set("Content-Encoding", "gzip")
	resp, err := newApp(fiber.Config{}).Test(req)
	if err != nil || resp.StatusCode != fiber.StatusUnsupportedMediaType {
		t.Errorf("%v, %v, want status 415", resp, err)
	}
}

func TestAnswer(t *testing.T) {
	app := newApp(fiber.Config{})
	app.Get("/bad", func(c fiber.Ctx) error { return c.MsgPack([]any{"secret", make(chan int)}) })
	app.Get("/", func(c fiber.Ctx) error { return answer(c, Point{5, 6}) })
	for _, c := range []struct {
		path, accept string
		status       int
		typ, body    string
	}{
		{"/", "", 200, "application/json; charset=utf-8", `{"x":5,"y":6}`},
		{"/", "application/vnd.msgpack", 200, "application/vnd.msgpack", point},
		{"/", "application/json;q=0.5, application/msgpack", 200, "application/msgpack", point},
		{"/", "application/x-msgpack", 200, "application/x-msgpack", point},
		{"/", "text/html", 406, "text/plain; charset=utf-8", "Not Acceptable"},
		{"/bad", "", 500, "text/plain; charset=utf-8", "msgpack: marshal [1]: found chan int: unsupported type"},
	} {
		req := httptest.NewRequest("GET", c.path, nil)
		req.Header.Set("Accept", c.accept)
		resp, err := app.Test(req)
		if err != nil {
			t.Fatal(err)
		}
		if text := body(resp); resp.StatusCode != c.status || resp.Header.Get("Content-Type") != c.typ || text != c.body {
			t.Errorf("%s, Accept %q: %d %s %q, want %d %s %q", c.path, c.accept, resp.StatusCode, resp.Header.Get("Content-Type"), text, c.status, c.typ, c.body)
		}
	}
}

// TestConcurrency checks that decoded values do not change when Fiber uses the memory of their requests again.
func TestConcurrency(t *testing.T) {
	var mu sync.Mutex
	kept := map[uint64]sample.Order{}
	app := newApp(fiber.Config{})
	app.Post("/keep", func(c fiber.Ctx) error {
		var o sample.Order
		if err := c.Bind().WithAutoHandling().Body(&o); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		kept[o.ID] = o
		return c.MsgPack(o)
	})
	url := serve(t, app)
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			for i := range 30 {
				want := sample.New(uint64(100*n+i), i)
				data, err := msgpack.Marshal(want)
				if err != nil {
					t.Error(err)
					return
				}
				resp, err := http.Post(url+"/keep", "application/msgpack", bytes.NewReader(data))
				if err != nil {
					t.Error(err)
					return
				}
				var got sample.Order
				if err := msgpack.Unmarshal([]byte(body(resp)), &got); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("got %v, %v", got, err)
				}
			}
		})
	}
	wait.Wait()
	if len(kept) != 240 {
		t.Errorf("%d orders arrived, want 240", len(kept))
	}
	for id, got := range kept {
		if want := sample.New(id, int(id%100)); !reflect.DeepEqual(got, want) {
			t.Errorf("order %d changed: %.100v", id, got)
		}
	}
}

// BenchmarkExchange binds a request and answers it with the same value, without a network.
func BenchmarkExchange(b *testing.B) {
	app := fiber.New(fiber.Config{MsgPackEncoder: msgpack.Marshal, MsgPackDecoder: msgpack.Unmarshal})
	app.Post("/octet", func(c fiber.Ctx) error {
		var o sample.Order
		if err := c.Bind().Body(&o); err != nil {
			return err
		}
		return c.MsgPack(o)
	})
	app.Post("/json", func(c fiber.Ctx) error {
		var o sample.Order
		if err := c.Bind().Body(&o); err != nil {
			return err
		}
		return c.JSON(o)
	})
	handler := app.Handler()
	for _, c := range []struct {
		name, contentType string
		marshal           func(any) ([]byte, error)
		unmarshal         func([]byte, any) error
	}{
		{"octet", "application/vnd.msgpack", msgpack.Marshal, msgpack.Unmarshal},
		{"json", "application/json", json.Marshal, json.Unmarshal},
	} {
		b.Run(c.name, func(b *testing.B) {
			want := sample.New(1, 12)
			data, err := c.marshal(want)
			if err != nil {
				b.Fatal(err)
			}
			var ctx fasthttp.RequestCtx
			ctx.Request.Header.SetMethod("POST")
			ctx.Request.SetRequestURI("/" + c.name)
			ctx.Request.Header.SetContentType(c.contentType)
			ctx.Request.SetBodyRaw(data)
			handler(&ctx)
			var got sample.Order
			if err := c.unmarshal(ctx.Response.Body(), &got); err != nil || !reflect.DeepEqual(got, want) {
				b.Fatalf("the answer is %d %v, %v", ctx.Response.StatusCode(), got, err)
			}
			b.ReportAllocs()
			for b.Loop() {
				ctx.Response.Reset()
				handler(&ctx)
			}
		})
	}
}
