package echo4msgpack_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/octet-go/octet/integrations/echo4msgpack"
	"github.com/octet-go/octet/msgpack"
)

// Order is a message of usual size: about 1 KB of JSON.
type Order struct {
	ID       uint64            `json:"id" msgpack:"id"`
	Customer string            `json:"customer" msgpack:"customer"`
	Created  time.Time         `json:"created" msgpack:"created"`
	Paid     bool              `json:"paid" msgpack:"paid"`
	Total    float64           `json:"total" msgpack:"total"`
	Labels   map[string]string `json:"labels" msgpack:"labels"`
	Lines    []Line            `json:"lines" msgpack:"lines"`
}

type Line struct {
	SKU      string  `json:"sku" msgpack:"sku"`
	Quantity int     `json:"quantity" msgpack:"quantity"`
	Price    float64 `json:"price" msgpack:"price"`
	Note     string  `json:"note" msgpack:"note"`
}

func order() Order {
	o := Order{ID: 90071, Customer: "Ada Lovelace", Created: time.Unix(1767225600, 0).UTC(), Paid: true, Total: 129.75,
		Labels: map[string]string{"channel": "web", "region": "eu-west", "campaign": "spring"}}
	for i := range 12 {
		o.Lines = append(o.Lines, Line{"SKU-1002-" + string(rune('A'+i)), i + 1, 9.25 * float64(i), "gift wrap"})
	}
	return o
}

// BenchmarkExchange binds a request and answers it with the same value, without a network.
func BenchmarkExchange(b *testing.B) {
	e := echo.New()
	e.POST("/json", func(c echo.Context) error {
		var o Order
		if err := c.Bind(&o); err != nil {
			return err
		}
		return c.JSON(http.StatusOK, o)
	})
	e.POST("/octet", func(c echo.Context) error {
		var o Order
		if err := (echo4msgpack.Binder{}).Bind(&o, c); err != nil {
			return err
		}
		return echo4msgpack.Respond(c, http.StatusOK, o)
	})
	for _, c := range []struct {
		name, contentType string
		marshal           func(any) ([]byte, error)
		unmarshal         func([]byte, any) error
	}{
		{"octet", "application/msgpack", msgpack.Marshal, msgpack.Unmarshal},
		{"json", "application/json", json.Marshal, json.Unmarshal},
	} {
		b.Run(c.name, func(b *testing.B) {
			body, err := c.marshal(order())
			if err != nil {
				b.Fatal(err)
			}
			send := func() *httptest.ResponseRecorder {
				r, err := http.NewRequest("POST", "/"+c.name, bytes.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				r.Header.Set("Content-Type", c.contentType)
				w := httptest.NewRecorder()
				e.ServeHTTP(w, r)
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
