package main

import (
	"errors"
	"math/big"
	"net"
	"net/url"
	"reflect"
	"time"

	"github.com/vmihailenco/msgpack/v5"
)

type (
	plain struct {
		ID    int64  `msgpack:"id"`
		Small uint8  `msgpack:"small"`
		Name  string `msgpack:"name,omitempty"`
		Data  []byte
		At    time.Time
		Wait  time.Duration `msgpack:",omitempty"`
		F     float64
		F32   float32
		OK    bool
		Skip  int `msgpack:"-"`
		Tags  []string
		Sum   [4]byte
		Inner struct {
			A int `msgpack:"a,omitempty"`
			B *int
		} `msgpack:",omitempty"`
		Rows  []row
		By    map[string]row
		Count map[int8]uint16
		Ptr   *row
	}
	row struct{ X, Y int }

	base     struct{ Hidden string }
	Base     struct{ Code int }
	embedder struct {
		base
		*Base
		Name string
	}
	shadow struct {
		Code string
		Base
	}
	nested struct {
		Base `msgpack:"b,noinline"`
	}
	twice struct {
		A int
		B []string `msgpack:"A"`
	}
	lower struct {
		P *int
		T time.Time
		V any
		N int
	}
	holdsLower struct {
		*lower
		Z int
	}
	holdsTwice struct {
		twice
		C int
	}
	inlinesTwice struct {
		twice `msgpack:",inline"`
	}
	hides struct {
		Hidden string
		base
	}
	hidesPointer struct {
		Hidden string
		*base
	}
	number   uint8
	glossary map[string]string
	letters  [2]byte
	unseen   struct { // embedded values that reflection does not give
		number
		letters
		X int
	}
	unseenMap struct {
		glossary `msgpack:",omitempty"`
		X        int
	}
	label        string
	unseenMethod struct {
		label
		X int
	}
	optional struct {
		P *time.Time        `msgpack:",omitempty"`
		V any               `msgpack:"v,omitempty"`
		M map[string]int    `msgpack:",omitempty"`
		R *row              `msgpack:",omitempty"`
		S struct{ L []int } `msgpack:",omitempty"`
		F float32           `msgpack:",omitempty"`
	}
	asArray struct {
		_msgpack struct{} `msgpack:",as_array"`
		A        int16
		B        string
		C        []uint32
	}
	omitAll struct {
		_msgpack struct{} `msgpack:",omitempty"`
		A        int
		B        string
	}
	aliased struct {
		Now string `msgpack:"now,alias:before"`
	}
	interned struct {
		A string `msgpack:",intern"`
		B any    `msgpack:",intern"`
		C string
	}
	quoted struct {
		A int `msgpack:"'a:b, c'"`
		B int `json:"bee"`
	}
	dynamic struct {
		V    any
		L    []any
		M    map[string]any
		Err  error
		Any  map[any]any `msgpack:",omitempty"`
		Into any
	}
	several struct{ A, B string } // its method writes two values
	holder  struct {
		S several
		P *several
		L []several
	}
	marshaler struct{ n int64 }
	wrapped   struct {
		M  marshaler
		MP *marshaler
		MS []*marshaler
	}
	texts struct {
		IP  net.IP
		U   *url.URL
		Big *big.Int
	}
	extension struct{ S string }
	exts      struct {
		E  extension
		EP *extension
		V  any
	}
	registered int
	raws       struct {
		R  msgpack.RawMessage
		RP *msgpack.RawMessage `msgpack:",omitempty"`
	}
	list  []list
	chain struct {
		Next *chain
		V    int
	}
	set map[int]struct{}
)

func (l label) MarshalText() ([]byte, error) { return []byte(l), nil }
func (unseenMethod) MarshalText()            {} // hides the method of label

func (s *several) EncodeMsgpack(e *msgpack.Encoder) error { return e.EncodeMulti(s.A, s.B) }
func (s *several) DecodeMsgpack(d *msgpack.Decoder) error { return d.DecodeMulti(&s.A, &s.B) }

func (m *marshaler) MarshalMsgpack() ([]byte, error) {
	if m.n == 13 {
		return nil, errors.New("13")
	}
	return msgpack.Marshal(m.n)
}
func (m *marshaler) UnmarshalMsgpack(b []byte) error { return msgpack.Unmarshal(b, &m.n) }

func (x *extension) MarshalMsgpack() ([]byte, error) { return []byte(x.S), nil }
func (x *extension) UnmarshalMsgpack(b []byte) error { x.S = string(b); return nil }

func (s set) EncodeMsgpack(e *msgpack.Encoder) error { return e.EncodeArrayLen(len(s)) }

func registerAll() {
	msgpack.RegisterExt(7, (*extension)(nil))
	msgpack.Register(registered(0), func(e *msgpack.Encoder, v reflect.Value) error {
		return e.EncodeString("registered")
	}, func(d *msgpack.Decoder, v reflect.Value) error {
		s, err := d.DecodeString()
		v.SetInt(int64(len(s)))
		return err
	})
}

// values returns values of all types, by pointer.
func values() []any {
	five, at, wide := 5, time.Unix(1<<33, 7), int64(1)<<40
	p := plain{ID: -7, Small: 200, Name: "n", Data: []byte{1}, At: time.Unix(9, 1), Wait: 3, F: 1.5, F32: -2, OK: true, Tags: []string{"a", ""},
		Sum: [4]byte{1, 2, 3, 4}, Rows: []row{{1, 2}, {300, -40}}, By: map[string]row{"k": {1, 2}}, Count: map[int8]uint16{-3: 9}, Ptr: &row{5, 6}}
	p.Inner.B = &five
	plainText := any("hello")
	raw := msgpack.RawMessage{0x92, 0x01, 0xc3}
	return []any{
		&plain{}, &p, &row{int(wide), -1}, &embedder{}, &embedder{base{"h"}, &Base{4}, "n"}, &shadow{"s", Base{3}}, &nested{Base{2}},
		&holdsLower{nil, 3}, &holdsTwice{twice{1, []string{"a"}}, 2}, &inlinesTwice{twice{1, nil}}, &hides{"a", base{"b"}}, &hidesPointer{"a", nil}, &hidesPointer{"a", &base{"b"}},
		&unseen{3, letters{1, 2}, 4}, &unseenMap{glossary{"a": "b"}, 1}, &unseenMethod{"l", 1}, &dynamic{Into: map[string]int{"a": 1}}, &dynamic{Into: map[string]string{"a": "b"}},
		&dynamic{Into: map[string]any{"a": 1}, V: [2]int{1, 2}}, &dynamic{Into: row{1, 2}, V: [2]byte{1, 2}},
		&optional{}, &optional{P: &at, V: 0, M: map[string]int{"a": 1}, R: &row{}, F: 1}, &optional{P: new(time.Time), V: "x", S: struct{ L []int }{[]int{1}}},
		&asArray{A: 3, B: "b", C: []uint32{1}}, &asArray{}, &omitAll{}, &omitAll{A: 1}, &aliased{"x"}, &interned{"long text", "long text", "long text"},
		&interned{B: 7}, &interned{A: "ab", B: []int{1}}, &quoted{1, 2}, &dynamic{},
		&dynamic{V: int16(3), L: []any{nil, 1.5, float32(2), "s", []byte{1}, uint64(7), time.Unix(3, 0), row{1, 2}}, M: map[string]any{"k": []any{int8(-1)}}, Err: errors.New("e"), Into: 5},
		&dynamic{V: &extension{"dyn"}, Any: map[any]any{1: "one"}}, &dynamic{V: several{"a", "b"}}, &dynamic{V: &several{"a", "b"}},
		&several{"x", "y"}, &holder{several{"a", "b"}, nil, []several{{"c", "d"}}}, &holder{P: &several{}}, &marshaler{12}, &marshaler{13},
		&wrapped{marshaler{1}, nil, []*marshaler{nil, {5}}}, &wrapped{MP: &marshaler{3}}, &texts{}, &texts{net.IP{1, 2, 3, 4}, &url.URL{Host: "h"}, big.NewInt(77)},
		&extension{"ext"}, &exts{}, &exts{extension{"a"}, &extension{"bb"}, &extension{"cccc"}}, new(registered), &[]registered{1, 2},
		&raws{raw, &raw}, &raws{R: msgpack.RawMessage{0xc0}}, &raws{RP: new(msgpack.RawMessage)}, &list{{}, {{}}}, &chain{&chain{nil, 2}, 1}, &set{1: {}}, new(set),
		&[]string{}, new([]string), &[]string{"a", "bb"}, &map[string]string{"a": "b"}, new(map[string]string), &map[string]bool{"t": true},
		&map[string]any{"n": nil}, &map[int]any{4: "x"}, &[]int64{1, -300, 1 << 40}, &[2]int{1, 2}, &[]byte{}, new([]byte), &[]byte{1, 2}, &[3]byte{1, 2, 3},
		&plainText, new(any), new(int), new(int8), new(uint64), new(float32), new(float64), new(bool), new(string), new(time.Time), &at,
		new(time.Duration), new(complex128), new(chan int), &[]*row{nil, {1, 2}}, &[][]int{{1}, nil}, &map[row]string{{1, 2}: "r"}, new(error),
		new(*int), &five, &[]float64{1, 2.5}, &[]bool{true}, &[]time.Time{at}, &[]error{errors.New("a")}, &[]any{map[string]any{"a": []any{}}},
	}
}
