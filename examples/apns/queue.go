package apns

// queue has the notifications that are not settled, in the order in which they were sent. Each has an index, which counts
// from the first notification of the client and never changes.
type queue struct {
	entries []entry
	first   int64 // index of entries[0]
}

// entry is a notification or a probe: a message without a token, which the server refuses.
type entry struct {
	Notification
	probe bool
}

func (q *queue) len() int          { return len(q.entries) }
func (q *queue) begin() int64      { return q.first }
func (q *queue) end() int64        { return q.first + int64(len(q.entries)) }
func (q *queue) at(i int64) *entry { return &q.entries[i-q.first] }
func (q *queue) last() *entry      { return &q.entries[len(q.entries)-1] }
func (q *queue) push(e entry)      { q.entries = append(q.entries, e) }

// drop removes the entries before index i.
func (q *queue) drop(i int64) {
	n := copy(q.entries, q.entries[i-q.first:])
	clear(q.entries[n:]) // releases the payloads
	q.entries = q.entries[:n]
	q.first = i
}

// find returns the index of the entry with this identifier among those before index end.
func (q *queue) find(identifier uint32, end int64) (index int64, ok bool) {
	for i := q.first; i < min(end, q.end()); i++ {
		if q.at(i).Identifier == identifier {
			return i, true
		}
	}
	return 0, false
}

// notifications returns the entries that are not probes.
func (q *queue) notifications() []Notification {
	var list []Notification
	for _, e := range q.entries {
		if !e.probe {
			list = append(list, e.Notification)
		}
	}
	return list
}
