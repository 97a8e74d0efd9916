package cases

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/shape"
)

// TestTypedDocuments checks that the typed value of a document loses no information.
func TestTypedDocuments(t *testing.T) {
	types := map[string]any{
		"canada_geometry": new(shape.Canada),
		"citm_catalog":    new(shape.Catalog),
		"golang_source":   new(shape.Source),
		"twitter_status":  new(shape.Twitter),
		"string_escaped":  new(map[string]string),
		"string_unicode":  new(map[string]string),
	}
	paths, err := documents()
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Skip("the Go installation has no JSON test documents of encoding/json")
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), packed)
		typed := types[name]
		if (typed != nil) != (typedDocument(name) != nil) {
			t.Errorf("%s has a type in only one of the lists, here and in typedDocument", name)
		}
		if typed == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			want, err := load(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := loadInto(path, typed); err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(typed)
			if err != nil {
				t.Fatal(err)
			}
			got, err := parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if !equal(filled(got), filled(want), true) {
				t.Error("the type loses information")
			}
		})
	}
}

// filled removes keys with zero values, because a struct has a field for them but a document may omit them.
func filled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, element := range v {
			if element = filled(element); !empty(element) {
				m[k] = element
			}
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = filled(element)
		}
		return list
	}
	return v
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return reflect.ValueOf(v).IsZero()
}
