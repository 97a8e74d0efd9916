package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/reference/vectors"
	"github.com/octet-go/octet/msgpack"
)

// platformValue has fields of the same size on every platform.
type platformValue struct {
	A int64
	B string
	C []float32
	D map[string]uint8
	E *platformValue
	F time.Time
	G []byte
	H [2]int16
	I any
	J msgpack.Ext
}

// TestPlatforms compares results and errors with a file that is the same on every platform.
func TestPlatforms(t *testing.T) {
	marshal := func(v any) []byte {
		b, err := msgpack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	inputs := []vectors.Input{
		{Name: "struct", Bytes: marshal(platformValue{A: 1 << 40, B: "text", C: []float32{1.5, -2}, D: map[string]uint8{"k": 200},
			F: time.Unix(1e9, 5), G: []byte{1, 2}, H: [2]int16{-3, 300}, I: []any{nil, true}, J: msgpack.Ext{Type: 5, Data: []byte{7}}}), Changes: 200},
		{Name: "nested", Bytes: marshal(&platformValue{E: &platformValue{E: &platformValue{B: "ab"}}})[:60], Changes: 60},
		{Name: "scalars", Bytes: marshal([]any{nil, false, 1, -1, 300, -300, 70000, -70000, uint64(1 << 63), 1.5, float32(2), "é", []byte{9}}), Changes: 150},
		{Name: "containers", Bytes: marshal([]any{[]any{}, map[string]any{}, map[string]any{"a": []int{1}}, map[int]bool{1: true}, [][]int{{1}, {2, 3}}}), Changes: 80},
		{Name: "times", Bytes: marshal([]time.Time{time.Unix(1, 0), time.Unix(1, 1), time.Unix(-1, 0)}), Changes: 90},
		{Name: "long", Bytes: []byte("\x96\xd9\x02ab\xda\x00\x01c\xc5\x00\x01d\xdc\x00\x01\xc0\xde\x00\x01\xa1e\xc3\xc7\x03\x06xyz"), Changes: 80},
		{Name: "claims", Bytes: []byte("\x91\xdd\xff\xff\xff\xff\xdf\xff\xff\xff\xff\xdb\xff\xff\xff\xff"), Changes: 80},
	}
	codec, err := msgpack.New(msgpack.Options{SortKeys: true})
	if err != nil {
		t.Fatal(err)
	}
	result := func(v any, err error) string {
		var e *msgpack.Error
		if errors.As(err, &e) {
			return fmt.Sprintf("at %d: %v", e.Offset, err)
		} else if err != nil {
			return err.Error()
		}
		b, err := codec.Marshal(v)
		return fmt.Sprintf("%x %v", b, err)
	}
	vectors.Check(t, "testdata/platforms.txt", inputs, func(_ string, b []byte) string {
		var v, streamed any
		var s platformValue
		toAny := result(&v, msgpack.Unmarshal(b, &v))
		text := "any " + toAny + "; struct " + result(&s, msgpack.Unmarshal(b, &s))
		d := msgpack.NewDecoder(bytes.NewReader(b))
		if stream := result(&streamed, d.Decode(&streamed)); stream != toAny {
			text += "; stream " + stream
		}
		if err := msgpack.Valid(b); err != nil {
			text += "; " + result(nil, err)
		}
		return text
	})
}
