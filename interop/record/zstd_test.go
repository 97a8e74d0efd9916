package record

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestZstdCommand decodes every sample by the zstd command. Of a torn file the
// command prints the whole blocks, and more or less of the last one.
func TestZstdCommand(t *testing.T) {
	zstd, err := exec.LookPath("zstd")
	if err != nil {
		t.Skip("the zstd command is not installed")
	}
	for _, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			in, err := os.Open(s.path)
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			c := exec.Command(zstd, "-dc")
			c.Stdin = in
			got, err := c.Output()
			if (err != nil) != s.torn {
				t.Errorf("zstd: %v", err)
			}
			checkContent(t, got, &s)
		})
	}
}

// checkContent compares what a decoder prints with the records.
func checkContent(t *testing.T, got []byte, s *sample) {
	t.Helper()
	want := s.content()
	if s.torn && len(got) > len(want) {
		got = got[:len(want)] // a part of the block that is not whole
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
}

// python returns the path of a Python with the package zstandard.
func python(t *testing.T) string {
	t.Helper()
	base, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	if exec.Command(base, "-c", "import zstandard").Run() == nil {
		return base
	}
	// The package stays in the cache, because installing it takes longer than all tests.
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	final := filepath.Join(cache, "octet-test-zstandard-0.25.0")
	python := filepath.Join("bin", "python")
	if runtime.GOOS == "windows" {
		python = filepath.Join("Scripts", "python.exe")
	}
	bin := filepath.Join(final, python)
	if exec.Command(bin, "-c", "import zstandard").Run() == nil {
		return bin
	}
	if err := os.MkdirAll(cache, 0o777); err != nil {
		t.Skipf("no cache directory: %v", err)
	}
	if out, err := exec.Command(base, "-m", "venv", "--clear", final).CombinedOutput(); err != nil {
		t.Skipf("python3 -m venv: %v\n%s", err, out)
	}
	if out, err := exec.Command(bin, "-m", "pip", "install", "--quiet", "zstandard==0.25.0").CombinedOutput(); err != nil {
		t.Skipf("the Python package zstandard cannot be installed: %v\n%s", err, out)
	}
	return bin
}

const decode = `
import sys, zstandard
reader = zstandard.ZstdDecompressor().stream_reader(open(sys.argv[1], "rb"), read_across_frames=True)
while True:
    b = reader.read(65536)
    if not b: break
    sys.stdout.buffer.write(b)
`

// TestPython decodes every sample by the zstandard package, and by reader.py with it.
func TestPython(t *testing.T) {
	if testing.Short() {
		t.Skip("installs a Python package")
	}
	bin := python(t)
	for _, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			got, err := exec.Command(bin, "-c", decode, s.path).Output()
			if err != nil {
				t.Fatal(err)
			}
			checkContent(t, got, &s)
			if s.compressed {
				records, _ := runReader(t, bin, s.path)
				checkRecords(t, records, &s)
			}
		})
	}
}
