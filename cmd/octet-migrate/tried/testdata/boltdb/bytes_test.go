//go:build go1.21

package raftboltdb

import (
	"testing"
	"time"

	"github.com/hashicorp/raft"
)

// TestExchange exchanges raft logs, with both forms of times.
func TestExchange(t *testing.T) {
	log := raft.Log{Index: 1 << 40, Term: 7, Type: raft.LogCommand, Data: []byte("data"), Extensions: []byte{1}, AppendedAt: time.Unix(1700000000, 5).UTC()}
	for name, form := range map[string]bool{"old": false, "new": true} {
		exchange(t, name, log, func(l raft.Log) ([]byte, error) {
			b, err := encodeMsgPack(&l, form)
			return b.Bytes(), err
		}, func(b []byte) (l raft.Log, err error) {
			err = decodeMsgPack(b, &l)
			l.AppendedAt = l.AppendedAt.UTC()
			return l, err
		})
	}
}
