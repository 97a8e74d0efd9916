package zstd_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/zstd"
)

func newCodec(t testing.TB, level zstd.Level) *zstd.Codec {
	t.Helper()
	c, err := zstd.New(level)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// mixed returns texts that compress well, a little, and not at all.
func mixed(n int) []string {
	r := rand.New(rand.NewPCG(1, 1))
	var list []string
	for i := range n {
		switch i % 3 {
		case 0:
			list = append(list, strings.Repeat("text ", r.IntN(200)))
		case 1:
			list = append(list, "octet-rec "+strings.Repeat("octet-rec", r.IntN(20)))
		case 2:
			b := make([]byte, r.IntN(2000))
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			list = append(list, string(b))
		}
	}
	return list
}

func write(t testing.TB, o record.Options, records []string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := record.NewWriter(&buf, &o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// first returns the only element of o, or nil.
func first(o []record.Options) *record.Options {
	if len(o) == 0 {
		return nil
	}
	return &o[0]
}

func read(file []byte, o ...record.Options) (list []string, err error) {
	f, err := record.NewFile(bytes.NewReader(file), int64(len(file)), first(o))
	if err != nil {
		return nil, err
	}
	for v, err := range record.All[string](f) {
		if err != nil {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
}

func TestLevels(t *testing.T) {
	records := mixed(600)
	for level := zstd.Fastest; level <= zstd.Best; level++ {
		c := newCodec(t, level)
		for _, size := range []int{1 << 10, 16 << 10, 1 << 20} {
			o := record.Options{Compressor: c, Decompressor: c, BlockSize: size}
			file := write(t, o, records)
			if got, err := read(file, o); err != nil || !slices.Equal(got, records) {
				t.Fatalf("level %d, blocks of %d: %d records, %v", level, size, len(got), err)
			}
			// The name occurs once: what would have it is stored.
			if n := bytes.Count(file, []byte("octet-rec")); n != 1 {
				t.Errorf("level %d, blocks of %d: the name occurs %d times", level, size, n)
			}
			f, err := record.NewFile(bytes.NewReader(file), int64(len(file)), &o)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range records {
				if got, err := record.At[string](f, int64(i)); i%50 == 0 && (err != nil || got != want) {
					t.Fatal(i, err)
				}
			}
		}
	}
	for _, level := range []zstd.Level{zstd.Fastest - 1, zstd.Best + 1} {
		if _, err := zstd.New(level); !errors.Is(err, record.ErrOptions) {
			t.Errorf("level %d", level)
		}
	}
}

// TestWithoutDecompressor reads the stored blocks and refuses the others.
func TestWithoutDecompressor(t *testing.T) {
	c := newCodec(t, zstd.Default)
	file := write(t, record.Options{Compressor: c}, []string{strings.Repeat("x", 1000)})
	if _, err := read(file); !errors.Is(err, record.ErrCompressed) {
		t.Error(err)
	}
	file = write(t, record.Options{Compressor: c}, []string{"short"})
	if got, err := read(file); err != nil || len(got) != 1 {
		t.Error(got, err)
	}
}

// TestDamage changes every byte of a file of compressed blocks.
func TestDamage(t *testing.T) {
	c := newCodec(t, zstd.Default)
	o := record.Options{Compressor: c, Decompressor: c, BlockSize: 1 << 10}
	var records []string
	for i := range 8 {
		records = append(records, strings.Repeat("text", 100+i))
	}
	file := write(t, o, records)
	for i := range file {
		for bit := range 8 {
			file[i] ^= 1 << bit
			got, err := read(file, o)
			if len(got) > len(records) || !slices.Equal(got, records[:len(got)]) || err == nil && len(got) < len(records) ||
				err != nil && !errors.Is(err, record.ErrCorrupt) {
				t.Fatalf("byte %d, bit %d: %d records, %v", i, bit, len(got), err)
			}
			file[i] ^= 1 << bit
		}
	}
	for cut := range file {
		if got, err := read(file[:cut], o); err != nil || !slices.Equal(got, records[:len(got)]) {
			t.Fatalf("cut at %d: %d records, %v", cut, len(got), err)
		}
	}
}

// TestRecover copies compressed blocks.
func TestRecover(t *testing.T) {
	c := newCodec(t, zstd.Default)
	o := record.Options{Compressor: c, Decompressor: c, BlockSize: 1 << 10}
	records := mixed(100)
	path := filepath.Join(t.TempDir(), "a.rec")
	if err := os.WriteFile(path, write(t, o, records), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := record.Recover(path, path+".copy", &o)
	if err != nil || r.Records != 100 || r.Damaged > 0 {
		t.Fatal(r, err)
	}
	copied, err := os.ReadFile(path + ".copy")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := read(copied, o); err != nil || !slices.Equal(got, records) {
		t.Error(len(got), err)
	}
	if _, err := record.Recover(path, "", nil); !errors.Is(err, record.ErrCompressed) {
		t.Error(err)
	}
}

// TestMemory reads blocks that expand a thousand times: the memory is that of the
// largest block, and a frame that expands further than its header says is refused.
func TestMemory(t *testing.T) {
	c := newCodec(t, zstd.Default)
	const limit = 4 << 20
	o := record.Options{Compressor: c, Decompressor: c, MaxBlock: limit}
	zeros := strings.Repeat("\x00", limit-5)
	file := write(t, o, []string{zeros, zeros, zeros, zeros, zeros})
	var before, after runtime.MemStats
	read(file, o)
	runtime.GC()
	runtime.ReadMemStats(&before)
	f, err := record.NewFile(bytes.NewReader(file), int64(len(file)), &o)
	if err != nil {
		t.Fatal(err)
	}
	s := record.NewScanner(bytes.NewReader(file), &o)
	n := 0
	for s.Scan() {
		n++
	}
	runtime.ReadMemStats(&after)
	if s.Err() != nil || n != 5 || f.Len() != 5 {
		t.Fatal(n, s.Err())
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 2*limit+1<<20 {
		t.Errorf("reading allocates %d bytes", got)
	}
	large := newCodec(t, zstd.Default)
	frame, err := large.Compress(nil, make([]byte, 64<<20))
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&before)
	if _, err := c.Decompress(make([]byte, 0, 1000), frame); err == nil {
		t.Error("a frame of 64 MiB fits 1000 bytes")
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("refusing a frame allocates %d bytes", got)
	}
}

// TestZero uses a zero Codec.
func TestZero(t *testing.T) {
	const want = "record/zstd: zero Codec; use New"
	var c zstd.Codec
	if _, err := c.Compress(nil, []byte{1}); err == nil || err.Error() != want {
		t.Errorf("Compress: %v", err)
	}
	if _, err := c.Decompress(nil, []byte{1}); err == nil || err.Error() != want {
		t.Errorf("Decompress: %v", err)
	}
}
