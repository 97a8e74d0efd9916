package wire

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
)

// stream holds values of every format, nested in each other.
func stream(t testing.TB) []byte {
	var all []byte
	for _, v := range slices.Concat(minimal, wasteful) {
		b := v.bytes(t)
		if n, err := Skip(b, MaxDepth); v.body < 100 && err == nil && n == len(b) {
			all = append(all, b...)
		}
	}
	b := append([]byte{}, all...)
	b = append(AppendMapHeader(b, 1), "\x92\x90\x80\x91"...) // the key is an array
	b = append(AppendArrayHeader(b, 20), bytes.Repeat([]byte{0x81, 0xa1, 'k', 0xd4, 5, 9}, 20)...)
	b = append(b, "\xde\x00\x01\xdd\x00\x00\x00\x01\xc0\xdc\x00\x00\xc4\x00\xd9\x00"...)
	return append(b, all...)
}

// chunks divides src at every pos in cuts.
func chunks(src []byte, cuts ...int) [][]byte {
	var list [][]byte
	last := 0
	for _, c := range append(cuts, len(src)) {
		list = append(list, src[last:c:c])
		last = c
	}
	return list
}

// ends returns the ends of the values in src, as Skip finds them.
func ends(t testing.TB, src []byte) (list []int) {
	for at := 0; at < len(src); {
		n, err := Skip(src[at:], MaxDepth)
		if err != nil {
			t.Fatalf("at %d: %v", at, err)
		}
		at += n
		list = append(list, at)
	}
	return list
}

// split returns the ends that a Splitter finds in chunks, and the offset of its error.
func split(list [][]byte) (found []int, at int, err error) {
	var s Splitter
	for _, chunk := range list {
		for {
			n, whole, err := s.Next(chunk)
			at += n
			if err != nil {
				return found, at, err
			}
			chunk = chunk[n:]
			if !whole {
				break
			}
			found = append(found, at)
		}
	}
	return found, at, nil
}

func TestSplitterAtEveryCut(t *testing.T) {
	src := stream(t)
	want := ends(t, src)
	check := func(cuts ...int) {
		if got, at, err := split(chunks(src, cuts...)); err != nil || at != len(src) || !slices.Equal(got, want) {
			t.Fatalf("cut at %d: %v at %d, ends %d, want %d", cuts, err, at, got, want)
		}
		var s Splitter
		begin := 0
		for _, chunk := range chunks(src, cuts...) {
			end, n, err := s.Last(chunk)
			last := 0 // the last end in the chunk
			for _, e := range want {
				if e > begin && e <= begin+len(chunk) {
					last = e - begin
				}
			}
			if err != nil || n != len(chunk) || end != last {
				t.Fatalf("cut at %d: Last of the chunk at %d is %d, %d, %v, want %d", cuts, begin, end, n, err, last)
			}
			begin += n
		}
	}
	check()
	for i := range src {
		check(i)
		check(i, min(i+1, len(src)), min(i+3, len(src)))
	}
	all := make([]int, len(src))
	for i := range all {
		all[i] = i
	}
	check(all...)
}

func TestSplitterErrors(t *testing.T) {
	src := "\x93\x01\xc1\x02\x05"
	for cut := range len(src) {
		list := chunks([]byte(src), cut)
		found, at, err := split(list)
		if len(found) > 0 || at != 3 || err != ErrReserved {
			t.Errorf("cut at %d: %v at %d after %d", cut, err, at, found)
		}
	}
	// The byte counts as a value.
	var s Splitter
	n, whole, err := s.Next([]byte(src))
	if n != 3 || whole || err != ErrReserved {
		t.Errorf("%d, %t, %v", n, whole, err)
	}
	if n, whole, err = s.Next([]byte(src[3:])); n != 1 || !whole || err != nil {
		t.Errorf("after the error: %d, %t, %v", n, whole, err)
	}
	if n, whole, err = s.Next([]byte{0xc1}); n != 1 || !whole || err != ErrReserved {
		t.Errorf("as the whole value: %d, %t, %v", n, whole, err)
	}
	if end, n, err := s.Last([]byte("\x01\xc1\x02")); end != 2 || n != 2 || err != ErrReserved {
		t.Errorf("Last: %d, %d, %v", end, n, err)
	}
	if end, n, err := s.Last([]byte("\x01\xc1")); end != 2 || n != 2 || err != ErrReserved {
		t.Errorf("Last with the fault at its end: %d, %d, %v", end, n, err)
	}
	s = Splitter{owed: 1 << 63}
	if n, _, err := s.Next([]byte("\xdf\xff\xff\xff\xff\x01")); n != 5 || err != ErrLimit {
		t.Errorf("claims of more than 2^63 values: %d, %v", n, err)
	}
	// Payloads longer than all chunks, and nesting without end, take no memory. The runtime may allocate meanwhile.
	deep := bytes.Repeat([]byte{0x91}, 1<<16)
	heaptest.AtMost(t, 1<<20, func() {
		s = Splitter{}
		_, _, _ = s.Next([]byte("\x92\xdb\xff\xff\xff\xff"))
		for range 1 << 16 {
			_, _, _ = s.Next(deep)
		}
	})
}

// A seen is what a Scanner tells about a value.
type seen struct {
	Header
	start int64
	depth int
	path  string
}

func see(s *Scanner, h Header) seen { return seen{h, s.Start(), len(s.Around()), pathOf(s)} }

// walkTokens returns the values of src, in order. It recurses, and knows the ends of
// values from Skip.
func walkTokens(t testing.TB, src []byte) (list []seen) {
	var value func(at, depth int, path string) int
	value = func(at, depth int, path string) int {
		h, n, err := ConsumeHeader(src[at:])
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, seen{h, int64(at), depth, path})
		at += n + int(h.Payload)
		for i := range h.Values() {
			at = value(at, depth+1, fmt.Sprintf("%s/%s:%d", path, h.Format, i))
		}
		return at
	}
	for at := 0; at < len(src); {
		at = value(at, 0, "")
	}
	return list
}

func pathOf(s *Scanner) string {
	var path strings.Builder
	for _, c := range s.Around() {
		fmt.Fprintf(&path, "/%s:%d", c.Header.Format, c.Begun()-1)
	}
	return path.String()
}

func TestScannerAtEveryCut(t *testing.T) {
	src := stream(t)
	want := walkTokens(t, src)
	wholes := ends(t, src)
	check := func(payload bool, cuts ...int) {
		t.Helper()
		var s Scanner
		var got []seen
		for _, chunk := range chunks(src, cuts...) {
			for {
				h, n, err := s.Next(chunk)
				if chunk = chunk[n:]; err == ErrTruncated {
					break
				}
				if err != nil {
					t.Fatalf("cut at %d: %v", cuts, err)
				}
				got = append(got, see(&s, h))
				if s.Rest() != h.Payload || s.Offset() != s.Start()+int64(h.Size) {
					t.Fatalf("at %d: Rest %d, Offset %d", s.Start(), s.Rest(), s.Offset())
				}
				if payload {
					chunk = chunk[s.Payload(chunk):]
					if _, end := slices.BinarySearch(wholes, int(s.Offset())); end != s.Whole() && s.Rest() == 0 {
						t.Fatalf("at %d: Whole is %t", s.Offset(), s.Whole())
					}
					if s.Whole() != (len(s.Open()) == 0 && s.Rest() == 0) {
						t.Fatalf("at %d: Whole is %t, Open has %d, Rest is %d", s.Offset(), s.Whole(), len(s.Open()), s.Rest())
					}
				}
			}
		}
		if s.Offset() != int64(len(src)) || !slices.Equal(got, want) {
			t.Fatalf("cut at %d, %d bytes taken: values\n%+v, want\n%+v", cuts, s.Offset(), got, want)
		}
	}
	all := make([]int, len(src))
	for i := range all {
		all[i] = i
	}
	for _, payload := range []bool{false, true} {
		check(payload)
		for i := range src {
			check(payload, i)
		}
		check(payload, all...)
	}
}

// TestScannerTruncated checks that the end of a value is told from an end inside one.
func TestScannerTruncated(t *testing.T) {
	src := stream(t)
	wholes := ends(t, src)
	for cut := range src {
		var s Scanner
		for at := 0; ; {
			_, n, err := s.Next(src[at:cut])
			if at += n; err == ErrTruncated {
				if len(s.Open()) != len(s.Around()) {
					t.Errorf("of %d bytes: %d containers are open, want %d", cut, len(s.Open()), len(s.Around()))
				}
				break
			}
		}
		if _, want := slices.BinarySearch(wholes, cut); s.Whole() != (want || cut == 0) {
			t.Errorf("of %d bytes: Whole is %t", cut, s.Whole())
		}
	}
}

func TestScannerErrors(t *testing.T) {
	for _, c := range []struct {
		src    string
		depth  int
		offset int64
		err    error
	}{
		{"\x93\x01\x91\xc1", 0, 3, ErrReserved},
		{"\x91\x91\x90", 2, 2, ErrDepth},
		{"\x91\x91\xdd\x00\x00\x00\x01", 2, 2, ErrDepth},
		{strings.Repeat("\x81", MaxDepth) + "\x80", 0, MaxDepth, ErrDepth},
		{strings.Repeat("\x91", MaxDepth) + "\x01", 0, MaxDepth + 1, ErrTruncated},
		{strings.Repeat("\x91", 3000) + "\x01", 3000, 3001, ErrTruncated},
	} {
		for cut := range len(c.src) {
			s := Scanner{MaxDepth: c.depth}
			var n int
			var err error
			for _, chunk := range chunks([]byte(c.src), cut) {
				for err == nil || err == ErrTruncated {
					if _, n, err = s.Next(chunk); err == ErrTruncated {
						break
					}
					chunk = chunk[n:]
				}
			}
			if s.Start() != c.offset || err != c.err {
				t.Fatalf("% x, depth %d, cut at %d: %v at %d, want %v at %d", c.src, c.depth, cut, err, s.Start(), c.err, c.offset)
			}
			if _, _, again := s.Next([]byte{0}); err != ErrTruncated && again != err {
				t.Errorf("% x: %v, then %v", c.src, err, again)
			}
		}
	}
}

// TestScannerReset continues at every value of a stream.
func TestScannerReset(t *testing.T) {
	src := stream(t)
	want := walkTokens(t, src)
	var s, other Scanner
	for at, i := 0, 0; i < len(want); i++ {
		_, n, err := s.Next(src[at:])
		if err != nil {
			t.Fatal(err)
		}
		at += n
		at += s.Payload(src[at:])
		other.Reset(s.Offset(), s.Open())
		if i+1 == len(want) {
			break
		}
		if h, _, err := other.Next(src[at:]); err != nil || see(&other, h) != want[i+1] {
			t.Fatalf("after value %d: %+v, %v, want %+v", i, see(&other, h), err, want[i+1])
		}
	}
}

// scan returns the values that a Scanner finds in chunks, and its error.
func scan(depth int, list [][]byte) (values []seen, err error) {
	s := Scanner{MaxDepth: depth}
	for _, chunk := range list {
		for {
			h, n, err := s.Next(chunk)
			if err == ErrTruncated {
				break
			}
			if err != nil {
				return values, err
			}
			values = append(values, seen{h, s.Start(), len(s.Around()), ""})
			chunk = chunk[n:]
		}
	}
	return values, nil
}

// FuzzStream compares a Splitter and a Scanner, which get the bytes in chunks, with
// Skip and with each other.
func FuzzStream(f *testing.F) {
	f.Add(stream(f), uint64(1))
	f.Add([]byte("\x82\xa1a\x92\x01\xcd\x01\x00\x05\xc0"), uint64(2))
	f.Add([]byte("\x01\xc1\x91\xdf\xff\xff\xff\xff\x01"), uint64(3))
	f.Add([]byte("\xdb\xff\xff\xff\xffab"), uint64(4))
	f.Fuzz(func(t *testing.T, src []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		var cuts []int
		for at := r.IntN(9); at < len(src); at += r.IntN(9) {
			cuts = append(cuts, at)
		}
		list := chunks(src, cuts...)
		heaptest.AtMost(t, 32*len(src)+64<<10, func() {
			var s Scanner
			for _, chunk := range list {
				for {
					_, n, err := s.Next(chunk)
					if err != nil {
						break
					}
					chunk = chunk[n:]
					chunk = chunk[s.Payload(chunk):]
				}
			}
			var p Splitter
			for _, chunk := range list {
				_, _, _ = p.Last(chunk)
			}
		})
		var want []int
		var fault error
		at := 0
		for at < len(src) && fault == nil {
			var n int
			if n, fault = Skip(src[at:], len(src)+1); fault == nil {
				at += n
				want = append(want, at)
			}
		}
		// A malformed timestamp has an end like every ext, and Skip looks ahead.
		got, _, err := split(list)
		if fault == nil || len(got) < len(want) {
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("% x: the Splitter finds %d, %v, Skip %d, %v", src, got, err, want, fault)
			}
		} else if !slices.Equal(got[:len(want)], want) || fault == ErrReserved && err != ErrReserved {
			t.Errorf("% x: the Splitter finds %d, %v, Skip %d, %v", src, got, err, want, fault)
		}

		once, stop := scan(len(src)+1, [][]byte{src})
		inChunks, stopped := scan(len(src)+1, list)
		if !slices.Equal(inChunks, once) || stopped != stop {
			t.Errorf("% x: in chunks %+v, %v, at once %+v, %v", src, inChunks, stopped, once, stop)
		}
		var tops []int
		for _, v := range once {
			if v.depth == 0 {
				tops = append(tops, int(v.start))
			}
		}
		begins := append([]int{0}, got...)[:len(tops)]
		if !slices.Equal(tops, begins) || (stop == ErrReserved) != (err == ErrReserved) {
			t.Errorf("% x: the Scanner finds values at %d, %v, the Splitter ends %d, %v", src, tops, stop, got, err)
		}
	})
}
