package msgpack_test

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the garbage collector run less often, because the tests allocate much memory and retain little of it.
// .ci/stress sets GOGC so that it runs all the time. Benchmarks measure with the default.
func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getenv("GOGC") == "" && flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
