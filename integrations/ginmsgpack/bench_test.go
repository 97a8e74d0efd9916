package ginmsgpack_test

import (
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/render"
	"github.com/octet-go/octet/integrations/ginmsgpack"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/internal/webtest"
)

// Order is a message of usual size: about 1 KB of JSON. ugorji/go/codec writes the time as the timestamp of
// MessagePack in seconds and nanoseconds only if it is told to, so that Created is an integer here.
type Order struct {
	ID       uint64            `json:"id" msgpack:"id" codec:"id"`
	Customer string            `json:"customer" msgpack:"customer" codec:"customer"`
	Created  int64             `json:"created" msgpack:"created" codec:"created"`
	Paid     bool              `json:"paid" msgpack:"paid" codec:"paid"`
	Total    float64           `json:"total" msgpack:"total" codec:"total"`
	Labels   map[string]string `json:"labels" msgpack:"labels" codec:"labels"`
	Lines    []sample.Line     `json:"lines" msgpack:"lines" codec:"lines"`
}

func order() Order {
	o := sample.New(90071, 12)
	return Order{o.ID, o.Customer, o.Created.UnixNano(), o.Paid, o.Total, o.Labels, o.Lines}
}

// BenchmarkExchange binds a request and answers it with the same value, without a network. gin is Gin's own
// binding of MessagePack, by ugorji/go/codec; Gin's way to render MessagePack is the same library.
func BenchmarkExchange(b *testing.B) {
	router := newRouter()
	router.POST("/octet", func(c *gin.Context) {
		var o Order
		if ginmsgpack.Bind(c, &o) == nil {
			ginmsgpack.Respond(c, http.StatusOK, o)
		}
	})
	router.POST("/json", func(c *gin.Context) {
		var o Order
		if c.Bind(&o) == nil {
			c.JSON(http.StatusOK, o)
		}
	})
	router.POST("/gin", func(c *gin.Context) {
		var o Order
		if c.Bind(&o) == nil {
			c.Render(http.StatusOK, render.MsgPack{Data: o})
		}
	})
	webtest.Benchmark(b, router, order(), "octet", "gin", "json")
}
