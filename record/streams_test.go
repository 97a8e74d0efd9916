package record

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"testing/iotest"
	"time"

	"github.com/octet-go/octet/internal/faulty"
	"github.com/octet-go/octet/msgpack"
)

// scan returns the records of r. After an error it checks that further calls return the same error.
func scan(t *testing.T, r io.Reader, prepare func(s *Scanner)) (any, error) {
	s := NewScanner(r, nil)
	prepare(s)
	var list []msgpack.Raw
	for s.Scan() {
		var v any
		if err := s.Decode(&v); err != nil {
			t.Fatal(err)
		}
		list = append(list, slices.Clone(s.Raw()))
	}
	if err := s.Err(); s.Scan() || s.Err() != err || s.Raw() != nil {
		t.Errorf("Scan after the end: %v, before %v", s.Err(), err)
	}
	return list, s.Err()
}

func TestFaultySources(t *testing.T) {
	file := writeTo(t, Options{}, 3, numbered(20, 0))
	sources := []faulty.Source{
		{Name: "NewScanner", Input: file, Read: func(r io.Reader) (any, error) {
			return scan(t, r, func(*Scanner) {})
		}, ToEnd: true, Prefixes: true},
		{Name: "Scanner.Follow", Input: file, Read: func(r io.Reader) (any, error) {
			return scan(t, r, func(s *Scanner) {
				done, cancel := context.WithCancel(context.Background())
				cancel()
				s.Follow(done, time.Hour)
			})
		}, ToEnd: true, Prefixes: true},
	}
	faulty.TestSources(t, sources)
}

func TestFaultySinks(t *testing.T) {
	records := numbered(20, 0)
	file := open(t, writeTo(t, Options{}, 3, records))
	// write makes an entry that writes records by call. Close must return the first error.
	write := func(name string, call func(w *Writer) error) faulty.Sink {
		return faulty.Sink{Name: name, Varies: true, Write: func(out io.Writer) error {
			w, err := NewWriter(out, &Options{BlockSize: minBlock})
			if err != nil {
				return err
			}
			called := call(w)
			closed := w.Close()
			if called != nil && closed != called {
				t.Errorf("%s: the call returned %v, Close %v", name, called, closed)
			}
			return errors.Join(called, closed)
		}}
	}
	sinks := []faulty.Sink{
		write("NewWriter", func(w *Writer) error { return nil }),
		write("Writer.Write", func(w *Writer) error {
			for i := range 5000 {
				if err := w.Write(i); err != nil {
					return err
				}
			}
			return nil
		}),
		write("Writer.WriteRaw", func(w *Writer) error {
			for _, r := range records {
				if err := w.WriteRaw(r); err != nil {
					return err
				}
			}
			return nil
		}),
		write("WriteSlice", func(w *Writer) error { return WriteSlice(w, make([]int, 5000)) }),
		write("Writer.Flush", func(w *Writer) error {
			for i := range 5 {
				if err := errors.Join(w.Write(i), w.Flush()); err != nil {
					return w.Flush()
				}
			}
			return nil
		}),
		write("Writer.Copy", func(w *Writer) error { _, err := w.Copy(file, file.Range()); return err }),
		write("Writer.Close", func(w *Writer) error { return w.Write("the only block") }),
		{Name: "Writer.Sync", Varies: true, Write: func(out io.Writer) error {
			w, err := NewWriter(syncedWriter{out}, nil)
			if err != nil {
				return err
			}
			for i := range 5 {
				if err := errors.Join(w.Write(i), w.Sync()); err != nil {
					return errors.Join(w.Sync(), w.Close())
				}
			}
			return w.Close()
		}},
	}
	faulty.TestSinks(t, sinks)
	faulty.Complete(t, reflect.TypeFor[*Writer](), faulty.Names(sinks), "Len", "Report")
}

// A syncedWriter can be synced.
type syncedWriter struct{ io.Writer }

func (syncedWriter) Sync() error { return nil }

func TestFaultyFiles(t *testing.T) {
	records := numbered(60, 0)
	whole := writeTo(t, Options{}, 7, records)
	for name, input := range map[string][]byte{"": whole, " without index": withoutTables(t, whole), " of parts": append(bytes.Clone(whole), whole...)} {
		// read makes an entry that reads an opened file.
		read := func(call string, do func(f *File) (any, error)) faulty.FileSource {
			return faulty.FileSource{Name: call + name, Input: input, Read: func(r io.ReaderAt, size int64) (any, error) {
				f, err := NewFile(r, size, nil)
				if err != nil {
					return nil, err
				}
				return do(f)
			}}
		}
		sources := []faulty.FileSource{
			read("NewFile", func(f *File) (any, error) { return f.Metadata(), nil }),
			read("All", func(f *File) (any, error) { return collect(All[msgpack.Raw](f)) }),
			read("In", func(f *File) (any, error) {
				var all []msgpack.Raw
				for _, r := range f.Split(3) {
					list, err := collect(In[msgpack.Raw](f, r))
					if err != nil {
						return all, err
					}
					all = append(all, list...)
				}
				_, err := f.Report() // Split has no error
				return all, err
			}),
			read("At", func(f *File) (any, error) {
				var all []msgpack.Raw
				for i := range int64(len(records)) {
					v, err := At[msgpack.Raw](f, i)
					if err != nil {
						return all, err
					}
					all = append(all, v)
				}
				return all, nil
			}),
			read("File.Blocks", func(f *File) (any, error) { return collect(f.Blocks(f.Range())) }),
			read("File.Report", func(f *File) (any, error) { return f.Report() }),
			read("File.Refresh", func(f *File) (any, error) {
				f.r = fixedSize{f.r, f.size}
				if err := f.Refresh(); err != nil {
					return nil, err
				}
				return f.Report()
			}),
		}
		faulty.TestFileSources(t, sources)
		faulty.Complete(t, reflect.TypeFor[*File](), faulty.Names(sources), "Close", "Len", "Metadata", "Range", "Schema", "Split")
	}
}

// A fixedSize is a reader that tells its size.
type fixedSize struct {
	io.ReaderAt
	size int64
}

func (f fixedSize) Size() int64 { return f.size }

// TestCutShort truncates a file after it was opened. Records before the cut are read; the others are an error.
func TestCutShort(t *testing.T) {
	records := numbered(60, 0)
	whole := writeTo(t, Options{}, 7, records)
	for _, index := range []bool{true, false} {
		content := whole
		if !index {
			content = withoutTables(t, whole)
		}
		for _, cut := range faulty.Positions(len(content)-1, 40) {
			path := filepath.Join(t.TempDir(), "a.rec")
			if err := os.WriteFile(path, content, 0o666); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if n := f.Len(); n != int64(len(records)) {
				t.Fatalf("%d records", n)
			}
			if err := os.Truncate(path, int64(cut)); err != nil {
				f.Close()
				t.Skipf("an open file cannot be truncated on this system: %v", err)
			}
			list, err := collect(All[msgpack.Raw](f))
			missing := len(list) < len(records)
			if err != nil && !errors.Is(err, ErrTruncated) || missing && err == nil || !same(list, records[:len(list)]) {
				t.Errorf("cut at %d of %d: %d records, %v", cut, len(content), len(list), err)
			}
			if _, err := At[msgpack.Raw](f, int64(len(records)-1)); missing && !errors.Is(err, ErrTruncated) {
				t.Errorf("cut at %d: At: %v", cut, err)
			}
			if err := f.Refresh(); missing && !errors.Is(err, ErrTruncated) {
				t.Errorf("cut at %d: Refresh: %v", cut, err)
			}
			f.Close()
		}
	}
}

// TestScanReadsNoFurther reads files whose other frames have any size, up to the end of a block. The records of the block must
// not wait for what a Writer adds later, as in a file that is followed.
func TestScanReadsNoFurther(t *testing.T) {
	one, two := []msgpack.Raw{{1}}, []msgpack.Raw{{1}, {2}}
	closed, block := writeTo(t, Options{}, 1, one), withoutTables(t, writeTo(t, Options{}, 1, one))
	files := map[string][]byte{"blocks": withoutTables(t, writeTo(t, Options{}, 1, two)), "joined": slices.Concat(closed, block)}
	files["appended"] = slices.Concat(closed, appended(t, closed, func(w *Writer) error { return errors.Join(w.WriteRaw(two[1]), w.Flush()) }))
	for n := range 2 * sectorSize {
		size := binary.LittleEndian.AppendUint32([]byte{0x50, 0x2a, 0x4d, 0x18}, uint32(n))
		files[fmt.Sprintf("after a foreign frame of %d bytes", n)] = slices.Concat(closed, size, make([]byte, n), block)
	}
	later := errors.New("the next bytes come later")
	for name, file := range files {
		s := NewScanner(io.MultiReader(bytes.NewReader(file), iotest.ErrReader(later)), nil)
		for i := range 2 {
			if !s.Scan() {
				t.Errorf("%s: record %d before the end of %d bytes: %v", name, i, len(file), s.Err())
			}
		}
	}
}
