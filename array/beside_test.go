package array

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octet-go/octet/internal/disk"
)

// A besideDisk calls turn around the calls that change a file, for a writer, or that read it, for a reader.
type besideDisk struct {
	disk.Disk
	turn func()
	r    *rand.Rand // for a reader
}

type besideFile struct {
	disk.File
	d    besideDisk
	torn *bool // the last read of more than a few bytes had parts of two states
}

func (d besideDisk) OpenFile(path string, flag int, perm fs.FileMode) (disk.File, error) {
	f, err := d.Disk.OpenFile(path, flag, perm)
	return besideFile{f, d, new(bool)}, err
}

func (f besideFile) WriteAt(b []byte, offset int64) (int, error) {
	f.d.turn()
	return f.File.WriteAt(b, offset)
}

func (f besideFile) Truncate(size int64) error {
	f.d.turn()
	return f.File.Truncate(size)
}

func (f besideFile) Stat() (fs.FileInfo, error) {
	f.d.turn()
	return f.File.Stat()
}

// ReadAt reads, and now and then returns one cache line as it was before a turn, and the others as they are after it.
func (f besideFile) ReadAt(b []byte, offset int64) (int, error) {
	before := make([]byte, len(b))
	n, _ := f.File.ReadAt(before, offset)
	f.d.turn()
	m, err := f.File.ReadAt(b, offset)
	if f.d.r == nil || len(b) < 16 {
		return m, err
	}
	if *f.torn = !*f.torn && f.d.r.IntN(3) == 0; *f.torn { // two in a row do not happen
		from := f.d.r.IntN(2)*64 + 64 - int(offset%64)
		copy(b[min(m, from):min(m, from+64)], before[min(n, from):])
	}
	return m, err
}

// TestOpenBesideAppend opens arrays to which another process appends. Each has as many elements as the array had at some
// time while it was opened.
func TestOpenBesideAppend(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range slices.Sorted(maps.Keys(killKinds)) {
		kind := killKinds[name]
		for range 40 {
			path := filepath.Join(t.TempDir(), "a")
			// The writer does one step whenever the reader gives it a turn.
			turns, steps := make(chan bool), make(chan bool)
			step := func() {
				steps <- true
				<-turns
			}
			least, most := -1, r.IntN(1200)
			go func() {
				defer close(steps)
				w, err := create[uint64](besideDisk{disk.OS, step, nil}, path, most, kind.format)
				if err != nil {
					t.Error(err)
					return
				}
				defer w.Close()
				for range 50 {
					least = w.Len()
					step()
					more := make([]uint64, 1+r.IntN([]int{3, 300, 2000}[r.IntN(3)]))
					most = least + len(more)
					if err := w.Append(more...); err != nil {
						t.Error(err)
					}
				}
			}()
			turn := func() {
				for range r.IntN(8) {
					select {
					case turns <- true:
						<-steps
					case <-steps: // it is done
					}
				}
			}
			for alive := <-steps; least < 0; alive = <-steps {
				if !alive {
					return
				}
				turns <- true
			}
			d := besideDisk{disk.OS, turn, r}
			for _, look := range []func() (int, error){
				func() (int, error) {
					f, err := open[uint64](d, path, Options{Format: kind.format, ReadOnly: true})
					if err != nil {
						return 0, err
					}
					return f.Len(), f.Close()
				},
				func() (int, error) {
					if kind.format.layout == rawLayout {
						return least, nil
					}
					i, err := stat(d, path)
					return i.Len, err
				},
			} {
				from := least
				if n, err := look(); err != nil || n < from || n > most {
					t.Errorf("%s: %d elements, %v, while the array had %d to %d", name, n, err, from, most)
				}
			}
			close(turns)
			for range steps {
			}
		}
	}
}
