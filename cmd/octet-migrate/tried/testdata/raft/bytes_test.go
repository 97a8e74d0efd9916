//go:build go1.21

package raft

import "testing"

// TestExchange exchanges configurations of a cluster.
func TestExchange(t *testing.T) {
	c := Configuration{Servers: []Server{{Suffrage: Voter, ID: "a", Address: "host:1"}, {Suffrage: Nonvoter, ID: "b", Address: "host:2"}}}
	exchange(t, "configuration", c, func(c Configuration) ([]byte, error) {
		b, err := encodeMsgPack(c)
		return b.Bytes(), err
	}, func(b []byte) (c Configuration, err error) {
		err = decodeMsgPack(b, &c)
		return c, err
	})
	v := AppendEntriesRequest{Term: 3, Leader: []byte("l"), PrevLogEntry: 1 << 33, Entries: []*Log{{Index: 5, Data: []byte("x")}}}
	exchange(t, "append", v, func(v AppendEntriesRequest) ([]byte, error) {
		b, err := encodeMsgPack(v)
		return b.Bytes(), err
	}, func(b []byte) (v AppendEntriesRequest, err error) {
		err = decodeMsgPack(b, &v)
		return v, err
	})
}
