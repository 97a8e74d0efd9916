package msgpack_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// order is the message of the examples.
func order() []byte {
	type line struct {
		Item  string  `msgpack:"item"`
		Count int     `msgpack:"count"`
		Price float64 `msgpack:"price"`
	}
	data, err := msgpack.Marshal(struct {
		ID    uint64    `msgpack:"id"`
		At    time.Time `msgpack:"at"`
		Paid  bool      `msgpack:"paid"`
		Lines []line    `msgpack:"lines"`
		Note  *string   `msgpack:"note"`
		Key   []byte    `msgpack:"key"`
		Place msgpack.Ext
	}{
		7, time.Unix(1_000_000_000, 0), true, []line{{"tea", 2, 4.5}, {"milk", 1, 1.25}}, nil, []byte{1, 2},
		msgpack.Ext{Type: 1, Data: []byte("N1")},
	})
	if err != nil {
		panic(err)
	}
	return data
}

// at returns the View at a path of the order.
func at(path ...any) msgpack.View {
	v, err := msgpack.ViewOf(order())
	if err == nil {
		v, err = v.Get(path...)
	}
	if err != nil {
		panic(err)
	}
	return v
}

func ExampleGet() {
	raw, err := msgpack.Get(order(), "lines", 1, "item")
	if err != nil {
		fmt.Println(err)
		return
	}
	var item string
	err = msgpack.Unmarshal(raw, &item)
	fmt.Println(item, err)

	_, err = msgpack.Get(order(), "lines", 2, "item")
	fmt.Println(errors.Is(err, msgpack.ErrNotFound))
	fmt.Println(err)
	// Output:
	// milk <nil>
	// true
	// msgpack: get ["lines"][2] at offset 26: found fixarray of 2 elements: no such key or index
}

func ExampleCodec_ViewOf() {
	codec, err := msgpack.New(msgpack.Options{MaxDepth: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := codec.ViewOf(order())
	fmt.Println(v.Len(), err)
	// Output: 7 <nil>
}

func ExampleView() {
	v, err := msgpack.ViewOf(order())
	if err != nil {
		fmt.Println(err)
		return
	}
	lines, err := v.Get("lines")
	if err != nil {
		fmt.Println(err)
		return
	}
	total := 0.0
	for line, err := range lines.Elements() {
		if err != nil {
			fmt.Println(err)
			return
		}
		var l struct {
			Count float64 `msgpack:"count"`
			Price float64 `msgpack:"price"`
		}
		if err := line.Decode(&l); err != nil {
			fmt.Println(err)
			return
		}
		total += l.Count * l.Price
	}
	fmt.Println(total)
	// Output: 10.25
}

func ExampleViewOf() {
	v, err := msgpack.ViewOf([]byte("\x93\x01\x02\xa1a"))
	fmt.Println(v.Len(), err)

	_, err = msgpack.ViewOf([]byte("\x93\x01\x02\xa3a"))
	fmt.Println(err)
	// Output:
	// 3 <nil>
	// msgpack: validate [2] at offset 3: found fixstr of 3 bytes, 1 left: truncated input
}

func ExampleView_Get() {
	v, err := at("lines").Get(0, "item")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.Text())
	// Output: tea <nil>
}

func ExampleView_Kind() {
	fmt.Println(at("lines").Kind(), at("lines", 0).Kind(), at("paid").Kind(), at("at").Kind())
	// Output: array map bool ext
}

func ExampleView_IsNil() {
	fmt.Println(at("note").IsNil(), at("id").IsNil())
	// Output: true false
}

func ExampleView_Len() {
	fmt.Println(at("lines").Len(), at("lines", 0).Len(), at("lines", 0, "item").Len(), at("id").Len())
	// Output: 2 3 3 0
}

func ExampleView_Raw() {
	fmt.Printf("% x\n", at("lines", 0, "item").Raw())
	// Output: a3 74 65 61
}

func ExampleView_Decode() {
	var counts []struct {
		Count int `msgpack:"count"`
	}
	err := at("lines").Decode(&counts)
	fmt.Println(counts, err)
	// Output: [{2} {1}] <nil>
}

func ExampleView_Bool() {
	fmt.Println(at("paid").Bool())
	// Output: true <nil>
}

func ExampleView_Int() {
	fmt.Println(at("id").Int())
	_, err := at("lines", 0, "price").Int()
	fmt.Println(err)
	// Output:
	// 7 <nil>
	// msgpack: unmarshal at offset 50: found float 64 4.5, want int64: number out of range
}

func ExampleView_Uint() {
	fmt.Println(at("id").Uint())
	// Output: 7 <nil>
}

func ExampleView_Float() {
	fmt.Println(at("lines", 0, "price").Float())
	// Output: 4.5 <nil>
}

func ExampleView_Time() {
	fmt.Println(at("at").Time())
	// Output: 2001-09-09 01:46:40 +0000 UTC <nil>
}

func ExampleView_Bytes() {
	fmt.Println(at("key").Bytes())
	item, err := at("lines", 0, "item").Bytes()
	fmt.Println(string(item) == "tea", err) // compared without allocating
	// Output:
	// [1 2] <nil>
	// true <nil>
}

func ExampleView_Text() {
	fmt.Println(at("lines", 1, "item").Text())
	// Output: milk <nil>
}

func ExampleView_Ext() {
	place, err := at("Place").Ext()
	fmt.Printf("%d %s %v\n", place.Type, place.Data, err)
	// Output: 1 N1 <nil>
}

func ExampleView_Elements() {
	for line, err := range at("lines").Elements() {
		fmt.Println(line.Len(), err)
	}
	for _, err := range at("paid").Elements() {
		fmt.Println(err)
	}
	// Output:
	// 3 <nil>
	// 3 <nil>
	// msgpack: get at offset 19: found true, want array: value does not fit the Go type
}

func ExampleView_Entries() {
	for e, err := range at("lines", 0).Entries() {
		if err != nil {
			fmt.Println(err)
			return
		}
		key, err := e.Key.Text()
		fmt.Println(key, e.Value.Kind(), err)
	}
	// Output:
	// item str <nil>
	// count int <nil>
	// price float <nil>
}

func ExampleEntry() {
	for e := range at("lines", 1).Entries() {
		if key, _ := e.Key.Bytes(); string(key) == "price" {
			fmt.Println(e.Value.Float())
		}
	}
	// Output: 1.25 <nil>
}
