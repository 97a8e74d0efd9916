package msgpack_test

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// These types have methods of another library, whose encoder and decoder they
// receive.
type (
	otherEncoder struct{ b []byte }
	otherDecoder struct{ r *bytes.Reader }
	otherWrites  interface{ EncodeMsgpack(e *otherEncoder) error }
	otherReads   interface{ DecodeMsgpack(d *otherDecoder) error }
)

func (e *otherEncoder) text(s string) error { e.b = wire.AppendString(e.b, s); return nil }

func (d *otherDecoder) text() (string, error) {
	size, err := d.r.ReadByte()
	if err != nil || wire.FormatOf(size) != wire.FixStr {
		return "", errOwn
	}
	b := make([]byte, size&31)
	_, err = io.ReadFull(d.r, b)
	return string(b), err
}

func otherAppend(dst []byte, v otherWrites) ([]byte, error) {
	e := otherEncoder{dst}
	err := v.EncodeMsgpack(&e)
	return e.b, err
}

func otherDecode(data []byte, v otherReads) (int, error) {
	d := otherDecoder{bytes.NewReader(data)}
	err := v.DecodeMsgpack(&d)
	return len(data) - d.r.Len(), err
}

var otherHooks = msgpack.Implements(otherAppend, otherDecode)

type (
	hookStruct  struct{ s string }
	hookValue   struct{ s string } // with a method of the value
	hookNumber  int
	hookMap     map[string]bool
	hookPointer struct{ p *byte } // one pointer, which an interface stores in its data word
	hookText    struct{ s string }
	hookOwn     struct{ s string }
	hookWriter  struct{ S string }
	hookReader  struct{ S string }
)

func (h *hookStruct) EncodeMsgpack(e *otherEncoder) error { return e.text("h" + h.s) }
func (h *hookStruct) DecodeMsgpack(d *otherDecoder) error {
	s, err := d.text()
	h.s = strings.TrimPrefix(s, "h")
	return err
}
func (h hookValue) EncodeMsgpack(e *otherEncoder) error  { return e.text("v" + h.s) }
func (h *hookValue) DecodeMsgpack(d *otherDecoder) error { return (*hookText)(h).DecodeMsgpack(d) }

func (h hookNumber) EncodeMsgpack(e *otherEncoder) error { return e.text(strings.Repeat("x", int(h))) }
func (h *hookNumber) DecodeMsgpack(d *otherDecoder) error {
	s, err := d.text()
	*h = hookNumber(len(s))
	return err
}

func (h hookMap) EncodeMsgpack(e *otherEncoder) error {
	for k := range h {
		return e.text(k)
	}
	return e.text("")
}
func (h *hookMap) DecodeMsgpack(d *otherDecoder) error {
	s, err := d.text()
	*h = hookMap{s: true}
	return err
}

func (h hookPointer) EncodeMsgpack(e *otherEncoder) error { return e.text(string(rune(*h.p))) }
func (h *hookPointer) DecodeMsgpack(d *otherDecoder) error {
	s, err := d.text()
	if err == nil {
		h.p = &[]byte(s)[0]
	}
	return err
}

// A hookText also has methods of package encoding, and a hookOwn those of Octet.
func (h hookText) EncodeMsgpack(e *otherEncoder) error { return e.text("t" + h.s) }
func (h *hookText) DecodeMsgpack(d *otherDecoder) error {
	s, err := d.text()
	if err == nil && s != "" {
		h.s = s[1:]
	}
	return err
}
func (hookText) MarshalText() ([]byte, error)  { return nil, errOwn }
func (*hookText) UnmarshalText(b []byte) error { return errOwn }

func (hookOwn) EncodeMsgpack(*otherEncoder) error  { return errOwn }
func (*hookOwn) DecodeMsgpack(*otherDecoder) error { return errOwn }
func (h *hookOwn) AppendMsgpack(dst []byte) ([]byte, error) {
	return wire.AppendString(dst, "o"+h.s), nil
}
func (h *hookOwn) UnmarshalMsgpack(data []byte) error           { h.s = string(data[2:]); return nil }
func (h hookWriter) EncodeMsgpack(e *otherEncoder) error        { return e.text("w" + h.S) }
func (h *hookReader) DecodeMsgpack(d *otherDecoder) (err error) { h.S, err = d.text(); return err }

// TestImplementsInPlaces calls methods of another library for values in every
// place.
func TestImplementsInPlaces(t *testing.T) {
	c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{otherHooks}})
	for name, test := range map[string]struct {
		value any
		bytes string
	}{
		"method of the pointer": {hookStruct{"a"}, "a2 68 61"},
		"method of the value":   {hookValue{"a"}, "a2 76 61"},
		"number":                {hookNumber(2), "a2 78 78"},
		"map":                   {hookMap{"k": true}, "a1 6b"},
		"pointer in a struct":   {hookPointer{one('p')}, "a1 70"},
		"over text":             {hookText{"a"}, "a2 74 61"},
		"behind Octet's own":    {hookOwn{"a"}, "a2 6f 61"},
		"pointer":               {&hookStruct{"a"}, "a2 68 61"},
	} {
		t.Run(name, func(t *testing.T) { checkCustom(t, c, test.value, test.bytes) })
	}
}

// TestImplementsOrder uses types to which other rules apply too.
func TestImplementsOrder(t *testing.T) {
	textHook := msgpack.Implements(
		func(dst []byte, v encoding.TextMarshaler) ([]byte, error) {
			b, err := v.MarshalText()
			return wire.AppendString(dst, "T"+string(b)), err
		},
		func(data []byte, v encoding.TextUnmarshaler) (int, error) {
			s, n, err := wire.ConsumeString(data)
			if err != nil {
				return 0, err
			}
			return n, v.UnmarshalText(s[1:])
		})
	number, _ := new(big.Int).SetString("-12", 10)
	for name, test := range map[string]struct {
		types []msgpack.TypeCoder
		value any
		bytes string
	}{
		"method of package encoding": {[]msgpack.TypeCoder{textHook}, temperature(-4), "\xa4T-4C"},
		"form of the package":        {[]msgpack.TypeCoder{textHook}, *number, "\xa4T-12"},
		"form of a slice":            {[]msgpack.TypeCoder{textHook}, net.IPv4(1, 2, 3, 4), "\xa8T1.2.3.4"},
		"time":                       {[]msgpack.TypeCoder{textHook}, time.Unix(1, 0).UTC(), "\xd6\xff\x00\x00\x00\x01"},
		"an override":                {[]msgpack.TypeCoder{textHook, overrideOf(withTextText, withTextFrom)}, withText(5), "\xa15"},
		"an ext":                     {[]msgpack.TypeCoder{textHook, extOf(1, withTextText, withTextFrom)}, withText(5), "\xd4\x015"},
		"the first of two":           {[]msgpack.TypeCoder{otherHooks, msgpack.Implements(func([]byte, otherWrites) ([]byte, error) { return nil, errOwn }, func([]byte, otherReads) (int, error) { return 0, errOwn })}, hookValue{"a"}, "\xa2va"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCodec(t, msgpack.Options{Types: test.types})
			checkCodec(t, c, test.value, []byte(test.bytes))
			got := reflect.New(reflect.TypeOf(test.value))
			if err := c.Unmarshal([]byte(test.bytes), got.Interface()); err != nil || !reflect.DeepEqual(got.Elem().Interface(), test.value) {
				t.Errorf("got %v, %v", got.Elem(), err)
			}
		})
	}
}

// TestImplementsOneWay uses functions and types for one direction only.
func TestImplementsOneWay(t *testing.T) {
	both := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{otherHooks}})
	checkCodec(t, both, hookWriter{"a"}, []byte("\xa2wa"))
	checkCodec(t, both, hookReader{"a"}, []byte("\x81\xa1S\xa1a"))
	writes := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Implements[otherWrites, any](otherAppend, nil)}})
	reads := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Implements[int](nil, otherDecode)}})
	checkCodec(t, writes, hookWriter{"a"}, []byte("\xa2wa"))
	for name, f := range map[string]func(any) error{
		"both":   func(v any) error { return both.Unmarshal([]byte("\xa1b"), v) },
		"decode": func(v any) error { return reads.Unmarshal([]byte("\xa1b"), v) },
	} {
		var v hookReader
		if err := f(&v); err != nil || v.S != "b" {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
	var w hookWriter
	if err := writes.Unmarshal([]byte("\x81\xa1S\xa1b"), &w); err != nil || w.S != "b" {
		t.Errorf("by fields: %+v, %v", w, err)
	}
}

// TestImplementsNilAndEmbedded checks that methods are promoted and are not called
// for nil pointers.
func TestImplementsNilAndEmbedded(t *testing.T) {
	type outer struct {
		hookStruct
		Lost int
	}
	c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{otherHooks}})
	checkCodec(t, c, outer{hookStruct{"a"}, 1}, []byte("\xa2ha"))
	checkCodec(t, c, (*hookValue)(nil), []byte("\xc0"))
	checkCodec(t, c, []*hookStruct{nil, {"a"}}, []byte("\x92\xc0\xa2ha"))
	checkCodec(t, c, []otherWrites{nil, (*hookStruct)(nil), &hookStruct{"a"}, hookNumber(1)}, []byte("\x94\xc0\xc0\xa2ha\xa1x"))
	v := &hookStruct{"a"}
	if err := c.Unmarshal([]byte("\xc0"), &v); err != nil || v != nil {
		t.Errorf("nil: %v, %v", v, err)
	}
	var held otherReads = &hookStruct{}
	if err := c.Unmarshal([]byte("\xa2hb"), &held); err != nil || held.(*hookStruct).s != "b" {
		t.Errorf("in an interface: %v, %v", held, err)
	}
}

// TestImplementsFaults uses functions that do not append exactly one value, or that
// return an invalid number of bytes.
func TestImplementsFaults(t *testing.T) {
	for result, fault := range map[string]string{
		"": "0 values", "\x01\x02": "2 values", "\x01\x02\x92": "2 values and more", "\x92\x01": "it ends inside a value",
		"\xc1": "it is malformed", "\xdd\xff\xff\xff\xff": "it ends inside a value",
	} {
		c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Implements[otherWrites, any](
			func(dst []byte, _ otherWrites) ([]byte, error) { return append(dst, result...), nil }, nil)}})
		_, err := c.Marshal(map[string]any{"k": hookValue{"a"}})
		if e := checkError(t, err, msgpack.ErrInvalid); e != nil && (e.Path != `["k"]` || e.Found != "result of the method of msgpack_test.hookValue ("+fault+")") {
			t.Errorf("% x: %v", result, e)
		}
	}
	for n, want := range map[int]string{-1: "-1 of 2 bytes consumed", 0: "0 of 2", 1: "1 of 2", 3: "3 of 2"} {
		c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Implements[any](nil,
			func([]byte, otherReads) (int, error) { return n, nil })}})
		v := []hookStruct{{"old"}}
		e := checkError(t, c.Unmarshal([]byte("\x91\xa1a"), &v), msgpack.ErrInvalid)
		if e != nil && (e.Offset != 1 || e.Path != "[0]" || !strings.Contains(e.Error(), want)) {
			t.Errorf("%d: %v", n, e)
		}
	}
	failing := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Implements(
		func(dst []byte, _ otherWrites) ([]byte, error) { return dst, errOwn },
		func([]byte, otherReads) (int, error) { return 0, errOwn })}})
	_, err := failing.Marshal([]hookStruct{{"a"}})
	checkError(t, err, errOwn)
	checkError(t, failing.Unmarshal([]byte("\xa1a"), new(hookStruct)), errOwn)
	// Containers in the result count as levels.
	deep := newCodec(t, msgpack.Options{MaxDepth: 2, Types: []msgpack.TypeCoder{msgpack.Implements[otherWrites, any](
		func(dst []byte, _ otherWrites) ([]byte, error) { return append(dst, 0x91, 0x91, 1), nil }, nil)}})
	checkCodec(t, deep, hookValue{}, []byte{0x91, 0x91, 1})
	_, err = deep.Marshal([]hookValue{{}})
	checkError(t, err, msgpack.ErrDepth)
}

// TestNewRefusesImplements checks that New refuses an Implements without
// functions, or whose types are not interfaces with methods.
func TestNewRefusesImplements(t *testing.T) {
	for name, c := range map[string]msgpack.TypeCoder{
		"both functions of Implements are nil":                                      msgpack.Implements[otherWrites, otherReads](nil, nil),
		"type interface {} of Implements is not an interface with methods":          msgpack.Implements[any, any](func(b []byte, _ any) ([]byte, error) { return b, nil }, nil),
		"type msgpack_test.hookMap of Implements is not an interface with methods":  msgpack.Implements[any](nil, func([]byte, hookMap) (int, error) { return 0, nil }),
		"type *msgpack_test.hookMap of Implements is not an interface with methods": msgpack.Implements[*hookMap, any](func(b []byte, _ *hookMap) ([]byte, error) { return b, nil }, nil),
		"type interface {} of Implements is not an interface with methods (decode)": msgpack.Implements[any](nil, func([]byte, any) (int, error) { return 0, nil }),
	} {
		name, _, _ = strings.Cut(name, " (")
		_, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{c}})
		if err == nil || err.Error() != "msgpack: invalid option: Options.Types[0]: "+name {
			t.Errorf("got %v, want %s", err, name)
		}
	}
}

// TestImplementsMoveTheStack uses functions that retain their arguments and read
// them after the stack of the caller has moved.
func TestImplementsMoveTheStack(t *testing.T) {
	var kept []otherWrites
	c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Implements(
		func(dst []byte, v otherWrites) (b []byte, err error) {
			kept = append(kept, v)
			moveStack()
			elsewhere(func() { b, err = otherAppend(dst, v) })
			return b, err
		},
		func(data []byte, v otherReads) (n int, err error) {
			moveStack()
			runtime.GC()
			elsewhere(func() { n, err = otherDecode(data, v) })
			return n, err
		})}})
	for _, run := range []func(func()){onSmallStack, onLargeStack} {
		run(func() {
			v := struct {
				A hookStruct
				B hookPointer
				C hookMap
			}{hookStruct{"a"}, hookPointer{one('b')}, hookMap{"c": true}}
			data, err := c.Marshal(&v)
			if want := "\x83\xa1A\xa2ha\xa1B\xa1b\xa1C\xa1c"; err != nil || string(data) != want {
				t.Errorf("got %q, %v", data, err)
			}
			if err := c.Unmarshal([]byte("\x83\xa1A\xa2hx\xa1B\xa1y\xa1C\xa1z"), &v); err != nil || v.A.s != "x" || *v.B.p != 'y' || !v.C["z"] {
				t.Errorf("got %v, %v", v, err)
			}
		})
	}
	moveStack()
	runtime.GC()
	for _, v := range kept {
		if b, err := otherAppend(nil, v); err != nil || len(b) > 3 {
			t.Errorf("kept %q, %v", b, err)
		}
	}
}

// A session has methods that were written for another library and receive its
// encoder and decoder. In this example these are a bytes.Buffer and a bytes.Reader.
type session struct{ user string }

func (s *session) EncodeTo(w *bytes.Buffer) error {
	w.Write(wire.AppendString(nil, "user:"+s.user))
	return nil
}

func (s *session) DecodeFrom(r *bytes.Reader) error {
	var b [64]byte
	n, _ := r.Read(b[:])
	text, size, err := wire.ConsumeString(b[:n])
	if err != nil {
		return err
	}
	r.Seek(int64(size-n), io.SeekCurrent) // leave the bytes after the user
	user, ok := strings.CutPrefix(string(text), "user:")
	if !ok {
		return errors.New("not a session")
	}
	s.user = user
	return nil
}

func ExampleImplements() {
	hooks := msgpack.Implements(
		func(dst []byte, v interface{ EncodeTo(*bytes.Buffer) error }) ([]byte, error) {
			b := bytes.NewBuffer(dst)
			err := v.EncodeTo(b)
			return b.Bytes(), err
		},
		func(data []byte, v interface{ DecodeFrom(*bytes.Reader) error }) (int, error) {
			r := bytes.NewReader(data)
			err := v.DecodeFrom(r)
			return len(data) - r.Len(), err
		})
	codec, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{hooks}})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := codec.Marshal([]*session{{"ann"}, nil})
	fmt.Printf("%q, %v\n", data, err)
	var back []*session
	err = codec.Unmarshal(data, &back)
	fmt.Println(back[0].user, back[1], err)
	// Output:
	// "\x92\xa8user:ann\xc0", <nil>
	// ann <nil> <nil>
}
