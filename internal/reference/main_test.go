package reference

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the garbage collector run less often, because the tests allocate much memory and retain little of it.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
