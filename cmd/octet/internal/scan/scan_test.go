package scan

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// sample returns a stream with every kind of value and every role.
func sample() []byte {
	b := wire.AppendMapHeader(nil, 3)
	b = wire.AppendString(b, "users")
	b = wire.AppendArrayHeader(b, 2)
	b = wire.AppendNil(b)
	b = wire.AppendMapHeader(b, 2)
	b = wire.AppendString(b, "full name")
	b = wire.AppendString(b, strings.Repeat("é", 200))
	b = wire.AppendInt(b, -70000)
	b = wire.AppendBin(b, []byte{1, 2, 3})
	b = wire.AppendArrayHeader(b, 1)
	b = wire.AppendBool(b, true)
	b = wire.AppendFloat64(b, 1.5)
	b = wire.AppendUint(b, 1<<63)
	b = wire.AppendTimestamp(b, 1, 5)
	b = wire.AppendString(b, "next value of the stream")
	return wire.AppendArrayHeader(b, 0)
}

// dump reads all tokens and returns one line per token, then the error.
func dump(r io.Reader) (lines []string, err error) {
	s := New(r, 0)
	for {
		t, err := s.Next()
		if err != nil {
			return lines, err
		}
		line := fmt.Sprintf("%d %d %q %s role=%d index=%d last=%v", t.Offset, t.Depth, s.Path(), t.Format, t.Role, t.Index, t.Last)
		payload := []byte{}
		for s.Rest() > 0 {
			part, err := s.Payload(7)
			payload = append(payload, part...)
			if err != nil {
				return append(lines, line), err
			}
		}
		lines = append(lines, line+" "+hex.EncodeToString(payload))
	}
}

func TestTokens(t *testing.T) {
	got, err := dump(bytes.NewReader(sample()))
	if err != io.EOF {
		t.Fatalf("err = %v, want io.EOF", err)
	}
	long := hex.EncodeToString([]byte(strings.Repeat("é", 200)))
	want := []string{
		`0 0 "" fixmap role=0 index=0 last=false `,
		`1 1 "{0}" fixstr role=2 index=0 last=false 7573657273`,
		`7 1 "users" fixarray role=3 index=0 last=false `,
		`8 2 "users[0]" nil role=1 index=0 last=false `,
		`9 2 "users[1]" fixmap role=1 index=1 last=true `,
		`10 3 "users[1]{0}" fixstr role=2 index=0 last=false 66756c6c206e616d65`,
		`20 3 "users[1][\"full name\"]" str 16 role=3 index=0 last=false ` + long,
		`423 3 "users[1]{1}" int 32 role=2 index=1 last=true fffeee90`,
		`428 3 "users[1][-70000]" bin 8 role=3 index=1 last=true 010203`,
		`433 1 "{1}" fixarray role=2 index=1 last=false `,
		`434 2 "{1}[0]" true role=1 index=0 last=true `,
		`435 1 "{1}" float 64 role=3 index=1 last=false 3ff8000000000000`,
		`444 1 "{2}" uint 64 role=2 index=2 last=true 8000000000000000`,
		`453 1 "[9223372036854775808]" fixext 8 role=3 index=2 last=true 0000001400000001`,
		`463 0 "" fixstr role=0 index=1 last=false ` + hex.EncodeToString([]byte("next value of the stream")),
		`488 0 "" fixarray role=0 index=2 last=false `,
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("token %d:\ngot  %q\nwant %q", i, got[min(i, len(got)):], want[min(i, len(want)):])
		}
	}
}

// TestSlowReader checks that tokens and faults do not depend on how many bytes
// each read returns.
func TestSlowReader(t *testing.T) {
	for cut := range len(sample()) + 1 {
		data := sample()[:cut]
		want, wantErr := dump(bytes.NewReader(data))
		random := rand.New(rand.NewPCG(1, uint64(cut)))
		got, gotErr := dump(&randomReader{data, random})
		if strings.Join(got, "\n") != strings.Join(want, "\n") || gotErr.Error() != wantErr.Error() {
			t.Fatalf("cut at %d: got %q, %v; want %q, %v", cut, got, gotErr, want, wantErr)
		}
	}
}

// randomReader returns 0 to 8 bytes per read.
type randomReader struct {
	data   []byte
	random *rand.Rand
}

func (m *randomReader) Read(p []byte) (int, error) {
	if len(m.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), m.random.IntN(9))], m.data)
	m.data = m.data[n:]
	return n, nil
}

// TestTruncations checks that every cut inside a value is a fault at the end of
// the input.
func TestTruncations(t *testing.T) {
	data := sample()
	ends := map[int]bool{0: true, 463: true, 488: true, 489: true}
	for cut := range len(data) + 1 {
		_, err := dump(bytes.NewReader(data[:cut]))
		if ends[cut] {
			if err != io.EOF {
				t.Errorf("cut at %d: %v, want io.EOF", cut, err)
			}
			continue
		}
		var f *Fault
		if !errors.As(err, &f) || !errors.Is(err, wire.ErrTruncated) {
			t.Errorf("cut at %d: %v, want a truncation", cut, err)
			continue
		}
		if f.Offset > int64(cut) || f.End != int64(cut) || f.Start+int64(len(f.Window)) != int64(cut) {
			t.Errorf("cut at %d: fault %d to %d, window from %d of %d bytes", cut, f.Offset, f.End, f.Start, len(f.Window))
		}
	}
}

func TestFaults(t *testing.T) {
	deep := strings.Repeat("91", wire.MaxDepth)
	for _, c := range []struct{ name, hex, want string }{
		{"count of 2^32-1", "ddffffffff",
			"offset 5 ([0]): truncated input: expected 4294967295 more elements of the array 32 at offset 0, found the end of the input"},
		{"pairs of 2^32-1", "dfffffffff",
			"offset 5 ({0}): truncated input: expected 4294967295 more pairs of the map 32 at offset 0, found the end of the input"},
		{"str of 4 GiB", "81a161dbffffffff6162",
			"offset 3 (a): truncated input: expected 4294967295 bytes after the header of the str 32, found 2, then the end of the input"},
		{"no value", "82a16101a162",
			"offset 6 (b): truncated input: expected the value of the last key of the fixmap at offset 0, found the end of the input"},
		{"half a header", "01cd",
			"offset 1: truncated input: expected 2 bytes after the header of the uint 16, found 0, then the end of the input"},
		{"half a length", "01da01",
			"offset 1: truncated input: expected the length of the str 16, found 2 bytes, then the end of the input"},
		{"reserved byte", "9201c1",
			"offset 2 ([1]): reserved format byte c1: expected the first byte of a value, found 0xc1"},
		{"too deep", deep + "90",
			"offset 512 (" + strings.Repeat("[0]", 13) + "[ … ]" + strings.Repeat("[0]", 13) + "): nested too deeply: expected at most 512 containers inside each other, found another fixarray"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, _ := hex.DecodeString(c.hex)
			_, err := dump(iotest.OneByteReader(bytes.NewReader(data)))
			if err == nil || err.Error() != c.want {
				t.Errorf("\ngot  %v\nwant %s", err, c.want)
			}
		})
	}
	data, _ := hex.DecodeString(deep + "01")
	if _, err := dump(bytes.NewReader(data)); err != io.EOF {
		t.Errorf("a value inside %d containers: %v, want io.EOF", wire.MaxDepth, err)
	}
}

// TestPathKeys checks the path of a nil below keys of every kind.
func TestPathKeys(t *testing.T) {
	long := strings.Repeat("k", 60)
	for _, c := range []struct {
		name string
		key  []byte
		want string
	}{
		{"identifier", wire.AppendString(nil, "größe_2"), "größe_2"},
		{"not an identifier", wire.AppendString(nil, "2nd"), `["2nd"]`},
		{"empty", wire.AppendString(nil, ""), `[""]`},
		{"quotes and control characters", wire.AppendString(nil, "a\"\n"), `["a\"\n"]`},
		{"invalid UTF-8", wire.AppendString(nil, "\xff"), `["\xff"]`},
		{"long", wire.AppendString(nil, long), `["` + long[:48] + `…"]`},
		{"longest key", wire.AppendString(nil, long[:48]), long[:48]},
		{"integer", wire.AppendInt(nil, -5), "[-5]"},
		{"large integer", wire.AppendUint(nil, 1<<64-1), "[18446744073709551615]"},
		{"bool", wire.AppendBool(nil, true), "{0}"},
		{"bin", wire.AppendBin(nil, []byte("k")), "{0}"},
		{"array", wire.AppendArrayHeader(nil, 0), "{0}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(bytes.NewReader(wire.AppendNil(append([]byte{0x81}, c.key...))), 0)
			for range 3 {
				if _, err := s.Next(); err != nil {
					t.Fatal(err)
				}
			}
			if got := s.Path(); got != c.want {
				t.Errorf("path %s, want %s", got, c.want)
			}
		})
	}
}

// TestOpen checks that Open counts a container until its last byte has been
// consumed.
func TestOpen(t *testing.T) {
	s := New(bytes.NewReader(wire.AppendString([]byte{0x91, 0x91}, "ab")), 0)
	for _, want := range []int{1, 2, 2} {
		s.Next()
		if got := s.Open(); got != want {
			t.Errorf("%d containers open, want %d", got, want)
		}
	}
	for _, want := range []int{2, 0} {
		s.Payload(1)
		if got := s.Open(); got != want {
			t.Errorf("%d containers open, %d bytes to come, want %d", got, s.Rest(), want)
		}
	}
}

// TestReaderErrors checks that an error of the reader is returned unchanged,
// never as a fault.
func TestReaderErrors(t *testing.T) {
	broken := errors.New("broken")
	for cut := range len(sample()) {
		_, err := dump(io.MultiReader(bytes.NewReader(sample()[:cut]), iotest.ErrReader(broken)))
		if err != broken {
			t.Errorf("reader that fails at offset %d: err = %v", cut, err)
		}
	}
	if _, err := dump(stuck{}); err != errNoProgress {
		t.Errorf("reader that returns nothing: err = %v", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// TestShortInput reads many short inputs, as a conversion that skips bad values does. Each takes little memory.
func TestShortInput(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		if _, err := New(strings.NewReader("\x01"), 0).Next(); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 100*16<<10 {
		t.Errorf("100 inputs of one byte take %d bytes", used)
	}
}

// wrongCount is a reader that returns an invalid count.
type wrongCount int

func (n wrongCount) Read(b []byte) (int, error) {
	if n < 0 {
		return int(n), nil
	}
	return len(b) + int(n), nil
}

func TestReaderCounts(t *testing.T) {
	for _, n := range []wrongCount{-1, 1, 1 << 30} {
		if _, err := New(n, 0).Next(); err != errReadCount {
			t.Errorf("count %d: %v", n, err)
		}
	}
}

// TestMemory reads headers and payloads that are much larger than the memory
// the test allows.
func TestMemory(t *testing.T) {
	const payload = 1 << 28
	header := wire.AppendBinHeader(nil, payload)
	inputs := map[string]io.Reader{
		"a payload of 256 MiB": io.MultiReader(bytes.NewReader(header), io.LimitReader(zeros{}, payload)),
		"2^17 false headers":   bytes.NewReader(bytes.Repeat([]byte{0xdd, 0xff, 0xff, 0xff, 0xff}, 1<<17)),
		"10^6 small values":    io.LimitReader(zeros{}, 1e6),
	}
	for name, r := range inputs {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s := New(r, 0)
			var err error
			for err == nil {
				_, err = s.Next()
			}
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
				t.Errorf("allocated %d bytes in total", got)
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func FuzzScanner(f *testing.F) {
	f.Add(sample())
	f.Add([]byte{0xdd, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{0x81, 0xc1})
	f.Fuzz(func(t *testing.T, data []byte) {
		heaptest.AtMost(t, 1<<20, func() {
			for s := New(bytes.NewReader(data), 0); ; {
				if _, err := s.Next(); err != nil {
					return
				}
			}
		})
		_, err := dump(bytes.NewReader(data)) // with the path of each value, which takes more memory the deeper it is
		valid := true
		for rest := data; len(rest) > 0; {
			n, err := wire.Skip(rest, wire.MaxDepth)
			if err == wire.ErrTimestamp {
				return // the scanner does not check the content of payloads
			}
			if err != nil {
				valid = false
				break
			}
			rest = rest[n:]
		}
		if valid != (err == io.EOF) {
			t.Errorf("%x: wire.Skip found valid=%v, the scanner returned %v", data, valid, err)
		}
	})
}
