package record

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/octet-go/octet/internal/disk/sim"
)

// TestAppendAfterFailedSync lets one sync fail. Append to the file then makes its records durable, although the
// system no longer knows which of them are not on the disk.
func TestAppendAfterFailedSync(t *testing.T) {
	d := &sim.Disk{}
	w, err := create(d, simulatedPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(strings.Repeat("text", 2000))
	d.Step = func(c sim.Call) *sim.Fault {
		if c.Kind == sim.Sync {
			return &sim.Fault{Err: syscall.EIO}
		}
		return nil
	}
	if w.Sync() == nil {
		t.Fatal("the sync did not fail")
	}
	w.Close()
	d.Step = nil
	w, err = appendTo(d, simulatedPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for m := range sim.Stale {
		for seed := range uint64(20) {
			f, err := openFile(d.Cut(rand.New(rand.NewPCG(seed, 0)), m, nil), simulatedPath, nil)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := collect(All[string](f)); len(n) != 1 || err != nil {
				t.Errorf("%v, image %d: %d records, %v", m, seed, len(n), err)
			}
			f.Close()
		}
	}
}

// TestHeaderAfterFailedSync lets the sync of a new header in an empty file fail. Append to the file then
// makes the header durable, too.
func TestHeaderAfterFailedSync(t *testing.T) {
	d := &sim.Disk{}
	d.WriteFile(simulatedPath, nil)
	d.Step = func(c sim.Call) *sim.Fault {
		if c.Kind == sim.Sync {
			return &sim.Fault{Err: syscall.EIO}
		}
		return nil
	}
	if _, err := appendTo(d, simulatedPath, nil); err == nil {
		t.Fatal("the sync did not fail")
	}
	d.Step = nil
	w, err := appendTo(d, simulatedPath, nil)
	if err != nil || w.Report().Parts != 1 {
		t.Fatalf("%v, want the header of the first call", err)
	}
	defer w.Close()
	want := d.ReadFile(simulatedPath)
	for m := range sim.Stale {
		for seed := range uint64(20) {
			if got := d.Cut(rand.New(rand.NewPCG(seed, 0)), m, nil).ReadFile(simulatedPath); !bytes.Equal(got, want) {
				t.Errorf("%v, image %d: % x, want % x", m, seed, got, want)
			}
		}
	}
}

// TestAppendToClosed counts what Append writes to a file that was closed: at most what is after the blocks, because an
// index or a sync mark proves that they were synced.
func TestAppendToClosed(t *testing.T) {
	whole := writeTo(t, Options{BlockSize: minBlock}, 10, numbered(1000, 0))
	for name, c := range map[string]struct {
		image  []byte
		blocks int64 // that the Writer has already written, or 0
	}{
		"one file":        {whole, 0},
		"joined":          {append(bytes.Clone(whole), whole...), 0},
		"too many blocks": {withoutTables(t, whole), MaxIndexed},
	} {
		d := &sim.Disk{}
		d.WriteFile(simulatedPath, c.image)
		w, err := appendTo(d, simulatedPath, nil)
		if err != nil {
			t.Fatal(err)
		}
		w.out.blocks += c.blocks
		if err := errors.Join(w.WriteRaw(numbered(1, 0)[0]), w.Flush()); err != nil {
			t.Fatal(err)
		}
		blocks := w.out.offset
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		most := len(d.ReadFile(simulatedPath)) - int(blocks)
		written := countWrites(d, func(string) bool { return true })
		if w, err = appendTo(d, simulatedPath, nil); err != nil {
			t.Fatal(err)
		}
		if *written > most || most > len(c.image)/2 {
			t.Errorf("%s: %d bytes of %d were written, %d are after the blocks", name, *written, len(c.image), most)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}
