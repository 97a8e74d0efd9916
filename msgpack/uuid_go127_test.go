//go:build go1.27

package msgpack_test

import (
	"testing"
	"uuid"
)

// TestStandardUUID is TestUUID for the type of the standard library.
func TestStandardUUID(t *testing.T) { testUUID[uuid.UUID](t, true) }
