package msgpack_test

import (
	"os"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
)

// reduced reports whether tests that try many similar cases try fewer of them: with
// -short, without OCTET_LONG=1, and under the race detector. The kinds of cases stay the
// same.
func reduced() bool { return heaptest.Race || testing.Short() || os.Getenv("OCTET_LONG") == "" }
