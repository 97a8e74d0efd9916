//go:build go1.21

package bytes_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// exchange encodes v and writes the result to a file in the folder EXCHANGE_WRITE. In the folder EXCHANGE_READ, it reads the
// file that another version of the program has written, and requires that it is decoded to v. The script run copies this file
// into the packages of programs.
func exchange[T any](t *testing.T, name string, v T, encode func(T) ([]byte, error), decode func([]byte) (T, error)) {
	t.Helper()
	if dir := os.Getenv("EXCHANGE_WRITE"); dir != "" {
		b, err := encode(v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Error(err)
		}
	}
	if dir := os.Getenv("EXCHANGE_READ"); dir != "" {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		} else if got, err := decode(b); err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%s: got %+v, %v, want %+v from % x", name, got, err, v, b)
		}
	}
}
