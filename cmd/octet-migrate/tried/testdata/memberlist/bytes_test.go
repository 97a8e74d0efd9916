//go:build go1.21

package memberlist

import "testing"

// TestExchange exchanges messages of the protocol.
func TestExchange(t *testing.T) {
	v := alive{Incarnation: 300, Node: "n", Addr: []byte{10, 0, 0, 1}, Port: 7946, Meta: []byte("m"), Vsn: []uint8{1, 5, 2}}
	exchange(t, "alive", v, func(v alive) ([]byte, error) {
		b, err := encode(aliveMsg, &v, false)
		return b.Bytes()[1:], err
	}, func(b []byte) (v alive, err error) {
		err = decode(b, &v)
		return v, err
	})
}
