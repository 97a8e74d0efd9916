package msgpack

import (
	"errors"
	"strings"
	"testing"
)

// TestJSONHint requires that the error for JSON says that the input is JSON, and that
// no other error does.
func TestJSONHint(t *testing.T) {
	const hint = "; the input looks like JSON"
	var row struct{ A int }
	var any any
	for text, want := range map[string]bool{
		`{"a":1}`: true, "{ \n\"a\": 1}": true, "{}": true, "[1,2]": true, `["a"]`: true,
		"{\x01": false, "{{": false, "\x82\xa1a\x01": false, "{": false, "[\x00": false, "\x01\x7b\x7d": false,
	} {
		for name, err := range map[string]error{
			"any":    Unmarshal([]byte(text), &any),
			"valid":  Valid([]byte(text)),
			"struct": Unmarshal([]byte(text), &row),
		} {
			if err != nil && strings.HasSuffix(err.Error(), hint) != want || err == nil && want {
				t.Errorf("%q into %s: %v", text, name, err)
			}
			if want && name != "struct" && !errors.Is(err, ErrTrailing) {
				t.Errorf("%q into %s: %v does not match ErrTrailing", text, name, err)
			}
		}
	}
}
