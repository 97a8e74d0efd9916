//go:build go1.21

package serf

import "testing"

// TestExchange exchanges messages of the protocol.
func TestExchange(t *testing.T) {
	v := messageUserEvent{LTime: 1 << 35, Name: "event", Payload: []byte("p"), CC: true}
	exchange(t, "event", v, func(v messageUserEvent) ([]byte, error) {
		b, err := encodeMessage(messageUserEventType, &v, false)
		return b[1:], err
	}, func(b []byte) (v messageUserEvent, err error) {
		err = decodeMessage(b, &v)
		return v, err
	})
}
