//go:build go1.21

package protocol

import "testing"

// TestExchange exchanges a packed message.
func TestExchange(t *testing.T) {
	entries := EntryList{{Timestamp: EventTime{}, Record: map[string]any{"k": "v"}}}
	exchange(t, "packed", "tag", func(tag string) ([]byte, error) {
		m, err := NewPackedForwardMessage(tag, entries)
		if err != nil {
			return nil, err
		}
		return m.MarshalMsg(nil)
	}, func(b []byte) (string, error) {
		var m PackedForwardMessage
		_, err := m.UnmarshalMsg(b)
		return m.Tag, err
	})
}
