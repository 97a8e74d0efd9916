package disk

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/octet-go/octet/internal/faulty"
)

// TestPowerLoss cuts the power of real disks after Sync and SyncName, which must do what package sim relies on.
func TestPowerLoss(t *testing.T) {
	faulty.TestDisks(t, func(t *testing.T, d *faulty.Disk) {
		path := filepath.Join(d.Dir, "a")
		f, err := OpenLocked(OS, path, create)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		synced := func(step, want string, err error) {
			t.Helper()
			if err == nil {
				err = f.Sync()
			}
			if err == nil {
				err = OS.SyncName(path)
			}
			if err != nil {
				t.Fatalf("%s: %v", step, err)
			}
			if got, err := os.ReadFile(filepath.Join(d.Cut(t), "a")); err != nil || string(got) != want {
				t.Errorf("after %s, Sync and a power loss: %q, %v, want %q", step, got, err, want)
			}
		}
		_, err = f.WriteAt([]byte("abcdef"), 0)
		synced("WriteAt", "abcdef", err)
		w, err := f.From(3)
		if err == nil {
			_, err = w.Write([]byte("DEF"))
		}
		synced("Write", "abcDEF", err)
		if b, err := f.Map(4096, true); err == nil {
			b[0] = 'A'
			synced("a store to mapped memory", "AbcDEF", nil)
			b[0] = 'a'
		}
		synced("Truncate", "abcDE", f.Truncate(5))
		if err = f.Reserve(5, 8); err == ErrNoReserve {
			err = nil
		}
		if err == nil {
			err = f.Truncate(8)
		}
		synced("Reserve", "abcDE\x00\x00\x00", err)
	})
}
