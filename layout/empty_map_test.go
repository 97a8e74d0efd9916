package layout_test

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/octet-go/octet/layout"
)

// flagMap is a map that encodes itself, and is not nil when it has been decoded.
type flagMap map[uint8]bool

func (m flagMap) AppendLayout(dst []byte) ([]byte, error) {
	return append(append(dst, byte(len(m))), slices.Sorted(maps.Keys(m))...), nil
}

func (m *flagMap) DecodeLayout(data []byte) (int, error) {
	if len(data) == 0 || len(data) <= int(data[0]) {
		return 0, layout.ErrTruncated
	}
	*m = flagMap{}
	for _, k := range data[1 : 1+data[0]] {
		(*m)[k] = true
	}
	return 1 + int(data[0]), nil
}

// TestZeroMap ends a list with an element whose map is empty but not nil.
func TestZeroMap(t *testing.T) {
	type element struct {
		Flags flagMap
		Name  string `layout:"cstring"`
	}
	type message struct {
		Maps  []flagMap `layout:"until=zero"`
		Lists []element `layout:"until=zero"`
		Tail  uint8
	}
	want := message{[]flagMap{{3: true}, {1: true, 2: true}}, []element{{flagMap{}, "a"}, {flagMap{7: true}, ""}}, 9}
	b, err := layout.Marshal(&want)
	var got message
	if err != nil || string(b) != "\x01\x03\x02\x01\x02\x00\x00a\x00\x01\x07\x00\x00\x00\x09" {
		t.Fatalf("% x, %v", b, err)
	}
	if err := layout.Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if b, err := layout.Marshal(&message{Maps: []flagMap{{}}}); !errors.Is(err, layout.ErrRange) {
		t.Errorf("an empty map: % x, %v", b, err)
	}
}
