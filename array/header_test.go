package array

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octet-go/octet/binary"
)

// v1 returns a file of version 1.0 with the dictionary and no elements.
func v1(text string) string {
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), byte(len(text) >> 8)}) + text
}

func v2(version byte, text string) string {
	return "\x93NUMPY" + string([]byte{version, 0, byte(len(text)), byte(len(text) >> 8), 0, 0}) + text
}

func dict(descr, shape string) string {
	return "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }\n"
}

// TestHeaders reads headers that other programs may have written.
func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		name, file string
		kind       reflect.Kind
		big        bool
		shape      []int
		fortran    bool
	}{
		{"version 1", v1(dict("'<u8'", "(3,)")), reflect.Uint64, false, []int{3}, false},
		{"version 2", v2(2, dict("'>f4'", "(3, 4)")), reflect.Float32, true, []int{3, 4}, false},
		{"version 3", v2(3, dict("'|b1'", "()")), reflect.Bool, false, []int{}, false},
		{"double quotes, other order of keys, no spaces", v1(`{"shape":(2,3),"fortran_order":True,"descr":"<c16"}`), reflect.Complex128, false, []int{2, 3}, true},
		{"Python 2", v1("{'descr': '<i2', 'fortran_order': False, 'shape': (10L, 2L), }"), reflect.Int16, false, []int{10, 2}, false},
		{"native order", v1(dict("'=u4'", "(0,)")), reflect.Uint32, nativeBig, []int{0}, false},
		{"no order", v1(dict("'u1'", "(0,)")), reflect.Uint8, false, []int{0}, false},
		{"spaces and lines", v1("  { 'descr' : '<i8' ,\n'fortran_order' :False, 'shape': ( 1 , 2 , ) }  \n\n"), reflect.Int64, false, []int{1, 2}, false},
		{"no elements in a large shape", v1(dict("'<i8'", "(0, 1000000000)")), reflect.Int64, false, []int{0, 1000000000}, false},
	} {
		h, err := readHeader(strings.NewReader(c.file))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if h.Kind != c.kind || elementOfKind(c.kind).unit > 1 && h.big() != c.big || !slices.Equal(h.Shape, c.shape) || h.Shape == nil ||
			h.Fortran != c.fortran || h.Offset != int64(len(c.file)) {
			t.Errorf("%s: %v, offset %d", c.name, h.Info, h.Offset)
		}
	}
}

// hostile are malformed headers.
var hostile = []struct {
	name, file string
	reason     error
	text       string // part of the message
}{
	{"empty", "", ErrTruncated, "the .npy header has 0 bytes"},
	{"another file", "hello, world", ErrFormat, "no .npy signature (offset 0)"},
	{"zip", "PK\x03\x04 and so on", ErrFormat, "zip file"},
	{"signature cut", "\x93NUM", ErrTruncated, "4 bytes"},
	{"version cut", "\x93NUMPY\x01", ErrTruncated, "7 bytes"},
	{"length cut", "\x93NUMPY\x01\x00\x10", ErrTruncated, "(offset 9)"},
	{"text cut", v1(dict("'<u8'", "(3,)"))[:40], ErrTruncated, "(offset 40)"},
	{"version 4", "\x93NUMPY\x04\x00\x10\x00\x00\x00", ErrVersion, "version 4.0"},
	{"version 1.1", "\x93NUMPY\x01\x01\x10\x00\x00\x00", ErrVersion, "version 1.1"},
	{"4 GB of header", "\x93NUMPY\x02\x00\xff\xff\xff\xff", ErrLimit, "header of 4294967295 bytes"},
	{"not UTF-8", v2(3, "{'descr\xff': 1}"), ErrCorrupt, "UTF-8"},
	{"no dictionary", v1("(1, 2)"), ErrCorrupt, "expected a dictionary (offset 10)"},
	{"empty dictionary", v1("{}"), ErrCorrupt, "needs descr"},
	{"no shape", v1("{'descr': '<u8', 'fortran_order': False}"), ErrCorrupt, "needs descr"},
	{"unknown key", v1("{'descr': '<u8', 'order': 'C'}"), ErrCorrupt, `key "order" (offset 27)`},
	{"key twice", v1("{'descr': '<u8', 'descr': '<u8'}"), ErrCorrupt, `key "descr"`},
	{"no colon", v1("{'descr' '<u8'}"), ErrCorrupt, "colon"},
	{"key without end", v1("{'descr: "), ErrCorrupt, "without an end"},
	{"code instead of a literal", v1("{'descr': __import__('os'), }"), ErrCorrupt, "expected a string"},
	{"escape", v1(`{'descr': '\x3cu8'}`), ErrCorrupt, "escape"},
	{"text behind", v1(dict("'<u8'", "(3,)") + "x"), ErrCorrupt, "unexpected text after"},
	{"zeros behind", v1(dict("'<u8'", "(3,)") + "\x00"), ErrCorrupt, "unexpected text after"},
	{"fortran_order a number", v1("{'descr': '<u8', 'fortran_order': 0}"), ErrCorrupt, "True or False"},
	{"structured", v1(dict("[('a', '<u4'), ('b', '<f8', (2,))]", "(3,)")), ErrUnsupported, `structured type "[('a', '<u4'), ('b', '<f8', (2,))]" (offset 20)`},
	{"structured, brackets in names", v1(dict(`[('a]', '<u4'), (")'b(", '<u4'), ('\'[', '<u4')]`, "(3,)")), ErrUnsupported, "structured type"},
	{"structured without end of a name", v1(dict("[('a', '<u4'), ('b)]", "(3,)")), ErrCorrupt, "list without an end"},
	{"structured without end", v1("{'descr': [('a', ["), ErrCorrupt, "list without an end"},
	{"object", v1(dict("'|O'", "(3,)")), ErrUnsupported, `type "|O"`},
	{"text elements", v1(dict("'<U10'", "(3,)")), ErrUnsupported, `type "<U10"`},
	{"half float", v1(dict("'<f2'", "(3,)")), ErrUnsupported, `type "<f2"`},
	{"long double", v1(dict("'<f16'", "(3,)")), ErrUnsupported, `type "<f16"`},
	{"datetime", v1(dict("'<M8[ns]'", "(3,)")), ErrUnsupported, `type "<M8[ns]"`},
	{"no order", v1(dict("'|u8'", "(3,)")), ErrUnsupported, "without a byte order"},
	{"only an order", v1(dict("'<'", "(3,)")), ErrUnsupported, `type "<"`},
	{"empty type", v1(dict("''", "(3,)")), ErrCorrupt, "empty type"},
	{"shape a number", v1(dict("'<u8'", "3")), ErrCorrupt, "expected a tuple"},
	{"shape not a tuple", v1(dict("'<u8'", "(3)")), ErrCorrupt, "not a tuple"},
	{"negative", v1(dict("'<u8'", "(-3,)")), ErrCorrupt, "dimension"},
	{"leading zero", v1(dict("'<u8'", "(03,)")), ErrCorrupt, "dimension"},
	{"no number", v1(dict("'<u8'", "(,)")), ErrCorrupt, "dimension"},
	{"2^63", v1(dict("'<u8'", "(9223372036854775808,)")), ErrLimit, "dimension"},
	{"2^63 after a zero", v1(dict("'<u8'", "(09223372036854775808,)")), ErrCorrupt, "dimension"},
	{"70 digits", v1(dict("'<u8'", "("+strings.Repeat("1234567", 10)+",)")), ErrLimit, "dimension"},
	{"product overflows", v1(dict("'<u8'", "(2000000000, 2000000000, 2000000000)")), ErrLimit, "too large"},
	{"size overflows", v1(dict("'<u8'", "(2000000000, 2000000000)")), ErrLimit, "too large"},
	{"rows overflow", v1(dict("'<u8'", "(0, 2000000000, 2000000000, 2000000000)")), ErrLimit, "too large"},
	{"shape without end", v1("{'descr': '<u8', 'fortran_order': False, 'shape': (1, 2"), ErrCorrupt, "end of the tuple"},
	{"65 dimensions", v1(dict("'<u8'", "("+strings.Repeat("1,", 65)+")")), ErrLimit, "64 dimensions"},
}

func TestHostileHeaders(t *testing.T) {
	for _, c := range hostile {
		_, err := readHeader(strings.NewReader(c.file))
		if !errors.Is(err, c.reason) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %v with %q", c.name, err, c.reason, c.text)
		}
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, []byte(c.file), 0o666); err != nil {
			t.Fatal(err)
		}
		if f, err := Open[uint64](path, &Options{Format: NPY}); !errors.Is(err, c.reason) {
			t.Errorf("%s: Open: %v, want %v", c.name, err, c.reason)
			if err == nil {
				f.Close()
			}
		}
	}
}

// TestLargeDimension reads the header of an array with more elements than an int of 32 bits can count.
func TestLargeDimension(t *testing.T) {
	h, err := readHeader(strings.NewReader(v1(dict("'|u1'", "(3000000000,)"))))
	if strconv.IntSize == 32 && !errors.Is(err, ErrLimit) || strconv.IntSize == 64 && (err != nil || int64(h.Len) != 3_000_000_000) {
		t.Errorf("%d elements, %v", h.Len, err)
	}
}

// TestReadMemory reads streams whose headers claim more than follows.
func TestReadMemory(t *testing.T) {
	claims := []string{"(9,)", "(100000000,)", "(100000000, 10)", "(1, 1, 200000000)"}
	for _, claim := range claims {
		for _, size := range []int{0, 8, 100_000, 3_000_000} {
			file := v1(dict("'<u8'", claim)) + strings.Repeat("\x00", size)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := Read[uint64](strings.NewReader(file))
			runtime.ReadMemStats(&after)
			tooLong := strconv.IntSize == 32 && errors.Is(err, ErrLimit)
			if !errors.Is(err, ErrTruncated) && claim != "(9,)" && !tooLong {
				t.Errorf("%s: %v", claim, err)
			}
			// Growing by doubling allocates at most four times the last size, in sum.
			if got := int(after.TotalAlloc - before.TotalAlloc); got > 5*size+256<<10 {
				t.Errorf("%s with %d bytes: allocated %d", claim, size, got)
			}
		}
	}
}

// FuzzRead reads any bytes as an array. What is accepted is written again and
// must be the same array.
func FuzzRead(f *testing.F) {
	for _, c := range hostile {
		f.Add([]byte(c.file))
	}
	f.Add([]byte(v1(dict("'<u8'", "(2,)")) + "0123456789abcdef"))
	f.Add([]byte(v1(dict("'>u2'", "(2, 2)")) + "01234567"))
	f.Add([]byte(v1(dict("'|b1'", "()")) + "\x02"))
	f.Add([]byte(v2(3, "{'descr': '<u2', 'fortran_order': True, 'shape': (1, 2), }") + "0123"))
	files, _ := filepath.Glob("testdata/*.npy")
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		again[uint16](t, b)
		again[uint64](t, b)
		again[bool](t, b)
		again[complex64](t, b)
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if info, err := Stat(path); err == nil && int64(len(b)) < info.Offset+int64(info.Len*info.ElementSize()) {
			t.Errorf("Stat accepts %v in %d bytes", info, len(b))
		}
		a, err := Open[uint16](path, nil)
		if err != nil {
			return
		}
		defer a.Close()
		sameElements(t, a)
		n := a.Len()
		row := max(1, a.s.row())
		if row > 1000 {
			return
		}
		if err := a.Append(make([]uint16, row)...); err == nil && a.Len() != n+row {
			t.Errorf("length %d after Append, want %d", a.Len(), n+row)
		} else if err == nil {
			if info, err := Stat(path); err == nil && info.Len != a.Len() {
				t.Errorf("the file says %v, want length %d", info, a.Len())
			}
		}
	})
}

// sameElements reads a File by each of its methods, which must give the same elements.
func sameElements(t *testing.T, a *File[uint16]) {
	want := make([]uint16, a.Len())
	if n, err := a.ReadAt(want, 0); n != len(want) || err != nil && err != io.EOF {
		t.Fatalf("ReadAt of %d elements: %d, %v", len(want), n, err)
	}
	rows := 1
	for _, n := range a.Info().Shape {
		rows *= n
	}
	if rows != a.Len() || a.Info().Len != a.Len() {
		t.Errorf("shape %v and %v of %d elements", a.Info().Shape, a.Info(), a.Len())
	}
	if len(want) > 0 {
		if i := a.Index(make([]int, len(a.Info().Shape))...); i != 0 {
			t.Errorf("the first element has index %d", i)
		}
	}
	if s, _ := a.Slice(); s != nil && !slices.Equal(s, want) {
		t.Errorf("Slice %v, ReadAt %v", s, want)
	}
	count := 0
	for i, v := range a.All() {
		if v != want[i] || a.At(i) != v {
			t.Fatalf("element %d: All %d, At %d, ReadAt %d", i, v, a.At(i), want[i])
		}
		count++
	}
	var all []uint16
	for chunk := range a.Chunks(7) {
		all = append(all, chunk...)
	}
	if count != len(want) || !slices.Equal(all, want) {
		t.Errorf("All gives %d elements, Chunks %d, ReadAt %d", count, len(all), len(want))
	}
	if err := a.Guard(func() {}); err != nil {
		t.Error(err)
	}
}

// again writes what Read accepts and reads it back.
func again[T Element](t *testing.T, b []byte) {
	s, info, err := Read[T](bytes.NewReader(b))
	if err != nil {
		return
	}
	format := NPY.WithOrder(info.Order).WithShape(info.Shape...)
	if info.Fortran {
		format = format.WithFortranOrder()
	}
	var w bytes.Buffer
	if err := Write(&w, s, format); err != nil {
		t.Fatal(err)
	}
	written := slices.Clone(w.Bytes())
	back, info2, err := Read[T](&w)
	if err != nil || !slices.Equal(info2.Shape, info.Shape) || info2.Fortran != info.Fortran || info2.Kind != info.Kind {
		t.Fatalf("%v was written as %v, %v", info, info2, err)
	}
	var w2 bytes.Buffer
	if err := Write(&w2, back, format); err != nil || !bytes.Equal(w2.Bytes(), written) {
		t.Error("the elements changed")
	}
	if len(written)%alignment != len(s)*info.ElementSize()%alignment {
		t.Errorf("the elements begin at %d", len(written)-len(s)*info.ElementSize())
	}
}

// TestHeaderRoom grows arrays until their length has more digits, in files with
// room in the header and in files without.
func TestHeaderRoom(t *testing.T) {
	dir := t.TempDir()
	tight := filepath.Join(dir, "tight")
	file := v1(dict("'<u2'", "(9,)")) + strings.Repeat("\x01\x00", 9)
	if err := os.WriteFile(tight, []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open[uint16](tight, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Append(1); !errors.Is(err, ErrHeaderFull) {
		t.Errorf("a header without room: %v", err)
	}
	if err := f.Grow(1); !errors.Is(err, ErrHeaderFull) || f.Len() != 9 {
		t.Errorf("a header without room: %v, length %d", err, f.Len())
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(tight); err != nil || string(b) != file {
		t.Errorf("the file changed to %q", b)
	}
	// The longest length that an int can be fits into a new header.
	h := newHeader(Info{Kind: reflect.Uint8, Order: binary.LittleEndian, Shape: []int{0}})
	next, _, to, ok := h.resize(int(^uint(0) >> 1))
	if !ok || next.Len != int(^uint(0)>>1) || to > len(h.bytes) {
		t.Error("the header has no room for the longest length")
	}
}

// TestTruncated checks what matches io.ErrUnexpectedEOF and, if there is not a single
// byte, io.EOF.
func TestTruncated(t *testing.T) {
	header := v1(dict("'<u8'", "(3,)"))
	for name, read := range map[string]func(file string) error{
		"ReadHeader": func(file string) error { _, err := ReadHeader(strings.NewReader(file)); return err },
		"NewReader": func(file string) error {
			r, err := NewReader[uint64](strings.NewReader(file), NPY)
			if err == nil {
				_, err = r.Read(make([]uint64, 3))
			}
			return err
		},
		"Stat": func(file string) error {
			path := filepath.Join(t.TempDir(), "a")
			if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := Stat(path)
			return err
		},
	} {
		for _, file := range []string{"", "\x93", header[:9], header[:40], header + "1234"} {
			err := read(file)
			if file == header+"1234" && name == "ReadHeader" {
				continue // it reads no further
			}
			if !errors.Is(err, ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) != (file == "") {
				t.Errorf("%s of %d bytes: %v", name, len(file), err)
			}
		}
	}
	if _, _, err := Read[uint64](strings.NewReader("")); err != io.EOF {
		t.Errorf("Read of nothing: %v", err)
	}
}
