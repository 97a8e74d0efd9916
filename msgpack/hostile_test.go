package msgpack_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// hostileTargets holds variables of every kind.
var hostileTargets = []reflect.Type{
	reflect.TypeFor[any](), reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
	reflect.TypeFor[string](), reflect.TypeFor[myString](), reflect.TypeFor[[]byte](), reflect.TypeFor[myOctets](),
	reflect.TypeFor[[0]byte](), reflect.TypeFor[[4]byte](), reflect.TypeFor[[16]byte](),
	reflect.TypeFor[[]int](), reflect.TypeFor[[]string](), reflect.TypeFor[[]float64](), reflect.TypeFor[[]any](),
	reflect.TypeFor[[]struct{}](), reflect.TypeFor[[]large](), reflect.TypeFor[[]*int](), reflect.TypeFor[[][]int](),
	reflect.TypeFor[[0]int](), reflect.TypeFor[[1]int](), reflect.TypeFor[[15]string](),
	reflect.TypeFor[map[string]int](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[int]string](), reflect.TypeFor[map[any]any](),
	reflect.TypeFor[map[bool]struct{}](), reflect.TypeFor[map[[2]int]large](), reflect.TypeFor[map[appender]temperature](),
	reflect.TypeFor[struct{}](), reflect.TypeFor[Exported](), reflect.TypeFor[Deep](), reflect.TypeFor[asArrayStruct](),
	reflect.TypeFor[company](), reflect.TypeFor[bush](), reflect.TypeFor[nestStruct](), reflect.TypeFor[nestSlice](), reflect.TypeFor[nestMap](),
	reflect.TypeFor[*int](), reflect.TypeFor[**string](), reflect.TypeFor[*nestStruct](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[msgpack.Raw](), reflect.TypeFor[msgpack.Ext](),
	reflect.TypeFor[appender](), reflect.TypeFor[temperature](), reflect.TypeFor[point](), reflect.TypeFor[binaryAndText](),
	reflect.TypeFor[error](), reflect.TypeFor[chan int](),
}

// hostileHeaders returns headers of every format with the counts that are likely to
// cause errors if n bytes follow.
func hostileHeaders(left int) (headers [][]byte) {
	counts := func(most int) []int {
		list := []int{0, 1, most - 1, most, left - 1, left, left + 1, left / 2, left/2 + 1}
		var fit []int
		for _, n := range list {
			if n >= 0 && n <= most {
				fit = append(fit, n)
			}
		}
		return fit
	}
	for _, first := range []byte{0x80, 0x90, 0xa0} { // fixmap, fixarray, fixstr
		most := 15
		if first == 0xa0 {
			most = 31
		}
		for _, n := range counts(most) {
			headers = append(headers, []byte{first | byte(n)})
		}
	}
	for _, format := range []byte{0xc4, 0xc7, 0xd9} { // bin, ext, str
		for _, typ := range []byte{0xff, 0x00} {
			for _, n := range counts(1<<8 - 1) {
				headers = append(headers, append([]byte{format, byte(n)}, typ))
			}
			for _, n := range counts(1<<16 - 1) {
				headers = append(headers, append(binary.BigEndian.AppendUint16([]byte{format + 1}, uint16(n)), typ))
			}
			for _, n := range append(counts(1<<31-1), -1, -2) {
				headers = append(headers, append(binary.BigEndian.AppendUint32([]byte{format + 2}, uint32(n)), typ))
			}
		}
	}
	for _, format := range []byte{0xdc, 0xde} { // array, map
		for _, n := range counts(1<<16 - 1) {
			headers = append(headers, binary.BigEndian.AppendUint16([]byte{format}, uint16(n)))
		}
		for _, n := range append(counts(1<<31-1), -1, -2, -1<<31) {
			headers = append(headers, binary.BigEndian.AppendUint32([]byte{format + 1}, uint32(n)))
		}
	}
	for b := 0xc0; b < 0xe0; b++ { // every format byte without its count, and with a part of it
		headers = append(headers, []byte{byte(b)}, []byte{byte(b), 0xff}, []byte{byte(b), 0x01, 0xff, 0xff})
	}
	return headers
}

// TestHostileHeaders decodes headers that claim few values, many values, or
// slightly too many, into every kind of target.
func TestHostileHeaders(t *testing.T) {
	oneProcessor(t)
	lefts, fills := []int{0, 1, 2, 7, 16, 100}, []byte{0xc0, 0x01, 0xa0, 0xc1}
	if reduced() {
		lefts, fills = []int{0, 1, 7}, []byte{0xc0, 0xc1}
	}
	for _, typ := range hostileTargets {
		_ = msgpack.Unmarshal([]byte{0xc0}, reflect.New(typ).Interface()) // compiles the type
	}
	count := 0
	for _, left := range lefts {
		for _, header := range hostileHeaders(left) {
			for i, fill := range fills {
				data := append([]byte(nil), header...)
				for range left {
					data = append(data, fill)
				}
				for _, typ := range hostileTargets {
					// Measuring takes most of the time; short runs measure every seventh case.
					checkHostile(t, typ, data, i == 0 && (!reduced() || count%7 == 0))
					count++
				}
				if t.Failed() {
					return
				}
			}
		}
	}
	t.Logf("%d decoded", count)
}

// checkHostile checks that data is accepted or refused as by the oracle. If it is
// to be measured, checkHostile also checks that the memory is in proportion to the
// length of data.
func checkHostile(t *testing.T, typ reflect.Type, data []byte, measured bool) {
	got := reflect.New(typ)
	var err error
	decode := func() { err = msgpack.Unmarshal(data, got.Interface()) }
	if !measured {
		decode()
	} else if used, bound := allocated(decode), memoryBound(typ, len(data)); used > bound {
		t.Errorf("% x into %v: %d bytes allocated, more than %d", data, typ, used, bound)
	}
	var e *msgpack.Error
	if err != nil && (!errors.As(err, &e) || e.Offset < 0 || int(e.Offset) > len(data)) {
		t.Errorf("% x into %v: %v", data, typ, err)
	}
	want := reflect.New(typ)
	wantErr := ref.Unmarshal(data, want.Interface())
	if (err == nil) != (wantErr == nil) {
		t.Errorf("% x into %v:\ngot  %v\nwant %v", data, typ, err, wantErr)
	}
	if err == nil {
		if g, w := fmt.Sprint(show(got)), fmt.Sprint(show(want)); g != w {
			t.Errorf("% x into %v:\ngot  %s\nwant %s", data, typ, g, w)
		}
	}
}

// show returns a text of the variable that a pointer points to. The variable is
// encoded if possible, because the addresses of pointers differ.
func show(p reflect.Value) string {
	if b, err := ref.Marshal(p.Elem().Interface()); err == nil {
		if s, err := ref.SortMaps(b); err == nil {
			return fmt.Sprintf("% x", s)
		}
	}
	return fmt.Sprint(p.Elem().Interface())
}

// TestHostileKeys decodes maps whose keys all collide in the hash tables of the
// package, because they have the same length and the same ends.
func TestHostileKeys(t *testing.T) {
	const n = 20000
	data := binary.BigEndian.AppendUint32([]byte{0xdf}, n)
	for i := range n {
		key := fmt.Sprintf("sameends%08dsameends", i)
		data = append(appendStr(data, key), 1)
	}
	var a any
	if err := msgpack.Unmarshal(data, &a); err != nil || len(a.(map[string]any)) != n {
		t.Errorf("any: %v", err)
	}
	var m map[string]int
	if err := msgpack.Unmarshal(data, &m); err != nil || len(m) != n {
		t.Errorf("map: %v", err)
	}
	var s struct {
		A int `msgpack:"sameends00000001sameends"`
		B int `msgpack:"sameends00019999sameends"`
		C int `msgpack:"sameends00000000sameend"`
		D int `msgpack:"sameends-0000001sameends"`
	}
	if err := msgpack.Unmarshal(data, &s); err != nil || s.A != 1 || s.B != 1 || s.C != 0 || s.D != 0 {
		t.Errorf("struct: %+v, %v", s, err)
	}
}

// TestCollidingNames uses structs whose field names all have the same hash.
func TestCollidingNames(t *testing.T) {
	const n = 200
	fields := make([]reflect.StructField, n)
	data := []byte{0xde, 0, n}
	for i := range fields {
		name := fmt.Sprintf("sameends%08dsameends", i)
		fields[i] = named(fmt.Sprint("F", i), name)
		fields[i].Type = reflect.TypeFor[int]()
	}
	for i := range n {
		i = (i*7 + 3) % n // not in declared order
		data = append(appendStr(data, fmt.Sprintf("sameends%08dsameends", i)), byte(i%128))
	}
	v := reflect.New(reflect.StructOf(fields))
	if err := msgpack.Unmarshal(data, v.Interface()); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if got := v.Elem().Field(i).Int(); got != int64(i%128) {
			t.Errorf("field %d is %d", i, got)
		}
	}
}
