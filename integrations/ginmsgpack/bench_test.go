package ginmsgpack_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/render"
	"github.com/octet-go/octet/integrations/ginmsgpack"
	"github.com/octet-go/octet/msgpack"
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
	Lines    []Line            `json:"lines" msgpack:"lines" codec:"lines"`
}

type Line struct {
	SKU      string  `json:"sku" msgpack:"sku" codec:"sku"`
	Quantity int     `json:"quantity" msgpack:"quantity" codec:"quantity"`
	Price    float64 `json:"price" msgpack:"price" codec:"price"`
	Note     string  `json:"note" msgpack:"note" codec:"note"`
}

func order() Order {
	o := Order{ID: 90071, Customer: "Ada Lovelace", Created: time.Unix(1767225600, 0).UnixNano(), Paid: true, Total: 129.75,
		Labels: map[string]string{"channel": "web", "region": "eu-west", "campaign": "spring"}}
	for i := range 12 {
		o.Lines = append(o.Lines, Line{"SKU-1002-" + string(rune('A'+i)), i + 1, 9.25 * float64(i), "gift wrap"})
	}
	return o
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
	for _, c := range []struct {
		name, contentType string
		marshal           func(any) ([]byte, error)
		unmarshal         func([]byte, any) error
	}{
		{"octet", "application/msgpack", msgpack.Marshal, msgpack.Unmarshal},
		{"gin", "application/msgpack", msgpack.Marshal, msgpack.Unmarshal},
		{"json", "application/json", json.Marshal, json.Unmarshal},
	} {
		b.Run(c.name, func(b *testing.B) {
			body, err := c.marshal(order())
			if err != nil {
				b.Fatal(err)
			}
			send := func() *httptest.ResponseRecorder {
				r, err := http.NewRequest("POST", "/"+c.name, strings.NewReader(string(body)))
				if err != nil {
					b.Fatal(err)
				}
				r.Header.Set("Content-Type", c.contentType)
				w := httptest.NewRecorder()
				router.ServeHTTP(w, r)
				return w
			}
			w := send()
			var got Order
			if err := c.unmarshal(w.Body.Bytes(), &got); err != nil || !reflect.DeepEqual(got, order()) {
				b.Fatalf("the answer is %d %v, %v", w.Code, got, err)
			}
			b.ReportAllocs()
			for b.Loop() {
				send()
			}
		})
	}
}
