package reference

import (
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// raw and ext replace the types of package msgpack.
type (
	raw []byte
	ext struct {
		Type int8
		Data []byte
	}
)

var ref = MessagePack{Raw: reflect.TypeFor[raw](), Ext: reflect.TypeFor[ext]()}

// unhex decodes hexadecimal digits and ignores spaces.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// nested wraps a value in levels arrays of one element.
func nested(levels int, inner string) string { return strings.Repeat("91", levels) + inner }

// An encodeCase is a value and its expected encoding.
type encodeCase struct {
	name  string
	value any
	want  string // hexadecimal
	err   error
}

func testEncode(t *testing.T, cases []encodeCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := ref.Marshal(c.value)
			if !errors.Is(err, c.err) {
				t.Fatalf("got error %v, want %v", err, c.err)
			}
			if want := unhex(t, c.want); string(got) != string(want) {
				t.Errorf("got  % x\nwant % x", got, want)
			}
		})
	}
}

// A decodeCase is a message, a target and the expected value of the target.
type decodeCase struct {
	name   string
	data   string // hexadecimal
	target any    // a pointer to the variable before decoding
	want   any    // the expected variable after decoding
	err    error
}

func testDecode(t *testing.T, cases []decodeCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := ref.Unmarshal(unhex(t, c.data), c.target)
			if !errors.Is(err, c.err) {
				t.Fatalf("got error %v, want %v", err, c.err)
			}
			if c.err != nil {
				return
			}
			if got := reflect.ValueOf(c.target).Elem().Interface(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %#v\nwant %#v", got, c.want)
			}
		})
	}
}

// to returns a pointer to a new variable with the value v.
func to[T any](v T) *T { return &v }

// newOf returns a pointer to a zero variable of the type of v.
func newOf(v any) any { return reflect.New(reflect.TypeOf(v)).Interface() }
