package messages

import "testing"

// A vector is the bytes of a message from another program or a document.
type vector struct{ hex string }

func (m *message[T]) vectors(t *testing.T, list []vector) {}
