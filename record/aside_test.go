package record

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/octet-go/octet/internal/disk/sim"
)

// TestAside ends Append to a torn file at each of its calls: by an error, a crash of the program or a power loss. What was
// after the last whole block is still in the file, or in a file beside it.
func TestAside(t *testing.T) {
	whole := withoutTables(t, writeTo(t, Options{}, 2, numbered(6, 0)))
	tail := append(bytes.Repeat([]byte("torn"), 3000), make([]byte, 700)...)
	image := append(bytes.Clone(whole), tail...)
	stop := errors.New("stop")
	for _, end := range []string{"an error", "a crash", "a power loss"} {
		for at := 1; ; at++ {
			d := &sim.Disk{}
			d.WriteFile(simulatedPath, image)
			left := []*sim.Disk{d}
			calls := 0
			d.Step = func(c sim.Call) *sim.Fault {
				if calls++; calls < at {
					return nil
				}
				switch {
				case calls > at && end == "an error":
					return nil
				case calls > at || end == "a crash":
					return &sim.Fault{Err: stop}
				case end == "a power loss":
					left = left[:0]
					for m := range sim.Moods {
						for seed := range uint64(5) {
							left = append(left, d.Cut(rand.New(rand.NewPCG(seed, uint64(at))), sim.Mood(m), nil))
						}
					}
				}
				return &sim.Fault{Err: syscall.EIO}
			}
			w, err := appendTo(d, simulatedPath, nil)
			if err == nil {
				w.Close()
			}
			d.Step = nil
			for i, d := range left {
				file, beside := d.ReadFile(simulatedPath), false
				for _, path := range d.Paths() {
					beside = beside || strings.HasPrefix(path, simulatedPath+".torn-") && bytes.Equal(d.ReadFile(path), tail)
				}
				if !bytes.HasPrefix(file, whole) || !bytes.HasPrefix(file, image) && !beside {
					t.Fatalf("after %s at call %d, image %d: the file has %d bytes, others %v", end, at, i, len(file), d.Paths())
				}
			}
			if calls < at {
				if at < 12 {
					t.Errorf("%s: Append made %d calls", end, calls)
				}
				break
			}
		}
	}
}

// TestAsideRepeated tries again and again to continue a torn file whose end cannot be cut off. This makes no more and more
// copies of the end. The copy stays if the attempt has made the file shorter.
func TestAsideRepeated(t *testing.T) {
	image := append(withoutTables(t, writeTo(t, Options{}, 2, numbered(6, 0))), "torn"...)
	for lost, files := range []int{1, 2} {
		d := &sim.Disk{}
		d.WriteFile(simulatedPath, image)
		var step func(c sim.Call) *sim.Fault
		step = func(c sim.Call) *sim.Fault {
			if c.Kind != sim.Truncate || c.Path != simulatedPath {
				return nil
			}
			d.Step = nil
			defer func() { d.Step = step }()
			f, err := d.OpenFile(simulatedPath, os.O_RDWR, 0)
			if err == nil {
				err = errors.Join(f.Truncate(int64(len(image)-lost)), f.Close())
			}
			return &sim.Fault{Err: errors.Join(syscall.EIO, err)}
		}
		d.Step = step
		for range 3 {
			if _, err := appendTo(d, simulatedPath, nil); !errors.Is(err, syscall.EIO) {
				t.Fatal(err)
			}
		}
		if list := d.Paths(); len(list) != files {
			t.Errorf("%d bytes lost: files %v", lost, list)
		}
	}
}

// TestAsideNamed lets the calls fail that make the file beside a torn one. The error names that file, not only the torn one.
func TestAsideNamed(t *testing.T) {
	image := append(withoutTables(t, writeTo(t, Options{}, 2, numbered(6, 0))), "torn"...)
	kinds := map[sim.Kind]bool{}
	for at := 1; ; at++ {
		d := &sim.Disk{}
		d.WriteFile(simulatedPath, image)
		calls := 0
		var failed sim.Call
		d.Step = func(c sim.Call) *sim.Fault {
			if strings.Contains(c.Path, ".torn-") {
				if calls++; calls == at {
					failed = c
					return &sim.Fault{Err: syscall.EDQUOT}
				}
			}
			return nil
		}
		w, err := appendTo(d, simulatedPath, nil)
		if err == nil {
			w.Close()
			break
		}
		kinds[failed.Kind] = true
		if e, ok := errors.AsType[*Error](err); !ok || e.File != failed.Path || !errors.Is(err, syscall.EDQUOT) {
			t.Errorf("%s fails: %v", failed.Kind, err)
		}
	}
	if !kinds[sim.Open] || !kinds[sim.Write] || !kinds[sim.Sync] || !kinds[sim.SyncName] {
		t.Errorf("only these calls failed: %v", kinds)
	}
}

// TestAsideOfLongName continues a torn file whose name is as long as the file system allows.
func TestAsideOfLongName(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 251)+".rec")
	whole := withoutTables(t, writeTo(t, Options{}, 2, numbered(6, 0)))
	if err := os.WriteFile(path, append(whole, "torn"...), 0o666); err != nil {
		t.Skip(err)
	}
	for range 2 {
		w, err := Append(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := w.Report()
		if b, err := os.ReadFile(r.Aside); err != nil || string(b) != "torn" || r.Records != 6 {
			t.Errorf("%v; %q, %v", r, b, err)
		}
		if err := errors.Join(w.Close(), os.WriteFile(path, append(whole, "torn"...), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAsideOfZeros continues a file that a power loss has made long and left without content. What Append moves to a file
// beside it takes no room on the disk, where the end is zero.
func TestAsideOfZeros(t *testing.T) {
	whole := withoutTables(t, writeTo(t, Options{}, 2, numbered(6, 0)))
	tail := make([]byte, 5*largeRead+100)
	copy(tail[2*largeRead+7:], "torn")
	d := &sim.Disk{}
	d.WriteFile(simulatedPath, append(bytes.Clone(whole), tail...))
	written := countWrites(d, func(path string) bool { return path != simulatedPath })
	w, err := appendTo(d, simulatedPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if r := w.Report(); r.Torn != int64(len(tail)) || !bytes.Equal(d.ReadFile(r.Aside), tail) {
		t.Errorf("%v; the file beside it has %d bytes, want %d", r, len(d.ReadFile(r.Aside)), len(tail))
	}
	if *written == 0 || *written > largeRead {
		t.Errorf("%d bytes of %d were written, only one piece is not zero", *written, len(tail))
	}
}

// countWrites counts the bytes that are written to the files whose path is counted.
func countWrites(d *sim.Disk, counted func(path string) bool) (written *int) {
	written = new(int)
	d.Step = func(c sim.Call) *sim.Fault {
		if c.Kind == sim.Write && counted(c.Path) {
			*written += c.Size
		}
		return nil
	}
	return written
}

// TestRecoverEnds recovers the ends of a file, as Append moves them aside. What was before them is in the file that they
// come from, and not lost.
func TestRecoverEnds(t *testing.T) {
	file := writeTo(t, Options{}, 3, numbered(15, 0))
	f := open(t, file)
	var blocks []Block
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, b)
	}
	f.Close()
	for i, b := range blocks[1:] {
		aside := bytes.Clone(file[b.Offset:blocks[4].end()])
		for name, c := range map[string]struct {
			file          []byte
			records, lost int64
		}{
			"whole":   {aside, 15 - b.Ordinal, 0},
			"cut":     {aside[:len(aside)-1], 12 - b.Ordinal, 0},
			"changed": {append(aside[:blockHeaderSize+20:blockHeaderSize+20], append([]byte{^aside[blockHeaderSize+20]}, aside[blockHeaderSize+21:]...)...), 12 - b.Ordinal, 3},
			"unknown": {append([]byte{0}, aside[1:]...), 12 - b.Ordinal, b.Ordinal + 3}, // its first record is not known
		} {
			if last := i == len(blocks)-2; last && name != "whole" {
				continue // it has no other block
			}
			r, err := recoverFrom(bytes.NewReader(c.file), int64(len(c.file)))
			if err != nil || r.Records != c.records || r.Lost != c.lost || r.Damaged == 0 {
				t.Errorf("%s, from block %d: %v, %v; want %d records, %d lost", name, i+1, r, err, c.records, c.lost)
			}
		}
	}
}
