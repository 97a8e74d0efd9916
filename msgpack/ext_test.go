package msgpack_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestExtIntoAny decodes exts into interfaces, as keys, and inside other values.
func TestExtIntoAny(t *testing.T) {
	c := newCodec(t, msgpack.Options{Types: customExts})
	pixels, labels := "d4 02 41", "c7 03 03 010203"
	for _, test := range []struct {
		bytes string
		want  any
	}{
		{pixels, label("a")},
		{labels, pixel{1, 2, 3}},
		{"92" + pixels + labels, []any{label("a"), pixel{1, 2, 3}}},
		{"81 a1 6b" + labels, map[string]any{"k": pixel{1, 2, 3}}},
		{"81" + labels + pixels, map[any]any{pixel{1, 2, 3}: label("a")}},
		{"c7 04 7f 626c7565", blue},
		{"c7 00 02", label("")},
		{"c8 0001 02 42", label("b")},
		{"c9 00000001 02 42", label("b")},
		{"d4 63 07", msgpack.Ext{Type: 99, Data: []byte{7}}},
		{"d6 ff 00000001", time.Unix(1, 0).UTC()},
	} {
		var got any
		if err := c.Unmarshal(unhex(t, test.bytes), &got); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %#v, %v, want %#v", test.bytes, got, err, test.want)
		}
		for _, special := range []msgpack.Options{
			{AnyNumber: msgpack.AnyNumberFormat}, {AliasInput: true}, {Zone: time.UTC}, {RejectDuplicates: true}, {AnyMap: msgpack.AnyMapPairs},
		} {
			special.Types = customExts
			var again any
			err := newCodec(t, special).Unmarshal(unhex(t, test.bytes), &again)
			if _, pairs := again.(msgpack.Pairs); err != nil || !pairs && !reflect.DeepEqual(again, test.want) {
				t.Errorf("%s by %+v: got %#v, %v", test.bytes, special, again, err)
			}
		}
		// The package functions and other codecs return an Ext, because the types are
		// registered in one codec only.
		var plain any
		if err := msgpack.Unmarshal(unhex(t, pixels), &plain); err != nil || !reflect.DeepEqual(plain, msgpack.Ext{Type: 2, Data: []byte("A")}) {
			t.Errorf("by default: %#v, %v", plain, err)
		}
	}
	// A payload may become a key unless its Go type cannot be hashed.
	for _, config := range []msgpack.Options{{Types: customExts}, {Types: customExts, AliasInput: true}} {
		var v any
		e := checkError(t, newCodec(t, config).Unmarshal(unhex(t, "82 01 02 d4 06 41 01"), &v), msgpack.ErrUnhashable)
		if e != nil && e.Offset != 3 {
			t.Errorf("offset %d, want 3", e.Offset)
		}
	}
	// An Ext is still encoded and decoded as an Ext.
	checkCodec(t, c, msgpack.Ext{Type: 2, Data: []byte("A")}, unhex(t, pixels))
	var x msgpack.Ext
	if err := c.Unmarshal(unhex(t, pixels), &x); err != nil || x.Type != 2 {
		t.Errorf("into Ext: %v, %v", x, err)
	}
}

// TestExtRefuses decodes values that are not exts of the type, and payloads that
// the parse function refuses.
func TestExtRefuses(t *testing.T) {
	c := newCodec(t, msgpack.Options{Types: customExts})
	for _, test := range []struct {
		bytes string
		err   error
		at    int
	}{
		{"93 d5 03 0102 c0 c0", errOwn, 1},
		{"93 c0 c7 00 03 c0", errOwn, 2},
		{"91 c7 05 03 0102030405", errOwn, 1},
		{"91 d4 02 01", msgpack.ErrMismatch, 1},
		{"91 d6 ff 00000000", msgpack.ErrMismatch, 1},
		{"91 a3 010203", msgpack.ErrMismatch, 1},
		{"91 c4 03 010203", msgpack.ErrMismatch, 1},
		{"91 93 01 02 03", msgpack.ErrMismatch, 1},
		{"91 05", msgpack.ErrMismatch, 1},
		{"91 c1", msgpack.ErrReserved, 1},
		{"91 c9 ffffffff 03", msgpack.ErrTruncated, 1},
	} {
		var v []pixel
		e := checkError(t, c.Unmarshal(unhex(t, test.bytes), &v), test.err)
		if e != nil && (int(e.Offset) != test.at || e.Path != fmt.Sprintf("[%d]", test.at-1) || e.Want != "msgpack_test.pixel") {
			t.Errorf("%s: %v, path %q, want offset %d", test.bytes, e, e.Path, test.at)
		}
		if !errors.Is(test.err, errOwn) && !errors.Is(test.err, msgpack.ErrTruncated) {
			continue
		}
		var x any
		if e := checkError(t, c.Unmarshal(unhex(t, test.bytes), &x), test.err); e != nil && int(e.Offset) != test.at {
			t.Errorf("%s into any: offset %d, want %d", test.bytes, e.Offset, test.at)
		}
	}
	failing := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.ExtType(1,
		func(dst []byte, _ pixel) ([]byte, error) { return append(dst, 1), errOwn },
		func([]byte) (pixel, error) { return pixel{1, 2, 3}, errOwn })}})
	e := checkError(t, func() error { _, err := failing.Marshal(map[string][]pixel{"k": {{}}}); return err }(), errOwn)
	if e != nil && (e.Path != `["k"][0]` || e.Found != "msgpack_test.pixel") {
		t.Errorf("%v", e)
	}
	v := pixel{9, 9, 9}
	if checkError(t, failing.Unmarshal([]byte{0xd4, 1, 0}, &v), errOwn); v != (pixel{9, 9, 9}) {
		t.Errorf("the variable was set to %v although parsing failed", v)
	}
}

// TestExtOfEveryLength decodes payloads of all lengths near those at which the
// header changes.
func TestExtOfEveryLength(t *testing.T) {
	type blob struct{ data []byte }
	c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.ExtType(42,
		func(dst []byte, b blob) ([]byte, error) { return append(dst, b.data...), nil },
		func(data []byte) (blob, error) { return blob{append([]byte{}, data...)}, nil })}})
	lengths := []int{255, 256, 257, 65535, 65536, 65537, 1 << 20}
	for n := range 40 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		want := blob{random(n)}
		data, err := c.Marshal([]blob{want})
		if expect := wire.AppendExt([]byte{0x91}, 42, want.data); err != nil || string(data) != string(expect) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		var got []blob
		if err := c.Unmarshal(data, &got); err != nil || len(got) != 1 || string(got[0].data) != string(want.data) {
			t.Errorf("%d bytes: %v", n, err)
		}
		for _, cut := range []int{1, 2, 3, 4, 5, 6, 7, len(data) / 2, len(data) - 1} {
			if cut < len(data) {
				checkError(t, c.Unmarshal(data[:cut], &got), msgpack.ErrTruncated)
				var x any
				checkError(t, c.Unmarshal(data[:cut], &x), msgpack.ErrTruncated)
			}
		}
	}
	_, err := newCodec(t, msgpack.Options{MaxBytes: 10, Types: []msgpack.TypeCoder{nilExt[pixel](1, true, true)}}).Marshal(msgpack.Ext{Type: 1, Data: make([]byte, 11)})
	checkError(t, err, msgpack.ErrLimit)
}

// TestExtOfATypeWithAForm registers types that already have an encoding of their
// own.
func TestExtOfATypeWithAForm(t *testing.T) {
	c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{
		msgpack.ExtType(5,
			func(dst []byte, v time.Time) ([]byte, error) {
				return binary.BigEndian.AppendUint64(dst, uint64(v.Unix())), nil
			},
			func(data []byte) (time.Time, error) {
				if len(data) != 8 {
					return time.Time{}, errOwn
				}
				return time.Unix(int64(binary.BigEndian.Uint64(data)), 0).UTC(), nil
			}),
		extOf(7, func(b []byte) string { return string(b) }, func(s string) ([]byte, error) { return []byte(s), nil }),
	}})
	v := struct {
		T time.Time
		B []byte
		N *time.Time
	}{time.Unix(1, 0).UTC(), []byte{1}, nil}
	data, err := c.Marshal(v)
	if want := "\x83\xa1T\xd7\x05\x00\x00\x00\x00\x00\x00\x00\x01\xa1B\xd4\x07\x01\xa1N\xc0"; err != nil || string(data) != want {
		t.Errorf("got %q, %v", data, err)
	}
	w := v
	w.T, w.B = time.Time{}, nil
	if err := c.Unmarshal(data, &w); err != nil || !reflect.DeepEqual(v, w) {
		t.Errorf("got %v, %v", w, err)
	}
	checkError(t, c.Unmarshal([]byte("\x81\xa1T\xd6\xff\x00\x00\x00\x01"), &w), msgpack.ErrMismatch)
}

func ExampleExtType() {
	type Point struct{ X, Y float32 }
	points := msgpack.ExtType(7,
		func(dst []byte, p Point) ([]byte, error) {
			dst = binary.BigEndian.AppendUint32(dst, math.Float32bits(p.X))
			return binary.BigEndian.AppendUint32(dst, math.Float32bits(p.Y)), nil
		},
		func(data []byte) (Point, error) {
			if len(data) != 8 {
				return Point{}, errors.New("a point has eight bytes")
			}
			return Point{
				X: math.Float32frombits(binary.BigEndian.Uint32(data)),
				Y: math.Float32frombits(binary.BigEndian.Uint32(data[4:])),
			}, nil
		})
	codec, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{points}})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := codec.Marshal(map[string]any{"at": Point{1, -2}})
	fmt.Printf("% x, %v\n", data, err)
	var v any
	err = codec.Unmarshal(data, &v)
	fmt.Printf("%+v, %v\n", v, err)
	// Output:
	// 81 a2 61 74 d7 07 3f 80 00 00 c0 00 00 00, <nil>
	// map[at:{X:1 Y:-2}], <nil>
}

// By default complex numbers are arrays of two floats. ExtType gives them another
// form, such as the ext of other libraries.
func ExampleExtType_complex() {
	complexes := msgpack.ExtType(4,
		func(dst []byte, c complex128) ([]byte, error) {
			dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(real(c)))
			return binary.BigEndian.AppendUint64(dst, math.Float64bits(imag(c))), nil
		},
		func(data []byte) (complex128, error) {
			if len(data) != 16 {
				return 0, errors.New("a complex128 has 16 bytes")
			}
			re, im := binary.BigEndian.Uint64(data), binary.BigEndian.Uint64(data[8:])
			return complex(math.Float64frombits(re), math.Float64frombits(im)), nil
		})
	codec, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{complexes}})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := codec.Marshal([]complex128{1 + 2i})
	fmt.Printf("% x, %v\n", data, err)
	var v any
	err = codec.Unmarshal(data, &v)
	fmt.Printf("%v, %v\n", v, err)
	// Output:
	// 91 d8 04 3f f0 00 00 00 00 00 00 40 00 00 00 00 00 00 00, <nil>
	// [(1+2i)], <nil>
}
