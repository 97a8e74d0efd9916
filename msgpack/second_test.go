package msgpack_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
)

// TestSecondDecode decodes two messages into the same variable, and lists which parts of
// the first result, kept by the program, the second message changes. They are those that
// package encoding/json changes.
func TestSecondDecode(t *testing.T) {
	type inner struct{ N, Absent int }
	type elem struct {
		P *inner
		S []int
		M map[string]int
	}
	type target struct {
		P *inner
		S []int
		M map[string]int
		E []elem
		A [1]elem
		V map[string]elem
		X any
	}
	full := func(n int) map[string]any {
		e := map[string]any{"P": map[string]any{"N": n}, "S": []any{n}, "M": map[string]any{"k": n}}
		return map[string]any{"P": e["P"], "S": e["S"], "M": e["M"], "E": []any{e}, "A": []any{e}, "V": map[string]any{"k": e}, "X": []any{n}}
	}
	kept := func(v *target) map[string]func() int {
		p, s, m, e, in, a, held, x := v.P, v.S, v.M, v.E, v.E[0], v.A[0], v.V["k"], v.X
		return map[string]func() int{
			"pointer": func() int { return p.N }, "slice": func() int { return s[0] }, "map": func() int { return m["k"] },
			"slice of structs":      func() int { return e[0].S[0] },
			"pointer in an element": func() int { return in.P.N }, "slice in an element": func() int { return in.S[0] },
			"map in an element":   func() int { return in.M["k"] },
			"pointer in an array": func() int { return a.P.N }, "slice in an array": func() int { return a.S[0] },
			"map in an array":  func() int { return a.M["k"] },
			"pointer in a map": func() int { return held.P.N }, "slice in a map": func() int { return held.S[0] },
			"any": func() int { return int(reflect.ValueOf(x.([]any)[0]).Convert(reflect.TypeFor[int]()).Int()) },
		}
	}
	changed := []string{
		"pointer", "slice", "map", "slice of structs", "pointer in an element", "slice in an element", "map in an element",
		"pointer in an array", "slice in an array", "map in an array",
	}
	for _, library := range []struct {
		name      string
		marshal   func(any) ([]byte, error)
		unmarshal func([]byte, any) error
	}{
		{"msgpack", msgpack.Marshal, msgpack.Unmarshal},
		{"json", json.Marshal, json.Unmarshal},
	} {
		var v target
		var parts map[string]func() int
		for n := 1; n <= 2; n++ {
			data, err := library.marshal(full(n))
			if err == nil {
				err = library.unmarshal(data, &v)
			}
			if err != nil {
				t.Fatal(library.name, err)
			}
			if n == 1 {
				parts = kept(&v)
			}
		}
		want := map[string]bool{}
		for _, name := range changed {
			want[name] = true
		}
		for name, part := range parts {
			// Maps are kept only if their size is known.
			if library.name == "msgpack" && strings.HasPrefix(name, "map in") && (!msgpack.Fast || heaptest.Race) {
				continue
			}
			if n := part(); (n == 2) != want[name] || n != 1 && n != 2 {
				t.Errorf("%s: the kept %s is %d; changed is %v, want %v", library.name, name, n, n == 2, want[name])
			}
		}
	}
}
