package msgpack_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// grown returns a value of n elements for each kind that has a loop of its own.
func grown(n int, text func(i int) string) map[string]any {
	type record struct {
		Name string
		ID   int
		Tags []string
	}
	var (
		structs  []record
		pointers []*record
		texts    []string
		ints     []int
		anys     []any
		byName   = map[string]int{}
		byID     = map[int16]string{}
		document = map[string]any{}
		mixed    = map[any]any{}
	)
	for i := range n {
		s := text(i)
		structs = append(structs, record{s, i, []string{s}})
		pointers = append(pointers, &structs[i])
		texts = append(texts, s)
		ints = append(ints, len(s)*len(s))
		anys = append(anys, map[string]any{"s": s, "i": i, "l": []any{s, nil}})
		byName[fmt.Sprint(i, s)] = i
		byID[int16(i)] = s
		document[fmt.Sprint(i)] = []any{s, i}
		mixed[i] = s
	}
	return map[string]any{
		"structs": structs, "pointers": pointers, "texts": texts, "ints": ints, "anys": anys, "byName": byName, "byID": byID,
		"document": document, "mixed": mixed, "nested": [][]record{structs, structs}, "many": struct{ A, B any }{anys, structs},
	}
}

// TestGrowth encodes values of many lengths. Either the first or the last elements
// are long, or all vary. Each value is encoded repeatedly, first by a new codec,
// with a short value between the calls.
func TestGrowth(t *testing.T) {
	texts := map[string]func(n int) func(i int) string{
		"even": func(int) func(int) string { return func(i int) string { return strings.Repeat("a", i%50) } },
		"first": func(n int) func(int) string {
			return func(i int) string { return strings.Repeat("a", 300*max(0, 5-i)) }
		},
		"last": func(n int) func(int) string {
			return func(i int) string { return strings.Repeat("a", 300*max(0, i-n+5)) }
		},
	}
	lengths := []int{0, 1, 3, 8, 9, 15, 16, 17, 40, 63, 64, 65, 200, 1000, 5000}
	if reduced() {
		lengths = []int{0, 1, 9, 64, 65, 1000}
	}
	for name, text := range texts {
		for _, n := range lengths {
			shorter := grown(1, text(1))
			for kind, v := range grown(n, text(n)) {
				codec := must(msgpack.Options{})
				stable := must(msgpack.Options{SortKeys: true})
				want := ok(stable.MarshalAppend(make([]byte, 0, 4<<20), v))
				isMap := kind == "byName" || kind == "byID" || kind == "document" || kind == "mixed" || kind == "anys" || kind == "many"
				for range 3 {
					for _, encode := range []func(any) ([]byte, error){
						codec.Marshal, stable.Marshal,
						func(v any) ([]byte, error) { return codec.MarshalAppend(nil, v) },
						func(v any) ([]byte, error) { return codec.MarshalAppend(make([]byte, 0, len(want)/2), v) },
					} {
						got, err := encode(v)
						if err != nil || len(got) != len(want) || !isMap && !bytes.Equal(got, want) {
							t.Fatalf("%s, %d %s: %d bytes, %v, want %d", name, n, kind, len(got), err, len(want))
						}
						if err := msgpack.Valid(got); err != nil {
							t.Fatalf("%s, %d %s: %v", name, n, kind, err)
						}
						// The fast loops may write up to 32 bytes more than count.
						if rest := got[min(len(got)+32, cap(got)):cap(got)]; slices.ContainsFunc(rest, func(b byte) bool { return b != 0 }) {
							t.Fatalf("%s, %d %s: the memory behind the message is not zero", name, n, kind)
						}
					}
					ok(codec.Marshal(shorter[kind]))
				}
				exact := make([]byte, 0, len(want))
				if got := ok(codec.MarshalAppend(exact, v)); len(got) > 0 && &got[0] != &exact[:1][0] {
					t.Errorf("%s, %d %s: a buffer with enough room was replaced", name, n, kind)
				}
			}
		}
	}
}

// TestMemoryOfGrowth limits what the first Marshal of a type allocates: little more
// than the message if elements are alike, and a multiple of it if the first ones
// are much longer than the others.
func TestMemoryOfGrowth(t *testing.T) {
	skipIfInstrumented(t)
	const n = 30_000
	even := func(i int) string { return strings.Repeat("a", 10+i*7%13) }
	skewed := func(i int) string { return strings.Repeat("a", max(0, 100-i)*100) }
	for _, c := range []struct {
		name   string
		text   func(int) string
		factor float64
	}{{"even", even, 2.5}, {"skewed", skewed, 6}} {
		for kind, v := range grown(n, c.text) {
			codec := must(msgpack.Options{})
			ok(codec.Marshal(grown(1, even)[kind]))
			var b []byte
			used := allocated(func() { b, _ = codec.Marshal(v) })
			t.Logf("%s %s: %d bytes, %.2f times that allocated", c.name, kind, len(b), float64(used)/float64(len(b)))
			if float64(used) > c.factor*float64(len(b))+64<<10 {
				t.Errorf("%s %s: %d bytes took %d bytes, %.1f for each", c.name, kind, len(b), used, float64(used)/float64(len(b)))
			}
		}
	}
}

// ok returns b. It panics if err is not nil.
func ok(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
