package webtest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

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

// Line is a part of an Order.
type Line struct {
	SKU      string  `json:"sku" msgpack:"sku" codec:"sku"`
	Quantity int     `json:"quantity" msgpack:"quantity" codec:"quantity"`
	Price    float64 `json:"price" msgpack:"price" codec:"price"`
	Note     string  `json:"note" msgpack:"note" codec:"note"`
}

// NewOrder returns an Order with values.
func NewOrder() Order {
	o := Order{ID: 90071, Customer: "Ada Lovelace", Created: time.Unix(1767225600, 0).UTC(), Paid: true, Total: 129.75,
		Labels: map[string]string{"channel": "web", "region": "eu-west", "campaign": "spring"}}
	for i := range 12 {
		o.Lines = append(o.Lines, Line{"SKU-1002-" + string(rune('A'+i)), i + 1, 9.25 * float64(i), "gift wrap"})
	}
	return o
}

// Benchmark measures a handler that answers with the value of the request, without a network. The paths are /json, which
// gets JSON, and the others, which get MessagePack.
func Benchmark[T any](b *testing.B, h http.Handler, value T, paths ...string) {
	for _, path := range paths {
		contentType, marshal, unmarshal := "application/msgpack", msgpack.Marshal, msgpack.Unmarshal
		if path == "json" {
			contentType, marshal, unmarshal = "application/json", json.Marshal, json.Unmarshal
		}
		b.Run(path, func(b *testing.B) {
			body, err := marshal(value)
			if err != nil {
				b.Fatal(err)
			}
			send := func() *httptest.ResponseRecorder {
				r, err := http.NewRequest("POST", "/"+path, bytes.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				r.Header.Set("Content-Type", contentType)
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				return w
			}
			w := send()
			var got T
			if err := unmarshal(w.Body.Bytes(), &got); err != nil || !reflect.DeepEqual(got, value) {
				b.Fatalf("the answer is %d %v, %v", w.Code, got, err)
			}
			b.ReportAllocs()
			for b.Loop() {
				send()
			}
		})
	}
}
