package msgpack_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// stringLengths returns all lengths that the copying code distinguishes, and the
// lengths around those at which the format changes.
func stringLengths() (lengths []int) {
	for n := range 71 {
		lengths = append(lengths, n)
	}
	return append(lengths, 254, 255, 256, 257, 2047, 2048, 2049, 65535, 65536)
}

// random returns n pseudo-random bytes, the same ones for the same n.
func random(n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// appendStr appends a str as the specification says, without package wire.
func appendStr(dst []byte, s string) []byte {
	switch n := len(s); {
	case n < 32:
		dst = append(dst, 0xa0|byte(n))
	case n < 1<<8:
		dst = append(dst, 0xd9, byte(n))
	case n < 1<<16:
		dst = append(dst, 0xda, byte(n>>8), byte(n))
	default:
		dst = append(dst, 0xdb, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	return append(dst, s...)
}

// TestStringLengths encodes strings of every length between other values, so that a
// copy that is too short or too long is seen.
func TestStringLengths(t *testing.T) {
	type fields struct {
		A, B, C string
		N       int
		D       string
	}
	for _, n := range stringLengths() {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := string(random(n))
			v := fields{A: "before", B: s, C: "after", N: n, D: s}
			want := appendStr([]byte("\x85\xa1A\xa6before\xa1B"), s)
			want = append(want, "\xa1C\xa5after\xa1N"...)
			want = append(want, unhex(t, intHex(n))...)
			want = appendStr(append(want, "\xa1D"...), s)
			checkEncode(t, &v, want)
			checkDecode(t, want, v)

			list := []string{s, "x", s, ""}
			want = appendStr([]byte{0x94}, s)
			want = appendStr(append(want, 0xa1, 'x'), s)
			want = append(want, 0xa0)
			checkEncode(t, list, want)
			checkDecode(t, want, list)
			checkDecode(t, want, []any{s, "x", s, ""})
			checkDecode(t, want, [4]string{s, "x", s, ""})

			want = appendStr(appendStr([]byte{0x81}, s), s)
			checkEncode(t, map[string]string{s: s}, want)
			checkDecode(t, want, map[string]string{s: s})
			checkDecode(t, want, map[myString]myString{myString(s): myString(s)})
			checkDecode(t, want, map[string]any{s: s})
			var a any
			if err := msgpack.Unmarshal(want, &a); err != nil || !reflect.DeepEqual(a, map[string]any{s: s}) {
				t.Errorf("into any: got %v, %v", a, err)
			}
		})
	}
}

// intHex returns the shortest encoding of n in hexadecimal.
func intHex(n int) string {
	switch {
	case n < 128:
		return fmt.Sprintf("%02x", n)
	case n < 1<<8:
		return fmt.Sprintf("cc%02x", n)
	case n < 1<<16:
		return fmt.Sprintf("cd%04x", n)
	}
	return fmt.Sprintf("ce%08x", n)
}

// TestNameLengths uses field names of all lengths for which keys are compared in
// different ways.
func TestNameLengths(t *testing.T) {
	lengths := []int{32, 33, 63, 255, 256, 300, 65535, 65536}
	for n := range 32 {
		lengths = append(lengths, n+1)
	}
	for _, n := range lengths {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			// Three names that differ only in one byte in the middle.
			names := []string{letters(n, 'x'), letters(n, 'y'), letters(n, 'z')}
			var tags []reflect.StructField
			for i, name := range names {
				f := named(string(rune('A'+i)), name)
				f.Type = reflect.TypeFor[int]()
				tags = append(tags, f)
			}
			typ := reflect.StructOf(tags)
			v := reflect.New(typ).Elem()
			for i := range names {
				v.Field(i).SetInt(int64(i + 1))
			}
			want := []byte{0x83}
			for i, name := range names {
				want = append(appendStr(want, name), byte(i+1))
			}
			checkEncode(t, v.Interface(), want)
			checkDecode(t, want, v.Interface())

			// In another order, between unknown keys of the same length.
			data := []byte{0x86}
			for _, i := range []int{2, 0, 1} {
				data = append(appendStr(data, names[i]), byte(i+1))
				data = append(appendStr(data, letters(n, "XYZ"[i])), 0xc3)
			}
			checkDecode(t, data, v.Interface())

			// As bin, which is also a valid key.
			if n < 256 {
				data := []byte{0x83}
				for i, name := range names {
					data = append(append(data, 0xc4, byte(n)), name...)
					data = append(data, byte(i+1))
				}
				checkDecode(t, data, v.Interface())
			}
		})
	}
}

// letters returns a name of n equal letters except one.
func letters(n int, middle byte) string {
	name := slices.Repeat([]byte("n"), n)
	name[n/2] = middle
	return string(name)
}

// TestSimilarNames decodes keys that differ little from the name of a field.
func TestSimilarNames(t *testing.T) {
	var v struct {
		Name                     int `msgpack:"name"`
		SixteenBytesName         int
		TheNameOfATwentyFourByte int
	}
	for _, key := range []string{
		"", "n", "nam", "Name", "NAME", "name ", " name", "name\x00", "names", "nama", "mame",
		"SixteenBytesNam", "SixteenBytesNamf", "TixteenBytesName", "SixteenBxtesName", "SixteenBytesName_",
		"TheNameOfATwentyFourBytE", "TheNameOfAtwentyFourByte", "theNameOfATwentyFourByte",
	} {
		for _, format := range []string{"str", "bin"} {
			data := appendStr([]byte{0x81}, key)
			if format == "bin" {
				data = append([]byte{0x81, 0xc4, byte(len(key))}, key...)
			}
			data = append(data, 1)
			if err := msgpack.Unmarshal(data, &v); err != nil {
				t.Errorf("%s %q: %v", format, key, err)
			}
			if v.Name != 0 || v.SixteenBytesName != 0 || v.TheNameOfATwentyFourByte != 0 {
				t.Fatalf("%s %q set a field: %+v", format, key, v)
			}
		}
	}
}

// TestDecodedSharesNothingWithInput modifies the input after decoding.
func TestDecodedSharesNothingWithInput(t *testing.T) {
	type all struct {
		S, Long string
		B       []byte
		A       [2]byte
		M       map[string]string
		N       map[myString]string
		Any     any
		Raw     msgpack.Raw
		Ext     msgpack.Ext
	}
	want := all{
		S: "text", Long: string(random(300)), B: []byte("bytes"), A: [2]byte{1, 2},
		M: map[string]string{"key": "value"}, N: map[myString]string{"key": "value"},
		Any: []any{"text", []byte("bytes"), map[string]any{"key": "value"}, msgpack.Ext{Type: 1, Data: []byte("data")}},
		Raw: msgpack.Raw{0xa1, 'r'}, Ext: msgpack.Ext{Type: 2, Data: []byte("data")},
	}
	data, err := msgpack.Marshal(&want)
	if err != nil {
		t.Fatal(err)
	}
	var got all
	if err := msgpack.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] = 0xc1
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestDecodedSharesMemoryOnly modifies each small slice of a message. Slices and
// strings may be adjacent in memory, but none of the others may change.
func TestDecodedSharesMemoryOnly(t *testing.T) {
	type many struct {
		A []int8
		S string
		B []uint16
		T string
		C []int64
		D []bool
		U []string
		E []float32
		F []int
		G [][]uint32
		H []float64
		V string
		I []byte
		M map[string][]int32
	}
	for n := range 40 {
		text := string(random(n))
		want := many{
			A: make([]int8, n), S: text, B: make([]uint16, n/2), T: text, C: make([]int64, n/3), D: make([]bool, n),
			U: []string{text, "", text}, E: make([]float32, n), F: make([]int, n/4), G: [][]uint32{make([]uint32, n), make([]uint32, 1)},
			H: make([]float64, n), V: text, I: make([]byte, n), M: map[string][]int32{"a": make([]int32, n), "b": make([]int32, 2)},
		}
		for i := range want.A {
			want.A[i], want.D[i], want.E[i], want.H[i] = int8(i), i%3 == 0, float32(i), float64(-i)
		}
		data, err := msgpack.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		checkDecode(t, data, want)
		// Overwrite the bytes of each slice, and append to it. No other field may
		// change.
		for field := range reflect.TypeFor[many]().NumField() {
			var got many
			if err := msgpack.Unmarshal(data, &got); err != nil {
				t.Fatal(err)
			}
			f := reflect.ValueOf(&got).Elem().Field(field)
			if f.Kind() != reflect.Slice {
				continue
			}
			for i := range f.Len() {
				f.Index(i).SetZero()
			}
			f.Set(reflect.AppendSlice(f, reflect.MakeSlice(f.Type(), 9, 9)))
			f.Set(reflect.ValueOf(want).Field(field))
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%d elements: field %d changed another:\ngot  %+v\nwant %+v", n, field, got, want)
			}
		}
	}
}

// TestEncodedSharesNothingWithPool checks that a result does not change while
// others are encoded.
func TestEncodedSharesNothingWithPool(t *testing.T) {
	first, err := msgpack.Marshal("first")
	if err != nil {
		t.Fatal(err)
	}
	long, err := msgpack.Marshal(random(2 << 20))
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(long)
	for range 100 {
		if _, err := msgpack.Marshal("other"); err != nil {
			t.Fatal(err)
		}
		if _, err := msgpack.Marshal(make([]byte, 2<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if string(first) != "\xa5first" || !slices.Equal(long, before) {
		t.Error("a result has changed")
	}
}
