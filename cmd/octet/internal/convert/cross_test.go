package convert

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// text returns a random JSON value of about size bytes, with any white space.
func text(r *rand.Rand, size, depth int) string {
	space := func() string { return []string{"", "", "", " ", "\n", "\r\n\t"}[r.IntN(6)] }
	if size < 8 || depth == 0 {
		switch r.IntN(6) {
		case 0:
			return fmt.Sprint(r.IntN(1000) - 500)
		case 1:
			return fmt.Sprint(r.Float64())
		case 2:
			return []string{"true", "false", "null", "[]", "{}", "1e3"}[r.IntN(6)]
		default:
			return fmt.Sprintf("%q", []string{"", "é\"", `\`, "日本{[", "$x,:", strings.Repeat("z", max(size, 0))}[r.IntN(6)])
		}
	}
	var b strings.Builder
	object := r.IntN(2) == 0
	b.WriteString(map[bool]string{true: "{", false: "["}[object] + space())
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteString(space() + "," + space())
		}
		if object {
			fmt.Fprintf(&b, "%q%s:%s", fmt.Sprint([]string{"", "k", "é", `"\`, "a.b"}[r.IntN(5)], i), space(), space())
		}
		b.WriteString(text(r, 1+r.IntN(size), depth-1))
	}
	b.WriteString(space() + map[bool]string{true: "}", false: "]"}[object])
	return b.String()
}

// TestLargeValues compares the conversion in parts with that of package transcode,
// for valid streams, and for streams with a changed byte or a missing end.
func TestLargeValues(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	inParts, rounds := 0, 3000
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
		rounds = 750
	}
	for i := range rounds {
		var json []byte
		for range 1 + r.IntN(3) {
			json = append(json, text(r, 1<<r.IntN(12), 5)+[]string{"\n", " \n "}[r.IntN(2)]...)
		}
		for _, from := range []sniff.Format{sniff.JSON, sniff.MessagePack} {
			data := bytes.Clone(json)
			if from == sniff.MessagePack {
				var err error
				if data, err = transcode.AppendMsgpackValues(nil, json, nil); err != nil {
					t.Fatal(err)
				}
			}
			switch i % 3 {
			case 1:
				data[r.IntN(len(data))] = `{}[],:"\ 0x`[r.IntN(11)]
			case 2:
				data = data[:r.IntN(len(data))]
			}
			o := Options{From: from, To: from.Other(), Pretty: from == sniff.MessagePack && i%2 == 0, Reversible: i%5 == 0}
			const never = 1 << 30
			var want, got bytes.Buffer
			wantResult, wantErr := o.cross(&want, bytes.NewReader(data), never)
			for _, in := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data))} {
				got.Reset()
				large := []int{100, 300, 3000}[i/6%3]
				result, err := o.cross(&got, in, large)
				same := bytes.Equal(got.Bytes(), want.Bytes())
				if wantErr != nil { // of a bad value, a part may have been written
					same = bytes.HasPrefix(got.Bytes(), want.Bytes())
					if from == sniff.JSON {
						same = bytes.Equal(got.Bytes(), want.Bytes())
					}
					result.Changed, wantResult.Changed = transcode.Changed{}, transcode.Changed{}
				}
				if !same || result != wantResult || !alike(err, wantErr) {
					t.Fatalf("round %d, from %v: %s\nwritten %.300q\nwant    %.300q\n%+v, %v\n%+v, %v", i, from, shown(data, from),
						&got, &want, result, input.Brief(err), wantResult, input.Brief(wantErr))
				}
			}
			if len(data) > 200 {
				inParts++
			}
		}
	}
	t.Logf("%d large streams", inParts)
}

// alike reports whether two errors are about the same place in the input. What is
// missing at the end of the input, or after a wrong byte, has several names. A value that is
// cut and has a key twice has two errors: parts find the one that comes first.
func alike(got, want error) bool {
	if got == nil || want == nil {
		return got == want
	}
	g, ok1 := errors.AsType[*transcode.Error](got)
	w, ok2 := errors.AsType[*transcode.Error](want)
	if !ok1 || !ok2 {
		return false
	}
	if errors.Is(g, wire.ErrDuplicateKey) && errors.Is(w, wire.ErrTruncated) {
		return g.Value == w.Value && g.Offset < w.Offset
	}
	for _, reason := range []error{transcode.ErrSyntax, wire.ErrTruncated, wire.ErrDuplicateKey, wire.ErrUTF8, transcode.ErrNumber, wire.ErrReserved} {
		if errors.Is(g, reason) != errors.Is(w, reason) {
			return false
		}
	}
	return g.Value == w.Value && g.Offset == w.Offset && g.Line == w.Line && g.Column == w.Column
}

// TestLargeKeys converts large maps with unusual keys.
func TestLargeKeys(t *testing.T) {
	fill := strings.Repeat("x", 200)
	pairs := func(keys ...string) []byte {
		b := wire.AppendMapHeader(nil, uint32(len(keys)))
		for _, k := range keys {
			b = wire.AppendString(append(b, k...), fill)
		}
		return b
	}
	long := string(wire.AppendString(nil, fill))
	for _, c := range []struct {
		name string
		data []byte
		err  error
	}{
		{"integers and nil", pairs("\x01", "\x02", "\xc0", "\xa1a"), nil},
		{"the same string", pairs("\x01", "\xa11"), wire.ErrDuplicateKey},
		{"the same string, far", pairs("\xa1a", "\xa1b", "\xa1c", "\xd9\x01a"), wire.ErrDuplicateKey},
		{"long", pairs(long, "\xa1a"), nil},
		{"a map", pairs("\x81\x01\x02", "\xa1a"), nil},
		{"bin", pairs("\xc4\x01\xff", "\xa1a"), nil},
	} {
		for _, reversible := range []bool{false, true} {
			for _, pretty := range []bool{false, true} {
				o := Options{From: sniff.MessagePack, To: sniff.JSON, Reversible: reversible, Pretty: pretty}
				var want, got bytes.Buffer
				wantResult, wantErr := o.cross(&want, bytes.NewReader(c.data), 1<<30)
				result, err := o.cross(&got, bytes.NewReader(c.data), 64)
				if !reversible && !errors.Is(wantErr, c.err) {
					t.Errorf("%s: %v, want %v", c.name, wantErr, c.err)
				}
				if !alike(err, wantErr) || err == nil && (got.String() != want.String() || result != wantResult) {
					t.Errorf("%s, reversible %v, pretty %v: %v, %s\nwant %v, %s", c.name, reversible, pretty, err, &got, wantErr, &want)
				}
			}
		}
	}
}

// TestNumberAfterLargeKey converts a small number whose key is large.
func TestNumberAfterLargeKey(t *testing.T) {
	json := fmt.Appendf(nil, `{"%0200d":5,"a":[true,{"b":%0300[1]d}]}`, 1)
	json = bytes.ReplaceAll(json, []byte(":000"), []byte(":1e0"))
	o := Options{From: sniff.JSON, To: sniff.MessagePack}
	want, err := transcode.AppendMsgpack(nil, json, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, large := range []int{64, 150} {
		var got bytes.Buffer
		if _, err := o.cross(&got, bytes.NewReader(json), large); !errors.Is(err, transcode.ErrLimit) { // the other number
			t.Errorf("large %d: %v", large, err)
		}
	}
	var got bytes.Buffer
	if _, err := o.cross(&got, bytes.NewReader(json), 310); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%v: % x, want % x", err, &got, want)
	}
}

// TestNotNumber converts long text that is no number. It is not one that is too large.
func TestNotNumber(t *testing.T) {
	o := Options{From: sniff.JSON, To: sniff.MessagePack}
	for _, before := range []string{"", "[1,", "{\"a\":", "[[1"} {
		for _, rest := range []string{strings.Repeat("\x00", 500), strings.Repeat("x", 500), "nul" + strings.Repeat("x", 500), "12" + strings.Repeat("\x00", 500)} {
			_, want := transcode.ToMsgpack(io.Discard, strings.NewReader(before+rest), nil)
			_, got := o.cross(io.Discard, strings.NewReader(before+rest), 64)
			w, _ := errors.AsType[*transcode.Error](want)
			if g, ok := errors.AsType[*transcode.Error](got); !ok || !errors.Is(g, transcode.ErrSyntax) || g.Offset != w.Offset {
				t.Errorf("%s%.5q: %v, want %v", before, rest, got, want)
			}
		}
	}
}

// TestNestedIsLinear counts the bytes that are searched for the ends of values, each of which
// contains the next one.
func TestNestedIsLinear(t *testing.T) {
	const size = 1 << 20
	p := &parts{large: size, limit: size, r: bufio.NewReaderSize(bytes.NewReader(make([]byte, 4*size)), 2*size)}
	searched := 0
	var nested func(levels int) error
	nested = func(levels int) error {
		data, n, err := p.some(1, func(b []byte) (int, bool) { searched += len(b); return 0, false })
		if len(data) > 0 || n > 0 || err != nil {
			t.Fatal(len(data), n, err)
		}
		if levels == 0 {
			return nil
		}
		return p.inside(func() error { return nested(levels - 1) })
	}
	if err := nested(500); err != nil || p.limit != size {
		t.Fatal(err, p.limit)
	}
	if searched > 8*size {
		t.Errorf("%d bytes were searched", searched)
	}
}

// TestLargeMemory converts a long array of 16 MB, and counts the bytes that the reader had
// given when the first were written: those of the batches of package transcode.
func TestLargeMemory(t *testing.T) {
	one := wire.AppendArrayHeader(nil, 1<<23)
	in := &countingReader{r: io.MultiReader(bytes.NewReader(one), bytes.NewReader(bytes.Repeat([]byte{0x91, 0x07}, 1<<23)))}
	first := int64(-1)
	o := Options{From: sniff.MessagePack, To: sniff.JSON}
	result, err := o.cross(writerFunc(func(p []byte) (int, error) {
		if first < 0 {
			first = in.n.Load()
		}
		return len(p), nil
	}), in, 1<<12)
	if err != nil || result.Values != 1 || first > 4<<20 {
		t.Errorf("%+v, %v; %d bytes were read before the first were written", result, err, first)
	}
}

// A countingReader is read by another goroutine than the one that writes.
type countingReader struct {
	r io.Reader
	n atomic.Int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func shown(data []byte, format sniff.Format) string {
	data = data[max(0, len(data)-300):]
	if format == sniff.MessagePack {
		return fmt.Sprintf("%d: % x", len(data), data[max(0, len(data)-40):])
	}
	return string(data)
}
