package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record/internal/xxh64"
)

// A repeater compresses blocks of one repeated byte: the zstd frame has one RLE block. It stores other blocks. The
// change is applied to the frame or the content.
type repeater struct {
	change func(b []byte) ([]byte, error)
}

var errCompress = errors.New("compressor failed")

func (r repeater) Compress(dst, src []byte) ([]byte, error) {
	start := len(dst)
	const descriptor = 2<<6 | 1<<5 | 1<<2 // 4 bytes for the size, single segment, checksum
	dst = binary.LittleEndian.AppendUint32(dst, magicFrame)
	dst = append(dst, descriptor)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(src)))
	if bytes.Count(src, src[:1]) == len(src) {
		header := 1 | 1<<1 | uint32(len(src))<<3 // the last block, RLE
		dst = append(dst, byte(header), byte(header>>8), byte(header>>16), src[0])
	} else {
		header := 1 | uint32(len(src))<<3
		dst = append(dst, byte(header), byte(header>>8), byte(header>>16))
		dst = append(dst, src...)
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(xxh64.Sum(src)))
	if r.change == nil {
		return dst, nil
	}
	frame, err := r.change(dst[start:])
	return append(dst[:start:start], frame...), err
}

func (r repeater) Decompress(dst, frame []byte) ([]byte, error) {
	size := int(binary.LittleEndian.Uint32(frame[5:]))
	content := bytes.Repeat(frame[12:13], size)
	if r.change != nil {
		var err error
		if content, err = r.change(content); err != nil {
			return nil, err
		}
	}
	return append(dst, content...), nil
}

// nils returns n records that are nil, which repeater compresses.
func nils(n int) []msgpack.Raw {
	list := make([]msgpack.Raw, n)
	for i := range list {
		list[i] = msgpack.Raw{0xc0}
	}
	return list
}

// TestCompressor writes blocks that become smaller and blocks that do not.
func TestCompressor(t *testing.T) {
	records := append(nils(1000), numbered(50, 0)...)
	file := writeTo(t, Options{Compressor: repeater{}}, 1000, records)
	if stored := writeTo(t, Options{}, 1000, records); len(file) > len(stored)-900 {
		t.Errorf("%d bytes, without compression %d", len(file), len(stored))
	}
	checkFile(t, file, records, Options{Decompressor: repeater{}})
	f := open(t, file)
	if list, err := collect(All[msgpack.Raw](f)); !errors.Is(err, ErrCompressed) || len(list) != 0 {
		t.Errorf("without a Decompressor: %d records, %v", len(list), err)
	}
}

// TestFailingCompressor requires that a wrong frame is an error of the Writer and is never written to the file.
func TestFailingCompressor(t *testing.T) {
	for want, change := range map[string]func(b []byte) ([]byte, error){
		"compressor failed": func(b []byte) ([]byte, error) { return b, errCompress },
		"frame of the Compressor without checksum or size": func(b []byte) ([]byte, error) { b[4] &^= 1 << 2; return b, nil },
		"of the Compressor without checksum or siz":        func(b []byte) ([]byte, error) { b[5]++; return b, nil },
		"frame of the Compressor without checksum":         func(b []byte) ([]byte, error) { return nil, nil },
		"result of the Compressor that is not one whole":   func(b []byte) ([]byte, error) { return append(b, emptySkippable...), nil },
		"of the Compressor that is not one whole frame":    func(b []byte) ([]byte, error) { return b[:len(b)-1], nil },
	} {
		var out bytes.Buffer
		w, err := NewWriter(&out, &Options{Compressor: repeater{change}})
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteSlice(w, make([]any, 1000)); err != nil {
			t.Fatal(err)
		}
		first := w.Flush()
		if first == nil || !strings.Contains(first.Error(), want) {
			t.Errorf("Flush: %v, want %s", first, want)
		}
		if err := w.Close(); err != first {
			t.Errorf("Close: %v, want %v", err, first)
		}
		if list, err := collect(All[msgpack.Raw](open(t, out.Bytes()))); err != nil || len(list) > 0 {
			t.Errorf("%s: the file has %d records, %v", want, len(list), err)
		}
	}
	w, err := NewWriter(new(bytes.Buffer), &Options{Compressor: dropping{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(nil), w.Flush()); err == nil || !strings.Contains(err.Error(), "Compressor that did not append") {
		t.Errorf("a Compressor that drops dst: %v", err)
	}
	w.Close()
}

const emptySkippable = "\x50\x2a\x4d\x18\x00\x00\x00\x00"

// TestSurplusFrames reads blocks that have more or less than one zstd frame, with a Decompressor that does not notice.
// All readers must refuse them, because Recover does.
func TestSurplusFrames(t *testing.T) {
	whole, _ := repeater{}.Compress(nil, bytes.Repeat([]byte{0xc0}, 1000))
	empty, _ := repeater{}.Compress(nil, []byte{0})
	empty = append(empty[:5:5], 0, 0, 0, 0, 1, 0, 0, 0x99, 0xe9, 0xd8, 0x51)
	for name, c := range map[string]struct {
		frame []byte
		want  int64
	}{
		"one frame":              {whole, 1000},
		"a skippable frame":      {append(bytes.Clone(whole), emptySkippable...), 0},
		"an empty frame":         {slices.Concat(whole, empty), 0},
		"one more byte":          {append(bytes.Clone(whole), 0), 0},
		"one byte less":          {whole[:len(whole)-1], 0},
		"a block after the last": {slices.Concat(whole[:13], []byte{1, 0, 0}, whole[13:]), 0},
		"a reserved block":       {append(append(bytes.Clone(whole[:9]), whole[9]|6), whole[10:]...), 0},
	} {
		o, _ := checked(nil)
		h, err := newFileHeader(&o)
		if err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		w := newBlockWriter(&buf, &o, h)
		w.write(h.bytes())
		if err := w.emit(append(make([]byte, blockHeaderSize), c.frame...), &blockHeader{raw: 1000, records: 1000, crc: checksum(c.frame)}); err != nil {
			t.Fatal(err)
		}
		o.Decompressor = repeater{}
		list, err := collect(All[msgpack.Raw](open(t, buf.Bytes(), o)))
		if int64(len(list)) != c.want || c.want == 0 && !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: All: %d records, %v", name, len(list), err)
		}
		list, s := scanAll(buf.Bytes(), o)
		if int64(len(list)) != c.want || c.want == 0 && !errors.Is(s.Err(), ErrCorrupt) {
			t.Errorf("%s: Scanner: %d records, %v", name, len(list), s.Err())
		}
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, buf.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		if r, err := Recover(path, "", &o); err != nil || r.Records != c.want {
			t.Errorf("%s: Recover: %v, %v", name, r, err)
		}
	}
}

// dropping is a Compressor that returns empty frames.
type dropping struct{}

func (dropping) Compress(dst, src []byte) ([]byte, error) { return nil, nil }

// TestFailingDecompressor requires that wrong contents are ErrCorrupt.
func TestFailingDecompressor(t *testing.T) {
	file := writeTo(t, Options{Compressor: repeater{}}, 0, nils(1000))
	for want, change := range map[string]func(b []byte) ([]byte, error){
		"compressed block that cannot be read (compressor failed)": func(b []byte) ([]byte, error) { return b, errCompress },
		"compressed block with a wrong length":                     func(b []byte) ([]byte, error) { return b[1:], nil },
		"block with a wrong length":                                func(b []byte) ([]byte, error) { return nil, nil },
	} {
		o := Options{Decompressor: repeater{change}}
		if _, err := collect(All[msgpack.Raw](open(t, file, o))); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("All: %v, want %s", err, want)
		}
		if _, s := scanAll(file, o); !errors.Is(s.Err(), ErrCorrupt) {
			t.Errorf("Scanner: %v, want %s", s.Err(), want)
		}
	}
	// Only Recover compares the content with the checksum of the frame.
	path := filepath.Join(t.TempDir(), "a.rec")
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	for change, damaged := range map[string]bool{"": false, "changed": true} {
		o := Options{Decompressor: repeater{func(b []byte) ([]byte, error) {
			if change != "" {
				b[3] = 0xc2
			}
			return b, nil
		}}}
		if r, err := Recover(path, "", &o); err != nil || (r.Damaged > 0) != damaged || damaged != (r.Records == 0) {
			t.Errorf("Recover: %+v, %v", r, err)
		}
	}
}
