package schema_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// pageChanges has two versions of a type for each row of the table in docs/schema-in-ci.md.
// Where a row says that a number or key decides, they are those of the worst case.
var pageChanges = map[string]func(t *testing.T) (old, new *schema.Schema){
	"add a field": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct{ A int }](t, plain), of[struct{ A, B int }](t, plain)
	},
	"add a field with `required`": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct{ A int }](t, plain), of[struct {
			A int
			B int `msgpack:",required"`
		}](t, plain)
	},
	"remove a field": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct {
			A int
			B int `msgpack:",required"`
		}](t, plain), of[struct{ A int }](t, plain)
	},
	"rename a field": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct{ A int }](t, plain), of[struct{ B int }](t, plain)
	},
	"rename a field and give it the old name as `alias`": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct{ A int }](t, plain), of[struct {
			B int `msgpack:",alias=A"`
		}](t, plain)
	},
	"widen an integer or float": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct{ A int32 }](t, plain), of[struct{ A int64 }](t, plain)
	},
	"narrow an integer or float": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct{ A float64 }](t, plain), of[struct{ A float32 }](t, plain)
	},
	"`int` to a string, struct to list, …": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct{ A int }](t, plain), of[struct{ A string }](t, plain)
	},
	"`T` to `*T`": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct{ A int }](t, plain), of[struct{ A *int }](t, plain)
	},
	"`*T` to `T`": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct{ A *int }](t, plain), of[struct{ A int }](t, plain)
	},
	"`omitempty` on a field": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct {
				A int `msgpack:",required"`
			}](t, plain), of[struct {
				A int `msgpack:",omitempty"`
			}](t, plain)
	},
	"move or insert a field in a struct with `as_array`": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct{ A, B int }](t, inArrays), of[struct{ B, A int }](t, inArrays)
	},
	"add one at its end": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct{ A int }](t, inArrays), of[struct{ A, B int }](t, inArrays)
	},
	"add a variant to a union": func(t *testing.T) (old, new *schema.Schema) {
		one := msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Union[shape]("type", msgpack.VariantOf[circle]("circle"))}}
		return of[shape](t, one), of[shape](t, msgpack.Options{Types: unions})
	},
	"add a field to a struct with an inline map": func(t *testing.T) (old, new *schema.Schema) {
		return of[struct {
				More map[string]any `msgpack:",inline"`
			}](t, plain), of[struct {
				A    string
				More map[string]any `msgpack:",inline"`
			}](t, plain)
	},
	"another `Options.Time`": func(t *testing.T) (old, new *schema.Schema) {
		return of[time.Time](t, msgpack.Options{Time: msgpack.TimeRFC3339}), of[time.Time](t, msgpack.Options{Time: msgpack.TimeUnix})
	},
}

var (
	plain    = msgpack.Options{}
	inArrays = msgpack.Options{StructAsArray: true}
)

// cellEffects says which effect the text of a cell stands for, by how it begins.
var cellEffects = []struct {
	text   string
	effect schema.Effect
}{
	{"fails", schema.Fails}, {"loses", schema.Loses}, {"another value arrives", schema.Loses}, {"ignores", schema.Ignores}, {"nil becomes zero", schema.Changes},
}

// TestPage checks each row of the table in docs/schema-in-ci.md: both effects are the
// worst that Compare finds.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/schema-in-ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "|---|---|---|\n")
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 {
			break
		}
		rows++
		change := strings.TrimSpace(cells[1])
		types := pageChanges[change]
		if types == nil {
			t.Errorf("no types for the row %q", change)
			continue
		}
		onNew, onOld := schema.Nothing, schema.Nothing
		changes := schema.Compare(types(t))
		for _, c := range changes {
			onNew, onOld = max(onNew, c.NewReader), max(onOld, c.OldReader)
		}
		for i, got := range []schema.Effect{onNew, onOld} {
			text, want := strings.TrimSpace(cells[2+i]), schema.Nothing
			for _, e := range cellEffects {
				if strings.HasPrefix(text, e.text) {
					want = e.effect
				}
			}
			if got != want || (text == "") != (want == schema.Nothing) {
				t.Errorf("%s: the page says %q, Compare says %v: %v", change, text, got, changes)
			}
		}
	}
	if rows != len(pageChanges) {
		t.Errorf("%d rows and %d pairs of types", rows, len(pageChanges))
	}
}
