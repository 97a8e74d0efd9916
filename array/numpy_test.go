package array

import (
	"archive/zip"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/octet-go/octet/binary"
)

// TestNumpy exchanges files with numpy in both directions. It installs numpy in
// the cache directory of the user, and is skipped where that is not possible.
func TestNumpy(t *testing.T) {
	python := numpy(t)
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(python, append([]string{filepath.Join("testdata", "vectors.py")}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	theirs := t.TempDir()
	run("write", theirs)
	readVectors(t, theirs)

	ours := t.TempDir()
	everyKind(t, func(t *testing.T, k kindTest, path string, order binary.ByteOrder) { k.write(t, path, order) }, ours)
	write := func(name string, save func(f *os.File) error) {
		f, err := os.Create(filepath.Join(ours, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(save(f), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	v := vector[int32]()
	write("matrix.npy", func(f *os.File) error { return Write(f, v, NPY.WithShape(2, 3)) })
	write("fortran.npy", func(f *os.File) error {
		return Write(f, []int32{v[0], v[3], v[1], v[4], v[2], v[5]}, NPY.WithShape(2, 3).WithFortranOrder())
	})
	write("scalar.npy", func(f *os.File) error { return Write(f, []int32{7}, NPY.WithShape()) })
	write("empty.npy", func(f *os.File) error { return Write(f, []float64{}, NPY.WithShape(0, 4)) })
	write("arrays.npz", func(f *os.File) error {
		z := zip.NewWriter(f)
		return errors.Join(WriteNPZ(z, "x", vector[uint64](), NPY), WriteNPZ(z, "m", vector[float32](), NPY.WithShape(3, 2)), z.Close())
	})
	run("check", ours)
	f := opened[int32](t, filepath.Join(ours, "int32_big.npy"))
	if f.At(0) != 42 {
		t.Errorf("numpy stored 42 through its memmap, but element 0 is %d", f.At(0))
	}
}

// numpy returns a Python that has numpy. The first test that needs it makes a
// virtual environment.
func numpy(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("skipping in short mode: installs numpy")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("no cache directory for numpy: %v", err)
	}
	final := filepath.Join(cache, "octet-test-numpy")
	bin := filepath.Join("bin", "python")
	if runtime.GOOS == "windows" {
		bin = filepath.Join("Scripts", "python.exe")
	}
	python := filepath.Join(final, bin)
	if exec.Command(python, "-c", "import numpy").Run() == nil {
		return python
	}
	system, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("numpy needs python3, which is not installed")
	}
	if err := os.MkdirAll(cache, 0o777); err != nil {
		t.Skipf("no cache directory for numpy: %v", err)
	}
	dir, err := os.MkdirTemp(cache, "octet-test-numpy-")
	if err != nil {
		t.Skipf("no cache directory for numpy: %v", err)
	}
	defer os.RemoveAll(dir)
	for _, c := range []*exec.Cmd{
		exec.Command(system, "-m", "venv", dir),
		exec.Command(filepath.Join(dir, bin), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", "numpy"),
	} {
		if out, err := c.CombinedOutput(); err != nil {
			t.Skipf("numpy cannot be installed: %v: %v\n%s", c.Args, err, out)
		}
	}
	// Another process may have made it in the meantime.
	if err := os.Rename(dir, final); err != nil && exec.Command(python, "-c", "import numpy").Run() != nil {
		t.Skipf("numpy cannot be installed: %v", err)
	}
	return python
}
