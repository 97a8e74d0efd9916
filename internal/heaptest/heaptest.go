// Package heaptest measures and saves memory in tests. Its constants Race and Sanitized say what changes such
// measurements. Only tests import it.
package heaptest

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

// Allocated returns the number of bytes that the program allocates while f runs. In a
// process that fuzzes, this can be several MiB too many: a collection meanwhile counts
// small objects that were allocated before. To count exactly stops all goroutines, which
// takes longer than most functions that are fuzzed.
func Allocated(f func()) uint64 {
	if !fuzzes() {
		return exactly(f)
	}
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	f()
	metrics.Read(sample)
	return sample[0].Value.Uint64() - before
}

func exactly(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// fuzzes reports whether this is a process that fuzzes.
func fuzzes() bool {
	f := flag.Lookup("test.fuzzworker")
	return f != nil && f.Value.String() == "true"
}

// AtMost runs f and fails the test if the program allocates more than bound bytes
// meanwhile. In a process that fuzzes, it then runs f again to count exactly. f must
// therefore do the same each time: it makes what it decodes into or appends to.
func AtMost(t testing.TB, bound int, f func()) {
	t.Helper()
	used := Allocated(f)
	if used > uint64(bound) && fuzzes() {
		used = exactly(f)
	}
	if used > uint64(bound) {
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
