package syntax

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

var fuzzSeeds = []string{
	"", "\xc1", "\x82\xa1a\x92\x01\xcd\x01\x00\x05\xc0", "\x82\xa1a\x01\xa1a\x02", "\x82\x01\x01\xcd\x00\x01\x01", "\xd6\xff\x00\x00\x00\x01",
	"\xdd\x00\x00\x00\x05\x01", "\xdf\xff\xff\xff\xff\x01", "\xdb\xff\xff\xff\xffab", "\xa2\xff\xfe", "\x91\x91\x91\x91\xc0", "\xc7\x0c\xff123456789012",
	"\x82\xca\x80\x00\x00\x00\xc0\xca\x00\x00\x00\x00\xc0",
}

// FuzzCheck compares Check and a Scanner, which gets the bytes in pieces, with
// wire.Skip. Rules can only refuse more.
func FuzzCheck(f *testing.F) {
	for i, s := range fuzzSeeds {
		f.Add([]byte(s), uint8(4), uint64(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, depth uint8, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		levels := int(depth % 20)
		n, err := wire.Skip(data, levels)
		none := Rules{Elements: math.MaxUint64, Bytes: math.MaxUint64}
		if got, e := none.Check(data, string(data), levels); got != n || e != err {
			t.Errorf("% x: Check gives %d, %v, Skip %d, %v", data, got, e, n, err)
		}
		strict := Rules{Elements: r.Uint64N(20), Bytes: r.Uint64N(20), UTF8: true, Unique: true}
		var got int
		var e error
		// The keys of the open maps, and the copy of data.
		heaptest.AtMost(t, 97*len(data)+64<<10, func() { got, e = strict.Check(data, string(data), levels) })
		if e == nil && (err != nil || got != n) || got > len(data) {
			t.Errorf("% x: with rules Check gives %d, %v, Skip %d, %v", data, got, e, n, err)
		}

		var s Scanner
		var whole bool
		var fault error
		for end := 0; !whole && fault == nil; end = min(len(data), end+1+r.IntN(9)) {
			whole, fault = s.Scan(data[:end:end], levels)
			if end == len(data) {
				break
			}
		}
		if whole != (err == nil) || whole && s.Pos != uint64(n) || err != nil && err != wire.ErrTruncated && fault != err {
			t.Errorf("% x: Scan gives %v, %v at %d, Skip %d, %v", data, whole, fault, s.Pos, n, err)
		}
		if len(s.outer) > levels {
			t.Errorf("% x: the Scanner remembers %d containers", data, len(s.outer))
		}
	})
}

// FuzzDescribe describes each value of the input and the path to it. Texts are
// short, however long the keys are, and keys have one order.
func FuzzDescribe(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<10 {
			return
		}
		if s := Describe(data); s == "" || len(s) > 100 {
			t.Errorf("% x is %q", data, s)
		}
		if s := DescribeArriving(data); s == "" || len(s) > 100 {
			t.Errorf("% x, if more arrives, is %q", data, s)
		}
		if s := KeyStep(data); !strings.HasPrefix(s, "[") || len(s) > 6*MaxKey {
			t.Errorf("the key % x is %q", data, s)
		}
		Number(data)
		end, _ := wire.Skip(data, wire.MaxDepth)
		var last *Key
		for at := 0; at < end; {
			PathTo(data, at)
			h, size, err := wire.ConsumeHeader(data[at:])
			if err != nil {
				t.Fatal(err)
			}
			if size := size + int(h.Payload); h.Values() == 0 {
				k := MakeKey(data[at:at+size], string(data[at:at+size]))
				if k.Compare(&k) != 0 || last != nil && (k.Compare(last) != -last.Compare(&k) || k == *last && k.Compare(last) != 0) {
					t.Errorf("%+v and %+v have no order", k, last)
				}
				last = &k
			}
			at += size + int(h.Payload)
		}
	})
}
