package record

import (
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
