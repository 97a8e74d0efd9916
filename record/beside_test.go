package record

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/octet-go/octet/internal/disk"
	"github.com/octet-go/octet/internal/disk/sim"
)

// TestAppendBesideCreate lets another program write the file after Append has found that there is none: before Append makes
// it, or before Append locks it. Whatever call of Append fails then, the file of the other program stays.
func TestAppendBesideCreate(t *testing.T) {
	image := writeTo(t, Options{}, 2, numbered(6, 0))
	damaged := bytes.Clone(image)
	damaged[len(damaged)/2] ^= 1
	for name, other := range map[string][]byte{"whole": image, "damaged": damaged} {
		appendBeside(t, name, sim.Open, other)
		appendBeside(t, name, sim.Lock, other)
	}
}

// appendBeside writes other before a call for the file that Append wants to make.
func appendBeside(t *testing.T, name string, before sim.Kind, other []byte) {
	for at := 1; ; at++ {
		d := &sim.Disk{}
		opens, calls := 0, 0
		var step func(c sim.Call) *sim.Fault
		step = func(c sim.Call) *sim.Fault {
			if c.Kind == sim.Open {
				opens++
			}
			if opens == 2 && calls == 0 && c.Kind == before {
				d.Step = nil
				f, err := d.OpenFile(simulatedPath, os.O_RDWR|os.O_CREATE, 0o666)
				if err == nil {
					_, err = f.WriteAt(other, 0)
				}
				if err != nil {
					t.Fatal(err)
				}
				f.Close()
				d.Step = step
			} else if calls == 0 {
				return nil
			}
			if calls++; calls == at+1 {
				return &sim.Fault{Err: syscall.EIO}
			}
			return nil
		}
		d.Step = step
		w, err := appendTo(d, simulatedPath, nil)
		d.Step = nil
		if err == nil {
			err = w.Close()
		} else if name == "damaged" && calls <= at && !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
		if !slices.Contains(d.Paths(), simulatedPath) || !bytes.HasPrefix(d.ReadFile(simulatedPath), other) {
			t.Errorf("%s before %s, call %d fails: the file has changed, files %q, error %v", name, before, at, d.Paths(), err)
		}
		if calls <= at {
			return
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

// unlockable is a disk whose files cannot be locked.
type unlockable struct{ disk.Disk }

type unlockableFile struct{ disk.File }

func (d unlockable) OpenFile(path string, flag int, perm fs.FileMode) (disk.File, error) {
	f, err := d.Disk.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err
	}
	return unlockableFile{f}, nil
}

func (unlockableFile) Lock() error { return syscall.ENOLCK }

// TestNothingLeftOfLink cannot lock the file that a symbolic link to no file refers to. The file is removed again, and the
// link stays.
func TestNothingLeftOfLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a.rec"), filepath.Join(dir, "b.rec")
	if err := os.Symlink("a.rec", link); err != nil {
		t.Skip(err)
	}
	if _, err := appendTo(unlockable{disk.OS}, link, nil); !errors.Is(err, syscall.ENOLCK) {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the new file stays: %v", err)
	}
	if _, err := os.Lstat(link); err != nil {
		t.Error(err)
	}
}
