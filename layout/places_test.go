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
// lists, and has a row in its table: some kind of field may have it, the page of the
// package documents it, and the random types with which the oracle is compared have it,
// in a message of either direction. So an option that is forgotten in one of the places
// fails here, in TestDescribeOptions, or in the comparison.
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
	rows := optionRows(t)
	for _, option := range words {
		if !rows[option] {
			t.Errorf("%s: the table of ARCHITECTURE.md has no row for it", option)
		}
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

// optionRows returns the options in the table of ARCHITECTURE.md. It verifies that the
// operations and functions in their rows exist.
func optionRows(t *testing.T) map[string]bool {
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| option | compiled by |")
	table, _, _ = strings.Cut(table, "\n\n")
	operations, err := os.ReadFile("op.go")
	if err != nil {
		t.Fatal(err)
	}
	options, span := map[string]bool{}, regexp.MustCompile("`([^`]+)`")
	for _, line := range strings.Split(table, "\n")[2:] {
		file, source := "", []byte(nil)
		for i, cell := range strings.Split(strings.Trim(line, "|"), "|") {
			for _, name := range span.FindAllStringSubmatch(cell, -1) {
				switch name := name[1]; {
				case i == 0:
					options[name] = true
				case i == 2:
					if !regexp.MustCompile(`(?m)^\t` + name + `\b|\b` + name + ` +bool`).Match(operations) {
						t.Errorf("%s: op.go has no %s", line, name)
					}
				case strings.HasSuffix(name, ".go"):
					file = name
					if source, err = os.ReadFile(file); err != nil {
						t.Error(err)
					}
				case !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + name + `\(`).Match(source):
					t.Errorf("%s: %s has no function %s", line, file, name)
				}
			}
		}
	}
	return options
}

// isWidth matches the forms of integers of fixed width.
var isWidth = regexp.MustCompile(`^[ui]\d+$`)

// isAllowed reports whether some kind of field may have the option.
func isAllowed(option string) bool {
	class := optionClass(option)
	for _, set := range optionSets {
		if slices.Contains(strings.Fields(set.options), class) {
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
