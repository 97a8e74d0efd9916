package msgpack_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// TestDecoderParts decodes random messages, whole, truncated and changed, with parts of
// the fast decoder switched off, into new and used variables. All codecs must give the
// same values and the same errors, except for the place where a truncated input is noticed.
func TestDecoderParts(t *testing.T) {
	seeds := uint64(100)
	if reduced() {
		seeds = 40
	}
	parts := map[string][]reflect.Kind{"none": nil, "all": emitted}
	for _, k := range emitted {
		parts[k.String()] = []reflect.Kind{k}
	}
	for seed := range randtype.Seeds(t, seeds) {
		r := randtype.FromSeed(seed+2e6, leaves...)
		typ := r.Type()
		data, err := msgpack.Marshal(r.Value(typ).Interface())
		if err != nil || len(data) > 2000 {
			continue
		}
		messages := [][]byte{data, cut(r, data), changed(r, data), changed(r, changed(r, data))}
		full := r.Bits()
		for i, message := range messages {
			for depth := range 8 {
				var first reflect.Value
				var text string
				for _, name := range append([]string{"none", "all"}, kindNames()...) {
					restore := msgpack.SetPlainKinds(parts[name]...)
					c := must(msgpack.Options{MaxDepth: depth})
					got := reflect.New(typ)
					if depth%2 == 1 { // a used variable
						got = randtype.FromSeed(full, leaves...).Value(typ).Addr()
					}
					err := c.Unmarshal(message, got.Interface())
					restore()
					s := fmt.Sprint(err)
					switch {
					case name == "none":
						first, text = got, s
					case s != text && !hasMap(typ, map[reflect.Type]bool{}) && !(isCut(s) && isCut(text)):
						t.Fatalf("seed %d, message %d, off %s, depth %d: %v\nerror %s\nwant  %s", seed, i, name, depth, typ, s, text)
					case err == nil:
						if diff := randtype.Diff(first.Elem().Interface(), got.Elem().Interface()); diff != "" {
							t.Fatalf("seed %d, message %d, off %s, depth %d: %v%s", seed, i, name, depth, typ, diff)
						}
					}
				}
			}
		}
	}
}

// isCut reports whether the text is that of an error for truncated input. The fast forms
// pass an empty array without comparing what the containers around it claim with what is
// left, so they may notice at a later value that the input is too short.
func isCut(text string) bool { return strings.HasSuffix(text, ": truncated input") }

// kindNames returns the names of the kinds in emitted.
func kindNames() (names []string) {
	for _, k := range emitted {
		names = append(names, k.String())
	}
	return names
}
