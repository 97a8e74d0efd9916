//go:build go1.21

package msgpack

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// TestExchange exchanges a value.
func TestExchange(t *testing.T) {
	v := cty.ObjectVal(map[string]cty.Value{
		"n": cty.NumberIntVal(1 << 40), "s": cty.StringVal("text"), "u": cty.UnknownVal(cty.Bool), "l": cty.ListVal([]cty.Value{cty.True}),
		"d": cty.MapVal(map[string]cty.Value{"k": cty.MustParseNumberVal("3.25")}),
	})
	exchange(t, "value", v.GoString(), func(string) ([]byte, error) { return Marshal(v, v.Type()) }, func(b []byte) (string, error) {
		got, err := Unmarshal(b, v.Type())
		return got.GoString(), err
	})
}
