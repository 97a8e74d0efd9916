package record

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// FuzzAppend appends records to any file. The file keeps all records that it had,
// or it is refused and does not change, except for a torn end.
func FuzzAppend(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, file []byte, fix bool) {
		file = prepare(file, fix)
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		before, beforeErr := readAll(file)
		added := numbered(5, 100)
		w, err := Append(path, &fuzzOptions)
		if err != nil {
			if after, e := os.ReadFile(path); e != nil || !bytes.Equal(after, file) {
				t.Fatalf("refused with %v, but changed from %d to %d bytes, %v", err, len(file), len(after), e)
			}
			return
		}
		for _, r := range added {
			if err := w.WriteRaw(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(after)
		if beforeErr == nil && (err != nil || !same(got, append(before, added...))) {
			t.Fatalf("%d records and %d more became %d, %v", len(before), len(added), len(got), err)
		}
		if beforeErr != nil && len(got) < len(before) {
			t.Fatalf("of %d records before an error %d are left", len(before), len(got))
		}
	})
}

// FuzzScanner reads any bytes as a stream in pieces. The records are those of the
// whole, and the memory stays within what blocks may need.
func FuzzScanner(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, file []byte, fix bool) {
		file = prepare(file, fix)
		want, whole := scanAll(file, fuzzOptions)
		var got []msgpack.Raw
		var s *Scanner
		copied := 0
		for _, raw := range want {
			copied += len(raw) + 128
		}
		heaptest.AtMost(t, 8*fuzzOptions.MaxBlock+4*copied+1<<20, func() {
			got, s = nil, NewScanner(iotest.HalfReader(bytes.NewReader(file)), &fuzzOptions)
			for s.Scan() {
				got = append(got, bytes.Clone(s.Raw()))
			}
		})
		if !same(got, want) || (s.Err() == nil) != (whole.Err() == nil) {
			t.Fatalf("in pieces %d records, %v; at once %d, %v", len(got), s.Err(), len(want), whole.Err())
		}
		if r := s.Report(); s.Err() == nil && (r.Records != int64(len(got)) || r.Torn < 0 || r.Torn > int64(len(file))) {
			t.Errorf("%d records, report %+v", len(got), r)
		}
	})
}

// FuzzCopy copies any file into a new one. The copy can be read. If everything was
// copied, it has the same records.
func FuzzCopy(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, file []byte, fix bool) {
		file = prepare(file, fix)
		in, err := NewFile(bytes.NewReader(file), int64(len(file)), &fuzzOptions)
		if err != nil {
			return
		}
		want, wantErr := collect(All[msgpack.Raw](in))
		var out bytes.Buffer
		w, err := NewWriter(&out, &fuzzOptions)
		if err != nil {
			t.Fatal(err)
		}
		n, err := w.Copy(in, in.Range())
		if closed := w.Close(); closed != nil {
			t.Fatal(closed)
		}
		// Copy does not look inside the blocks, which All does.
		got, e := readAll(out.Bytes())
		if err == nil && wantErr == nil && (e != nil || !same(got, want) || n != int64(len(want))) {
			t.Fatalf("%d of %d records, then %d, %v", n, len(want), len(got), e)
		}
		if err != nil && wantErr == nil {
			t.Fatalf("%d records are read, but not copied: %v", len(want), err)
		}
	})
}

// FuzzFrame reads any bytes as a frame of zstd, and makes a frame of them, in which
// no marker may occur.
func FuzzFrame(f *testing.F) {
	var m marker
	for i := range m {
		m[i] = byte(i*7) | 0x82
	}
	find := newFinder(m)
	for _, content := range [][]byte{{1}, m[:], bytes.Repeat(m[:], 3), bytes.Repeat([]byte{0}, 300)} {
		frame, _ := storeFrame(append(make([]byte, headroom), content...), find, nil)
		f.Add(frame[blockHeaderSize:], uint16(len(content)))
		f.Add(content, uint16(7))
	}
	f.Add([]byte("\x28\xb5\x2f\xfd\xe4\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00"), uint16(1))
	f.Fuzz(func(t *testing.T, b []byte, raw uint16) {
		c, ok := parseFrame(b)
		if ok && c.blocks > len(b) {
			t.Fatalf("%+v in %d bytes", c, len(b))
		}
		content, kind := joinFrame(bytes.Clone(b), int(raw))
		if kind == frameStored && len(content) != int(raw) {
			t.Fatalf("%d bytes of %d", len(content), raw)
		}

		if len(b) == 0 {
			return
		}
		stored, _ := storeFrame(append(make([]byte, headroom), b...), find, nil)
		frame := stored[blockHeaderSize:]
		if int64(len(frame)) > maxStored(len(b)) || find.contains(frame) {
			t.Fatalf("a frame of %d bytes for % x", len(frame), b)
		}
		content, kind = joinFrame(bytes.Clone(frame), len(b))
		if kind != frameStored || !bytes.Equal(content, b) {
			t.Fatalf("% x became % x", b, content)
		}
	})
}

// FuzzWriteRaw writes any bytes as one record. They are accepted if and only if
// they are one value.
func FuzzWriteRaw(f *testing.F) {
	for _, s := range []string{"", "\xc0", "\xc0\xc0", "\x92\x01", "\xc1", "\xd6\xff\x00\x00\x00\x01", "\xdd\xff\xff\xff\xff", strings.Repeat("\x91", wire.MaxDepth+1) + "\xc0"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var out bytes.Buffer
		w, err := NewWriter(&out, &fuzzOptions)
		if err != nil {
			t.Fatal(err)
		}
		n, invalid := wire.Skip(b, math.MaxInt32) // a record may be nested without a limit
		err = w.WriteRaw(b)
		if (err == nil) != (invalid == nil && n == len(b) && n <= fuzzOptions.MaxBlock) {
			t.Fatalf("% x: %v; Skip %d, %v", b, err, n, invalid)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, scanner := scanAll(out.Bytes(), fuzzOptions)
		e := scanner.Err()
		if err == nil && (e != nil || len(got) != 1 || !bytes.Equal(got[0], b)) || err != nil && (len(got) > 0 || e != nil) {
			t.Fatalf("% x became % x, %v", b, got, e)
		}
	})
}
