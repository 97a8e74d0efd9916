package layout_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
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
	n := uint64(600)
	if testing.Short() {
		n = 100
	}
	checked, unknown := 0, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 9))
		typ := reference.RandomType(r)
		v, ok := ref.RandomValue(r, typ)
		if !ok || strings.Contains(fmt.Sprint(typ), "if=more") { // whether there is more depends on where the message ends
			continue
		}
		data, err := ref.Marshal(v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		list, err := c.Fields(data, reflect.New(typ).Interface())
		if err != nil {
			t.Fatal(err)
		}
		places := placesOf(list)
		for size := range data {
			_, err := c.UnmarshalPrefix(data[:size], reflect.New(typ).Interface())
			if size == 0 && err != nil && !errors.Is(err, io.EOF) {
				t.Fatalf("seed %d: an empty message: %v, want io.EOF\n%v", seed, err, typ)
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
				t.Fatalf("seed %d: %d of %d bytes: %v: the field is at %d\n%v", seed, size, len(data), err, at, typ)
			}
		}
	}
	if checked == 0 {
		t.Error("no error was compared")
	}
	t.Logf("%d errors, %d fields not listed", checked, unknown)
}
