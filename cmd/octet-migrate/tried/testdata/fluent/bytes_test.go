//go:build go1.21

package fluent

import (
	"testing"
	"time"
)

// TestExchange exchanges a message.
func TestExchange(t *testing.T) {
	exchange(t, "message", Message{Tag: "tag", Time: 300, Record: map[string]any{"k": "v"}, Option: map[string]string{"chunk": "c"}}, func(v Message) ([]byte, error) {
		f := &Fluent{Config: Config{MarshalAsJSON: false}}
		m, err := f.EncodeData(v.Tag, time.Unix(v.Time, 0), v.Record)
		if err != nil {
			return nil, err
		}
		return m.data, nil
	}, func(b []byte) (v Message, err error) {
		_, err = v.UnmarshalMsg(b)
		v.Option = map[string]string{"chunk": "c"} // RequestAck is not set
		return v, err
	})
}
