package transcode

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/internal/heaptest"
)

// split returns the ends of the values that a JSONSplitter finds in src, which is cut
// at every place in cuts. It checks that Last finds the last of them in each chunk.
func split(t testing.TB, src []byte, cuts ...int) (ends []int, err error) {
	t.Helper()
	var s, l JSONSplitter
	at := 0
	var lasts [][3]int // begin and end of each chunk, and what Last found
	for _, cut := range append(cuts, len(src)) {
		chunk := src[at:cut:cut]
		last, n, lastErr := l.Last(chunk)
		lasts = append(lasts, [3]int{at, cut, at + last})
		for more := true; more; {
			size, whole, nextErr := s.Next(chunk)
			at += size
			chunk = chunk[size:]
			if whole {
				ends = append(ends, at)
			}
			more, err = whole && nextErr == nil, nextErr
		}
		if err != lastErr || at != lasts[len(lasts)-1][0]+n || err == nil && at != cut {
			t.Fatalf("%q cut at %d: Last takes %d, %v, Next ends at %d, %v", src, cuts, n, lastErr, at, err)
		}
		if err != nil {
			return ends, err
		}
	}
	for _, l := range lasts {
		begin, cut, got := l[0], l[1], l[2]
		want := cut
		for want > begin && inside(src, ends, want) {
			want--
		}
		if got != want {
			t.Fatalf("%q cut at %d: Last ends at %d in the chunk from %d to %d, want %d", src, cuts, got, begin, cut, want)
		}
	}
	return ends, nil
}

// inside reports whether offset p of src is inside one of the values that have the given
// ends, or right after a number or literal.
func inside(src []byte, ends []int, p int) bool {
	i, _ := slices.BinarySearch(ends, p)
	begin, end := 0, len(src)+1
	if i > 0 {
		begin = ends[i-1]
	}
	if i < len(ends) {
		end = ends[i]
	}
	begin += spaces(src[begin:])
	if p == end {
		return jsonClasses[src[begin]] == classOther // what follows the number is missing
	}
	return begin < p && p < end
}

// jsonEnds returns the ends of the values in src as the decoder of jsontext finds them,
// without that of a number at the end of src.
func jsonEnds(src []byte) (ends []int, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(src), allowDuplicates, jsontext.AllowInvalidUTF8(true))
	for {
		v, err := d.ReadValue()
		if err != nil {
			return ends, err
		}
		end := int(d.InputOffset())
		if last := v[len(v)-1]; end == len(src) && jsonClasses[last] == classOther {
			continue
		}
		ends = append(ends, end)
	}
}

func TestJSONSplitterAtEveryCut(t *testing.T) {
	src := []byte(` {"a":[1,{"b\"]":"\\"}],"":-1.5e3} [] "x\\\"\\" 12 true "" ` + "\n\n" + `"\u00e9"null` + "\t" + `[[["]"]],{}]1{}"{"0 "\\\\" 7`)
	want, _ := jsonEnds(src)
	if len(want) < 14 {
		t.Fatalf("the reference finds %d values", len(want))
	}
	all := make([]int, len(src))
	for i := range src {
		all[i] = i
		for k := i; k <= len(src); k++ {
			if got, err := split(t, src, i, k); err != nil || !slices.Equal(got, want) {
				t.Fatalf("cut at %d and %d: %d, %v, want %d", i, k, got, err, want)
			}
		}
	}
	if got, err := split(t, src, all...); err != nil || !slices.Equal(got, want) {
		t.Errorf("byte by byte: %d, %v, want %d", got, err, want)
	}
}

// TestJSONSplitterInvalid checks that each piece of invalid text has an end too.
func TestJSONSplitterInvalid(t *testing.T) {
	for _, c := range []struct {
		text string
		want []int
	}{
		{",1,", []int{1, 2, 3}},
		{"]]1}", []int{1, 2, 3, 4}},
		{"[1}{2]:", []int{3, 6, 7}},
		{"truefalse nul[", []int{9, 13}},
		{"01 ", []int{2}},
	} {
		if got, err := split(t, []byte(c.text)); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %d, %v, want %d", c.text, got, err, c.want)
		}
	}
	deep := strings.Repeat("[", maxBrackets)
	for _, text := range []string{deep + "[", "1 " + deep + "{"} {
		var s JSONSplitter
		end, n, err := s.Last([]byte(text + "]]"))
		var atEnd JSONSplitter
		if e, m, err2 := atEnd.Last([]byte(text)); e != end || m != n || err2 != err {
			t.Errorf("%d brackets at the end: %d, %d, %v", len(text), e, m, err2)
		}
		if err != ErrDepth || n != len(text) || end != len(text)-maxBrackets-1 {
			t.Errorf("%d brackets: %d, %d, %v", len(text), end, n, err)
		}
	}
	if _, err := split(t, []byte(deep+strings.Repeat("]", maxBrackets))); err != nil {
		t.Error(err)
	}
}

// FuzzJSONSplitter compares a JSONSplitter that gets the text in chunks with the
// decoder of jsontext, up to the first error.
func FuzzJSONSplitter(f *testing.F) {
	f.Add([]byte(`{"a":[1,"\\\""]} 12 "x"[] tru`), uint64(1))
	f.Add([]byte(`1,[}"`), uint64(2))
	f.Fuzz(func(t *testing.T, src []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		var cuts []int
		for at := r.IntN(9); at < len(src); at += r.IntN(9) {
			cuts = append(cuts, at)
		}
		heaptest.AtMost(t, 64<<10, func() {
			var s JSONSplitter
			_, _, _ = s.Last(src)
		})
		want, _ := jsonEnds(src)
		got, err := split(t, src, cuts...)
		once, onceErr := split(t, src)
		if err != onceErr || !slices.Equal(got, once) {
			t.Errorf("%q in chunks: %d, %v, at once %d, %v", src, got, err, once, onceErr)
		}
		// jsontext reads 01 and truefalse as two values each.
		i := 0
		for _, end := range want {
			if end < len(src) && jsonClasses[src[end]] == classOther && jsonClasses[src[end-1]] == classOther {
				break
			}
			if i == len(got) || got[i] != end {
				t.Fatalf("%q: values end at %d, want %d", src, got, want)
			}
			i++
		}
	})
}

// TestNumbersBeforeBrackets checks that a stream is not divided after a number or
// literal that what follows shows to be wrong.
func TestNumbersBeforeBrackets(t *testing.T) {
	for _, text := range []string{"{}\nt{ue", "{}\nt\"ue", "1 -[", "[] 1.[2", "nul]"} {
		_, want := AppendMsgpackValues(nil, []byte(text), nil)
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			if _, err := ToMsgpack(io.Discard, r, nil); want == nil || err == nil || err.Error() != want.Error() {
				t.Errorf("%q: as a stream %v, as a slice %v", text, err, want)
			}
		}
	}
}
