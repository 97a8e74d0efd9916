package record

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record/internal/xxh64"
)

// TestFinder compares the search for markers with a plain one, at every position
// and with near misses.
func TestFinder(t *testing.T) {
	m := newMarker()
	f := newFinder(m)
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		b := make([]byte, r.IntN(60))
		for i := range b {
			b[i] = "octe-r\x82"[r.IntN(7)]
		}
		for range r.IntN(3) {
			text := m[:]
			if r.IntN(2) == 0 {
				text = []byte(name)
			}
			from := r.IntN(3) / 2 * r.IntN(len(text))
			if at := r.IntN(len(b) + 1); r.IntN(2) == 0 {
				copy(b[at:], text[from:])
			} else {
				b = slices.Insert(b, at, text[from:]...)
			}
		}
		from := r.IntN(len(b) + 1)
		want, wantName := -1, false
		if i := bytes.Index(b[from:], m[:]); i >= 0 {
			want = from + i
		}
		if i := bytes.Index(b[from:], []byte(name)); i >= 0 && (want < 0 || from+i < want) {
			want, wantName = from+i, true
		}
		for _, f.vector = range []bool{false, true} {
			if got, gotName := f.next(b, from); got != want || gotName != wantName {
				t.Fatalf("next(%q, %d) is %d, %v, want %d, %v; vector %v", b, from, got, gotName, want, wantName, f.vector)
			}
		}
	}
}

// TestStoredFrames makes frames of hostile and large contents, and reads them.
func TestStoredFrames(t *testing.T) {
	m := newMarker()
	f := newFinder(m)
	r := rand.New(rand.NewPCG(2, 2))
	var cuts []int
	for i := range 400 {
		n := r.IntN(300)
		if i%40 == 0 {
			n = maxRaw*r.IntN(4) + r.IntN(3) // at the limits of a zstd block
		}
		content := make([]byte, n+1)
		for at := 0; at < len(content) && r.IntN(3) > 0; at += 1 + r.IntN(40) {
			if r.IntN(2) == 0 {
				copy(content[at:], m[:])
			} else {
				copy(content[at:], name)
			}
		}
		var b []byte
		b, cuts = storeFrame(append(make([]byte, headroom), content...), f, cuts)
		frame := b[blockHeaderSize:]
		if f.contains(frame) {
			t.Fatalf("a frame of %d bytes has a marker", len(content))
		}
		if int64(len(frame)) > maxStored(len(content)) || len(frame) < minFrame {
			t.Fatalf("a frame of %d bytes is %d long", len(content), len(frame))
		}
		for cut := range len(frame) {
			if cut%(1+len(frame)/50) == 0 {
				if _, kind := joinFrame(bytes.Clone(frame[:cut]), len(content)); kind == frameStored {
					t.Fatalf("a frame cut at %d is valid", cut)
				}
			}
		}
		sum := frameEnd(frame)
		got, kind := joinFrame(frame, len(content))
		if kind != frameStored || !bytes.Equal(got, content) || !contentMatches(sum, got) {
			t.Fatalf("a frame of %d bytes is %d bytes, kind %d", len(content), len(got), kind)
		}
	}
}

// TestMarkerInChecksum makes a frame whose content and checksum together are a
// marker. The last zstd block is then empty.
func TestMarkerInChecksum(t *testing.T) {
	content := []byte("a record")
	sum := uint32(xxh64.Sum(content))
	m := marker{0: 'r', 1: 'e', 2: 'c', 3: 'o', 4: 'r', 5: 'd', 6: byte(sum), 7: byte(sum >> 8), 8: byte(sum >> 16), 9: byte(sum >> 24)}
	copy(m[10:], "]*M\x18") // as if it went on in the next frame
	f := newFinder(m)
	_, cuts := storeFrame(append(make([]byte, headroom), content...), f, nil)
	if len(cuts) != 0 {
		t.Errorf("cuts %d for a marker that is longer than the checksum", cuts)
	}
	copy(m[:], "is a long record")
	long := append([]byte("this "), m[:14]...)
	for i := range 1 << 20 { // look for a content whose checksum begins like the end of m
		long[0], long[1], long[2] = byte(i), byte(i>>8), byte(i>>16)
		if sum := xxh64.Sum(long); byte(sum) == m[14] && byte(sum>>8) == m[15] {
			break
		}
	}
	f = newFinder(m)
	frame, cuts := storeFrame(append(make([]byte, headroom), long...), f, nil)
	frame = frame[blockHeaderSize:]
	if len(cuts) != 1 || f.contains(frame) {
		t.Fatalf("cuts %d in % x", cuts, frame)
	}
	if got, kind := joinFrame(frame, len(long)); kind != frameStored || !bytes.Equal(got, long) {
		t.Errorf("%q, kind %d", got, kind)
	}
}

// TestForeignFrames reads frames that other writers may make.
func TestForeignFrames(t *testing.T) {
	content := []byte("hello")
	sum := uint32(xxh64.Sum(content))
	tail := append([]byte{byte(len(content)<<3 | 1), 0, 0}, content...)
	tail = append(tail, byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
	magic := []byte{0x28, 0xb5, 0x2f, 0xfd}
	for _, c := range []struct {
		name   string
		header []byte
		want   frameKind
	}{
		{"size in one byte", []byte{0x24, 5}, frameStored},
		{"size in four bytes", []byte{0xa4, 5, 0, 0, 0}, frameStored},
		{"size in eight bytes", []byte{0xe4, 5, 0, 0, 0, 0, 0, 0, 0}, frameStored},
		{"window", []byte{0x04, 0}, frameStored},
		{"window and size", []byte{0x84, 0, 5, 0, 0, 0}, frameStored},
		{"wrong size", []byte{0x24, 6}, frameBroken},
		{"size in two bytes, at least 256", []byte{0x64, 5, 0}, frameBroken},
		{"no checksum", []byte{0x20, 5}, frameBroken},
		{"dictionary", []byte{0x25, 1, 5}, frameBroken},
		{"reserved bit", []byte{0x2c, 5}, frameBroken},
	} {
		got, kind := joinFrame(slices.Concat(magic, c.header, tail), len(content))
		if kind != c.want || kind == frameStored && !bytes.Equal(got, content) {
			t.Errorf("%s: %q, kind %d, want %d", c.name, got, kind, c.want)
		}
	}
	compressed := slices.Concat(magic, []byte{0x24, 5}, tail)
	compressed[6] |= 4
	if _, kind := joinFrame(compressed, len(content)); kind != frameCompressed {
		t.Errorf("kind %d", kind)
	}
}

// TestFileHeader checks versions, metadata and limits.
func TestFileHeader(t *testing.T) {
	o := Options{Metadata: map[string]any{"a": "b", "n": int64(1)}}
	file := writeTo(t, o, 0, numbered(1, 0))
	f := open(t, file)
	if m := f.Metadata(); len(m) != 2 || m["a"] != "b" || m["n"] != int64(1) {
		t.Errorf("metadata %v", m)
	}
	newer := bytes.Clone(file)
	newer[fileVersionAt] = 2
	fixChecksums(newer)
	if _, err := NewFile(bytes.NewReader(newer), int64(len(newer)), nil); !errors.Is(err, ErrVersion) || err.Error() != "record: version 2 at offset 0: unsupported version of the format" {
		t.Errorf("a newer version: %v", err)
	}
	for name, m := range map[string]map[string]any{
		"the name":        {"format": "octet-rec"},
		"a large value":   {"a": string(make([]byte, maxHeaderBytes))},
		"an unknown type": {"a": func() {}},
	} {
		if _, err := NewWriter(new(bytes.Buffer), &Options{Metadata: m}); !errors.Is(err, ErrOptions) && !errors.Is(err, ErrLimit) {
			t.Errorf("metadata with %s: %v", name, err)
		}
	}
	for range 100 {
		for _, b := range newMarker() {
			if b&0x82 != 0x82 {
				t.Fatalf("marker byte %#x", b)
			}
		}
	}
}

// TestMetadataValues reads metadata with values that cannot be decoded, and describes another file by them, as programs do
// that join files.
func TestMetadataValues(t *testing.T) {
	for name, v := range map[string]any{
		"str":           "b",
		"key of bytes":  msgpack.Raw{0x81, 0xc4, 1, 'a', 1},
		"inside":        []any{1, msgpack.Raw{0x81, 0xc4, 1, 'a', 1}},
		"key of arrays": msgpack.Raw{0x81, 0x91, 1, 1},
		"key of nil":    msgpack.Raw{0x81, 0xc0, 1},
		"nil":           nil,
	} {
		f := open(t, writeTo(t, Options{Metadata: map[string]any{"v": v, "a": "b"}}, 0, numbered(1, 0)))
		again := open(t, writeTo(t, Options{Metadata: f.Metadata()}, 0, numbered(1, 0)))
		if m := f.Metadata(); len(m) != 2 || m["a"] != "b" || !bytes.Equal(again.header.info, f.header.info) {
			t.Errorf("%s: %v, written again % x, want % x", name, m, again.header.info, f.header.info)
		}
	}
	if m := open(t, writeTo(t, Options{}, 0, numbered(1, 0))).Metadata(); m != nil {
		t.Errorf("a file without metadata has %v", m)
	}
}

func TestOptions(t *testing.T) {
	const blockRange, maxRange = " is not in the range 1024 to 67108864: invalid option", " is not in the range 1024 to 134217728: invalid option"
	for want, o := range map[string]Options{
		"BlockSize 1" + blockRange:                                  {BlockSize: 1},
		"BlockSize 1023" + blockRange:                               {BlockSize: minBlock - 1},
		"BlockSize 67108865" + blockRange:                           {BlockSize: largestBlock + 1},
		"BlockSize -1" + blockRange:                                 {BlockSize: -1},
		"MaxBlock 1" + maxRange:                                     {MaxBlock: 1},
		"MaxBlock -1" + maxRange:                                    {MaxBlock: -1},
		"MaxBlock 134217729" + maxRange:                             {MaxBlock: largestMax + 1},
		"MaxBlock 1024 is less than BlockSize 2048: invalid option": {BlockSize: 2 * minBlock, MaxBlock: minBlock},
		"SyncEvery -1ns is negative: invalid option":                {SyncEvery: -1},
		"Schema without a type: invalid option":                     {Schema: new(schema.Schema)},
	} {
		if _, err := NewWriter(new(bytes.Buffer), &o); !errors.Is(err, ErrOptions) || err.Error() != "record: "+want {
			t.Errorf("%+v: %v", o, err)
		}
		if _, err := NewFile(bytes.NewReader(nil), 0, &o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
		if s := NewScanner(bytes.NewReader(nil), &o); s.Scan() || !errors.Is(s.Err(), ErrOptions) {
			t.Errorf("%+v: %v", o, s.Err())
		}
	}
	for _, o := range []Options{{}, {BlockSize: minBlock}, {BlockSize: largestBlock}, {MaxBlock: minBlock}, {MaxBlock: largestMax}} {
		if _, err := NewWriter(new(bytes.Buffer), &o); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
