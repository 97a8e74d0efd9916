package cases

import (
	"os"
	"testing"
)

// TestMain allows the tests to start their own program for the calls of the group first.
func TestMain(m *testing.M) {
	if ServeFirst() || ServeLarge() {
		return
	}
	os.Exit(m.Run())
}
