package ginmsgpack_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"
	"github.com/octet-go/octet/integrations/ginmsgpack"
	"github.com/octet-go/octet/internal/webtest"
	"github.com/octet-go/octet/msgpack"
)

const point = webtest.Point

var post = webtest.Post

// echo answers with the point of the request, and prints errors.
func echo(b ginmsgpack.Binding) *gin.Engine {
	router := newRouter()
	router.POST("/", func(c *gin.Context) {
		var p Point
		if err := b.BindContext(c, &p); err == nil {
			b.Respond(c, http.StatusOK, p)
		} else if !c.IsAborted() || len(c.Errors) != 1 || !c.Errors[0].IsType(gin.ErrorTypeBind) {
			panic("the error is not in the context")
		} else {
			fmt.Fprint(c.Writer, err)
		}
	})
	return router
}

func TestBind(t *testing.T) {
	const typ = "application/vnd.msgpack"
	list := append(webtest.Exchanges(t),
		webtest.Exchange{Name: "XML", Type: "text/xml", Body: "<Point><X>5</X><Y>6</Y></Point>", Status: 200, Want: `{"x":5,"y":6}`},
		webtest.Exchange{Name: "no type", Body: point, Status: 415, Want: `content type "" is not supported`},
		webtest.Exchange{Name: "another type", Type: "text/csv", Body: "5,6", Status: 415, Want: `content type "text/csv" is not supported`},
		webtest.Exchange{Name: "empty", Type: typ, Status: 400, Want: "truncated"},
		webtest.Exchange{Name: "not valid", Type: typ, Body: "\x81\xa1x\x7f", Status: 400, Want: "'max' tag"},
		webtest.Exchange{Name: "not valid JSON", Type: "application/json", Body: `{"x":127}`, Status: 400, Want: "'max' tag"},
	)
	webtest.TestExchanges(t, list, func(c *msgpack.Codec, maxBytes int64) http.Handler {
		return echo(ginmsgpack.Binding{Codec: c, MaxBytes: maxBytes})
	})

	router := newRouter()
	router.POST("/", func(c *gin.Context) { ginmsgpack.Bind(c, new(chan int)) })
	if w := post(router, typ, point); w.Code != 500 {
		t.Errorf("into a chan: status %d, want 500", w.Code)
	}
	router = newRouter()
	router.Any("/", func(c *gin.Context) {
		var p Point
		if err := ginmsgpack.Bind(c, &p); err != nil || p != (Point{5, 6}) {
			t.Errorf("query of %s, type %q: %v, %v", c.Request.Method, c.ContentType(), p, err)
		}
	})
	for _, method := range []string{"GET", "HEAD", "DELETE", "POST"} {
		router.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, "/?x=5&y=6", nil))
	}
	r := httptest.NewRequest("GET", "/?x=5&y=6", nil)
	r.Header.Set("Content-Type", typ) // as clients do that set it for all requests
	router.ServeHTTP(httptest.NewRecorder(), r)
}

// TestRecursiveTypes binds a form to types for which Gin's own binding overflows the stack, which no program survives.
func TestRecursiveTypes(t *testing.T) {
	type list struct{ Next *list }
	type pointer *pointer
	type tree struct {
		Name string
		Sub  struct{ Left **tree }
	}
	type tagged struct {
		Name string
		Next *tagged `form:"-"`
	}
	type slice struct {
		Name string
		Sub  []slice
		next *slice
	}
	bind := func(v any, method, typ, body string) int {
		router := newRouter()
		router.Handle(method, "/", func(c *gin.Context) { ginmsgpack.Bind(c, v) })
		w := httptest.NewRecorder()
		r := httptest.NewRequest(method, "/", strings.NewReader(body))
		r.Header.Set("Content-Type", typ)
		router.ServeHTTP(w, r)
		return w.Code
	}
	for typ, body := range map[string]string{
		binding.MIMEPOSTForm:             "Name=a",
		"multipart/form-data;boundary=x": "--x\r\nContent-Disposition: form-data; name=\"Name\"\r\n\r\na\r\n--x--\r\n",
	} {
		for _, v := range []any{new(list), new(tree)} {
			if status := bind(v, "POST", typ, body); status != 415 {
				t.Errorf("%s into %T: status %d, want 415", typ, v, status)
			}
			if status := bind(v, "GET", typ, ""); status != 415 {
				t.Errorf("query into %T: status %d, want 415", v, status)
			}
			if status := bind(v, "POST", "application/json", "{}"); status != 200 {
				t.Errorf("JSON into %T: status %d, want 200", v, status)
			}
		}
		var a tagged
		b := slice{next: new(slice)}
		if bind(&a, "POST", typ, body) != 200 || bind(&b, "POST", typ, body) != 200 || a.Name != "a" || b.Name != "a" {
			t.Errorf("%s: %v, %v", typ, a, b)
		}
	}
	if status := bind(new(pointer), "POST", binding.MIMEPOSTForm, "Name=a"); status != 415 {
		t.Errorf("form into a pointer to itself: status %d, want 415", status)
	}
	var v any
	if status := bind(&v, "POST", binding.MIMEPOSTForm, "Name=a"); status != 200 {
		t.Errorf("form into any: status %d, want 200", status)
	}
}

// TestGin uses the binding through Gin's own calls.
func TestGin(t *testing.T) {
	old := binding.MsgPack
	binding.MsgPack = ginmsgpack.Binding{MaxBytes: 64}
	defer func() { binding.MsgPack = old }()
	router := newRouter()
	router.POST("/", func(c *gin.Context) {
		var p Point
		if err := c.Bind(&p); err != nil {
			return
		}
		c.Render(http.StatusCreated, ginmsgpack.Render{Data: p})
	})
	for _, c := range []struct {
		body   string
		status int
	}{{point, 201}, {point[:3], 400}, {"\x81\xa1x\x7f", 400}, {"\xc4\x7f" + strings.Repeat("\x00", 127), 413}} {
		if w := post(router, "application/x-msgpack", c.body); w.Code != c.status {
			t.Errorf("%.10q: status %d, want %d", c.body, w.Code, c.status)
		}
	}
}

func TestBindBody(t *testing.T) {
	for _, b := range []ginmsgpack.Binding{{}, strict()} {
		var p Point
		if err := b.BindBody([]byte(point), &p); err != nil || p != (Point{5, 6}) {
			t.Errorf("%v, %v", p, err)
		}
		if err := b.BindBody([]byte("\xc0"), &p); err != nil || p != (Point{5, 6}) {
			t.Errorf("nil: %v, %v, want what was bound before", p, err)
		}
		if err := b.BindBody([]byte(point[:3]), &p); !errors.Is(err, msgpack.ErrTruncated) {
			t.Errorf("truncated: %v", err)
		}
		if err := b.BindBody([]byte("\x81\xa1x\x7f"), &p); err == nil || !strings.Contains(err.Error(), "'max' tag") {
			t.Errorf("not valid: %v", err)
		}
	}
	old := binding.Validator
	binding.Validator = nil
	defer func() { binding.Validator = old }()
	if err := (ginmsgpack.Binding{}).BindBody([]byte("\x81\xa1x\x7f"), &Point{}); err != nil {
		t.Errorf("without a validator: %v", err)
	}
}

func TestRespond(t *testing.T) {
	arrays, err := msgpack.New(msgpack.Options{StructAsArray: true})
	if err != nil {
		t.Fatal(err)
	}
	respond := func(b ginmsgpack.Binding) func(webtest.Response) http.Handler {
		return func(r webtest.Response) http.Handler {
			router := newRouter()
			router.GET("/", func(ctx *gin.Context) { b.Respond(ctx, r.Status, r.Value) })
			return router
		}
	}
	webtest.TestResponses(t, []webtest.Response{
		{Value: Point{5, 6}, Status: 200, Want: 200, Type: "application/json; charset=utf-8", Body: `{"x":5,"y":6}`},
		{Value: Point{5, 6}, Status: 201, Accept: "application/msgpack", Want: 201, Type: "application/msgpack", Body: point},
		{Value: Point{5, 6}, Status: 200, Accept: "application/json;q=0.1, application/vnd.msgpack", Want: 200, Type: "application/vnd.msgpack", Body: point},
		{Value: Point{5, 6}, Status: 200, Accept: "text/html", Want: 406},
		{Value: Point{5, 6}, Status: 204, Accept: "application/msgpack", Want: 204, Type: "application/msgpack"},
	}, respond(ginmsgpack.Binding{}))
	webtest.TestResponses(t, []webtest.Response{
		{Value: Point{5, 6}, Status: 200, Accept: "application/msgpack", Want: 200, Type: "application/msgpack", Body: "\x92\x05\x06"},
	}, respond(ginmsgpack.Binding{Codec: arrays}))
}

// TestRenderError checks that a value which cannot be encoded is status 500 without a body.
func TestRenderError(t *testing.T) {
	router := newRouter()
	router.GET("/", func(c *gin.Context) {
		c.Render(http.StatusOK, ginmsgpack.Render{Data: []any{"secret", make(chan int)}})
		if len(c.Errors) != 1 || !errors.Is(c.Errors[0], msgpack.ErrUnsupported) {
			t.Errorf("errors %v, want ErrUnsupported", c.Errors)
		}
	})
	w := httptest.NewRecorder()
	router.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.Code != 500 || w.Body.Len() != 0 {
		t.Errorf("response %d %q, want 500 without a body", w.Code, w.Body)
	}
}

func TestConcurrency(t *testing.T) { webtest.TestConcurrency(t, echo(ginmsgpack.Binding{})) }
