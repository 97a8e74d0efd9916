package record

import (
	"bytes"
	"errors"
	"slices"
	"syscall"
	"testing"

	"github.com/octet-go/octet/internal/disk/sim"
)

// TestAppendBesideCreate lets another program make the file after Append has found that there is none. Whatever call of
// Append fails then, the file of the other program stays.
func TestAppendBesideCreate(t *testing.T) {
	image := writeTo(t, Options{}, 2, numbered(6, 0))
	for _, kind := range []string{"whole", "damaged"} {
		other := bytes.Clone(image)
		if kind == "damaged" {
			other[len(other)/2] ^= 1
		}
		for at := 1; ; at++ {
			d := &sim.Disk{}
			calls := 0
			d.Step = func(c sim.Call) *sim.Fault {
				if c.Kind == sim.Open && calls == 0 {
					d.WriteFile(simulatedPath, other)
				} else if calls == 0 {
					return nil
				}
				if calls++; calls == at+1 {
					return &sim.Fault{Err: syscall.EIO}
				}
				return nil
			}
			w, err := appendTo(d, simulatedPath, nil)
			d.Step = nil
			if err == nil {
				err = w.Close()
			} else if kind == "damaged" && calls <= at && !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s: %v", kind, err)
			}
			if !slices.Contains(d.Paths(), simulatedPath) || !bytes.HasPrefix(d.ReadFile(simulatedPath), other) {
				t.Fatalf("%s, call %d fails: the file has changed, files %q, error %v", kind, at, d.Paths(), err)
			}
			if calls <= at {
				break
			}
		}
	}
}
