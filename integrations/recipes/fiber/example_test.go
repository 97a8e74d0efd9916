package fiber_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/gofiber/fiber/v3"
	"github.com/octet-go/octet/msgpack"
)

type Point struct {
	X int `json:"x" msgpack:"x"`
	Y int `json:"y" msgpack:"y"`
}

// oldTypes binds the media types of MessagePack that Fiber does not bind.
type oldTypes struct{}

func (oldTypes) Name() string        { return "msgpack" }
func (oldTypes) MIMETypes() []string { return []string{"application/msgpack", "application/x-msgpack"} }
func (oldTypes) Parse(c fiber.Ctx, v any) error {
	return c.App().Config().MsgPackDecoder(c.Body(), v)
}

// noCompression refuses compressed bodies.
func noCompression(c fiber.Ctx) error {
	if c.Get("Content-Encoding") != "" {
		return fiber.ErrUnsupportedMediaType
	}
	return c.Next()
}

// answer writes v in the form that Accept prefers.
func answer(c fiber.Ctx, v any) error {
	return c.Format(
		fiber.ResFmt{MediaType: "application/json", Handler: func(c fiber.Ctx) error { return c.JSON(v) }},
		fiber.ResFmt{MediaType: "application/vnd.msgpack", Handler: func(c fiber.Ctx) error { return c.MsgPack(v) }},
		fiber.ResFmt{MediaType: "application/msgpack", Handler: func(c fiber.Ctx) error { return c.MsgPack(v, "application/msgpack") }},
		fiber.ResFmt{MediaType: "application/x-msgpack", Handler: func(c fiber.Ctx) error { return c.MsgPack(v, "application/x-msgpack") }},
	)
}

func newApp(config fiber.Config) *fiber.App {
	config.MsgPackEncoder, config.MsgPackDecoder = msgpack.Marshal, msgpack.Unmarshal
	app := fiber.New(config)
	app.RegisterCustomBinder(oldTypes{})
	app.Use(noCompression)
	app.Post("/", func(c fiber.Ctx) error {
		var p Point
		if err := c.Bind().WithAutoHandling().Body(&p); err != nil {
			return err
		}
		return answer(c, Point{2 * p.X, 2 * p.Y})
	})
	return app
}

func Example() {
	app := newApp(fiber.Config{})
	for _, r := range []struct{ contentType, accept, body string }{
		{"application/msgpack", "application/msgpack", "\x82\xa1x\x05\xa1y\x06"},
		{"application/vnd.msgpack", "application/json", "\x82\xa1x\x05\xa1y\x06"},
		{"application/json", "*/*", `{"x":5,"y":6}`},
	} {
		req := httptest.NewRequest("POST", "/", strings.NewReader(r.body))
		req.Header.Set("Content-Type", r.contentType)
		req.Header.Set("Accept", r.accept)
		resp, err := app.Test(req)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%d %s %q\n", resp.StatusCode, resp.Header.Get("Content-Type"), body(resp))
	}
	// Output:
	// 200 application/msgpack "\x82\xa1x\n\xa1y\f"
	// 200 application/json; charset=utf-8 "{\"x\":10,\"y\":12}"
	// 200 application/json; charset=utf-8 "{\"x\":10,\"y\":12}"
}

func body(resp *http.Response) string {
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		panic(err)
	}
	return string(text)
}
