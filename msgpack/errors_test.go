package msgpack_test

import (
	"errors"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// checkError checks that err is an *Error for such a reason, and returns it.
func checkError(t *testing.T, err, reason error) *msgpack.Error {
	t.Helper()
	var e *msgpack.Error
	if !errors.As(err, &e) || !errors.Is(err, reason) {
		t.Errorf("got error %v (%T), want an *Error for %q", err, err, reason)
		return nil
	}
	return e
}
