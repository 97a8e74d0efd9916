package locate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// sample returns two values.
func sample() []byte {
	b := wire.AppendMapHeader(nil, 6)
	b = wire.AppendString(b, "users")
	b = wire.AppendArrayHeader(b, 2)
	for _, name := range []string{"Ada", "Bob"} {
		b = wire.AppendMapHeader(b, 1)
		b = wire.AppendString(b, "full name")
		b = wire.AppendString(b, name)
	}
	b = wire.AppendInt(b, -5)
	b = wire.AppendString(b, "minus")
	b = append(b, byte(wire.Uint64), 0, 0, 0, 0, 0, 0, 0, 7)
	b = wire.AppendString(b, "seven")
	b = wire.AppendArrayHeader(b, 1) // the key ["a"]
	b = wire.AppendString(b, "a")
	b = wire.AppendBool(b, true)
	b = wire.AppendUint(b, 1<<64-1)
	b = wire.AppendNil(b)
	b = wire.AppendString(b, "")
	b = wire.AppendArrayHeader(b, 0)
	return wire.AppendInt(b, 42)
}

func TestEach(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"users[1]", `0: users[1] 81a966756c6c206e616d65a3426f62`},
		{`users[0]["full name"]`, `0: users[0]["full name"] a3416461`},
		{"users[0].full name", `0: users[0]["full name"] a3416461`},
		{".users[0]['full name']", `0: users[0]["full name"] a3416461`},
		{`users[].full name`, `0: users[0]["full name"] a3416461 users[1]["full name"] a3426f62`},
		{"users[]{}", `0: users[0]["full name"] a3416461 users[1]["full name"] a3426f62`},
		{"users[2]", ""},
		{"users[-1]", ""},
		{"users.x", ""},
		{"[-5]", "0: [-5] a56d696e7573"},
		{"$.users[2]", ""},
		{"$[-5]", "0: [-5] a56d696e7573"},
		{".[7]", "0: [7] a5736576656e"},
		{"[18446744073709551615]", "0: [18446744073709551615] c0"},
		{"{3}", "0: {3} c3"},
		{"{0}[1]{0}", `0: users[1]["full name"] a3426f62`},
		{`[""]`, `0: [""] 90`},
		{"a", ""},
		{"nope.deeper[3]", ""},
	} {
		p, err := Parse(c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		got, values := "", int64(0)
		err = p.Each(scan.New(iotest.OneByteReader(bytes.NewReader(sample())), 0), func(m *Match) error {
			var b bytes.Buffer
			path := m.Path()
			_, err := m.WriteTo(&b)
			got += fmt.Sprintf(" %s %x", path, b.Bytes())
			return err
		}, func(number, found int64, _ bool) error {
			if values = number + 1; found > 0 {
				got = fmt.Sprintf("%d:%s", number, got)
			}
			return nil
		})
		if err != nil || got != c.want || values != 2 {
			t.Errorf("%s: %d values, %v\ngot  %s\nwant %s", c.path, values, err, got, c.want)
		}
	}
}

// TestWhole checks that the empty path copies the whole input, and that matches
// that are not read are skipped.
func TestWhole(t *testing.T) {
	for _, read := range []bool{true, false} {
		var b bytes.Buffer
		n := 0
		err := Path(nil).Each(scan.New(bytes.NewReader(sample()), 0), func(m *Match) error {
			n++
			if !read {
				return nil
			}
			_, err := m.WriteTo(&b)
			return err
		}, func(number, found int64, _ bool) error { return nil })
		if err != nil || n != 2 || read && !bytes.Equal(b.Bytes(), sample()) {
			t.Errorf("read %v: %d values, %v, %x", read, n, err, b.Bytes())
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"a..b", `path "a..b", at "..b": missing name after the dot`},
		{"a.", `path "a.", at ".": missing name after the dot`},
		{"a[", `path "a[", at "[": missing ]`},
		{"a[x]", `path "a[x]", at "[x]": [x] must hold a number or a key in quotes, as in ["key"]`},
		{`a["x`, `path "a[\"x", at "[\"x": missing ]`},
		{`a["x"`, `path "a[\"x\"", at "[\"x\"": missing ] after the key`},
		{"a['x", `path "a['x", at "['x": missing '] after the key`},
		{"a{", `path "a{", at "{": missing }`},
		{"a{x}", `path "a{x}", at "{x}": {x} must hold the number of a pair`},
		{"a[1]b", `path "a[1]b", at "b": missing dot`},
		{strings.Repeat("[0]", 600), "the path has 600 steps, more than 512"},
	} {
		if _, err := Parse(c.path); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.path, err, c.want)
		}
	}
}

// TestFaults checks that a malformed input is reported, also behind a match.
func TestFaults(t *testing.T) {
	p, _ := Parse("users[0]")
	for cut := range len(sample()) {
		err := p.Each(scan.New(bytes.NewReader(sample()[:cut]), 0), func(m *Match) error {
			_, err := m.WriteTo(&bytes.Buffer{})
			return err
		}, func(number, found int64, _ bool) error { return nil })
		if cut == 0 || cut == len(sample())-1 {
			if err != nil {
				t.Errorf("cut at %d: %v", cut, err)
			}
		} else if !errors.Is(err, wire.ErrTruncated) {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
}

func FuzzPath(f *testing.F) {
	f.Add("users[0].name", sample())
	f.Add(`["a"]{1}{}[]`, []byte{0x81, 0xc0, 0x91, 0xc1})
	f.Add(".$", []byte{0x81, 0xa1, '$', 0xc0}) // not $, which is the whole value
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		var p Path
		var err error
		heaptest.AtMost(t, 200*len(text)+2<<20, func() { p, err = Parse(text) })
		if err != nil {
			return
		}
		if again, err := Parse(p.String()); err != nil || again.String() != p.String() {
			t.Fatalf("%q is %q: %v", text, p, err)
		}
		heaptest.AtMost(t, 500*len(data)+200*len(text)+2<<20, func() {
			_ = p.Each(scan.New(bytes.NewReader(data), 0), func(m *Match) error {
				_, err := m.WriteTo(io.Discard)
				return err
			}, func(number, found int64, _ bool) error { return nil })
		})
	})
}
