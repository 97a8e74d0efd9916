package layout_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// placesOf returns where the fields of a message begin, by their paths in errors. A field whose content follows a number
// has two places.
func placesOf(list []layout.Field) map[string][]int {
	places := map[string][]int{}
	var path []string
	for _, f := range list {
		step := f.Name
		if f.Depth > 0 && step[0] != '[' {
			step = "." + step
		}
		path = append(path[:f.Depth], step)
		key := strings.Join(path, "")
		if f.Depth > 0 && strings.HasSuffix(key, "._") && f.Type == nil {
			places[strings.TrimSuffix(key, "._")] = append(places[strings.TrimSuffix(key, "._")], f.Offset, f.Offset+f.Size)
		}
		places[key] = append(places[key], f.Offset)
	}
	return places
}

// TestErrorPlaces cuts messages of random types. The offset of the error must be that of the field that its path names, and
// without any bytes the error is io.EOF.
func TestErrorPlaces(t *testing.T) {
	c, ref := oracle(t)
	checked, unknown := 0, 0
	for m := range randomMessages(t, ref, 600, 9) {
		if strings.Contains(fmt.Sprint(m.typ), "if=more") { // whether there is more depends on where the message ends
			continue
		}
		list, err := c.Fields(m.data, reflect.New(m.typ).Interface())
		if err != nil {
			t.Fatal(err)
		}
		places := placesOf(list)
		for size := range m.data {
			_, err := c.UnmarshalPrefix(m.data[:size], reflect.New(m.typ).Interface())
			if size == 0 && err != nil && !errors.Is(err, io.EOF) {
				t.Fatalf("seed %d: an empty message: %v, want io.EOF\n%v", m.seed, err, m.typ)
			}
			var e *layout.Error
			if !errors.As(err, &e) || e.Err != layout.ErrTruncated {
				continue // a field that takes the rest has another length
			}
			at, ok := places[e.Path]
			if !ok {
				unknown++
				continue
			}
			checked++
			if !slices.Contains(at, int(e.Offset)) {
				t.Fatalf("seed %d: %d of %d bytes: %v: the field is at %d\n%v", m.seed, size, len(m.data), err, at, m.typ)
			}
		}
	}
	if checked == 0 {
		t.Error("no error was compared")
	}
	t.Logf("%d errors, %d fields not listed", checked, unknown)
}

// TestCutRanges cuts a message of two ranges that begin at the same field, one of which ends before the other. Where the
// shorter one is complete, it is not what has too few bytes.
func TestCutRanges(t *testing.T) {
	type configuration struct { // Universal Serial Bus 2.0, table 9-10
		_           struct{} `layout:"le"`
		Length      uint8    `layout:"len=Length..Power"`
		Type        uint8    `layout:"const=2"`
		Total       uint16   `layout:"len=Length..Descriptors"`
		Interfaces  uint8
		Value       uint8
		Index       uint8
		Attributes  uint8
		Power       uint8
		Descriptors []byte
	}
	data, err := layout.Marshal(&configuration{Descriptors: make([]byte, 16)})
	if err != nil {
		t.Fatal(err)
	}
	for size := 1; size < len(data); size++ {
		if err := layout.Unmarshal(data[:size], new(configuration)); !errors.Is(err, layout.ErrTruncated) {
			t.Errorf("%d of %d bytes: %v, want ErrTruncated", size, len(data), err)
		}
		if err := layout.Read(bytes.NewReader(data[:size]), new(configuration)); !errors.Is(err, layout.ErrTruncated) {
			t.Errorf("%d of %d bytes of a reader: %v, want ErrTruncated", size, len(data), err)
		}
	}
}
