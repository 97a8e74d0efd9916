package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

var errFault = errors.New("fault")

// A drip is a reader that returns 0 to 8 bytes at a time. It returns the last bytes
// sometimes together with io.EOF. With faults, some calls return an error, with or
// without bytes, but no byte is lost.
type drip struct {
	data   []byte
	rand   *rand.Rand
	faults bool
}

func newDrip(data []byte, seed uint64) *drip {
	return &drip{data: data, rand: rand.New(rand.NewPCG(seed, 2))}
}

func (d *drip) Read(b []byte) (n int, err error) {
	n = copy(b[:min(len(b), d.rand.IntN(9))], d.data)
	d.data = d.data[n:]
	switch {
	case d.faults && d.rand.IntN(4) == 0:
		return n, errFault
	case len(d.data) == 0 && d.rand.IntN(2) == 0:
		return n, io.EOF
	}
	return n, nil
}

// readers holds the ways in which the same bytes arrive.
var readers = map[string]func(data []byte, seed uint64) io.Reader{
	"at once":  func(data []byte, _ uint64) io.Reader { return bytes.NewReader(data) },
	"dripping": func(data []byte, seed uint64) io.Reader { return newDrip(data, seed) },
}

// checkStream decodes the first value in data from streams, and compares the result
// with that of Unmarshal.
func checkStream(t *testing.T, typ reflect.Type, data []byte, seed uint64) {
	t.Helper()
	want := reflect.New(typ)
	n, wantErr := msgpack.UnmarshalPrefix(data, want.Interface())
	// A stream is read to the end of its first value, which may be too little to look like JSON.
	wantText := strings.TrimSuffix(fmt.Sprint(wantErr), "; the input looks like JSON")
	size, syntax := wire.Skip(data, msgpack.MaxDepth)
	for name, reader := range readers {
		r := reader(data, seed)
		d := msgpack.NewDecoder(r)
		got := reflect.New(typ)
		err := d.Decode(got.Interface())
		switch {
		case len(data) == 0:
			if err != io.EOF {
				t.Errorf("%s: nothing into %v: %v, want io.EOF", name, typ, err)
			}
		case syntax != nil:
			checkSyntax(t, data, err)
			if again := d.Decode(got.Interface()); again == nil || again.Error() != err.Error() || d.InputOffset() != 0 {
				t.Errorf("%s: % x: first %v, then %v at %d", name, data, err, again, d.InputOffset())
			}
			continue
		case wantErr != nil:
			if err == nil || strings.TrimSuffix(err.Error(), "; the input looks like JSON") != wantText || d.InputOffset() != int64(size) {
				t.Errorf("%s: % x into %v:\ngot  %v, now at %d\nwant %v, now at %d", name, data, typ, err, d.InputOffset(), wantErr, size)
			}
		case err != nil || d.InputOffset() != int64(n):
			t.Errorf("%s: % x into %v: %v, now at %d, want %d", name, data, typ, err, d.InputOffset(), n)
		default:
			if g, w := show(got), show(want); g != w {
				t.Errorf("%s: % x into %v:\ngot  %s\nwant %s", name, data, typ, g, w)
			}
		}
		rest, err := io.ReadAll(io.MultiReader(d.Buffered(), r))
		if err != nil || !bytes.Equal(rest, data[size:]) {
			t.Errorf("%s: % x: % x is left, want % x, %v", name, data, rest, data[size:], err)
		}
	}
}

// checkSyntax compares an error with that of Valid for the same bytes.
func checkSyntax(t *testing.T, data []byte, err error) {
	t.Helper()
	var e, want *msgpack.Error
	errors.As(msgpack.Valid(data), &want)
	if !errors.As(err, &e) || e.Op != "unmarshal" {
		t.Errorf("% x: %v, want %v", data, err, want)
		return
	}
	if e.Offset != want.Offset || e.Path != want.Path || e.Err != want.Err || e.Found != want.Found {
		t.Errorf("% x:\ngot  %v\nwant %v", data, err, want)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) != (e.Err == msgpack.ErrTruncated) {
		t.Errorf("% x: %v is io.ErrUnexpectedEOF: %v", data, err, errors.Is(err, io.ErrUnexpectedEOF))
	}
}

// TestStreamEqualsSlice decodes messages, prefixes and mutants of them from
// streams.
func TestStreamEqualsSlice(t *testing.T) {
	step := 1
	if reduced() {
		step = 17
	}
	for i := 0; i < len(corpus()); i += step {
		s := corpus()[i]
		r := randtype.FromSeed(uint64(i))
		for _, data := range [][]byte{s.data, append(bytes.Clone(s.data), 0xc1), cut(r, s.data), cut(r, s.data), changed(r, s.data), changed(r, s.data)} {
			checkStream(t, s.typ, data, uint64(i))
			checkStream(t, reflect.TypeFor[any](), data, uint64(i))
		}
		if t.Failed() {
			t.Fatal(s.name)
		}
	}
}

// TestStreamOfManyTypes decodes values of many types from one stream, which fails
// again and again. The variables have the type of the value, or one that some
// values do not fit.
func TestStreamOfManyTypes(t *testing.T) {
	var all []byte
	var ends []int64
	step := 7
	if reduced() {
		step = 101
	}
	var samples []sample
	for i := 0; i < len(corpus()); i += step {
		s := corpus()[i]
		samples = append(samples, s)
		all = append(all, s.data...)
		ends = append(ends, int64(len(all)))
	}
	type narrow = map[string]int8
	for _, faults := range []bool{false, true} {
		r := newDrip(all, 3)
		r.faults = faults
		d := msgpack.NewDecoder(r)
		for i, s := range samples {
			want, got := reflect.New(s.typ), reflect.New(s.typ)
			if i%3 == 0 {
				want, got = reflect.ValueOf(new(narrow)), reflect.ValueOf(new(narrow))
			}
			wantErr := msgpack.Unmarshal(s.data, want.Interface())
			err := errFault
			for err == errFault {
				if i%5 == 4 {
					err, wantErr = d.Skip(), nil
				} else {
					err = d.Decode(got.Interface())
				}
			}
			var e, wantE *msgpack.Error
			if errors.As(wantErr, &wantE) {
				wantE.Offset += int64(int(ends[i]) - len(s.data))
			}
			if errors.As(err, &e) != (wantE != nil) || e != nil && e.Error() != wantE.Error() {
				t.Fatalf("%s: % x\ngot  %v\nwant %v", s.name, s.data, err, wantErr)
			}
			if d.InputOffset() != ends[i] {
				t.Fatalf("%s: at %d, want %d", s.name, d.InputOffset(), ends[i])
			}
			if g, w := show(got), show(want); err == nil && i%5 != 4 && g != w {
				t.Fatalf("%s:\ngot  %s\nwant %s", s.name, g, w)
			}
		}
		err := errFault
		for err == errFault {
			err = d.Decode(new(any))
		}
		if err != io.EOF {
			t.Errorf("at the end: %v", err)
		}
	}
}

// TestUnmarshalRead compares UnmarshalRead with Unmarshal, for short and long input
// that arrives in every way.
func TestUnmarshalRead(t *testing.T) {
	n := 1_200_000
	if reduced() {
		n = 200_000
	}
	long, err := msgpack.Marshal(strings.Repeat("x", n))
	if err != nil {
		t.Fatal(err)
	}
	type says struct {
		io.Reader
		sized
	}
	arrivals := map[string]func(data []byte) io.Reader{
		"bytes.Reader":       func(data []byte) io.Reader { return bytes.NewReader(data) },
		"bytes.Buffer":       func(data []byte) io.Reader { return bytes.NewBuffer(bytes.Clone(data)) },
		"strings.Reader":     func(data []byte) io.Reader { return strings.NewReader(string(data)) },
		"dripping":           func(data []byte) io.Reader { return newDrip(data, 1) },
		"with the end":       func(data []byte) io.Reader { return iotest.DataErrReader(bytes.NewReader(data)) },
		"says too little":    func(data []byte) io.Reader { return says{newDrip(data, 1), 1} },
		"says far too much":  func(data []byte) io.Reader { return says{newDrip(data, 1), math.MaxInt} },
		"says less than nil": func(data []byte) io.Reader { return says{newDrip(data, 1), -1} },
	}
	for name, data := range map[string][]byte{
		"empty": {}, "short": {0x92, 1, 2}, "trailing": {1, 2}, "mismatch": {0x81, 1, 2}, "truncated": {0x92, 1}, "reserved": {0x92, 0xc1, 1, 2},
		"mismatch and trailing": {0x81, 1, 2, 3}, "long": long, "long, truncated": long[:n-n/4], "long, trailing": append(long, 1),
	} {
		for how, reader := range arrivals {
			for _, typ := range []reflect.Type{reflect.TypeFor[any](), reflect.TypeFor[[]int](), reflect.TypeFor[string]()} {
				got, want := reflect.New(typ), reflect.New(typ)
				err, wantErr := msgpack.UnmarshalRead(reader(data), got.Interface()), msgpack.Unmarshal(data, want.Interface())
				switch _, syntax := wire.Skip(data, msgpack.MaxDepth); {
				case syntax != nil:
					checkSyntax(t, data, err)
				case wantErr != nil:
					if err == nil || err.Error() != wantErr.Error() {
						t.Errorf("%s, %s, into %v:\ngot  %v\nwant %v", name, how, typ, err, wantErr)
					}
				case err != nil || show(got) != show(want):
					t.Errorf("%s, %s: got %.100v, %v, want %.100v", name, how, got, err, want)
				}
			}
		}
	}
	if err := msgpack.UnmarshalRead(iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(long))), new(any)); err != iotest.ErrTimeout {
		t.Errorf("a reader that fails: %v", err)
	}
	if err := msgpack.UnmarshalRead(io.MultiReader(strings.NewReader("\x01"), iotest.ErrReader(errFault)), new(any)); err != errFault {
		t.Errorf("a reader that fails after the value: %v", err)
	}
}

type sized int

func (s sized) Len() int { return int(s) }
