package faulty

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A Disk is a file system whose power can be cut: what was not synced is lost.
type Disk struct {
	Dir   string // where it is mounted
	kind  string
	image string // what is on the disk, without what is only in memory
}

// TestDisks calls f for a disk of each kind, in a test of its own.
func TestDisks(t *testing.T, f func(t *testing.T, d *Disk)) {
	for _, kind := range []string{"ext4", "ext2"} {
		t.Run(kind, func(t *testing.T) { f(t, newDisk(t, kind)) })
	}
}

// newDisk makes a small file system of the given kind, such as ext4 or ext2. The one with a journal writes the changes
// of directories in the order in which they happened, the other one in any order. The system writes nothing to the disk
// that was not synced for some seconds. newDisk skips the test if file systems cannot be made and mounted here.
func newDisk(t *testing.T, kind string) *Disk {
	t.Helper()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("only root on Linux can mount a disk")
	}
	d := &Disk{Dir: filepath.Join(t.TempDir(), "disk"), kind: kind, image: filepath.Join(t.TempDir(), "image")}
	f, err := os.Create(d.image)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(16 << 20); err != nil {
		t.Fatal(err)
	}
	run(t, "mkfs."+kind, "-q", "-F", d.image)
	d.mount(t, d.Dir, d.image)
	return d
}

// Cut returns a directory that has what a computer would find on the disk if its power had been lost now. The disk goes
// on working.
func (d *Disk) Cut(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	image := filepath.Join(dir, "image")
	from, err := os.Open(d.image)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.Create(image)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	mounted := filepath.Join(dir, "disk")
	d.mount(t, mounted, image)
	return mounted
}

// mount mounts an image until the end of the test.
func (d *Disk) mount(t *testing.T, dir, image string) {
	t.Helper()
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	options := "loop"
	if d.kind == "ext4" {
		options += ",commit=300" // seconds
	}
	run(t, "mount", "-t", d.kind, "-o", options, image, dir)
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
}

// run runs a command, or skips the test.
func run(t *testing.T, command ...string) {
	t.Helper()
	if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
		t.Skipf("%s: %v: %s", strings.Join(command, " "), err, out)
	}
}
