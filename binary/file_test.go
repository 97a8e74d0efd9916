//go:build linux

package binary

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
)

const fileSize = len(fileChunk.bytes)

// TestFilePieces checks the sizes of the writes to a file. It uses a socket
// that keeps writes separate. It checks both cases: the shared chunk for files
// is free, and another write that does not return is using it.
func TestFilePieces(t *testing.T) {
	order := []ByteOrder{native: BigEndian, swapped: LittleEndian}[little]
	cases := []struct {
		name        string
		write       func(f *os.File) error
		free, taken []int
	}{
		{"a chunk", func(f *os.File) error { return WriteSlice(f, order, make([]uint64, chunkSize/8)) },
			[]int{chunkSize}, []int{chunkSize}},
		{"a piece", func(f *os.File) error { return WriteSlice(f, order, make([]uint64, fileSize/8)) },
			[]int{fileSize}, []int{chunkSize, chunkSize}},
		{"pieces", func(f *os.File) error { return WriteSlice(f, order, make([]uint16, fileSize+1)) },
			[]int{fileSize, fileSize, 2}, []int{chunkSize, chunkSize, chunkSize, chunkSize, 2}},
		{"one call of Write", func(f *os.File) error { return Write(f, order, make([]uint32, oneCall/4)) },
			[]int{oneCall}, []int{oneCall}},
		{"more than one call of Write", func(f *os.File) error { return Write(f, order, make([]uint32, oneCall/4+1)) },
			[]int{fileSize, 4}, []int{chunkSize, chunkSize, 4}},
		{"no bytes", func(f *os.File) error { return Write(f, order, make([]struct{}, 1000)) }, nil, nil},
		{"a large struct", func(f *os.File) error { return Write(f, order, &struct{ A [oneCall]uint16 }{}) },
			[]int{2 * oneCall}, []int{2 * oneCall}},
	}
	for _, c := range cases {
		if got, err := writes(t, c.write); err != nil || !slices.Equal(got, c.free) {
			t.Errorf("%s: wrote %d, %v, want %d", c.name, got, err, c.free)
		}
		fileChunk.Lock()
		if got, err := writes(t, c.write); err != nil || !slices.Equal(got, c.taken) {
			t.Errorf("%s while the chunk is in use: wrote %d, %v, want %d", c.name, got, err, c.taken)
		}
		fileChunk.Unlock()
	}
}

// writes returns the sizes of the writes of f.
func writes(t *testing.T, f func(to *os.File) error) (sizes []int, err error) {
	t.Helper()
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET, 0)
	if err != nil {
		t.Skipf("no socket that keeps writes separate: %v", err)
	}
	to, from := os.NewFile(uintptr(ends[0]), "to"), os.NewFile(uintptr(ends[1]), "from")
	defer from.Close()
	done := make(chan error)
	go func() {
		err := f(to)
		to.Close()
		done <- err
	}()
	b := make([]byte, 1<<20)
	for {
		n, err := from.Read(b)
		if n == 0 || err != nil {
			return sizes, <-done
		}
		sizes = append(sizes, n)
	}
}

// TestFiles writes several files at once. Only one of the writes can use the
// shared chunk.
func TestFiles(t *testing.T) {
	numbers := make([]uint64, 5*fileSize/8+3)
	for i := range numbers {
		numbers[i] = uint64(i) << 32
	}
	want := make([]byte, 0, 8*len(numbers))
	for _, n := range numbers {
		want = binary.BigEndian.AppendUint64(want, n)
	}
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d"} {
		all.Go(func() {
			f, err := os.Create(filepath.Join(t.TempDir(), name))
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			if err := WriteSlice(f, BigEndian, numbers); err != nil {
				t.Error(err)
			}
			if got, err := os.ReadFile(f.Name()); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: read %d bytes, %v, want %d different bytes", name, len(got), err, len(want))
			}
		})
	}
	all.Wait()
}
