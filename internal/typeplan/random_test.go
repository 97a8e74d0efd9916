package typeplan_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/typeplan"
)

// TestFieldsLikeJSONOnRandomTypes is TestFieldsLikeJSON for random types with many
// embedded structs and equal names.
func TestFieldsLikeJSONOnRandomTypes(t *testing.T) {
	leftOut := 0
	for seed := range uint64(600) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		typ := g.structType(3)
		v := reflect.New(typ).Elem()
		leaves := 0
		fill(v, &leaves, map[reflect.Type]bool{})
		checkLikeJSON(t, v)
		checkPlaces(t, v)
		if t.Failed() {
			t.Fatalf("seed %d: %v", seed, typ)
		}
		s, _ := typeplan.Fields(typ, likeJSON)
		leftOut += leaves - len(s.Fields)
	}
	if leftOut < 600 {
		t.Errorf("only %d fields of random types were shadowed or omitted, too few for a meaningful test", leftOut)
	}
}

// generator creates struct types whose fields share a few names.
type generator struct{ *rand.Rand }

var (
	fieldNames   = []string{"A", "B", "X", "OnlyA", "É", "x"}
	tagNames     = []string{"A", "X", "é", "-,", ",omitempty"}
	embeddedPool = []reflect.Type{
		reflect.TypeFor[A](), reflect.TypeFor[B](), reflect.TypeFor[AX](), reflect.TypeFor[BX](),
		reflect.TypeFor[LeftA](), reflect.TypeFor[RightA](), reflect.TypeFor[Left](), reflect.TypeFor[Right](),
		reflect.TypeFor[Deep](), reflect.TypeFor[Self](), reflect.TypeFor[Pong](), reflect.TypeFor[Both](), reflect.TypeFor[Number](),
	}
)

func (g generator) structType(depth int) reflect.Type {
	var fields []reflect.StructField
	names, tags := map[string]bool{}, map[string]bool{}
	for range 1 + g.IntN(5) {
		f := reflect.StructField{Name: fieldNames[g.IntN(len(fieldNames))], Type: reflect.TypeFor[int]()}
		if depth > 0 && g.IntN(2) == 0 {
			f.Anonymous = true
			if g.IntN(2) == 0 {
				f.Type = g.structType(depth - 1)
				f.Name = "Unnamed" + f.Name
			} else {
				f.Type = embeddedPool[g.IntN(len(embeddedPool))]
				f.Name = f.Type.Name()
			}
			if f.Type.Kind() == reflect.Struct && g.IntN(3) == 0 {
				f.Type = reflect.PointerTo(f.Type)
			}
		}
		if names[f.Name] {
			continue
		}
		names[f.Name] = true
		if f.Name == "x" {
			f.PkgPath = "example.org/generated"
		} else if name := tagNames[g.IntN(len(tagNames))]; g.IntN(3) == 0 && !tags[name] && !(f.Anonymous && name[0] == ',') {
			tags[name] = true
			f.Tag = reflect.StructTag(fmt.Sprintf("json:%q", name))
		} else if g.IntN(12) == 0 {
			f.Tag = `json:"-"`
		}
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}
