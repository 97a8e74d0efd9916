package msgpack_test

import (
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestOverrideReturns uses functions that do not return exactly one valid value.
func TestOverrideReturns(t *testing.T) {
	type said string
	c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Override(
		func(dst []byte, s said) ([]byte, error) {
			if s == "error" {
				return dst, errOwn
			}
			return append(dst, s...), nil
		},
		func(data []byte) (said, error) { return said(data), nil })}})
	for _, test := range []struct {
		name string
		said said
		err  error
	}{
		{"an error", "error", errOwn},
		{"nothing", "", msgpack.ErrInvalid},
		{"two values", "\x01\x02", msgpack.ErrInvalid},
		{"part of one", "\x92\x01", msgpack.ErrInvalid},
		{"the reserved byte", "\xc1", msgpack.ErrInvalid},
		{"a claim of 2^32-1", "\xdd\xff\xff\xff\xff", msgpack.ErrInvalid},
		{"too many levels", said(strings.Repeat("\x91", 512) + "\x01"), msgpack.ErrDepth},
	} {
		t.Run(test.name, func(t *testing.T) {
			dst := []byte("before")
			got, err := c.MarshalAppend(dst, []said{"\x01", test.said})
			e := checkError(t, err, test.err)
			if e != nil && e.Path != "[1]" || string(got) != "before" {
				t.Errorf("path %q, appended %q", e.Path, got)
			}
		})
	}
	// The maximum number of levels is accepted, and so is every valid value when
	// decoding.
	deep := said(strings.Repeat("\x91", 511) + "\x01")
	checkCodec(t, c, []said{deep, "\xc0"}, []byte("\x92"+string(deep)+"\xc0"))
	var got []said
	if err := c.Unmarshal([]byte("\x95\xc0\x81\x01\x02\xd6\xff\x00\x00\x00\x01\xa1a\x90"), &got); err != nil || len(got) != 5 ||
		got[0] != "\xc0" || got[1] != "\x81\x01\x02" || got[2] != "\xd6\xff\x00\x00\x00\x01" || got[3] != "\xa1a" || got[4] != "\x90" {
		t.Errorf("got %q, %v", got, err)
	}
	for data, want := range map[string]error{
		"\x91\xc1": msgpack.ErrReserved, "\x91\x92\x01": msgpack.ErrTruncated, "\x92\x01": msgpack.ErrTruncated,
		"\x91\xd4\xff\x00": msgpack.ErrTimestamp, strings.Repeat("\x91", 513) + "\x01": msgpack.ErrDepth,
	} {
		checkError(t, c.Unmarshal([]byte(data), &got), want)
	}
}

// TestOverrideParseErrors checks that an error of a parse function has a position
// and leaves the variable unchanged.
func TestOverrideParseErrors(t *testing.T) {
	c := newCodec(t, msgpack.Options{Types: customOverrides})
	v := struct{ A, B pixel }{B: pixel{9, 9, 9}}
	e := checkError(t, c.Unmarshal([]byte("\x82\xa1A\xa3abc\xa1B\xa2ab"), &v), errOwn)
	if e != nil && (e.Path != "B" || e.Offset != 9 || e.Found != "fixstr of 2 bytes") {
		t.Errorf("%v", e)
	}
	if v.A != (pixel{'a', 'b', 'c'}) || v.B != (pixel{9, 9, 9}) {
		t.Errorf("got %v", v)
	}
	checkError(t, c.Unmarshal([]byte("\x05"), &v.A), msgpack.ErrMismatch) // the error comes from package wire
}

// TestOverrideOfAnInterface overrides the form of variables of an interface type.
func TestOverrideOfAnInterface(t *testing.T) {
	c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{overrideOf(
		func(err error) string { return err.Error() },
		func(s string) (error, error) { return errors.New(s), nil })}})
	type result struct {
		Err  error
		More []error
		By   map[string]error
	}
	v := result{errOwn, []error{nil, errOwn}, map[string]error{"a": errors.New("b")}}
	data := []byte("\x83\xa3Err\xa9own error\xa4More\x92\xc0\xa9own error\xa2By\x81\xa1a\xa1b")
	checkCodec(t, c, v, data)
	got := result{Err: errors.New("old")}
	if err := c.Unmarshal(data, &got); err != nil || got.Err.Error() != "own error" || got.More[0] != nil || got.By["a"].Error() != "b" {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := c.Unmarshal([]byte("\x81\xa3Err\xc0"), &got); err != nil || got.Err != nil {
		t.Errorf("nil: got %v, %v", got.Err, err)
	}
}

// TestOverrideOfKnownTypes overrides types that already have a form. One of them is
// a key.
func TestOverrideOfKnownTypes(t *testing.T) {
	c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{
		msgpack.Override(
			func(dst []byte, t time.Time) ([]byte, error) { return wire.AppendInt(dst, t.Unix()), nil },
			func(data []byte) (time.Time, error) {
				n, _, err := wire.ConsumeInt(data)
				return time.Unix(n, 0).UTC(), err
			}),
		overrideOf(func(b []byte) string { return string(b) }, func(s string) ([]byte, error) { return []byte(s), nil }),
		overrideOf(netip.Addr.String, netip.ParseAddr),
	}})
	v := struct {
		T []time.Time
		B []byte
		M map[netip.Addr]any
		A any
	}{[]time.Time{time.Unix(5, 0).UTC()}, []byte("ab"), map[netip.Addr]any{netip.IPv6Loopback(): nil}, nil}
	checkCodec(t, c, v, []byte("\x84\xa1T\x91\x05\xa1B\xa2ab\xa1M\x81\xa3::1\xc0\xa1A\xc0"))
	w := v
	w.T, w.B, w.M = nil, nil, nil
	if err := c.Unmarshal([]byte("\x84\xa1T\x91\x05\xa1B\xa2ab\xa1M\x81\xa3::1\xc0\xa1A\xc0"), &w); err != nil || !reflect.DeepEqual(v, w) {
		t.Errorf("got %v, %v", w, err)
	}
	// Decoding into an any does not change.
	var x any
	if err := c.Unmarshal([]byte("\xd6\xff\x00\x00\x00\x05"), &x); err != nil || x != any(time.Unix(5, 0).UTC()) {
		t.Errorf("got %v, %v", x, err)
	}
}

func ExampleOverride() {
	// Months are encoded by their English names, as another program expects.
	months := msgpack.Override(
		func(dst []byte, m time.Month) ([]byte, error) { return wire.AppendString(dst, m.String()), nil },
		func(data []byte) (time.Month, error) {
			name, _, err := wire.ConsumeString(data)
			if err != nil {
				return 0, err
			}
			for m := time.January; m <= time.December; m++ {
				if m.String() == string(name) {
					return m, nil
				}
			}
			return 0, fmt.Errorf("no month is called %q", name)
		})
	codec, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{months}})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := codec.Marshal([]time.Month{time.May, time.June})
	fmt.Printf("%q, %v\n", data, err)
	var m []time.Month
	fmt.Println(codec.Unmarshal(data, &m), m)
	fmt.Println(codec.Unmarshal([]byte("\x91\xa3Mai"), &m))
	// Output:
	// "\x92\xa3May\xa4June", <nil>
	// <nil> [May June]
	// msgpack: unmarshal [0] at offset 1: found fixstr of 3 bytes, want time.Month: no month is called "Mai"
}
