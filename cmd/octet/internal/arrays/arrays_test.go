package arrays

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
)

// from returns a Source of bytes.
func from(data []byte, format, kind string) Source {
	return Source{
		Path: "-", Format: format, Kind: Named(kind), Order: binary.LittleEndian,
		Begin: func() (io.Reader, io.Closer, error) { return bytes.NewReader(data), io.NopCloser(nil), nil },
	}
}

// converted converts data to a format.
func converted(data []byte, from_, kind, to string) ([]byte, error) {
	in, err := from(data, from_, kind).Open(true)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var out bytes.Buffer
	_, err = Write(&out, in, Output{Format: to, Limit: -1})
	return out.Bytes(), err
}

// TestRoundTrips converts arrays of every type and several shapes to every format
// and back.
func TestRoundTrips(t *testing.T) {
	roundTrip[bool](t)
	roundTrip[int8](t)
	roundTrip[int16](t)
	roundTrip[int32](t)
	roundTrip[int64](t)
	roundTrip[uint8](t)
	roundTrip[uint16](t)
	roundTrip[uint32](t)
	roundTrip[uint64](t)
	roundTrip[float32](t)
	roundTrip[float64](t)
	roundTrip[complex64](t)
	roundTrip[complex128](t)
}

func roundTrip[T array.Element](t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, shape := range [][]int{{1}, {24}, {2, 12}, {2, 3, 4}, {1, 1, 24, 1}, {9000}, {3000, 3}, {0}, {3, 0}, {2, 3, 0}} {
		n := 1
		for _, d := range shape {
			n *= d
		}
		s := make([]T, n)
		raw := make([]byte, 16*n)
		for i := range raw {
			raw[i] = byte(r.Uint32() & 0xbf) // no exponent is that of NaN
		}
		a, err := array.NewReader[T](bytes.NewReader(raw), array.Raw(binary.LittleEndian))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Read(s); err != nil {
			t.Fatal(err)
		}
		var npy bytes.Buffer
		if err := array.Write(&npy, s, array.NPY.WithOrder(binary.LittleEndian).WithShape(shape...)); err != nil {
			t.Fatal(err)
		}
		kind := a.Info().Kind.String()
		for _, format := range []string{NPY, Raw, CSV, JSON, Msgpack} {
			if len(shape) > 1 && (format == Raw || format == CSV && (len(shape) > 2 || shape[len(shape)-1] <= 1)) {
				continue // the format does not keep this shape
			}
			there, err := converted(npy.Bytes(), NPY, "", format)
			if err != nil {
				t.Fatalf("%s %v to %s: %v", kind, shape, format, err)
			}
			back, err := converted(there, format, kind, NPY)
			if err != nil {
				t.Fatalf("%s %v from %s: %v", kind, shape, format, err)
			}
			if !bytes.Equal(back, npy.Bytes()) {
				t.Errorf("%s %v by way of %s differs", kind, shape, format)
			}
		}
	}
}

// TestNamedMessagePack reads what convert writes for small arrays from files whose name
// selects the format. The bytes of small numbers can look like other formats.
func TestNamedMessagePack(t *testing.T) {
	for v := range 256 {
		for _, shape := range []string{"", "1,", "1, 1", "2,", "1, 3", "3, 1", "5,"} {
			header := "{'descr': '|u1', 'fortran_order': False, 'shape': (" + shape + "), }\n"
			n := max(1, strings.Count(shape, "3")*3, strings.Count(shape, "2")*2, strings.Count(shape, "5")*5)
			data := slices.Concat([]byte("\x93NUMPY\x01\x00"), []byte{byte(len(header)), 0}, []byte(header), bytes.Repeat([]byte{byte(v)}, n))
			packed, err := converted(data, NPY, "", Msgpack)
			if err != nil {
				t.Fatal(err)
			}
			named := from(packed, "", "uint8")
			named.Path = "array.msgpack"
			in, err := named.Open(true)
			if err != nil {
				t.Errorf("%d in the shape (%s): %v", v, shape, err)
				continue
			}
			var out bytes.Buffer
			_, err = Write(&out, in, Output{Format: Raw, Limit: -1})
			in.Close()
			if err != nil || !bytes.Equal(out.Bytes(), data[len(data)-n:]) {
				t.Errorf("%d in the shape (%s) is %x, %v", v, shape, out.Bytes(), err)
			}
		}
	}
}

// TestMutations changes every byte of small inputs. Nothing panics, and what is
// accepted can be converted again.
func TestMutations(t *testing.T) {
	var npy bytes.Buffer
	if err := array.Write(&npy, []float32{1, 2, 3, 4, 5, 6}, array.NPY.WithShape(2, 3)); err != nil {
		t.Fatal(err)
	}
	inputs := map[string][]byte{NPY: npy.Bytes()}
	for _, format := range []string{CSV, JSON, Msgpack, Raw} {
		b, err := converted(npy.Bytes(), NPY, "", format)
		if err != nil {
			t.Fatal(err)
		}
		inputs[format] = b
	}
	for format, data := range inputs {
		try := func(data []byte) {
			for _, to := range []string{NPY, JSON, Msgpack, CSV} {
				out, err := converted(data, format, "float32", to)
				if err == nil && to == NPY {
					if _, err := converted(out, NPY, "", CSV); err != nil {
						t.Errorf("%s %q: accepted, but then %v", format, data, err)
					}
				}
			}
		}
		for i := range data {
			try(data[:i])
			was := data[i]
			for _, b := range []byte{0, 1, 0x7f, 0xff, was ^ 1, was ^ 0x80, '[', ']', '"'} {
				data[i] = b
				try(data)
			}
			data[i] = was
		}
	}
}

// TestStatistics compares statistics with those of the sorted elements.
// TestStatisticsOfChangedFile reads an array that has other elements each time.
func TestStatisticsOfChangedFile(t *testing.T) {
	npy := func(write func(w *bytes.Buffer) error) []byte {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	numbers := func(s ...float64) []byte {
		return npy(func(w *bytes.Buffer) error { return array.Write(w, s, array.NPY) })
	}
	first := numbers(1, 2, 3, 4)
	for name, later := range map[string][]byte{
		"shorter":       numbers(1, 2),
		"empty":         numbers(),
		"longer":        numbers(1, 2, 3, 4, 5),
		"other numbers": numbers(-1, -2, -3, -4),
		"not numbers":   numbers(math.NaN(), 2, 3, 4),
		"another type":  npy(func(w *bytes.Buffer) error { return array.Write(w, []int64{1, 2, 3, 4}, array.NPY) }),
	} {
		for change := 2; change <= 4; change++ { // the first call of Open only finds the type
			opened := 0
			_, err := Calculate(func() (*Input, error) {
				content := first
				if opened++; opened > change {
					content = later
				}
				return from(content, NPY, "").Open(false)
			}, 10)
			if !errors.Is(err, ErrChanged) {
				t.Errorf("%s after %d passes: %v", name, change-1, err)
			}
		}
	}
}

func TestStatistics(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 2, 3, 100, 10_001} {
		statistics(t, n, func() int8 { return int8(r.Uint32()) })
		statistics(t, n, func() uint16 { return uint16(r.Uint32() % 1000) })
		statistics(t, n, func() int32 { return int32(r.Uint32()) })
		statistics(t, n, func() uint64 { return r.Uint64() >> (r.Uint32() % 64) })
		statistics(t, n, func() int64 { return int64(r.Uint64()) >> (r.Uint32() % 64) })
		statistics(t, n, func() float32 { return float32(r.NormFloat64()) })
		statistics(t, n, func() float64 { return r.NormFloat64()*1e-3 + 1e6 })
		statistics(t, n, func() float64 { return math.Inf(int(r.Uint32()%2) - 1) })
	}
}

// TestByteOrderMark reads text as spreadsheets write it.
func TestByteOrderMark(t *testing.T) {
	for format, text := range map[string]string{CSV: "1,2\r\n3,4\r\n", JSON: "[[1,2],[3,4]]\n"} {
		plain, err := converted([]byte(text), format, "", NPY)
		if err != nil {
			t.Fatal(err)
		}
		if marked, err := converted([]byte("\ufeff"+text), format, "", NPY); err != nil || !bytes.Equal(marked, plain) {
			t.Errorf("%s: %v", format, err)
		}
	}
	if _, err := converted([]byte("\ufeff[1}"), JSON, "", NPY); err == nil || !strings.HasPrefix(err.Error(), "offset 5: ") {
		t.Error(err)
	}
}

// TestInfinite requires a histogram of the finite elements, and none if there are none.
func TestInfinite(t *testing.T) {
	for text, want := range map[string]string{
		"1,2,inf,3,-inf,5": "[{1 3 2} {3 5 2}]",
		"inf,4":            "[{4 4 1}]",
		"1e308,1.2e308":    "[{1e+308 1.1e+308 1} {1.1e+308 1.2e+308 1}]",
		"inf,inf":          "[]",
		"-inf,inf,nan":     "[]",
		"nan":              "[]",
	} {
		source := from([]byte(text), CSV, "")
		got, err := Calculate(func() (*Input, error) { return source.Open(false) }, 2)
		if err != nil {
			t.Fatal(err)
		}
		if bins := fmt.Sprint(got.Bins); bins != want {
			t.Errorf("%s: bins %s, want %s", text, bins, want)
		}
		if _, err := got.JSON(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		checkChart(t, got)
	}
}

// TestEmptyRows requires that a short file with a shape of many rows without elements does not become a long one.
func TestEmptyRows(t *testing.T) {
	for _, c := range []struct {
		shape []int
		fails bool
	}{
		{[]int{1 << 20, 0}, false},
		{[]int{1<<20 + 1, 0}, true},
		{[]int{1 << 11, 1 << 10, 0}, true},
		{[]int{1 << 15, 1 << 15, 0}, true},
		{[]int{math.MaxInt, 0}, true},
		{[]int{0, 1 << 21}, false},
	} {
		var npy bytes.Buffer
		if err := array.Write(&npy, []uint8{}, array.NPY.WithShape(c.shape...)); err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{JSON, Msgpack} {
			got, err := converted(npy.Bytes(), NPY, "", format)
			if (err != nil) != c.fails || len(got) > 4<<20 || c.fails && len(got) > 0 {
				t.Errorf("%v to %s: %d bytes, %v", c.shape, format, len(got), err)
			}
		}
	}
}

func statistics[T int8 | uint16 | int32 | int64 | uint64 | float32 | float64](t *testing.T, n int, next func() T) {
	t.Helper()
	s := make([]T, n)
	for i := range s {
		s[i] = next()
	}
	var npy bytes.Buffer
	if err := array.Write(&npy, s, array.NPY); err != nil {
		t.Fatal(err)
	}
	source := from(npy.Bytes(), NPY, "")
	got, err := Calculate(func() (*Input, error) { return source.Open(false) }, 10)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(s)
	show := func(v T) string {
		in, err := source.Open(false)
		if err != nil {
			t.Fatal(err)
		}
		return string(in.Kind.typed.(*element[T]).text(nil, v))
	}
	if got.Count != int64(n) || got.Min != show(s[0]) || got.Max != show(s[n-1]) {
		t.Errorf("%T: count %d, min %s, max %s, want %d, %v, %v", s, got.Count, got.Min, got.Max, n, s[0], s[n-1])
	}
	for _, q := range got.Quantiles {
		if want := s[max(0, int(math.Ceil(q.Part*float64(n)))-1)]; q.Value != show(want) {
			t.Errorf("%T: quantile %v of %d is %s, want %v", s, q.Part, n, q.Value, want)
		}
	}
	mean, variance := 0.0, 0.0
	for _, v := range s {
		mean += float64(v) / float64(n)
	}
	for _, v := range s {
		variance += (float64(v) - mean) * (float64(v) - mean) / float64(n)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*(math.Abs(b)+1e-9) || math.IsInf(b, 0) || b != b }
	if !near(got.Mean, mean) || !near(got.Deviation, math.Sqrt(variance)) {
		t.Errorf("%T of %d: mean %v, deviation %v, want %v, %v", s, n, got.Mean, got.Deviation, mean, math.Sqrt(variance))
	}
	total := int64(0)
	for i, b := range got.Bins {
		total += b.Count
		want := int64(0)
		for _, v := range s {
			if f := float64(v); f >= b.Low && (f < b.High || i == len(got.Bins)-1 && f == b.High) {
				want++
			}
		}
		// At an edge, a number may be in the next bin because of rounding.
		if d := b.Count - want; d < -3 || d > 3 {
			t.Errorf("%T of %d: bin %d has %d, want %d", s, n, i, b.Count, want)
		}
	}
	if !math.IsInf(float64(s[0]), 0) && total != int64(n) {
		t.Errorf("%T: the bins have %d elements, want %d", s, total, n)
	}
	checkChart(t, got)
}

// TestExtremes calculates the statistics of numbers whose sums and squares do not fit float64.
func TestExtremes(t *testing.T) {
	const most, least = math.MaxFloat64, math.SmallestNonzeroFloat64
	inf := math.Inf(1)
	for _, f := range []struct {
		numbers         []float64
		mean, deviation float64
	}{
		{[]float64{most, -most, 0}, 0, most * math.Sqrt(2.0/3)},
		{[]float64{-most, most}, 0, most},
		{[]float64{most, most, most}, most, 0},
		{[]float64{1e200, 3e200}, 2e200, 1e200},
		{[]float64{1e-200, 3e-200}, 2e-200, 1e-200},
		{[]float64{least, 3 * least}, 2 * least, least},
		{[]float64{0, 0}, 0, 0},
		{[]float64{1e200, inf}, inf, math.NaN()},
		{[]float64{inf, inf}, inf, math.NaN()},
		{[]float64{-inf, inf, 1}, math.NaN(), math.NaN()},
	} {
		var npy bytes.Buffer
		if err := array.Write(&npy, f.numbers, array.NPY); err != nil {
			t.Fatal(err)
		}
		got, err := Calculate(func() (*Input, error) { return from(npy.Bytes(), NPY, "").Open(false) }, 10)
		if err != nil {
			t.Fatal(err)
		}
		near := func(a, b float64) bool { return a == b || a != a && b != b || math.Abs(a-b) <= 1e-15*math.Abs(b) }
		if !near(got.Mean, f.mean) || !near(got.Deviation, f.deviation) {
			t.Errorf("%v: mean %v, deviation %v, want %v, %v", f.numbers, got.Mean, got.Deviation, f.mean, f.deviation)
		}
	}
}

// TestConvertLarge converts numbers that have an exponent as text to integers, and bools to numbers.
func TestConvertLarge(t *testing.T) {
	var floats, bools bytes.Buffer
	if err := array.Write(&floats, []float64{1e6, 123456789, -1e7, 1 << 62}, array.NPY); err != nil {
		t.Fatal(err)
	}
	if err := array.Write(&bools, []bool{true, false}, array.NPY); err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		npy        []byte
		kind, want string
	}{
		{floats.Bytes(), "int64", "[1000000,123456789,-10000000,4611686018427387904]\n"},
		{bools.Bytes(), "int8", "[1,0]\n"},
		{bools.Bytes(), "float32", "[1,0]\n"},
	} {
		if got, err := converted(f.npy, NPY, f.kind, JSON); err != nil || string(got) != f.want {
			t.Errorf("%s: %s, %v, want %s", f.kind, got, err, f.want)
		}
	}
}

// TestMemory converts a long array of each format and measures the heap. With -short, and without OCTET_LONG=1, one of
// the two formats is raw: reading does not depend on the format that is written.
func TestMemory(t *testing.T) {
	const n, most = 1_200_000, 6 << 20
	all := os.Getenv("OCTET_LONG") != "" && !testing.Short()
	numbers := func(yield func(i int) string, head, tail string) io.Reader {
		i := -1
		return io.MultiReader(strings.NewReader(head), readerFunc(func(p []byte) (int, error) {
			if i++; i >= n {
				return 0, io.EOF
			}
			return copy(p, yield(i)), nil
		}), strings.NewReader(tail))
	}
	element := "\x01\x02\x03\x04\x05\x06\x07\x08"
	for format, body := range map[string]func() io.Reader{
		NPY: func() io.Reader {
			var b bytes.Buffer
			if err := array.WriteHeader[uint64](&b, n, array.NPY); err != nil {
				t.Fatal(err)
			}
			return numbers(func(int) string { return element }, b.String(), "")
		},
		Raw: func() io.Reader { return numbers(func(int) string { return element }, "", "") },
		CSV: func() io.Reader { return numbers(func(i int) string { return strconv.Itoa(i) + "\n" }, "", "") },
		JSON: func() io.Reader {
			return numbers(func(i int) string { return strconv.Itoa(i) + " ," }, "[", "1]")
		},
		Msgpack: func() io.Reader {
			return numbers(func(int) string { return "\xcf" + element }, "\xdd\x00\x12\x4f\x80", "")
		},
	} {
		s := Source{Path: "-", Format: format, Kind: Named("uint64"), Order: binary.LittleEndian}
		s.Begin = func() (io.Reader, io.Closer, error) { return body(), io.NopCloser(nil), nil }
		for _, to := range []string{NPY, Raw, CSV, JSON, Msgpack} {
			if !all && format != Raw && to != Raw {
				continue
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			in, err := s.Open(true)
			if err != nil {
				t.Fatal(err)
			}
			w := &watcher{}
			if _, err := Write(w, in, Output{Format: to, Limit: -1}); err != nil {
				t.Fatalf("%s to %s: %v", format, to, err)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if got := int64(max(w.most, after.HeapAlloc)) - int64(before.HeapAlloc); got > most {
				t.Errorf("%s to %s: the heap grew by %d bytes", format, to, got)
			}
		}
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A watcher measures the heap now and then.
type watcher struct {
	n    int
	most uint64
}

func (w *watcher) Write(p []byte) (int, error) {
	if w.n++; w.n%50 == 1 {
		var m runtime.MemStats
		runtime.GC() // on a busy machine, several MiB of garbage may wait for it
		runtime.ReadMemStats(&m)
		w.most = max(w.most, m.HeapAlloc)
	}
	return len(p), nil
}
