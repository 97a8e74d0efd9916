package httpmsgpack_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/octet-go/octet/integrations/httpmsgpack"
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

// BenchmarkExchange reads a request and answers it with the same value, without a network.
func BenchmarkExchange(b *testing.B) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var o Order
		err := httpmsgpack.Read(w, r, &o)
		if err == nil {
			err = httpmsgpack.Write(w, r, http.StatusOK, o)
		}
		if err != nil {
			httpmsgpack.WriteError(w, r, err)
		}
	})
	for _, c := range []struct {
		name, contentType string
		marshal           func(any) ([]byte, error)
		unmarshal         func([]byte, any) error
	}{
		{"octet", httpmsgpack.MediaType, msgpack.Marshal, msgpack.Unmarshal},
		{"json", "application/json", json.Marshal, json.Unmarshal},
	} {
		b.Run(c.name, func(b *testing.B) {
			body, err := c.marshal(order())
			if err != nil {
				b.Fatal(err)
			}
			w := httptest.NewRecorder()
			handler(w, request(c.contentType, string(body)))
			var got Order
			if err := c.unmarshal(w.Body.Bytes(), &got); err != nil || !reflect.DeepEqual(got, order()) {
				b.Fatalf("the answer is %d %v, %v", w.Code, got, err)
			}
			b.ReportAllocs()
			for b.Loop() {
				r, err := http.NewRequest("POST", "/", bytes.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				r.Header.Set("Content-Type", c.contentType)
				handler(httptest.NewRecorder(), r)
			}
		})
	}
}
