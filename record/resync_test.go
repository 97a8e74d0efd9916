package record

import (
	"bytes"
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

// TestAppendToClosed counts what Append writes to a file that was closed: only the tables, because the index
// proves that the blocks were synced.
func TestAppendToClosed(t *testing.T) {
	image := writeTo(t, Options{BlockSize: minBlock}, 10, numbered(1000, 0))
	d := &sim.Disk{}
	d.WriteFile(simulatedPath, image)
	written := countWrites(d, func(string) bool { return true })
	w, err := appendTo(d, simulatedPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if most := len(image) - len(withoutTables(t, image)); *written > most || most > len(image)/2 {
		t.Errorf("%d bytes of %d were written, the tables have %d", *written, len(image), most)
	}
}
