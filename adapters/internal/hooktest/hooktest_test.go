package hooktest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// A method is a type with methods that call functions of a test.
type method struct {
	encode func(dst []byte) ([]byte, error)
	decode func(data []byte) (int, error)
}

func (m *method) appendTo(dst []byte) ([]byte, error) { return m.encode(dst) }
func (m *method) read(data []byte) (int, error)       { return m.decode(data) }

// A digit is a fixint.
type digit struct{ n uint8 }

func (d digit) appendTo(dst []byte) ([]byte, error) { return append(dst, d.n), nil }
func (d *digit) read(data []byte) (int, error)      { d.n = data[0]; return 1, nil }

type encoder interface {
	appendTo(dst []byte) ([]byte, error)
}
type decoder interface {
	read(data []byte) (int, error)
}

func codec(t testing.TB) *msgpack.Codec {
	return Codec(t, msgpack.Options{}, msgpack.Implements(
		func(dst []byte, v encoder) ([]byte, error) { return v.appendTo(dst) },
		func(data []byte, v decoder) (int, error) { return v.read(data) }))
}

// failures counts the calls of Errorf.
type failures struct {
	testing.TB
	list []string
}

func (f *failures) Helper() {}

func (f *failures) Errorf(format string, args ...any) {
	f.list = append(f.list, fmt.Sprintf(format, args...))
}

// TestChecks calls the checks with methods that do what is expected, and with others.
func TestChecks(t *testing.T) {
	c := codec(t)
	good := Sample{digit{5}, "\x05"}
	bad := Sample{digit{5}, "\x06"}
	encodes := func(s string, err error) *method {
		return &method{encode: func(dst []byte) ([]byte, error) { return append(dst, s...), err }}
	}
	decodes := func(n int, err error) *method {
		return &method{decode: func([]byte) (int, error) { return n, err }}
	}
	whole := &method{decode: func(data []byte) (int, error) { return len(data), nil }}
	grow := func(data []byte) { sink = make([]byte, 2<<20) }
	for name, check := range map[string]struct {
		f    func(t testing.TB)
		want []string // the beginning of each failure
	}{
		"encode": {func(t testing.TB) {
			EncodeFaults(t, c, good, Fault{"two", encodes("\x01\x02", nil), msgpack.ErrInvalid, "(2 values)"},
				Fault{"error", encodes("", ErrMethod), ErrMethod, "fails"})
		}, nil},
		"encode without an error": {func(t testing.TB) { EncodeFaults(t, c, good, Fault{"one", encodes("\x01", nil), nil, ""}) }, []string{"one: <nil>"}},
		"encode with another error": {func(t testing.TB) {
			EncodeFaults(t, c, good, Fault{"two", encodes("\x01\x02", nil), ErrMethod, ""}, Fault{"two", encodes("\x01\x02", nil), nil, "3 values"})
		}, []string{"two: ", "two: "}},
		"encode what differs": {func(t testing.TB) { EncodeFaults(t, c, bad, Fault{"none", encodes("", nil), nil, ""}) }, []string{"after none"}},
		"panic": {func(t testing.TB) {
			EncodePanic(t, c, good, &method{encode: func([]byte) ([]byte, error) { panic(1) }})
		}, nil},
		"no panic":            {func(t testing.TB) { EncodePanic(t, c, good, 5) }, []string{"no panic"}},
		"panic, what differs": {func(t testing.TB) { EncodePanic(t, c, bad, &method{}) }, []string{"after a panic"}},
		"decode": {func(t testing.TB) {
			DecodeFaults(t, c, "\x92\x01\x02", good, Fault{"none", decodes(0, nil), msgpack.ErrInvalid, "0 of 3"},
				Fault{"error", decodes(3, ErrMethod), ErrMethod, ""}, Fault{"all", whole, nil, ""})
		}, nil},
		"decode without an error":   {func(t testing.TB) { DecodeFaults(t, c, "\x01", good, Fault{"all", whole, nil, "EOF"}) }, []string{"all: <nil>"}},
		"decode with another error": {func(t testing.TB) { DecodeFaults(t, c, "\x01", good, Fault{"none", decodes(0, nil), ErrMethod, ""}) }, []string{"none: "}},
		"decode with an error":      {func(t testing.TB) { DecodeFaults(t, c, "\x01", good, Fault{"none", decodes(0, nil), nil, ""}) }, []string{"none: "}},
		"decode what differs":       {func(t testing.TB) { DecodeFaults(t, c, "\x01", bad, Fault{"all", whole, nil, ""}) }, []string{"after all"}},
		"hostile":                   {func(t testing.TB) { Hostile(t, []byte{1}, func([]byte) {}) }, nil},
		"hostile, much memory":      {func(t testing.TB) { Hostile(t, []byte{1}, grow) }, slices.Repeat([]string{""}, 17)},
		"headers":                   {func(t testing.TB) { Headers(t, c, whole, new(digit)) }, nil},
		"headers, other errors":     {func(t testing.TB) { Headers(t, c, new(int), new(int)) }, []string{"nested too deeply: ", "false count: "}},
		"concurrently": {func(t testing.TB) {
			Concurrently(t, c, []*digit{{5}}, [][]byte{{5}}, func(a, b *digit) bool { return *a == *b })
		}, nil},
	} {
		f := &failures{TB: t}
		check.f(f)
		if !slices.EqualFunc(f.list, check.want, strings.HasPrefix) {
			t.Errorf("%s: failures %q, want %q", name, f.list, check.want)
		}
	}
}

var sink []byte

// TestHostileMessages checks which messages Hostile makes.
func TestHostileMessages(t *testing.T) {
	valid := []byte{0x92, 1}
	seen := map[string]bool{}
	Hostile(t, valid, func(data []byte) { seen[string(data)] = true })
	for _, want := range []string{"", "\x92", "\xff\x01", "\x92\xc1", "\x92\x00"} {
		if !seen[want] {
			t.Errorf("no message % x", want)
		}
	}
	if len(seen) != 34 || !bytes.Equal(valid, []byte{0x92, 1}) {
		t.Errorf("%d messages, and then % x", len(seen), valid)
	}
}
