//go:build go1.21

package taskq

import (
	"context"
	"testing"
)

// TestExchange exchanges messages of a queue, with their arguments.
func TestExchange(t *testing.T) {
	type content struct {
		ID, Task string
		Count    int
		Args     string
	}
	exchange(t, "message", content{"id", "task", 3, "\x93\x05\xa1a\xc3"}, func(c content) ([]byte, error) {
		m := NewMessage(context.Background(), 5, "a", true)
		m.ID, m.TaskName, m.ReservedCount = c.ID, c.Task, c.Count
		return m.MarshalBinary()
	}, func(b []byte) (content, error) {
		m := NewMessage(context.Background())
		if err := m.UnmarshalBinary(b); err != nil {
			return content{}, err
		}
		args, err := m.MarshalArgs()
		return content{m.ID, m.TaskName, m.ReservedCount, string(args)}, err
	})
}
