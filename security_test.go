package octet_test

import (
	"os"
	"strings"
	"testing"
)

// TestSecurityBounds requires that each bound on memory of SECURITY.md is the one that a test asserts. If one of them
// changes, the other must too.
func TestSecurityBounds(t *testing.T) {
	text, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(text)), " ")
	for _, row := range []struct{ bound, file, test, constant string }{
		{"at most 170 n + 16 KiB", "msgpack/memory_test.go", "TestMemoryOfAny", "const anyFactor = 170\n"},
		{"at most (size of the largest element + 64) n + 16 KiB", "msgpack/memory_test.go", "TestMemoryOfTypes", "f = max(f, size+64, "},
		{"up to 96 n for the keys of each map", "msgpack/memory_options_test.go", "TestMemoryOfConfigs", "const duplicateFactor = 96\n"},
		{"plus 160 KiB", "msgpack/stream_hostile_test.go", "TestStreamMemory", "const longBuffer = 160 << 10\n"},
		{"no memory for 16 levels, and at most 48 bytes for each level", "msgpack/wire/alloc_test.go", "TestSkipMemory", "n > uint64(48*levels)"},
		{"at most 5 n + 256 KiB in total", "array/header_test.go", "TestReadMemory", "got > 5*size+256<<10"},
		{"`binary.Reader` that reads a string or slice does the same", "binary/stream_test.go", "TestReaderMemory", "got > 5*arrived+256<<10"},
		{"at most 16 MiB for one message", "layout/bounds_test.go", "TestDefaultMaxMessage", "const most = 16 << 20\n"},
		{"at most 256 n + 1 MiB", "layout/bounds_test.go", "TestMemoryOfValues", "memoryPerByte = 256\n"},
		{"Texts take at most 2 n", "layout/bounds_test.go", "TestMemoryOfTexts", "textsPerByte = 1 << 20, 2\n"},
		{"at most 16 n + 1 MiB", "layout/bounds_test.go", "TestRawOfRecursiveTypes", "againPerByte  = 16\n"},
		{"at most 2 × `record.Options.MaxBlock` + 512 KiB", "record/memory_test.go", "TestMemory", "const fixed = 512 << 10\n"},
		{"takes 4 × `MaxBlock` + 2 MiB in total", "record/memory_test.go", "TestMemory", "want := 2*c.want + 2*fixed;"},
		{"headers of joined files take twice their length", "record/hostile_memory_test.go", "TestMemoryOfSmallPieces", "headers = 2 * int64("},
		{"up to 16 MiB in total to remember", "record/hostile_memory_test.go", "TestMemoryOfSmallPieces", "const positions = 16 << 20\n"},
		{"up to 256 bytes for each block", "record/hostile_memory_test.go", "TestMemoryOfSmallPieces", "const perBlock = 256\n"},
		{"allocates up to 12 n to find out", "record/hostile_memory_test.go", "TestMemoryOfRecovery", "const perByte = 12\n"},
		{"at most 128 n + 64 KiB", "transcode/random_test.go", "TestAllocationBound", "uint64(128*len(tt.data)+64<<10)"},
		{"the window of zstd is at most 32 MiB", "cmd/octet/internal/input/decompress.go", "", "const maxWindow = 32 << 20\n"},
	} {
		if !strings.Contains(page, row.bound) {
			t.Errorf("SECURITY.md does not say %q, which %s asserts", row.bound, row.test)
		}
		source, err := os.ReadFile(row.file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(source), row.constant) || row.test != "" && !strings.Contains(string(source), "\nfunc "+row.test+"(") {
			t.Errorf("%s: %s has no %q, but SECURITY.md says %q", row.file, row.test, row.constant, row.bound)
		}
	}
}
