package layout

import (
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
)

// TestPlacesOfOptions verifies that each tag option is in all places that ARCHITECTURE.md
// lists: some kind of field may have it, the page of the package documents it, and the
// random types with which the oracle is compared have it, in a message of either
// direction. So an option that is forgotten in one of the places fails here, or in the
// comparison.
func TestPlacesOfOptions(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, word := range regexp.MustCompile(`[a-z][a-z0-9]*`).FindAllString(string(page), -1) {
		documented[word] = true
	}
	generated, seen := map[string]bool{}, map[reflect.Type]bool{}
	for seed := range uint64(3000) {
		collectOptions(reference.RandomType(rand.New(rand.NewPCG(seed, 2))), generated, seen)
	}
	for _, u := range []reflect.Type{reflect.TypeFor[reference.VariantBits](), reflect.TypeFor[reference.VariantMode]()} {
		collectOptions(u, generated, seen)
	}
	for _, option := range words {
		if !isAllowed(option) {
			t.Errorf("%s: no kind of field may have it; see optionSets", option)
		}
		if !documented[option] && !isWidth.MatchString(option) { // doc.go has u8 … u64, i8 … i64
			t.Errorf("%s: doc.go does not have it", option)
		}
		if !generated[option] {
			t.Errorf("%s: no random type has it, so that nothing is compared with the oracle", option)
		}
	}
	for option := range generated {
		if !slices.Contains(words, option) {
			t.Errorf("%s: random types have it, but it is not in words", option)
		}
	}
}

// isWidth matches the forms of integers of fixed width.
var isWidth = regexp.MustCompile(`^[ui]\d+$`)

// isAllowed reports whether some kind of field may have the option.
func isAllowed(option string) bool {
	class := option
	if _, ok := sums[option]; ok {
		class = "sum"
	} else if option == "be" || option == "le" {
		class = "order"
	} else if (&tag{}).parseForm(option) == nil {
		class = "form"
	}
	for _, set := range optionSets {
		if slices.Contains(set, class) {
			return true
		}
	}
	return false
}

// collectOptions notes the options in the tags of t.
func collectOptions(t reflect.Type, options map[string]bool, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Pointer:
		collectOptions(t.Elem(), options, seen)
	case reflect.Struct:
		for f := range t.Fields() {
			for option := range strings.SplitSeq(f.Tag.Get("layout"), ",") {
				if name, _, _ := strings.Cut(option, "="); name != "" && name != "-" {
					options[name] = true
				}
			}
			collectOptions(f.Type, options, seen)
		}
	}
}
