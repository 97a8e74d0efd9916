package cases

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"sync"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/shape"
	"github.com/octet-go/octet/msgpack"
	records "github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/zstd"
	"github.com/tinylib/msgp/msgp"
)

// The operations on files. A turn writes or reads one file with as many records as the duration of the turn allows,
// and an operation is one record. In Parallel, an operation is the whole file. verbRead, which reads all records of a
// file, is declared in fixed.go.
const (
	verbFile     = "Write"    // writes a new file
	verbDiscard  = "Discard"  // writes to io.Discard
	verbParallel = "Parallel" // reads a file of parallelSize bytes with several goroutines
)

// fileContests returns the contests on files of many records. The files are in memory if the system has a directory
// for that, so that the disk does not count.
func fileContests() []engine.Contest {
	return []engine.Contest{
		files("readings", readings, readingSchema,
			func(w *msgp.Writer, v *shape.Reading) error { return v.EncodeMsg(w) },
			func(r *msgp.Reader, v *shape.Reading) error { return v.DecodeMsg(r) }),
		files("articles", articles, articleSchema,
			func(w *msgp.Writer, v *shape.Article) error { return v.EncodeMsg(w) },
			func(r *msgp.Reader, v *shape.Article) error { return v.DecodeMsg(r) }),
	}
}

// A container writes and reads files of Ts.
type container[T any] struct {
	name, note string
	// write writes a file of n records to w. It uses the values repeatedly.
	write func(w io.Writer, values []T, n int) error
	read  func(f *os.File) iter.Seq2[T, error]
}

// fileValues is the number of different records.
const fileValues = 1 << 12

// fileRecords is the number of records in a file that is read. Tests change it.
var fileRecords = 1 << 15

// parallelSize is the approximate size of the file that several goroutines read: more than the caches hold, and so many
// blocks that the goroutines end at about the same time. Tests change it.
var parallelSize = 64 << 20

func files[T any](shape string, values func(n int) []T, schema string, put func(*msgp.Writer, *T) error, get func(*msgp.Reader, *T) error) engine.Contest {
	return engine.Contest{Group: "record", Shape: shape, Verbs: []string{verbFile, verbDiscard, verbRead, verbParallel}, Wall: []string{verbParallel}, Open: func() ([]engine.Peer, error) {
		list := values(fileValues)
		containers := []container[T]{
			octetFile[T](engine.Ours, records.Options{}, false), octetFile[T]("octet WriteSlice", records.Options{}, true),
		}
		c, err := zstd.New(zstd.Default)
		if err != nil {
			return nil, err
		}
		containers = append(containers, octetFile[T]("octet zstd", records.Options{Compressor: c, Decompressor: c}, false),
			ndjsonFile[T](), gobFile[T](), msgpFile(put, get), avroFile[T](schema), parquetFile[T]())
		var entries []engine.Peer
		for _, c := range containers {
			e, err := c.enter(list)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			entries = append(entries, e)
		}
		entries, parallel, err := parallelEntries(entries, list)
		if err != nil {
			return nil, err
		}
		limits, err := fileLimits(list)
		if err != nil {
			return nil, err
		}
		limits[0].Loops[verbParallel] = parallel
		return append(entries, limits...), nil
	}}
}

// createUnnamed creates a file without a name, which the system removes when it is closed. The file is in memory if
// the system has a directory for that, otherwise in the directory for temporary files.
func createUnnamed() (*os.File, error) {
	base := "/dev/shm"
	if info, err := os.Stat(base); err != nil || !info.IsDir() {
		base = os.TempDir()
	}
	f, err := os.CreateTemp(base, "octet-bench-*")
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" {
		err = os.Remove(f.Name())
	}
	return f, err
}

func (c container[T]) enter(values []T) (engine.Peer, error) {
	file, err := createUnnamed()
	if err != nil {
		return engine.Peer{}, err
	}
	if err := c.write(file, values, fileRecords); err != nil {
		return engine.Peer{}, err
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return engine.Peer{}, err
	}
	e := engine.Peer{Library: c.name, Size: int(size) / fileRecords, Note: c.note, Loops: map[string]engine.Loop{
		verbFile: func(n int) error {
			out, err := createUnnamed()
			if err != nil {
				return err
			}
			defer out.Close()
			return c.write(out, values, n)
		},
		verbDiscard: func(n int) error { return c.write(io.Discard, values, n) },
	}}
	if c.read == nil {
		return e, nil
	}
	// Verify the file, then read it as often as necessary.
	i := 0
	for v, err := range c.read(file) {
		if err != nil {
			return engine.Peer{}, err
		}
		if i == fileRecords || !equal(v, values[i%len(values)], false) {
			return engine.Peer{}, fmt.Errorf("read a different record %d", i)
		}
		i++
	}
	if i != fileRecords {
		return engine.Peer{}, fmt.Errorf("read %d records", i)
	}
	e.Loops[verbRead] = func(n int) error {
		for n > 0 {
			for v, err := range c.read(file) {
				if err != nil {
					return err
				}
				used(&v)
				if n--; n == 0 {
					break
				}
			}
		}
		return nil
	}
	return e, nil
}

// used prevents the compiler from removing the code that decodes a value.
//
//go:noinline
func used[T any](*T) {}

func octetFile[T any](name string, o records.Options, slices bool) container[T] {
	c := container[T]{name: name, write: func(w io.Writer, values []T, n int) error {
		out, err := records.NewWriter(w, &o)
		if err != nil {
			return err
		}
		for n > 0 {
			part := values[:min(n, len(values))]
			n -= len(part)
			if slices {
				if err := records.WriteSlice(out, part); err != nil {
					return err
				}
				continue
			}
			for i := range part {
				if err := out.Write(&part[i]); err != nil {
					return err
				}
			}
		}
		return out.Close()
	}}
	if slices {
		return c
	}
	c.read = func(f *os.File) iter.Seq2[T, error] {
		return func(yield func(T, error) bool) {
			info, err := f.Stat()
			if err == nil {
				var in *records.File
				if in, err = records.NewFile(f, info.Size(), &o); err == nil {
					records.All[T](in)(yield)
					return
				}
			}
			yield(*new(T), err)
		}
	}
	return c
}

// parallelEntries adds three ways to decode the same messages: from a file with two workers, from a file with one
// worker, and from memory with one goroutine. The limit decodes them from memory with two goroutines, each of which
// decodes one half.
func parallelEntries[T any](entries []engine.Peer, values []T) (all []engine.Peer, limit engine.Loop, err error) {
	file, err := createUnnamed()
	if err != nil {
		return nil, nil, err
	}
	count := parallelSize / entries[0].Size
	path := file.Name()
	if runtime.GOOS == "linux" {
		path = fmt.Sprintf("/proc/self/fd/%d", file.Fd())
	}
	if err := octetFile[T](engine.Ours, records.Options{}, false).write(file, values, count); err != nil {
		return nil, nil, err
	}
	read := func(workers int) engine.Loop {
		return engine.Attempt(func() error {
			defer runtime.KeepAlive(file) // it has no name
			return records.Parallel(context.Background(), []string{path}, workers, func(_ context.Context, f *records.File, r records.Range) error {
				for v, err := range records.In[T](f, r) {
					if err != nil {
						return err
					}
					used(&v)
				}
				return nil
			}, nil)
		})
	}
	s, err := judged(values)
	if err != nil {
		return nil, nil, err
	}
	decode := func(workers int) engine.Loop {
		return engine.Repeat(func() {
			var group sync.WaitGroup
			for range workers {
				group.Go(func() {
					for i := range count / workers {
						var v T
						if msgpack.Unmarshal(s.messages[i%len(s.messages)], &v) == nil {
							used(&v)
						}
					}
				})
			}
			group.Wait()
		})
	}
	entries[0].Loops[verbParallel] = read(2)
	for name, run := range map[string]engine.Loop{"octet, 1 worker": read(1), "slices, 1 goroutine": decode(1)} {
		entries = append(entries, engine.Peer{Library: name, Size: entries[0].Size, Loops: map[string]engine.Loop{verbParallel: run}})
	}
	return entries, decode(2), nil
}

// fileLimits returns the entries for the necessary work. In Write, the limit writes encoded messages without headers
// or checksums; in Discard, it encodes messages without writing them; in Read, it decodes messages from memory. The
// other entry encodes and writes in the same goroutine.
func fileLimits[T any](values []T) ([]engine.Peer, error) {
	const block = 256 << 10
	encode := func(w io.Writer, n int) error {
		buf := make([]byte, 0, 2*block)
		for i := range n {
			var err error
			if buf, err = msgpack.MarshalAppend(buf, &values[i%len(values)]); err != nil {
				return err
			}
			if len(buf) >= block {
				if _, err := w.Write(buf); err != nil {
					return err
				}
				buf = buf[:0]
			}
		}
		_, err := w.Write(buf)
		return err
	}
	s, err := judged(values)
	if err != nil {
		return nil, err
	}
	file := func(write func(out *os.File, n int) error) engine.Loop {
		return func(n int) error {
			out, err := createUnnamed()
			if err != nil {
				return err
			}
			defer out.Close()
			return write(out, n)
		}
	}
	size := meanSize(s.messages)
	plain := make([]byte, block)
	return []engine.Peer{{Library: engine.Limit, Size: size, Loops: map[string]engine.Loop{
		verbFile: file(func(out *os.File, n int) error {
			for left := n * size; left > 0; left -= block {
				if _, err := out.Write(plain[:min(left, block)]); err != nil {
					return err
				}
			}
			return nil
		}),
		verbDiscard: func(n int) error { return encode(io.Discard, n) },
		verbRead: func(n int) error {
			for i := range n {
				var v T
				if err := msgpack.Unmarshal(s.messages[i%len(s.messages)], &v); err != nil {
					return err
				}
				used(&v)
			}
			return nil
		},
	}}, {Library: "MarshalAppend", Size: size, Loops: map[string]engine.Loop{
		verbFile: file(func(out *os.File, n int) error { return encode(out, n) }),
	}}}, nil
}
