package msgpack

import (
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/typeplan"
)

type (
	withoutAliases struct {
		Name string `msgpack:"name"`
		Age  int    `msgpack:"age"`
		Tags []string
		At   *withoutAliases
	}
	withAliases struct {
		Name string   `msgpack:"name,alias=old,alias=older"`
		Age  int      `msgpack:"age"`
		Tags []string `msgpack:"Tags,alias=labels"`
		At   *withAliases
	}
)

// structDecoderOf returns the decoder of a struct type with the default Options.
func structDecoderOf(t *testing.T, typ reflect.Type) *structDecoder {
	t.Helper()
	k := compiler{plans: &plans{policy: defaultPolicy}, begun: make(map[planKey]*plan)}
	s, err := typeplan.Fields(typ, k.plans.tags)
	if err != nil {
		t.Fatal(err)
	}
	return k.makeStructDecoder(&s)
}

// TestAliasesUnused requires that a struct without aliases has nothing for them in its plan, and
// that a struct with aliases looks for its fields in the same steps, unless a message has one.
func TestAliasesUnused(t *testing.T) {
	plain, aliased := structDecoderOf(t, reflect.TypeFor[withoutAliases]()), structDecoderOf(t, reflect.TypeFor[withAliases]())
	n := len(plain.fields)
	if len(plain.byKey.fields) != n+1 || len(plain.byKey.decoders) != n || plain.aliases != nil {
		t.Errorf("%d fields have %d keys, %d decoders and %d aliases", n, len(plain.byKey.fields)-1, len(plain.byKey.decoders), len(plain.aliases))
	}
	if len(aliased.byKey.fields) != n+1+3 || len(aliased.byIndex.fields) != n+1 {
		t.Errorf("with aliases, there are %d keys and %d elements", len(aliased.byKey.fields)-1, len(aliased.byIndex.fields)-1)
	}
	for _, d := range []*structDecoder{plain, aliased} {
		if len(d.required) > 0 || d.used { // decodeChecked
			t.Error("the fields that occur are counted")
		}
	}
	for i := range n {
		p, a := &plain.byKey.fields[i], &aliased.byKey.fields[i]
		if p.first != a.first || p.last != a.last || p.mask != a.mask || p.offset != a.offset || p.size != a.size || p.get != a.get || p.number != a.number {
			t.Errorf("field %d: %+v, with aliases %+v", i, p, a)
		}
		if i+1 < n && (p.next.Load() != &plain.byKey.fields[i+1] || a.next.Load() != &aliased.byKey.fields[i+1]) {
			t.Errorf("field %d does not precede the next one", i)
		}
	}
	if plain.strings != aliased.strings || plain.single != aliased.single || plain.least != aliased.least {
		t.Error("the sizes to expect differ")
	}
	one := withoutAliases{"Ada", 36, []string{"a", "b"}, &withoutAliases{Name: "Al"}}
	two := withAliases{"Ada", 36, []string{"a", "b"}, &withAliases{Name: "Al"}}
	data, err := Marshal(&one)
	if err != nil {
		t.Fatal(err)
	}
	var buf []byte
	count := func(v, target any) (encode, decode float64) {
		return testing.AllocsPerRun(100, func() { buf, err = MarshalAppend(buf[:0], v) }), testing.AllocsPerRun(100, func() {
			reflect.ValueOf(target).Elem().SetZero()
			if err := Unmarshal(data, target); err != nil {
				t.Error(err)
			}
		})
	}
	encode1, decode1 := count(&one, new(withoutAliases))
	encode2, decode2 := count(&two, new(withAliases))
	if err != nil || string(buf) != string(data) {
		t.Errorf("got % x, %v, want % x", buf, err, data)
	}
	if encode1 != encode2 || decode1 != decode2 {
		t.Errorf("%v and %v allocations, with aliases %v and %v", encode1, decode1, encode2, decode2)
	}
}
