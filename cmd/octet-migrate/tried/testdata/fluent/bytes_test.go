//go:build go1.21

package fluent

import (
	"testing"
	"time"
)

// TestExchange exchanges messages with both forms of times.
func TestExchange(t *testing.T) {
	type message struct {
		Tag    string
		Sec    int64
		Nsec   int
		Record any
		Option string
	}
	for name, precise := range map[string]bool{"seconds": false, "nanoseconds": true} {
		f := &Fluent{Config: Config{SubSecondPrecision: precise}}
		m := message{Tag: "tag", Sec: 1700000000, Record: map[string]any{"list": []any{"a", int64(-300), 1.5, nil, true}}}
		if precise {
			m.Nsec = 5
		}
		exchange(t, name, m, func(m message) ([]byte, error) {
			msg, err := f.EncodeData(m.Tag, time.Unix(m.Sec, int64(m.Nsec)), m.Record)
			if err != nil {
				return nil, err
			}
			return msg.data, nil
		}, func(b []byte) (message, error) {
			if !precise {
				var m Message
				_, err := m.UnmarshalMsg(b)
				return message{m.Tag, m.Time, 0, m.Record, m.Option["chunk"]}, err
			}
			var m MessageExt
			_, err := m.UnmarshalMsg(b)
			at := time.Time(m.Time)
			return message{m.Tag, at.Unix(), at.Nanosecond(), m.Record, m.Option["chunk"]}, err
		})
	}
}
