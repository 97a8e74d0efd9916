package reference

import (
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// raw and ext stand for the types of package msgpack.
type (
	raw []byte
	ext struct {
		Type int8
		Data []byte
	}
)

var ref = MessagePack{Raw: reflect.TypeFor[raw](), Ext: reflect.TypeFor[ext]()}

// unhex reads bytes as the tables write them: hexadecimal, with spaces.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// nested wraps a value in so many arrays of one.
func nested(levels int, inner string) string { return strings.Repeat("91", levels) + inner }

// An encodeCase says what a value becomes.
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

// A decodeCase says what a variable becomes.
type decodeCase struct {
	name   string
	data   string // hexadecimal
	target any    // a pointer to the variable as it is before
	want   any    // the variable after it
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

// to returns a pointer to a variable that holds v.
func to[T any](v T) *T { return &v }

// newOf returns a pointer to a zero variable of the type of v.
func newOf(v any) any { return reflect.New(reflect.TypeOf(v)).Interface() }
