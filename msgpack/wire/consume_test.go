package wire

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"
)

// A consumer is a Consume function with a uniform result.
type consumer struct {
	name    string
	kind    Kind
	consume func(src []byte) (value any, n int, err error)
}

var consumers = []consumer{
	{"ConsumeNil", KindNil, func(src []byte) (any, int, error) {
		n, err := ConsumeNil(src)
		return nil, n, err
	}},
	{"ConsumeBool", KindBool, func(src []byte) (any, int, error) {
		v, n, err := ConsumeBool(src)
		return v, n, err
	}},
	{"ConsumeInt", KindInt, func(src []byte) (any, int, error) {
		v, n, err := ConsumeInt(src)
		return v, n, err
	}},
	{"ConsumeUint", KindInt, func(src []byte) (any, int, error) {
		v, n, err := ConsumeUint(src)
		return v, n, err
	}},
	{"ConsumeFloat32", KindFloat, func(src []byte) (any, int, error) {
		v, n, err := ConsumeFloat32(src)
		return v, n, err
	}},
	{"ConsumeFloat64", KindFloat, func(src []byte) (any, int, error) {
		v, n, err := ConsumeFloat64(src)
		return v, n, err
	}},
	{"ConsumeString", KindStr, func(src []byte) (any, int, error) {
		v, n, err := ConsumeString(src)
		return string(v), n, err
	}},
	{"ConsumeBin", KindBin, func(src []byte) (any, int, error) {
		v, n, err := ConsumeBin(src)
		return v, n, err
	}},
	{"ConsumeArrayHeader", KindArray, func(src []byte) (any, int, error) {
		v, n, err := ConsumeArrayHeader(src)
		return arrayHeader(v), n, err
	}},
	{"ConsumeMapHeader", KindMap, func(src []byte) (any, int, error) {
		v, n, err := ConsumeMapHeader(src)
		return mapHeader(v), n, err
	}},
	{"ConsumeExt", KindExt, func(src []byte) (any, int, error) {
		typ, data, n, err := ConsumeExt(src)
		return ext{typ, string(data)}, n, err
	}},
	{"ConsumeTime", KindExt, func(src []byte) (any, int, error) {
		v, n, err := ConsumeTime(src)
		return v, n, err
	}},
}

// wanted returns the expected result of a consumer for a vector whose bytes are
// src.
func (c consumer) wanted(v vector, src []byte) (value any, err error) {
	switch x := v.value.(type) {
	case int64:
		if c.name == "ConsumeUint" {
			if x < 0 {
				return uint64(0), ErrRange
			}
			return uint64(x), nil
		}
	case uint64:
		if c.name == "ConsumeInt" {
			return int64(0), ErrRange
		}
	case float32:
		if c.name == "ConsumeFloat64" {
			return float64(x), nil
		}
	case float64:
		if c.name == "ConsumeFloat32" {
			return float32(0), ErrFormat
		}
	case ext:
		if c.name == "ConsumeTime" {
			if x.typ == TimestampType {
				return time.Time{}, ErrTimestamp
			}
			return time.Time{}, ErrFormat
		}
	case time.Time:
		if c.name == "ConsumeExt" {
			return ext{-1, string(src[headerSize(v.format):])}, nil
		}
	}
	return v.value, nil
}

func TestConsumeEveryFormat(t *testing.T) {
	for _, v := range slices.Concat(minimal, wasteful) {
		t.Run(v.name, func(t *testing.T) {
			src := v.bytes(t)
			for _, c := range consumers {
				got, n, err := c.consume(append(bytes.Clone(src), "more"...))
				if c.kind != v.format.Kind() {
					if n != 0 || err != ErrFormat || !isZero(got) {
						t.Errorf("%s: got %v, n = %d, %v, want 0, %v", c.name, got, n, err, ErrFormat)
					}
					continue
				}
				want, wantErr := c.wanted(v, src)
				if err != wantErr || !same(got, want) {
					t.Errorf("%s: got %v, %v, want %v, %v", c.name, got, err, want, wantErr)
				}
				wantSize := len(src)
				if wantErr != nil {
					wantSize = 0
				}
				if n != wantSize {
					t.Errorf("%s: got n = %d, want %d", c.name, n, wantSize)
				}
			}
		})
	}
}

// isZero reports whether a value is nil, empty or the zero value.
func isZero(value any) bool {
	v := reflect.ValueOf(value)
	return value == nil || v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

// same compares floats by their bits and times as instants in UTC.
func same(a, b any) bool {
	switch a := a.(type) {
	case float32:
		b, ok := b.(float32)
		return ok && math.Float32bits(a) == math.Float32bits(b)
	case float64:
		b, ok := b.(float64)
		return ok && math.Float64bits(a) == math.Float64bits(b)
	case time.Time:
		b, ok := b.(time.Time)
		return ok && a.Equal(b) && a.Location() == time.UTC
	}
	return reflect.DeepEqual(a, b)
}

func TestConsumeHeaderOfEveryFormat(t *testing.T) {
	for _, v := range slices.Concat(minimal, wasteful) {
		t.Run(v.name, func(t *testing.T) {
			src := v.bytes(t)
			h, n, err := ConsumeHeader(src)
			if err != nil || n != int(h.Size) || h.Format != v.format {
				t.Fatalf("got %+v, %d, %v", h, n, err)
			}
			var count uint32
			switch c := v.value.(type) {
			case arrayHeader:
				count = uint32(c)
			case mapHeader:
				count = uint32(c)
			}
			if h.Count != count {
				t.Errorf("got count %d, want %d", h.Count, count)
			}
			if end := n + int(h.Payload); end != len(src) {
				t.Errorf("header of %d and payload of %d bytes, want %d together", n, h.Payload, len(src))
			}
			wantExt := int8(0)
			switch x := v.value.(type) {
			case ext:
				wantExt = x.typ
			case time.Time:
				wantExt = -1
			}
			if h.Ext != wantExt {
				t.Errorf("got ext type %d, want %d", h.Ext, wantExt)
			}
		})
	}
}

// TestHeaderValues checks that the values of the longest map are counted without
// overflow, also on a 32-bit machine.
func TestHeaderValues(t *testing.T) {
	for _, c := range []struct {
		src  []byte
		want uint64
	}{
		{[]byte{0xdf, 0xff, 0xff, 0xff, 0xff}, 8589934590},
		{[]byte{0xdf, 0x80, 0x00, 0x00, 0x00}, 4294967296},
		{[]byte{0xdd, 0xff, 0xff, 0xff, 0xff}, 4294967295},
		{[]byte{0x82}, 4},
		{[]byte{0x92}, 2},
		{[]byte{0xa2}, 0},
	} {
		h, _, err := ConsumeHeader(c.src)
		if err != nil || h.Values() != c.want {
			t.Errorf("% x: got %d, %v, want %d", c.src, h.Values(), err, c.want)
		}
	}
}

// TestConsumeTruncated cuts every vector after every byte. Of the long ones it
// tries only the first and the last cuts, because those between are alike.
func TestConsumeTruncated(t *testing.T) {
	for _, v := range slices.Concat(minimal, wasteful) {
		t.Run(v.name, func(t *testing.T) {
			whole := v.bytes(t)
			for cut := range whole {
				if cut > 300 && cut < len(whole)-2 {
					continue
				}
				src := whole[:cut] // its capacity holds the rest, which must not be looked at
				for _, c := range consumers {
					if _, n, err := c.consume(src); c.kind == v.format.Kind() || cut == 0 {
						want := error(ErrTruncated)
						if c.name == "ConsumeFloat32" && v.format == Float64 && cut > 0 {
							want = ErrFormat
						}
						if n != 0 || err != want {
							t.Errorf("%s of %d bytes: got n = %d, %v, want %v", c.name, cut, n, err, want)
						}
					} else if n != 0 || err == nil {
						t.Errorf("%s of %d bytes: got n = %d, %v", c.name, cut, n, err)
					}
				}
				h, n, err := ConsumeHeader(src)
				complete := headerSize(v.format)
				if cut < complete && (h != Header{} || n != 0 || err != ErrTruncated) {
					t.Errorf("ConsumeHeader of %d bytes: got %+v, %d, %v", cut, h, n, err)
				}
				if cut >= complete && (n != complete || err != nil) {
					t.Errorf("ConsumeHeader of %d bytes: got %d, %v, want %d", cut, n, err, complete)
				}
				if n, err := Skip(src, MaxDepth); n != 0 || err != ErrTruncated {
					t.Errorf("Skip of %d bytes: got %d, %v", cut, n, err)
				}
			}
		})
	}
}

// TestConsumedSlicesEndWithTheValue checks that append to a result cannot overwrite
// the bytes that follow in src.
func TestConsumedSlicesEndWithTheValue(t *testing.T) {
	for _, c := range []struct {
		name    string
		src     []byte
		consume func([]byte) []byte
	}{
		{"str", []byte{0xa1, 'a', 'b'}, func(src []byte) []byte { s, _, _ := ConsumeString(src); return s }},
		{"bin", []byte{0xc4, 0x01, 'a', 'b'}, func(src []byte) []byte { s, _, _ := ConsumeBin(src); return s }},
		{"ext", []byte{0xd4, 0x01, 'a', 'b'}, func(src []byte) []byte { _, s, _, _ := ConsumeExt(src); return s }},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := bytes.Clone(c.src)
			if got := c.consume(c.src); string(got) != "a" || string(append(got, 'x')) != "ax" {
				t.Errorf("got %q", got)
			}
			if !bytes.Equal(c.src, before) {
				t.Errorf("src became % x", c.src)
			}
		})
	}
}
