package migrate

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the garbage collector run less often, because the tests allocate much and keep little.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
