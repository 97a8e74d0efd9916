package syntax

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// random returns bytes that often begin with a valid value.
func random(r *rand.Rand) []byte {
	const likely = "\x00\x7f\x80\x81\x82\x90\x91\x92\xa0\xa1\xa2\xc0\xc1\xc3\xc4\xc7\xca\xcd\xd4\xd6\xd9\xdc\xde\xff"
	b := make([]byte, r.IntN(24))
	for i := range b {
		b[i] = likely[r.IntN(len(likely))]
	}
	return b
}

// TestSameAsSkip checks that Check without rules and a Scanner find the same end or
// fault as wire.Skip, however the bytes arrive.
func TestSameAsSkip(t *testing.T) {
	none := Rules{Elements: math.MaxUint64, Bytes: math.MaxUint64}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		data, depth := random(r), r.IntN(4)
		n, err := wire.Skip(data, depth)
		if got, e := none.Check(data, string(data), depth); got != n || e != err {
			t.Errorf("% x, depth %d: Check gives %d, %v, Skip %d, %v", data, depth, got, e, n, err)
		}
		var s Scanner
		var whole bool
		var fault error
		for end := 0; end <= len(data) && !whole && fault == nil; end += 1 + r.IntN(3) {
			whole, fault = s.Scan(data[:end], depth)
		}
		if !whole && fault == nil {
			whole, fault = s.Scan(data, depth)
		}
		// Truncated input may have another fault later, for which a Scanner waits.
		if whole != (err == nil) || whole && s.Pos != uint64(n) || err != nil && err != wire.ErrTruncated && fault != err {
			t.Errorf("% x, depth %d: Scan gives %v, %v at %d, Skip %d, %v", data, depth, whole, fault, s.Pos, n, err)
		}
		if t.Failed() {
			return
		}
	}
}

func TestRules(t *testing.T) {
	all := Rules{Elements: 2, Bytes: 3, UTF8: true, Unique: true}
	many := "\xde\x00\x20"
	for i := range 32 {
		many += string([]byte{byte(i), 0xc0})
	}
	for _, c := range []struct {
		name, data string
		rules      Rules
		n          int
		err        error
	}{
		{"within all", "\x92\xa3abc\x82\x01\x02\x02\x01", all, 10, nil},
		{"elements", "\x91\x93\x01\x02\x03", all, 1, wire.ErrLimit},
		{"pairs", "\x83", Rules{Elements: 2}, 0, wire.ErrTruncated},
		{"bytes", "\x91\xa4abcd", all, 1, wire.ErrLimit},
		{"bytes of an ext that is cut", "\xc9\xff\xff\xff\xff\x01", all, 0, wire.ErrLimit},
		{"UTF-8", "\x91\xa1\xff", all, 1, wire.ErrUTF8},
		{"bin is not text", "\xc4\x01\xff", all, 3, nil},
		{"equal keys", "\x82\xa1a\x01\xc4\x01a\x02", all, 4, wire.ErrDuplicateKey},
		{"equal keys of maps apart", "\x92\x81\x01\x01\x81\x01\x01", all, 7, nil},
		{"equal keys that are maps", "\x82\x81\x01\x02\x01\x81\x01\x02\x01", all, 5, wire.ErrDuplicateKey},
		{"many keys", many, Rules{Elements: 99, Bytes: 99, Unique: true}, len(many), nil},
		{"many keys, the last twice", "\xde\x00\x21" + many[3:] + "\xd0\x1f\x01", Rules{Elements: 99, Unique: true}, len(many), wire.ErrDuplicateKey},
		{"timestamp", "\xd5\xff\x00\x00", all, 0, wire.ErrTimestamp},
	} {
		if n, err := c.rules.Check([]byte(c.data), c.data, 5); n != c.n || err != c.err {
			t.Errorf("%s: got %d, %v, want %d, %v", c.name, n, err, c.n, c.err)
		}
	}
}

// TestKeys compares keys. The lists are in order, and the keys of one list are
// equal.
func TestKeys(t *testing.T) {
	order := [][]string{
		{"\xd3\xff\xff\xff\xff\xff\xff\xff\x00", "\xd1\xff\x00"}, {"\xff", "\xd0\xff"}, {"\x00", "\xcc\x00", "\xd3\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"\x01", "\xcf\x00\x00\x00\x00\x00\x00\x00\x01"}, {"\xcf\xff\xff\xff\xff\xff\xff\xff\xff"},
		{"\xca\xbf\x80\x00\x00", "\xcb\xbf\xf0\x00\x00\x00\x00\x00\x00"}, {"\xca\x00\x00\x00\x00", "\xca\x80\x00\x00\x00"},
		{"\xa0", "\xc4\x00"}, {"\xa1a", "\xd9\x01a", "\xc4\x01a"}, {"\xa2aa"}, {"\xa1b"}, {"\xc0"}, {"\xc2"}, {"\xc3"}, {"\x90"}, {"\x80"}, {"\xd4\x01\x01"},
	}
	var keys []Key
	for _, equal := range order {
		for _, data := range equal {
			k := MakeKey([]byte(data), data)
			if first := MakeKey([]byte(equal[0]), equal[0]); k != first || k.Compare(&first) != 0 {
				t.Errorf("% x is %v, % x is %v", data, k, equal[0], first)
			}
		}
		keys = append(keys, MakeKey([]byte(equal[0]), equal[0]))
	}
	if !slices.IsSortedFunc(keys, func(a, b Key) int { return cmpStrictly(&a, &b) }) {
		t.Errorf("keys are not sorted: %v", keys)
	}
}

// cmpStrictly treats equal keys as out of order.
func cmpStrictly(a, b *Key) int {
	if c := a.Compare(b); c != 0 {
		return c
	}
	return -1
}

func TestLedger(t *testing.T) {
	var l Ledger
	l.Open(2) // [_, _]
	l.Pass()
	l.Open(4) // {_: _, _: _}
	if l.Due() != 4 {
		t.Errorf("%v, want 4 due", l)
	}
	l.Open(0)
	l.Pass()
	l.Pass()
	if l.Due() != 1 {
		t.Errorf("%v, want 1 due", l)
	}
	l.Pass()
	if l.Due() != 0 || len(l) != 0 {
		t.Errorf("%v, want none", l)
	}
}

func TestDescribeAndPath(t *testing.T) {
	data := []byte("\x83\xa1a\x92\x01\xcd\x01\x00\x05\xd6\xff\x00\x00\x00\x00\xc0\xd9\x30" + strings.Repeat("k", 48))
	for _, c := range []struct {
		at         int
		path, what string
	}{
		{0, "", "fixmap of 3 pairs"},
		{1, "[key 0]", "fixstr of 1 byte"},
		{3, `["a"]`, "fixarray of 2 elements"},
		{5, `["a"][1]`, "uint 16 256"},
		{8, "[key 1]", "positive fixint 5"},
		{9, "[5]", "fixext 4 of type -1 and 4 bytes"},
		{15, "[key 2]", "nil"},
		{16, "[nil]", "str 8 of 48 bytes"},
	} {
		if path, what := PathTo(data, c.at), Describe(data[c.at:]); path != c.path || what != c.what {
			t.Errorf("%d: %s at %q, want %s at %q", c.at, what, path, c.what, c.path)
		}
	}
	if step, want := KeyStep(data[16:]), `["`+strings.Repeat("k", MaxKey)+`…"]`; step != want {
		t.Errorf("got %s, want %s", step, want)
	}
	for n := range data { // whatever is cut is described
		if s := Describe(bytes.Clone(data[:n])); s == "" {
			t.Errorf("no error for % x", data[:n])
		}
	}
}

// TestUnique checks maps of few and many keys, in each other, for keys that occur twice in
// the same map. Equal keys have different formats, and different keys look alike.
func TestUnique(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	key := func(variants int) []byte {
		n := r.IntN(variants)
		switch r.IntN(8) {
		case 0:
			return wire.AppendInt(nil, int64(n)-20)
		case 1:
			return []byte{byte(wire.Int64), 0, 0, 0, 0, 0, 0, byte(n >> 8), byte(n)}
		case 2:
			return wire.AppendFloat64(nil, float64(n-20))
		case 3:
			return wire.AppendFloat32(nil, float32(n-20))
		case 4:
			return wire.AppendBin(nil, fmt.Appendf(nil, "k%02d", n))
		case 5:
			return wire.AppendString(nil, fmt.Sprintf("k%02dk", n)) // begins and ends alike
		case 6:
			return wire.AppendInt([]byte{byte(wire.FixArray) + 1}, int64(n))
		}
		return wire.AppendString(nil, fmt.Sprintf("k%02d", n)+strings.Repeat("k", max(0, 5*min(n, 40)-60)))
	}
	rules := Rules{Elements: math.MaxUint64, Bytes: math.MaxUint64, Unique: true}
	var refused, accepted int
	for range 5_000 {
		var build func(depth int) ([]byte, int, bool)
		// build returns a map, and where the first key is that occurs twice.
		build = func(depth int) (b []byte, fault int, twice bool) {
			n, variants := r.IntN(5), 40
			switch r.IntN(9) {
			case 0, 1:
				n = r.IntN(30)
			case 2:
				n, variants = r.IntN(2*fewKeys), 10_000
			}
			b = wire.AppendMapHeader(nil, uint32(n))
			seen := make(map[Key]bool)
			for range n {
				k := key(variants)
				id := MakeKey(k, string(k))
				if seen[id] && !twice {
					fault, twice = len(b), true
				}
				seen[id] = true
				b = append(b, k...)
				if depth > 0 && r.IntN(4) == 0 {
					inner, at, found := build(depth - 1)
					if found && !twice {
						fault, twice = len(b)+at, true
					}
					b = append(b, inner...)
				} else {
					b = append(b, byte(wire.Nil))
				}
			}
			return b, fault, twice
		}
		b, fault, twice := build(3)
		n, err := rules.Check(b, string(b), 10)
		switch {
		case twice && (err != wire.ErrDuplicateKey || n != fault):
			t.Fatalf("% x: %d, %v, want %v at %d", b, n, err, wire.ErrDuplicateKey, fault)
		case !twice && (err != nil || n != len(b)):
			t.Fatalf("% x: %d, %v", b, n, err)
		case twice:
			refused++
		default:
			accepted++
		}
	}
	if refused < 500 || accepted < 500 {
		t.Errorf("%d refused and %d accepted", refused, accepted)
	}
}

// TestText checks strings of every length with a few bytes that are not ASCII at every
// place.
func TestText(t *testing.T) {
	rules := Rules{Elements: math.MaxUint64, Bytes: math.MaxUint64, UTF8: true}
	texts := 0
	for n := range 70 {
		for at := range n + 1 {
			for _, part := range []string{"", "\x80", "\xff", "é", "é\xc3", "€", "\xe2\x82", "\xed\xa0\x80", "𝄞"} {
				text := strings.Repeat("a", at) + part + strings.Repeat("b", n-at)
				b := append(wire.AppendString([]byte{byte(wire.FixArray) + 2}, text), 0xff)
				valid, end := utf8.ValidString(text), len(b)
				if valid {
					texts++
				} else {
					end = 1
				}
				if got, err := rules.Check(b, string(b), 1); got != end || (err == nil) != valid || !valid && err != wire.ErrUTF8 {
					t.Fatalf("%q: %d, %v", text, got, err)
				}
			}
		}
	}
	if texts < 1000 {
		t.Errorf("only %d of the texts are valid", texts)
	}
}

// TestCheckAllocs checks that a check allocates nothing. Its list of keys is on the stack, so
// it must be there itself.
func TestCheckAllocs(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { var v uint64; mem.Load64(mem.Hide(mem.PtrTo(&v)), 0) }); n > 0 || heaptest.Race {
		t.Skip("pointer checks and the race detector move variables to the heap")
	}
	const data = "\x83\xa1a\x01\xa1b\x81\x05\x06\xa1c\x93\x01\x02\x03"
	b := []byte(data)
	rules := Rules{Elements: 9, Bytes: 9, UTF8: true, Unique: true}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := rules.Check(b, data, 3); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
