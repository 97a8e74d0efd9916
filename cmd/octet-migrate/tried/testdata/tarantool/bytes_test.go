//go:build go1.21

package tarantool_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/tarantool/go-tarantool/v3"
	"github.com/tarantool/go-tarantool/v3/datetime"
	"github.com/tarantool/go-tarantool/v3/decimal"
	_ "github.com/tarantool/go-tarantool/v3/uuid"
)

// TestExchange exchanges tuples, which are written in requests and read from responses.
func TestExchange(t *testing.T) {
	at, err := datetime.NewDatetime(time.Unix(1700000000, 5).UTC())
	if err != nil {
		t.Fatal(err)
	}
	number, err := decimal.NewDecimalFromString("-12.34")
	if err != nil {
		t.Fatal(err)
	}
	const request, response = "\x82\x10\x05\x21", "\x81\x30\x91"
	for name, tuple := range map[string][]any{
		"plain":    {int64(-300), uint64(1 << 40), "s", true, nil, 1.5, []any{"a"}, map[string]any{"k": "v"}, []byte{1}},
		"datetime": {at},
		"interval": {datetime.Interval{Year: 1, Nsec: -5}},
		"decimal":  {number},
		"uuid":     {uuid.MustParse("00112233-4455-6677-8899-aabbccddeeff")},
	} {
		exchange(t, name, fmt.Sprint(tuple...), func(string) ([]byte, error) {
			var b bytes.Buffer
			err := tarantool.NewInsertRequest(5).Tuple(tuple).Body(&dummySchemaResolver{}, msgpack.NewEncoder(&b))
			return bytes.TrimPrefix(b.Bytes(), []byte(request)), err
		}, func(b []byte) (string, error) {
			r, err := tarantool.DecodeBaseResponse(tarantool.Header{}, bytes.NewReader(append([]byte(response), b...)))
			if err != nil {
				return "", err
			}
			tuples, err := r.Decode()
			if err != nil || len(tuples) != 1 {
				return "", err
			}
			got, _ := tuples[0].([]any)
			return fmt.Sprint(got...), nil
		})
	}
}
