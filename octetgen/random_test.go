package octetgen_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
)

// typeMenu are the types of fields. S stands for another random struct.
var typeMenu = []string{
	"bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "string", "string", "string",
	"[]byte", "time.Time", "time.Duration", "name", "number", "celsius", "any", "*int", "*string", "*time.Time", "*float32", "*bool", "*[]byte", "**int8",
	"[]int", "[]string", "[]float64", "[]any", "[][]byte", "[3]int", "[2]string", "[9]bool", "[5]byte", "[40]byte", "map[string]int", "map[int]string", "map[name]int8", "map[bool]*string", "map[uint8][2]int", "map[float64]int",
	"map[string]any", "complex64", "msgpack.Raw", "msgpack.Ext", "struct{ A int; B string }", "[]struct{ C float32 }", "[][]int", "randtype.Celsius", "*randtype.Point",
	"empty", "[]empty", "[]*empty", "S", "S", "S", "*S", "*S", "[]S", "[]S", "[]*S", "[2]S", "[2]*S", "map[string]S", "map[string]*S", "[][]S",
}

var optionMenu = []string{"", "", "", "", ",omitempty", ",omitempty", ",omitzero"}

// randomTypes returns a package with n random struct types, T0 to Tn-1, each of which refers only to those after it or
// by pointers to any.
func randomTypes(r *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString(`package random

import (
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

var (
	_ time.Time
	_ msgpack.Raw
	_ randtype.Celsius
)

type (
	empty  struct{}
	name   string
	number uint16
	celsius float64

	Base struct {
		BaseA int
		BaseB *string
		*Deep
	}

	Deep struct{ DeepC []int8 }
)
`)
	for i := range n {
		fmt.Fprintf(&b, "\n//octet:generate\ntype T%d struct {\n", i)
		if r.IntN(8) == 0 {
			b.WriteString("_ struct{} `msgpack:\",as_array\"`\n")
		} else if i%4 == 1 {
			b.WriteString("*Base\n")
		}
		for f := range r.IntN(14) + 1 {
			t := typeMenu[r.IntN(len(typeMenu))]
			if strings.Contains(t, "S") && i+1 < n {
				t = strings.Replace(t, "S", fmt.Sprintf("T%d", i+1+r.IntN(n-i-1)), 1)
			} else if strings.Contains(t, "S") {
				t = "*T0"
			}
			key := fmt.Sprintf([]string{"f%d", "Field%d", "a_key_that_is_longer_than_a_fixstr_%d", "é%d"}[r.IntN(4)], f)
			option := optionMenu[r.IntN(len(optionMenu))]
			// Generated code does not test whether floats in structs and arrays, or types with methods, are zero.
			if option == ",omitzero" && (strings.ContainsAny(t[:1], "STtcr") || strings.HasPrefix(t, "[2]T") || strings.HasPrefix(t, "[2]*") || strings.HasPrefix(t, "msgpack")) {
				option = ",omitempty"
			}
			if t == "empty" || option == ",omitempty" && t == "complex64" {
				option = ""
			}
			fmt.Fprintf(&b, "F%d %s `msgpack:\"%s%s\"`\n", f, t, key, option)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// TestRandomTypes generates code for random types, and compares it with their plans and the oracle.
func TestRandomTypes(t *testing.T) {
	n := 24
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
		n = 12
	}
	n = int(randtype.Count(t, uint64(n)))
	types := randomTypes(rand.New(rand.NewPCG(randtype.First(t, 30), 1)), n)
	var checks strings.Builder
	for i := range n {
		fmt.Fprintf(&checks, "\tfor seed := range uint64(3) {\n\t\tcompare.Used[T%d](t)\n\t\tcompare.Check[T%[1]d](t, seed, heaptest.Allocated)\n\t}\n", i)
	}
	dir := scratch(t, map[string]string{
		"types.go": types,
		"random_test.go": `package random

import (
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/octetgen/internal/compare"
)

func TestTypes(t *testing.T) {
` + checks.String() + "}\n",
	})
	source := generate(t, dir)
	if strings.Contains(source, "unsafe") || strings.Contains(source, "reflect") || strings.Contains(source, "goto ") {
		t.Error("the generated code is not plain Go")
	}
	if output, err := command(t, dir, "test", "-count=1", "-vet=all", "."); err != nil {
		t.Fatalf("%v\n%.3000s", err, output)
	}
}

// TestRealTypes generates code for types of public modules, and compares it with their plans and the oracle.
func TestRealTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles another module, which -short leaves out")
	}
	types, err := os.ReadFile("testdata/real.txt")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^type (\w+) struct`).FindAllSubmatch(types, -1) {
		names = append(names, string(m[1]))
	}
	dir := scratch(t, map[string]string{
		"types.go": string(types),
		"real_test.go": `package real

import (
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/octetgen/internal/compare"
)

func TestTypes(t *testing.T) {
` + each(names, "\tfor seed := range uint64(2) {\n\t\tcompare.Used[%[1]s](t)\n\t\tcompare.Check[%[1]s](t, seed, heaptest.Allocated)\n\t}\n") + "}\n",
	})
	generate(t, dir, names...)
	if output, err := command(t, dir, "test", "-count=1", "-vet=all", "."); err != nil {
		t.Fatalf("%v\n%.3000s", err, output)
	}
}
