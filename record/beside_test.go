package record

import (
	"bytes"
	"errors"
	"slices"
	"syscall"
	"testing"

	"github.com/octet-go/octet/internal/disk"
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
			opens, calls := 0, 0
			d.Step = func(c sim.Call) *sim.Fault {
				if c.Kind == sim.Open {
					opens++
				}
				if opens == 2 && calls == 0 {
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

// TestNothingLeft lets every call of Create and Append fail that makes a file. Afterwards there is none, so that a second
// try with Create works, too.
func TestNothingLeft(t *testing.T) {
	for name, open := range map[string]func(disk.Disk, string, *Options) (*Writer, error){"Create": create, "Append": appendTo} {
		for at := 1; ; at++ {
			d := &sim.Disk{}
			calls := 0
			var failed sim.Call
			d.Step = func(c sim.Call) *sim.Fault {
				if calls++; calls == at {
					failed = c
					return &sim.Fault{Err: syscall.ENOLCK}
				}
				return nil
			}
			w, err := open(d, simulatedPath, nil)
			d.Step = nil
			if calls < at {
				w.Close()
				if at < 7 {
					t.Errorf("%s made %d calls", name, calls)
				}
				break
			}
			unknown := name == "Append" && failed.Kind == sim.Stat // whether another program has written records
			if err == nil || len(d.Paths()) > 0 && !unknown {
				t.Errorf("%s, %s fails: %v, files %q are left", name, failed.Kind, err, d.Paths())
			}
			if w != nil {
				w.Close()
			}
		}
	}
}
