// Package sample has the value that the tests and benchmarks of the recipes send and store.
package sample

import "time"

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
	SKU      string  `json:"sku" msgpack:"sku"`
	Quantity int     `json:"quantity" msgpack:"quantity"`
	Price    float64 `json:"price" msgpack:"price"`
	Note     string  `json:"note" msgpack:"note"`
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
