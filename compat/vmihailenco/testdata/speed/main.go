// Command speed encodes and decodes values of many types with the package
// github.com/vmihailenco/msgpack/v5 and prints how long each case takes. The tests run it with the
// library and with the package that replaces it, and print the quotients.
//
// Its argument is the number of rounds, of a millisecond each. With none, each case runs once.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/vmihailenco/msgpack/v5"
)

type item struct {
	SKU   string  `msgpack:"sku" json:"sku"`
	Qty   int     `msgpack:"qty" json:"qty"`
	Price float64 `msgpack:"price" json:"price"`
}

type order struct {
	ID    int64             `msgpack:"id" json:"id"`
	Name  string            `msgpack:"name" json:"name"`
	Items []item            `msgpack:"items" json:"items"`
	Attrs map[string]string `msgpack:"attrs" json:"attrs"`
	When  time.Time         `msgpack:"when" json:"when"`
	Note  *string           `msgpack:"note" json:"note"`
	Tags  []string          `msgpack:"tags,omitempty" json:"tags,omitempty"`
}

// An untyped is an order with values of any type.
type untyped struct {
	order `msgpack:",inline"`
	Extra map[string]any `msgpack:"extra"`
	Any   any            `msgpack:"any"`
}

// A coord writes and reads itself.
type coord struct {
	name string
	x, y int
}

func (c *coord) EncodeMsgpack(e *msgpack.Encoder) error {
	if err := e.EncodeArrayLen(3); err != nil {
		return err
	}
	return e.EncodeMulti(c.name, c.x, c.y)
}

func (c *coord) DecodeMsgpack(d *msgpack.Decoder) error {
	if _, err := d.DecodeArrayLen(); err != nil {
		return err
	}
	return d.DecodeMulti(&c.name, &c.x, &c.y)
}

type track struct {
	ID     int
	Coords []*coord
	Last   coord
}

// A key is a value with binary methods.
type key [4]byte

func (k key) MarshalBinary() ([]byte, error) { return k[:], nil }

func (k *key) UnmarshalBinary(b []byte) error {
	copy(k[:], b)
	return nil
}

type word struct {
	A string `msgpack:",intern"`
	B string `msgpack:",intern"`
	N int
}

type row struct {
	_msgpack struct{} `msgpack:",as_array"`
	A        int
	B        string
	C        []int
}

func orderOf(n int) order {
	note := "a note"
	o := order{ID: 12345, Name: "a customer", Attrs: map[string]string{"region": "eu-west", "tier": "gold"}, When: time.Unix(1700000000, 5), Note: &note}
	for i := range n {
		o.Items = append(o.Items, item{fmt.Sprint("sku-", i), i, float64(i) * 1.1})
	}
	return o
}

var rounds int

func main() {
	if len(os.Args) > 1 {
		var err error
		if rounds, err = strconv.Atoi(os.Args[1]); err != nil {
			panic(err)
		}
	}
	few := orderOf(2)
	all("order of 2", few)
	all("order of 30", orderOf(30))
	all("untyped order", untyped{few, map[string]any{"x": int64(1), "list": []any{int64(1), "b", true}}, 1.5})
	all("item", few.Items[0])
	all("pointers", []*item{&few.Items[0], &few.Items[1]})
	all("track", track{5, []*coord{{"a", 1, 2}, {"bb", 3, 4}}, coord{"last", 5, 6}})
	all("coord", coord{"a", 1, 2})
	all("words", []word{{"the same", "others", 1}, {"the same", "others", 2}})
	all("row", row{A: 1, B: "text", C: []int{1, 2, 3, 4}})
	all("keys", []key{{1}, {2}, {3}})
	all("map of any", map[string]any{"a": 1, "b": "text", "c": []any{1, "x", true}, "d": map[string]any{"e": 1.5}})
	all("map of strings", map[string]string{"a": "b", "c": "d", "e": "f"})
	all("strings", []string{"a", "bb", "ccc"})
	all("ints", []int{1, 2, 3, 1000, 100000})
	all("int", 5)
	all("string", "hello world")
	all("bytes", make([]byte, 100))
	all("time", time.Unix(1700000000, 5))
	all("raw", struct{ R msgpack.RawMessage }{msgpack.RawMessage{0x93, 1, 2, 3}})
	parts(few)
}

// all measures the calls for one value.
func all[T any](name string, v T) {
	b, err := msgpack.Marshal(&v)
	if err != nil {
		panic(err)
	}
	measure(name+" Marshal", func() error {
		_, err := msgpack.Marshal(&v)
		return err
	})
	measure(name+" Unmarshal", func() error { return msgpack.Unmarshal(b, new(T)) })
	r := bytes.NewReader(b)
	measure(name+" NewDecoder", func() error {
		r.Reset(b)
		return msgpack.NewDecoder(r).Decode(new(T))
	})
	d := msgpack.NewDecoder(r)
	measure(name+" Decode", func() error {
		r.Reset(b)
		d.Reset(r)
		return d.Decode(new(T))
	})
	var out bytes.Buffer
	for _, o := range []struct {
		name string
		set  func(*msgpack.Encoder)
	}{
		{"", func(*msgpack.Encoder) {}},
		{" sorted", func(e *msgpack.Encoder) { e.SetSortMapKeys(true) }},
		{" compact", func(e *msgpack.Encoder) { e.UseCompactInts(true); e.UseCompactFloats(true) }},
		{" omit", func(e *msgpack.Encoder) { e.SetOmitEmpty(true) }},
		{" tag", func(e *msgpack.Encoder) { e.SetCustomStructTag("json") }},
		{" arrays", func(e *msgpack.Encoder) { e.UseArrayEncodedStructs(true) }},
	} {
		measure(name+" Encode"+o.name, func() error {
			out.Reset()
			e := msgpack.GetEncoder()
			defer msgpack.PutEncoder(e)
			e.Reset(&out)
			o.set(e)
			return e.Encode(&v)
		})
	}
}

// parts measures the calls for parts of messages.
func parts(o order) {
	b, err := msgpack.Marshal(struct {
		A     int
		Order order
		Z     string
	}{1, o, "last"})
	if err != nil {
		panic(err)
	}
	r := bytes.NewReader(b)
	for name, call := range map[string]func(*msgpack.Decoder) error{
		"Query":     func(d *msgpack.Decoder) error { _, err := d.Query("Order.items.*.sku"); return err },
		"Skip":      (*msgpack.Decoder).Skip,
		"DecodeMap": func(d *msgpack.Decoder) error { _, err := d.DecodeMap(); return err },
		"DecodeRaw": func(d *msgpack.Decoder) error { _, err := d.DecodeRaw(); return err },
	} {
		measure(name, func() error {
			r.Reset(b)
			return call(msgpack.NewDecoder(r))
		})
	}
	var out bytes.Buffer
	e := msgpack.NewEncoder(&out)
	write := func() error {
		out.Reset()
		_ = e.EncodeMapLen(2)
		_ = e.EncodeString("a")
		_ = e.EncodeArrayLen(10)
		for i := range 10 {
			_ = e.EncodeUint(uint64(i * 100))
		}
		_ = e.EncodeString("b")
		return e.EncodeBytes([]byte("abc"))
	}
	measure("writing parts", write)
	if err := write(); err != nil {
		panic(err)
	}
	data := bytes.Clone(out.Bytes())
	d := msgpack.NewDecoder(r)
	measure("reading parts", func() error {
		r.Reset(data)
		d.Reset(r)
		_, _ = d.DecodeMapLen()
		_, _ = d.DecodeString()
		n, _ := d.DecodeArrayLen()
		for range n {
			_, _ = d.DecodeUint64()
		}
		_, _ = d.DecodeString()
		_, err := d.DecodeBytes()
		return err
	})
}

// measure prints the shortest time of the rounds, in nanoseconds.
func measure(name string, f func() error) {
	if err := f(); err != nil {
		fmt.Printf("%s: %v\n", name, err)
		return
	}
	best, n := 0.0, 1
	for i := 0; i < rounds; {
		start := time.Now()
		for range n {
			_ = f()
		}
		d := time.Since(start)
		if d < time.Millisecond {
			n *= 2
			continue
		}
		if ns := float64(d) / float64(n); best == 0 || ns < best {
			best = ns
		}
		i++
	}
	fmt.Printf("%s: %.1f\n", name, best)
}
