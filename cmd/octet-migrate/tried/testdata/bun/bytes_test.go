//go:build go1.21

package schema

import (
	"encoding/hex"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestExchange exchanges columns with the option msgpack.
func TestExchange(t *testing.T) {
	type column struct {
		ID   int64
		Name string `msgpack:",omitempty"`
		At   time.Time
		L    []uint16
		M    map[string]string
	}
	exchange(t, "column", column{-300, "n", time.Unix(5, 6), []uint16{1, 300}, map[string]string{"k": "v"}}, func(v column) ([]byte, error) {
		quoted := string(appendMsgpack(Formatter{}, nil, reflect.ValueOf(&v).Elem()))
		return hex.DecodeString(strings.TrimSuffix(strings.TrimPrefix(quoted, `'\x`), "'"))
	}, func(b []byte) (v column, err error) {
		err = scanMsgpack(reflect.ValueOf(&v), b)
		return v, err
	})
}
