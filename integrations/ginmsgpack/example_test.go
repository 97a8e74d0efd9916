package ginmsgpack_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/gin-gonic/gin"
	"github.com/octet-go/octet/integrations/ginmsgpack"
	"github.com/octet-go/octet/msgpack"
)

type Point struct {
	X int `json:"x" form:"x" msgpack:"x" binding:"max=100"`
	Y int `json:"y" form:"y" msgpack:"y"`
}

func newRouter() *gin.Engine {
	gin.SetMode(gin.TestMode)
	return gin.New()
}

func Example() {
	router := newRouter()
	router.POST("/", func(c *gin.Context) {
		var p Point
		if err := ginmsgpack.Bind(c, &p); err != nil {
			return
		}
		ginmsgpack.Respond(c, http.StatusOK, Point{2 * p.X, 2 * p.Y})
	})
	for _, r := range []struct{ contentType, body string }{
		{"application/msgpack", "\x82\xa1x\x05\xa1y\x06"},
		{"application/json", `{"x":5,"y":6}`},
		{"application/msgpack", "\x82\xa1x"},
		{"image/png", "\x89PNG"},
	} {
		w := post(router, r.contentType, r.body)
		fmt.Printf("%d %s %q\n", w.Code, w.Header().Get("Content-Type"), w.Body)
	}
	// Output:
	// 200 application/msgpack "\x82\xa1x\n\xa1y\f"
	// 200 application/json; charset=utf-8 "{\"x\":10,\"y\":12}"
	// 400  ""
	// 415  ""
}

func ExampleBind() {
	router := newRouter()
	router.POST("/", func(c *gin.Context) {
		var p Point
		fmt.Println(ginmsgpack.Bind(c, &p), p)
	})
	post(router, "application/vnd.msgpack", "\x82\xa1x\x05\xa1y\x06")
	// Output: <nil> {5 6}
}

func ExampleRespond() {
	router := newRouter()
	router.GET("/", func(c *gin.Context) { ginmsgpack.Respond(c, http.StatusOK, Point{5, 6}) })
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept", "application/vnd.msgpack")
	w := httptest.NewRecorder()
	router.ServeHTTP(w, r)
	fmt.Printf("%s %q\n", w.Header().Get("Content-Type"), w.Body)
	// Output: application/vnd.msgpack "\x82\xa1x\x05\xa1y\x06"
}

// strict is the Binding of a service that refuses unknown fields and bodies of more than 64 bytes.
func strict() ginmsgpack.Binding {
	codec, err := msgpack.New(msgpack.Options{RejectUnknown: true})
	if err != nil {
		panic(err)
	}
	return ginmsgpack.Binding{Codec: codec, MaxBytes: 64}
}

func ExampleBinding_BindContext() {
	router := newRouter()
	router.POST("/", func(c *gin.Context) {
		var p Point
		fmt.Println(strict().BindContext(c, &p))
	})
	w := post(router, "application/msgpack", "\x81\xa1z\x05")
	fmt.Println(w.Code)
	// Output:
	// httpmsgpack: msgpack: unmarshal ["z"] at offset 1: found fixstr of 1 byte, want ginmsgpack_test.Point: unknown field
	// 400
}

func ExampleBinding_Respond() {
	router := newRouter()
	router.POST("/", func(c *gin.Context) { strict().Respond(c, http.StatusOK, Point{5, 6}) })
	fmt.Printf("%q\n", post(router, "application/msgpack", "\xc0").Body)
	// Output: "\x82\xa1x\x05\xa1y\x06"
}

func ExampleBinding_Bind() {
	router := newRouter()
	router.POST("/", func(c *gin.Context) {
		var p Point
		fmt.Println(c.ShouldBindWith(&p, ginmsgpack.Binding{}), p)
	})
	post(router, "", "\x82\xa1x\x05\xa1y\x06")
	// Output: <nil> {5 6}
}

func ExampleBinding_BindBody() {
	router := newRouter()
	router.POST("/", func(c *gin.Context) {
		var p, q Point
		fmt.Println(c.ShouldBindBodyWith(&p, ginmsgpack.Binding{}), p)
		fmt.Println(c.ShouldBindBodyWith(&q, ginmsgpack.Binding{}), q)
	})
	post(router, "", "\x82\xa1x\x05\xa1y\x06")
	// Output:
	// <nil> {5 6}
	// <nil> {5 6}
}

func ExampleBinding_Name() {
	fmt.Println(ginmsgpack.Binding{}.Name())
	// Output: msgpack
}

func ExampleRender_Render() {
	w := httptest.NewRecorder()
	fmt.Println(ginmsgpack.Render{Data: Point{5, 6}}.Render(w))
	fmt.Printf("%s %q\n", w.Header().Get("Content-Type"), w.Body)
	// Output:
	// <nil>
	// application/vnd.msgpack "\x82\xa1x\x05\xa1y\x06"
}

func ExampleRender_WriteContentType() {
	w := httptest.NewRecorder()
	ginmsgpack.Render{ContentType: "application/msgpack"}.WriteContentType(w)
	fmt.Println(w.Header())
	// Output: map[Content-Type:[application/msgpack]]
}
