// Package heaptest measures and saves memory in tests. Only tests import it.
package heaptest

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// Allocated returns the number of bytes that the program allocates while f runs.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// fuzzerBytes is what the goroutines of the fuzzer may allocate in a process that
// fuzzes, while f runs in AtMost.
const fuzzerBytes = 1 << 20

// AtMost runs f and fails the test if the program allocates more than bound bytes
// meanwhile. In a process that fuzzes, fuzzerBytes more are allowed.
func AtMost(t testing.TB, bound int, f func()) {
	t.Helper()
	if worker := flag.Lookup("test.fuzzworker"); worker != nil && worker.Value.String() == "true" {
		bound += fuzzerBytes
	}
	if used := Allocated(f); used > uint64(bound) {
		t.Errorf("allocated %d bytes, want at most %d", used, bound)
	}
}

// Main runs the tests of a package that allocate much and keep little: it lets the
// garbage collector run less often. .ci/stress sets GOGC to collect all the time.
// Benchmarks measure with the default. TestMain calls Main, which does not return.
func Main(m *testing.M) {
	flag.Parse()
	if os.Getenv("GOGC") == "" && flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
