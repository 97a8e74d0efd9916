//go:build goexperiment.jsonv2

package transcode

import (
	"reflect"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestJSONText requires that programs built with Go 1.27 or later get package jsontext of the standard library: the module of the
// experiment then has only aliases of its names, and its code is for Go 1.26.
func TestJSONText(t *testing.T) {
	if p := reflect.TypeFor[jsontext.Decoder]().PkgPath(); p != "encoding/json/jsontext" {
		t.Errorf("the decoder is that of %s, want the one of the standard library", p)
	}
}
