package echomsgpack_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/labstack/echo/v5"
	"github.com/octet-go/octet/integrations/echomsgpack"
	"github.com/octet-go/octet/msgpack"
)

type Point struct {
	X int `json:"x" form:"x" query:"x" msgpack:"x"`
	Y int `json:"y" form:"y" param:"y" msgpack:"y"`
}

func Example() {
	e := echo.New()
	e.Binder = echomsgpack.Binder{}
	e.POST("/", func(c *echo.Context) error {
		var p Point
		if err := c.Bind(&p); err != nil {
			return err
		}
		return echomsgpack.Respond(c, http.StatusOK, Point{2 * p.X, 2 * p.Y})
	})
	for _, r := range []struct{ contentType, body string }{
		{"application/msgpack", "\x82\xa1x\x05\xa1y\x06"},
		{"application/json", `{"x":5,"y":6}`},
		{"application/msgpack", "\x82\xa1x"},
		{"image/png", "\x89PNG"},
	} {
		w := post(e, r.contentType, r.body)
		fmt.Printf("%d %s %q\n", w.Code, w.Header().Get("Content-Type"), strings.TrimRight(w.Body.String(), "\n"))
	}
	// Output:
	// 200 application/msgpack "\x82\xa1x\n\xa1y\f"
	// 200 application/json "{\"x\":10,\"y\":12}"
	// 400 application/json "{\"message\":\"Bad Request\"}"
	// 415 application/json "{\"message\":\"Unsupported Media Type\"}"
}

func ExampleBinder_Bind() {
	codec, err := msgpack.New(msgpack.Options{RejectUnknown: true})
	if err != nil {
		panic(err)
	}
	e := echo.New()
	e.Binder = echomsgpack.Binder{Codec: codec, MaxBytes: 64}
	e.POST("/", func(c *echo.Context) error {
		var p Point
		err := c.Bind(&p)
		fmt.Println(err)
		return err
	})
	fmt.Println(post(e, "application/vnd.msgpack", "\x81\xa1z\x05").Code)
	// Output:
	// httpmsgpack: msgpack: unmarshal ["z"] at offset 1: found fixstr of 1 byte, want echomsgpack_test.Point: unknown field
	// 400
}

func ExampleRespond() {
	e := echo.New()
	e.GET("/", func(c *echo.Context) error { return echomsgpack.Respond(c, http.StatusOK, Point{5, 6}) })
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept", "application/vnd.msgpack")
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	fmt.Printf("%s %q\n", w.Header().Get("Content-Type"), w.Body)
	// Output: application/vnd.msgpack "\x82\xa1x\x05\xa1y\x06"
}

// An error handler answers in the type of the request.
func ExampleRespond_errorHandler() {
	e := echo.New()
	e.Binder = echomsgpack.Binder{}
	e.HTTPErrorHandler = func(c *echo.Context, err error) {
		if r, _ := echo.UnwrapResponse(c.Response()); r != nil && r.Committed {
			return
		}
		status := http.StatusInternalServerError
		if known := echo.HTTPStatusCoder(nil); errors.As(err, &known) {
			status = known.StatusCode()
		}
		_ = echomsgpack.Respond(c, status, map[string]string{"message": http.StatusText(status)})
	}
	e.POST("/", func(c *echo.Context) error {
		var p Point
		return c.Bind(&p)
	})
	fmt.Printf("%q\n", post(e, "application/msgpack", "\x82").Body)
	fmt.Printf("%q\n", post(e, "application/json", "{").Body)
	// Output:
	// "\x81\xa7message\xabBad Request"
	// "{\"message\":\"Bad Request\"}\n"
}

func ExampleBinder_Respond() {
	codec, err := msgpack.New(msgpack.Options{StructAsArray: true})
	if err != nil {
		panic(err)
	}
	e := echo.New()
	e.POST("/", func(c *echo.Context) error {
		return echomsgpack.Binder{Codec: codec}.Respond(c, http.StatusOK, Point{5, 6})
	})
	fmt.Printf("%q\n", post(e, "application/msgpack", "\xc0").Body)
	// Output: "\x92\x05\x06"
}
