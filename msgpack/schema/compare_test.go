package schema_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// of returns the schema of T under options.
func of[T any](t *testing.T, o msgpack.Options) *schema.Schema {
	t.Helper()
	s, err := schema.Of[T](newCodec(t, o))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type set[T comparable] struct {
	S map[T]struct{} `msgpack:",set"`
}

// TestCompareTexts checks changes that the random pairs do not show, and how they read.
func TestCompareTexts(t *testing.T) {
	type v1 struct {
		Name string `msgpack:"name"`
		Tags []string
	}
	type renamed struct {
		Title string `msgpack:"title"`
		Tags  []string
	}
	type aliased struct {
		Title string `msgpack:"title,alias=name"`
		Tags  []string
	}
	type swapped struct {
		Tags []string
		Name string `msgpack:"name"`
	}
	none, array := msgpack.Options{}, msgpack.Options{StructAsArray: true}
	more := append(slices.Clone(unions[:0]), msgpack.Union[shape]("type", msgpack.VariantOf[circle]("circle")))
	cases := []struct {
		name     string
		old, new *schema.Schema
		want     []string
	}{
		{"no change", of[v1](t, none), of[v1](t, none), nil},
		{"rename", of[v1](t, none), of[renamed](t, none), []string{
			`title: field was added (new reader: nothing, old reader ignores)`,
			`name: field was removed (new reader loses, old reader: nothing)`,
		}},
		{"rename with an alias", of[v1](t, none), of[aliased](t, none), []string{
			`title: renamed from "name", which old readers expect (new reader: nothing, old reader loses)`,
		}},
		{"rename back", of[aliased](t, none), of[v1](t, none), []string{
			`name: renamed from "title" without an alias (new reader loses, old reader: nothing)`,
		}},
		{"swapped elements", of[[]v1](t, array), of[[]swapped](t, array), []string{
			`[].Tags: is where old messages have "name" (new reader loses, old reader loses)`,
			`[].Tags: can be nil (new reader: nothing, old reader changes)`,
			`[].Tags: str became array (new reader fails, old reader fails)`,
			`[].name: is where old messages have "Tags" (new reader loses, old reader loses)`,
			`[].name: is no longer nil (new reader changes, old reader: nothing)`,
			`[].name: array became str (new reader fails, old reader fails)`,
		}},
		{"renamed elements", of[v1](t, array), of[renamed](t, array), []string{`title: renamed from "name" (new reader: nothing, old reader: nothing)`}},
		{"unit of a time", of[time.Time](t, msgpack.Options{Time: msgpack.TimeUnix}), of[time.Time](t, msgpack.Options{Time: msgpack.TimeUnixMilli}), []string{
			`message: time (unix) became time (unixmilli) (new reader loses, old reader loses)`,
		}},
		{"time as ext", of[time.Time](t, msgpack.Options{Time: msgpack.TimeRFC3339}), of[time.Time](t, none), []string{
			`message: time (rfc3339) became time (timestamp) (new reader fails, old reader: nothing)`,
		}},
		{"time as int", of[int64](t, none), of[time.Time](t, msgpack.Options{Time: msgpack.TimeUnixNano}), []string{
			`message: int of 64 bits became time (unixnano) (new reader: nothing, old reader: nothing)`,
		}},
		{"variant removed", of[map[string]shape](t, msgpack.Options{Types: unions}), of[map[string]shape](t, msgpack.Options{Types: more}), []string{
			`{}(2): variant was removed (new reader fails, old reader: nothing)`,
		}},
		{"variant added", of[shape](t, msgpack.Options{Types: more}), of[shape](t, msgpack.Options{Types: unions}), []string{
			`(2): variant was added (new reader: nothing, old reader fails)`,
		}},
		{"methods", of[point](t, none), of[any](t, none), []string{
			`message: can be nil (new reader: nothing, old reader changes)`,
			`message: github.com/octet-go/octet/msgpack/schema_test.point became any (new reader: nothing, old reader fails)`,
		}},
		// Powers of two are exact in a float, whatever their width is, and 1<<24 + 1 is not.
		{"integers as keys that are exact floats", of[struct {
			A int `msgpack:"1099511627776,keyasint"`
			B int `msgpack:"-1099511627776,keyasint"`
			C int `msgpack:"0,keyasint"`
		}](t, none), of[map[float32]int](t, none), []string{
			`message: can be nil (new reader: nothing, old reader changes)`,
			`message: struct became map (new reader: nothing, old reader loses)`,
		}},
		{"integers as keys that are no exact floats", of[struct {
			A int `msgpack:"16777217,keyasint"`
		}](t, none), of[map[float32]int](t, none), []string{
			`message: can be nil (new reader: nothing, old reader changes)`,
			`message: struct became map (new reader fails, old reader loses)`,
		}},
		{"keys", of[map[string]int](t, none), of[map[[2]int]int](t, none), []string{
			`[key]: str became array of 2 elements (new reader fails, old reader fails)`,
		}},
		// A timestamp is the key of no field, and a text in the form of RFC 3339 can be one.
		{"times as keys", of[map[time.Time]int](t, none), of[struct{ A int8 }](t, none), []string{
			`message: is no longer nil (new reader changes, old reader: nothing)`,
			`message: map became struct (new reader loses, old reader fails)`,
		}},
		{"texts of times as keys", of[map[time.Time]int](t, msgpack.Options{Time: msgpack.TimeRFC3339}), of[struct{ A int8 }](t, none), []string{
			`message: is no longer nil (new reader changes, old reader: nothing)`,
			`message: map became struct (new reader fails, old reader fails)`,
		}},
		{"two fields in one", of[struct {
			A int  `msgpack:"a"`
			B *int `msgpack:"b,required"`
		}](t, none), of[struct {
			A int `msgpack:"a,alias=b"`
		}](t, none), []string{
			`a: is no longer nil (new reader changes, old reader: nothing)`,
			`a: required became always written (new reader: nothing, old reader: nothing)`,
			`a: "b" became the same field (new reader loses, old reader fails)`,
		}},
		{"one field in two", of[struct {
			A int `msgpack:"a,alias=b,required"`
		}](t, none), of[struct {
			A int `msgpack:"a"`
			B int `msgpack:"b"`
		}](t, none), []string{
			`a: required became always written (new reader: nothing, old reader: nothing)`,
			`b: required became always written (new reader: nothing, old reader: nothing)`,
			`b: was the same field as another one (new reader: nothing, old reader loses)`,
		}},
		{"aliases of each other", of[struct {
			A int `msgpack:"a,alias=y,required"`
			B int `msgpack:"b,alias=x"`
		}](t, none), of[struct {
			X int `msgpack:"x,alias=a"`
			Y int `msgpack:"y,alias=b"`
		}](t, none), []string{
			`x: required became always written (new reader: nothing, old reader: nothing)`,
			`x: renamed from "a", but "b" for old readers (new reader: nothing, old reader: nothing)`,
			`y: required became always written (new reader: nothing, old reader: nothing)`,
			`y: renamed from "b", but "a" for old readers (new reader: nothing, old reader: nothing)`,
		}},
		{"two names among the other keys", of[struct {
			More map[string]int `msgpack:",inline"`
		}](t, none), of[struct {
			B    int            `msgpack:"b,alias=a"`
			More map[string]int `msgpack:",inline"`
		}](t, none), []string{
			`b: field was added (new reader: nothing, old reader: nothing)`,
			`b: may also be among the other keys (new reader loses, old reader: nothing)`,
		}},
		{"the old name among the other keys", of[struct {
			A    int            `msgpack:"a"`
			More map[string]int `msgpack:",inline"`
		}](t, none), of[struct {
			B    int            `msgpack:"b,alias=a"`
			More map[string]int `msgpack:",inline"`
		}](t, none), []string{
			`b: renamed from "a", which old readers expect (new reader: nothing, old reader: nothing)`,
			`b: may also be among the other keys (new reader loses, old reader: nothing)`,
		}},
		{"an omitted pointer that other keys keep", of[struct {
			A *int `msgpack:"a,omitempty"`
		}](t, none), of[struct {
			More map[string]int `msgpack:",inline"`
		}](t, none), []string{
			`a: field was removed (new reader: nothing, old reader: nothing)`,
			`message: other keys are kept (new reader: nothing, old reader ignores)`,
			`a: is no longer nil (new reader: nothing, old reader: nothing)`,
		}},
		{"a map with both keys of a field", of[map[string]int](t, none), of[struct {
			A    int            `msgpack:"a,alias=b"`
			More map[string]int `msgpack:",inline"`
		}](t, none), []string{
			`message: is no longer nil (new reader changes, old reader: nothing)`,
			`message: map became struct (new reader loses, old reader: nothing)`,
		}},
		{"short keys", of[struct {
			A int `msgpack:"100,keyasint"`
			B int `msgpack:"-100,keyasint"`
		}](t, none), of[map[int8]int](t, none), []string{
			`message: can be nil (new reader: nothing, old reader changes)`,
			`message: struct became map (new reader: nothing, old reader loses)`,
		}},
		{"one element as set", of[struct{ S [1]int }](t, none), of[set[int]](t, none), []string{
			`S: can be nil (new reader: nothing, old reader changes)`,
			`S: array of 1 element became set (new reader: nothing, old reader fails)`,
			`S: array became set (new reader: nothing, old reader: nothing)`,
		}},
		{"values of a map that becomes a set", of[struct{ S map[string][1]int }](t, none), of[set[string]](t, none), []string{
			`S: map became set (new reader loses, old reader fails)`,
		}},
		{"the same, refused", of[struct{ S map[string][1]int }](t, none), of[set[string]](t, msgpack.Options{ExactArrays: true}), []string{
			`S: map became set (new reader fails, old reader fails)`,
		}},
		{"odd names", of[struct {
			A int `msgpack:"a b"`
		}](t, none), of[struct {
			A string `msgpack:"a b"`
		}](t, none), []string{`["a b"]: int of 64 bits became str (new reader fails, old reader fails)`}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, change := range schema.Compare(c.old, c.new) {
				got = append(got, change.String())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestCompareRecursive checks that a change inside a recursive type is found once.
func TestCompareRecursive(t *testing.T) {
	type old struct {
		Value int16
		Next  []*old
	}
	type new struct {
		Value int8
		Next  []*new
	}
	got := schema.Compare(of[old](t, msgpack.Options{}), of[new](t, msgpack.Options{}))
	if len(got) != 1 || got[0].Path != "Value" || got[0].NewReader != schema.Fails || got[0].OldReader != schema.Nothing {
		t.Errorf("got %v", got)
	}
	// The two are of different kinds at every level.
	if got := schema.Compare(of[forest](t, msgpack.Options{}), of[tree](t, msgpack.Options{})); len(got) == 0 {
		t.Error("no change")
	}
}

// TestCompareRepeated checks that the same change is found at each place.
func TestCompareRepeated(t *testing.T) {
	type v1 struct {
		A, B int
		L, M []int
		X, Y struct{ Z, W *bool }
		P, Q []bool
	}
	type v2 struct {
		A, B string
		L, M []string
		X, Y struct{ Z, W *int }
		P, Q any
	}
	want := []string{
		"A: int of 64 bits became str (new reader fails, old reader fails)",
		"B: int of 64 bits became str (new reader fails, old reader fails)",
		"L[]: int of 64 bits became str (new reader fails, old reader fails)",
		"M: changed like L (new reader fails, old reader fails)",
		"X.Z: bool became int of 64 bits (new reader fails, old reader fails)",
		"X.W: bool became int of 64 bits (new reader fails, old reader fails)",
		"Y: changed like X (new reader fails, old reader fails)",
		"P: array became any (new reader: nothing, old reader fails)",
		"Q: changed like P (new reader: nothing, old reader fails)",
	}
	var got []string
	for _, c := range schema.Compare(of[v1](t, msgpack.Options{}), of[v2](t, msgpack.Options{})) {
		got = append(got, c.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// mutual has types that contain each other, and others that do so without a change.
type (
	mutual[F, G any] struct {
		X    *mutualA[F, G]
		Y    *mutualB[F, G]
		Z    mutualA[F, G]
		S, T same
	}
	mutualA[F, G any] struct {
		B, C *mutualB[F, G]
		F    F
	}
	mutualB[F, G any] struct {
		A *mutualA[F, G]
		G G
	}
	same     struct{ P, Q samePair }
	samePair struct{ S []same }
)

// TestCompareMutual checks that a change inside types that contain each other is found at
// each place outside of them, also if the place is compared before the change is found.
func TestCompareMutual(t *testing.T) {
	none := msgpack.Options{}
	for _, c := range []struct {
		new  *schema.Schema
		want []string
	}{
		{of[mutual[string, string]](t, none), nil},
		{of[mutual[bool, string]](t, none), []string{"X.C: changed like X", "X.F: str became bool", "Y: changed like X", "Z: changed like X"}},
		{of[mutual[string, bool]](t, none), []string{"X.B.G: str became bool", "X.C: changed like X.B", "Y: changed like X.B", "Z: changed like X"}},
		{of[mutual[bool, bool]](t, none), []string{"X.B.G: str became bool", "X.C: changed like X.B", "X.F: str became bool", "Y: changed like X.B", "Z: changed like X"}},
	} {
		var got []string
		for _, one := range schema.Compare(of[mutual[string, string]](t, none), c.new) {
			if !one.Breaking() {
				t.Errorf("%v", one)
			}
			got = append(got, one.Path+": "+one.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestCompareIsBounded checks that types that refer to each other in all ways take time
// in proportion to their number, squared.
func TestCompareIsBounded(t *testing.T) {
	var b, c strings.Builder
	for i := range 60 {
		for _, w := range []*strings.Builder{&b, &c} {
			if i > 0 {
				w.WriteByte(',')
			}
			w.WriteString(`"T` + string(rune('A'+i%26)) + string(rune('A'+i/26)) + `":{"properties":{`)
			for j := range 60 {
				if j > 0 {
					w.WriteByte(',')
				}
				w.WriteString(`"f` + string(rune('A'+j%26)) + string(rune('A'+j/26)) + `":{"$ref":"#/$defs/T` + string(rune('A'+(i*7+j)%60%26)) + string(rune('A'+(i*7+j)%60/26)) + `"}`)
			}
			w.WriteString(`},"msgpack":{"kind":"struct"}}`)
		}
	}
	parse := func(defs string) *schema.Schema {
		s, err := schema.Parse([]byte(`{"$ref":"#/$defs/TAA","$defs":{` + defs + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if got := schema.Compare(parse(b.String()), parse(c.String())); len(got) != 0 {
		t.Errorf("%d changes", len(got))
	}
}

// TestTolerantReaders checks what the package page says about options that are not in a schema: some
// make a reader accept what Compare says it fails on, and the others change no effect.
func TestTolerantReaders(t *testing.T) {
	type wide struct {
		N int
		A [3]int
	}
	type narrow struct {
		N int8
		A [4]int
		V any
		R msgpack.Raw
		M map[string]any
	}
	message, err := msgpack.Marshal(wide{N: 300})
	if err != nil {
		t.Fatal(err)
	}
	strict := of[narrow](t, msgpack.Options{})
	changes := schema.Breaking(schema.Compare(of[wide](t, msgpack.Options{}), strict))
	if len(changes) != 2 || changes[0].NewReader != schema.Fails || changes[1].NewReader != schema.Fails {
		t.Errorf("breaking changes %v", changes)
	}
	for name, c := range map[string]struct {
		compat  msgpack.Compat
		accepts bool
	}{
		"none":                {msgpack.Compat{}, false},
		"WrapInts":            {msgpack.Compat{WrapInts: true}, false},
		"Arrays":              {msgpack.Compat{Arrays: msgpack.ArraysShort}, false},
		"WrapInts and Arrays": {msgpack.Compat{WrapInts: true, Arrays: msgpack.ArraysShort}, true},
		"RoundInts":           {msgpack.Compat{RoundInts: true}, false},
		"the others":          {msgpack.Compat{AnyText: msgpack.AnyTextBytes, NilRaw: true, ReplaceMaps: msgpack.MapsAll, PlainEOF: true}, false},
	} {
		o := msgpack.Options{Compat: c.compat}
		if got := of[narrow](t, o).String(); got != strict.String() {
			t.Errorf("%s: the schema is\n%s\nwant\n%s", name, got, strict)
		}
		var v narrow
		if err := newCodec(t, o).Unmarshal(message, &v); (err == nil) != c.accepts {
			t.Errorf("%s: error %v, want acceptance %v", name, err, c.accepts)
		}
	}
}

// TestTolerantKeys is TestTolerantReaders for options about the keys of maps in variables of type any.
func TestTolerantKeys(t *testing.T) {
	message, err := msgpack.Marshal(map[[1]byte]int{{5}: 1})
	if err != nil {
		t.Fatal(err)
	}
	old := of[map[[1]byte]int](t, msgpack.Options{})
	for name, c := range map[string]struct {
		options msgpack.Options
		accepts bool
	}{
		"none":          {msgpack.Options{}, false},
		"AnyMapAny":     {msgpack.Options{AnyMap: msgpack.AnyMapAny}, false},
		"AnyMapPairs":   {msgpack.Options{AnyMap: msgpack.AnyMapPairs}, true},
		"AnyStringKeys": {msgpack.Options{AnyStringKeys: true}, true},
	} {
		changes := schema.Compare(old, of[any](t, c.options))
		if len(changes) != 1 || changes[0].NewReader != schema.Fails {
			t.Errorf("%s: changes %v", name, changes)
		}
		var v any
		if err := newCodec(t, c.options).Unmarshal(message, &v); (err == nil) != c.accepts {
			t.Errorf("%s: error %v, want acceptance %v", name, err, c.accepts)
		}
	}
}

// Structs with many fields are compared in time that is linear in their number.
func TestCompareManyFields(t *testing.T) {
	fields := func(prefix string, more ...reflect.StructField) []reflect.StructField {
		for i := range 20_000 {
			more = append(more, reflect.StructField{Name: fmt.Sprintf("%s%05d", prefix, i), Type: reflect.TypeFor[int]()})
		}
		return more
	}
	rest := reflect.StructField{Name: "Rest", Type: reflect.TypeFor[map[string]int](), Tag: `msgpack:",inline"`}
	for name, c := range map[string]struct {
		old, new []reflect.StructField
		options  msgpack.Options
		want     int
	}{
		"map":        {old: fields("F"), new: fields("G"), want: 40_000},
		"array":      {old: fields("F"), new: fields("G"), options: msgpack.Options{StructAsArray: true}, want: 20_000},
		"other keys": {old: fields("F", rest), new: fields("G", rest), want: 40_000},
	} {
		codec, err := msgpack.New(c.options)
		if err != nil {
			t.Fatal(err)
		}
		old, err := schema.OfType(reflect.StructOf(c.old), codec)
		if err != nil {
			t.Fatal(err)
		}
		new, err := schema.OfType(reflect.StructOf(c.new), codec)
		if err != nil {
			t.Fatal(err)
		}
		if got := schema.Compare(old, new); len(got) != c.want {
			t.Errorf("%s: %d changes, want %d", name, len(got), c.want)
		}
		if got := schema.Compare(old, old); len(got) != 0 {
			t.Errorf("%s: %d changes of a struct to itself", name, len(got))
		}
	}
}
