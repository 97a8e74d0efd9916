// Package diagtest makes values for tests. Only tests import it.
package diagtest

import (
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/diag"
)

// Pack returns the MessagePack of values in diagnostic notation.
func Pack(t testing.TB, text string) (data []byte) {
	t.Helper()
	r := diag.NewReader(strings.NewReader(text))
	for {
		var err error
		if data, err = r.Append(data); err == io.EOF {
			return data
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
