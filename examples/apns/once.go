package apns

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"
)

// Once returns a handler that passes each notification to h once. A client may send a copy of a notification after a
// connection broke; the handler accepts it and does not pass it to h. A copy has the provider, identifier, token and
// payload of an earlier notification that h accepted. The handler stores the last size notifications, 40 bytes each. A
// client has at most Options.Window notifications that it may send again.
func Once(h Handler, size int) Handler {
	return &once{next: h, seen: make(map[digest]bool, size), order: make([]digest, size)}
}

type digest [32]byte

type once struct {
	next Handler

	mu    sync.Mutex
	seen  map[digest]bool
	order []digest // the digests of seen, as a ring
	at    int      // the oldest digest of the ring
}

// Push passes n to the handler unless n is a copy. It holds the lock meanwhile, because a copy may arrive on a new
// connection while the first one is still being delivered.
func (o *once) Push(provider string, n Notification) Status {
	key := digestOf(provider, &n)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.seen[key] {
		return OK
	}
	status := o.next.Push(provider, n)
	if status == OK && len(o.order) > 0 {
		delete(o.seen, o.order[o.at])
		o.seen[key], o.order[o.at] = true, key
		o.at = (o.at + 1) % len(o.order)
	}
	return status
}

func digestOf(provider string, n *Notification) digest {
	h := sha256.New()
	var number [8]byte
	binary.BigEndian.PutUint32(number[:4], n.Identifier)
	binary.BigEndian.PutUint32(number[4:], uint32(len(n.Payload))) // separates the payload from the parts before it
	h.Write(number[:])
	h.Write(n.Token[:])
	h.Write(n.Payload)
	h.Write([]byte(provider))
	return digest(h.Sum(nil))
}
