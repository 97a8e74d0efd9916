// Package sample has the message that the tests and benchmarks of the integrations
// send and store, and makes their Codecs. Only tests import it.
package sample

import (
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// Order is a message of usual size: about 1 KB of JSON.
type Order struct {
	ID       uint64            `json:"id" msgpack:"id" codec:"id"`
	Customer string            `json:"customer" msgpack:"customer" codec:"customer"`
	Created  time.Time         `json:"created" msgpack:"created" codec:"created"`
	Paid     bool              `json:"paid" msgpack:"paid" codec:"paid"`
	Total    float64           `json:"total" msgpack:"total" codec:"total"`
	Labels   map[string]string `json:"labels" msgpack:"labels" codec:"labels"`
	Lines    []Line            `json:"lines" msgpack:"lines" codec:"lines"`
}

// Line is a part of an Order.
type Line struct {
	SKU      string  `json:"sku" msgpack:"sku" codec:"sku"`
	Quantity int     `json:"quantity" msgpack:"quantity" codec:"quantity"`
	Price    float64 `json:"price" msgpack:"price" codec:"price"`
	Note     string  `json:"note" msgpack:"note" codec:"note"`
}

// New returns an Order with a number of lines; 12 are usual.
func New(id uint64, lines int) Order {
	o := Order{ID: id, Customer: "Ada Lovelace", Created: time.Unix(1767225600, 0).UTC(), Paid: true, Total: 129.75,
		Labels: map[string]string{"channel": "web", "region": "eu-west", "campaign": "spring"}}
	for i := range lines {
		o.Lines = append(o.Lines, Line{"SKU-1002-" + string(rune('A'+i%26)), i + 1, 9.25 * float64(i), "gift wrap"})
	}
	return o
}

// Codec returns a Codec with the Options.
func Codec(t testing.TB, o msgpack.Options) *msgpack.Codec {
	t.Helper()
	c, err := msgpack.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
