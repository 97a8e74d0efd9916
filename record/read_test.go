package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestMismatch reads some records into a type that they do not match. Each of them is an
// error, and the others are read.
func TestMismatch(t *testing.T) {
	for name, padding := range map[string]int{"small block": 0, "large block": maxDecoder} {
		var buf bytes.Buffer
		w, err := NewWriter(&buf, &Options{BlockSize: 4 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []any{1, "two", 3, []any{4}, make([]byte, padding), 6} {
			if err := w.Write(v); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f := open(t, buf.Bytes())
		var got []string
		for v, err := range All[int](f) {
			var e *Error
			switch {
			case err == nil:
				got = append(got, fmt.Sprint(v))
			case errors.As(err, &e) && errors.Is(err, msgpack.ErrMismatch) && v == 0:
				got = append(got, fmt.Sprintf("error in %d", e.Record))
			default:
				t.Fatal(err)
			}
		}
		if want := "1,error in 1,3,error in 3,error in 4,6"; strings.Join(got, ",") != want {
			t.Errorf("%s: %s, want %s", name, strings.Join(got, ","), want)
		}
		if _, err := At[int](f, 1); !errors.Is(err, msgpack.ErrMismatch) {
			t.Error(err)
		}
		if v, err := At[int](f, 5); err != nil || v != 6 {
			t.Error(v, err)
		}
	}
}

// TestHostileBlocks reads blocks that have correct checksums and malformed contents.
func TestHostileBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		content []byte
		records uint32
		before  int // records that are read before the error
	}{
		"not a value":                {[]byte{1, 0xc1, 2}, 3, 1},
		"value that ends too late":   {[]byte{1, 0x92, 2}, 2, 1},
		"more records than claimed":  {[]byte{1, 2, 3}, 2, 2},
		"fewer records than claimed": {[]byte{0xcd, 1, 1, 4}, 3, 2},
	} {
		o, _ := checked(nil)
		h, err := newFileHeader(&o)
		if err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		w := newBlockWriter(&buf, &o, h)
		w.write(h.bytes())
		if _, err := w.block(&job{buf: append(make([]byte, headroom), c.content...), records: c.records}); err != nil {
			t.Fatal(err)
		}
		f := open(t, buf.Bytes())
		got, err := collect(All[msgpack.Raw](f))
		if len(got) != c.before || !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %d records, %v", name, len(got), err)
		}
		if got, s := scanAll(buf.Bytes()); len(got) != c.before || !errors.Is(s.Err(), ErrCorrupt) {
			t.Errorf("%s: Scanner: %d records, %v", name, len(got), s.Err())
		}
		if _, err := At[msgpack.Raw](f, int64(c.records)-1); c.records == 3 && !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: At: %v", name, err)
		}
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, buf.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		if r, err := Recover(path, "", nil); err != nil || r.Records != 0 || r.Damaged != 1 {
			t.Errorf("%s: Recover: %+v, %v", name, r, err)
		}
	}
}

// TestAliasing keeps values of a Codec that shares memory with its input.
func TestAliasing(t *testing.T) {
	codec, err := msgpack.New(msgpack.Options{AliasInput: true})
	if err != nil {
		t.Fatal(err)
	}
	if !aliases(codec) || aliases(defaultCodec()) {
		t.Error("aliases")
	}
	for _, size := range []int{minBlock, 2 << 20} {
		o := Options{Codec: codec, BlockSize: size}
		want := slices.Concat(numbered(1000, 0), []msgpack.Raw{wire.AppendBin(nil, make([]byte, size))}, numbered(1000, 0))
		f := open(t, writeTo(t, o, 0, want), o)
		got, err := collect(All[msgpack.Raw](f))
		if err != nil || !same(got, want) {
			t.Errorf("%d records, %v", len(got), err)
		}
		a, err := At[msgpack.Raw](f, 3)
		if err != nil {
			t.Fatal(err)
		}
		At[msgpack.Raw](f, 900)
		if !slices.Equal(a, want[3]) {
			t.Error("At changed a record that it had returned")
		}
	}
}

// TestStreams reads through readers that return few bytes at a time, no bytes, or
// an error anywhere.
func TestStreams(t *testing.T) {
	records := numbered(60, 0)
	file := writeTo(t, Options{}, 7, records)
	for name, r := range map[string]io.Reader{
		"one byte":  iotest.OneByteReader(bytes.NewReader(file)),
		"half":      iotest.HalfReader(bytes.NewReader(file)),
		"with EOF":  iotest.DataErrReader(bytes.NewReader(file)),
		"sometimes": &sometimes{r: bytes.NewReader(file)},
	} {
		s := NewScanner(r, nil)
		var got []msgpack.Raw
		for s.Scan() {
			if s.Ordinal() != int64(len(got)) {
				t.Fatalf("%s: ordinal %d", name, s.Ordinal())
			}
			got = append(got, slices.Clone(s.Raw()))
		}
		if s.Err() != nil || !same(got, records) {
			t.Errorf("%s: %d records, %v", name, len(got), s.Err())
		}
		if s.Scan() {
			t.Errorf("%s: a record after the end", name)
		}
	}
	failure := errors.New("failure")
	for at := range file {
		s := NewScanner(io.MultiReader(bytes.NewReader(file[:at]), iotest.ErrReader(failure)), nil)
		n := 0
		for s.Scan() {
			n++
		}
		if !errors.Is(s.Err(), failure) || n > len(records) {
			t.Fatalf("failure at %d: %d records, %v", at, n, s.Err())
		}
	}
	s := NewScanner(new(stuck), nil)
	if s.Scan() || !errors.Is(s.Err(), io.ErrNoProgress) {
		t.Error(s.Err())
	}
}

// sometimes returns 0 to 8 bytes.
type sometimes struct{ r io.Reader }

func (s *sometimes) Read(b []byte) (int, error) {
	return s.r.Read(b[:min(len(b), rand.IntN(9))])
}

type stuck struct{}

func (*stuck) Read([]byte) (int, error) { return 0, nil }

// failingReaderAt fails after some reads.
type failingReaderAt struct {
	*bytes.Reader
	left atomic.Int32
}

func (r *failingReaderAt) ReadAt(b []byte, at int64) (int, error) {
	if r.left.Add(-1) < 0 {
		return 0, errFull
	}
	return r.Reader.ReadAt(b, at)
}

// TestFailingReaderAt lets each read fail: the error is that of the reader, never
// damage or a short file.
func TestFailingReaderAt(t *testing.T) {
	records := numbered(60, 0)
	for _, file := range [][]byte{writeTo(t, Options{}, 7, records), withoutTables(t, writeTo(t, Options{}, 7, records))} {
		for reads := int32(0); ; reads++ {
			r := &failingReaderAt{Reader: bytes.NewReader(file)}
			r.left.Store(reads)
			f, err := NewFile(r, int64(len(file)), nil)
			if err == nil {
				ranges := f.Split(3)
				var got []msgpack.Raw
				for _, r := range ranges {
					var list []msgpack.Raw
					if list, err = collect(In[msgpack.Raw](f, r)); err != nil {
						break
					}
					got = append(got, list...)
				}
				if err == nil && !same(got, records) {
					t.Fatalf("%d reads: %d records", reads, len(got))
				}
			}
			if err == nil && r.left.Load() > 0 {
				break
			}
			if err != nil && !errors.Is(err, errFull) {
				t.Fatalf("%d reads: %v", reads, err)
			}
		}
	}
}

// TestFollow reads a file while it is written, cut off and continued.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	w, err := Create(path, &Options{BlockSize: minBlock})
	if err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	marker := w.out.header.marker
	s := NewScanner(in, nil)
	s.Follow(ctx, time.Millisecond)
	got := make(chan int64)
	go func() {
		defer close(got)
		for s.Scan() {
			var n int64
			if err := s.Decode(&n); err != nil {
				t.Error(err)
			}
			got <- n
		}
	}()
	next := int64(0)
	add := func(n int) {
		t.Helper()
		for range n {
			if err := w.Write(w.Len()); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		for ; next < w.Len(); next++ {
			if v, ok := <-got; !ok || v != next {
				t.Fatalf("record %d, want %d, %v", v, next, s.Err())
			}
		}
	}
	add(1)
	add(2000)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for round := range 5 {
		// A crash leaves a part of a block.
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		h := blockHeader{stored: 5000, raw: 4900, records: 3, ordinal: next}
		torn := make([]byte, blockHeaderSize+1000*round)
		h.put(torn, &marker)
		f.Write(torn)
		f.Close()
		time.Sleep(5 * time.Millisecond) // the Scanner may have seen it or not
		if w, err = Append(path, &Options{BlockSize: minBlock}); err != nil {
			t.Fatal(err)
		}
		add(300)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	if _, ok := <-got; ok {
		t.Error("a record after the end")
	}
	if s.Err() != nil || s.Report().Records != next {
		t.Error(s.Err(), s.Report())
	}
}

// TestRefresh opens a file early and refreshes it while it grows.
func TestRefresh(t *testing.T) {
	for _, known := range []bool{true, false} {
		path := filepath.Join(t.TempDir(), "a.rec")
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for round := range int64(6) {
			if known && f.Len() != round*100 {
				t.Fatalf("round %d: Len %d", round, f.Len())
			}
			w, err := Append(path, &Options{BlockSize: minBlock})
			if err != nil {
				t.Fatal(err)
			}
			for range 100 {
				w.Write(w.Len())
			}
			w.Flush()
			if round%2 == 0 {
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if known && f.Len() != round*100 {
				t.Fatalf("round %d: the snapshot has changed", round)
			}
			if err := f.Refresh(); err != nil {
				t.Fatal(err)
			}
			if r, err := f.Report(); err != nil || known && (r.Records != (round+1)*100 || r.Indexed != (round%2 == 0)) {
				t.Fatalf("round %d: %+v, %v", round, r, err)
			}
			if v, err := At[int64](f, round*100+99); err != nil || v != round*100+99 {
				t.Fatal(v, err)
			}
			if round%2 == 1 {
				w.Close()
			}
		}
		if err := os.Truncate(path, 100); err != nil {
			t.Fatal(err)
		}
		if err := f.Refresh(); !errors.Is(err, ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Error(err)
		}
	}
	if err := open(t, writeTo(t, Options{}, 0, nil)).Refresh(); err != nil {
		t.Error(err)
	}
	f, err := NewFile(struct{ io.ReaderAt }{bytes.NewReader(nil)}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Refresh(); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}

// TestParallel counts records of many files, stops at errors, and ends with the
// context.
func TestParallel(t *testing.T) {
	dir := t.TempDir()
	var files []string
	total := 0
	for i := range 20 {
		n := i * 50
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, writeTo(t, Options{BlockSize: minBlock}, 0, numbered(n, total)), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
		total += n
	}
	ctx := context.Background()
	for _, workers := range []int{0, 1, 3, 50} {
		seen := make([]atomic.Int32, total)
		err := Parallel(ctx, files, workers, func(_ context.Context, f *File, r Range) error {
			for v, err := range In[struct{ N int }](f, r) {
				if err != nil {
					return err
				}
				_ = v
			}
			for raw, err := range In[msgpack.Raw](f, r) {
				if err != nil {
					return err
				}
				v, err := msgpack.Get(raw, "n")
				if err != nil {
					return err
				}
				n, _, err := wire.ConsumeInt(v)
				if err != nil {
					return err
				}
				seen[n].Add(1)
			}
			return nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range seen {
			if n := seen[i].Load(); n != 1 {
				t.Fatalf("%d workers: record %d came %d times", workers, i, n)
			}
		}
	}
	stop := errors.New("stop")
	var calls atomic.Int32
	err := Parallel(ctx, files, 2, func(ctx context.Context, f *File, r Range) error {
		switch n := calls.Add(1); {
		case n == 3:
			return stop
		case n > 3:
			<-ctx.Done() // the error has not arrived yet
		}
		return nil
	}, nil)
	if err != stop || calls.Load() > 4 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
	if err := Parallel(ctx, append(files, filepath.Join(dir, "missing")), 2, func(context.Context, *File, Range) error { return nil }, nil); !os.IsNotExist(err) {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(ctx)
	err = Parallel(ended, files, 2, func(context.Context, *File, Range) error {
		cancel()
		return nil
	}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
