package apns

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/octet-go/octet/layout"
)

// maxMessage is the longest message that ReadNotification reads. It is longer than
// any valid message, because a server answers a payload that is slightly too long
// under its identifier instead of closing the connection without an answer.
const maxMessage = 8192

// messages reads the messages of a provider. Its options are valid, so that New returns no error.
var messages, _ = layout.New(layout.Options{MaxMessage: maxMessage})

// ReadNotification reads the next message of a provider. It returns io.EOF if r ends
// before a message, and an *layout.Error or the error of r if the message cannot be
// read, after which nothing more can be read from r. A message that violates the
// rules of the protocol is a *RefusedError with the status and the identifier that
// the server answers.
func ReadNotification(r *bufio.Reader) (Notification, error) {
	command, err := r.Peek(1)
	if err != nil {
		return Notification{}, err
	}
	switch command[0] {
	case 0:
		var m Simple
		if err := messages.Read(r, &m); err != nil {
			return Notification{}, err
		}
		n := Notification{Payload: m.Payload, Priority: Immediately}
		return n, n.check(m.Token, MaxShortPayload)
	case 1:
		var m Enhanced
		if err := messages.Read(r, &m); err != nil {
			return Notification{}, err
		}
		n := Notification{Payload: m.Payload, Identifier: m.Identifier, Expiry: m.Expiry, Priority: Immediately}
		return n, n.check(m.Token, MaxShortPayload)
	case 2:
		var m Frame
		if err := messages.Read(r, &m); err != nil {
			return Notification{}, err
		}
		return m.notification()
	}
	return Notification{}, &RefusedError{Status: ProcessingError, Cause: fmt.Errorf("unknown command %d", command[0])}
}

// notification returns the notification that the items of f describe.
func (f *Frame) notification() (Notification, error) {
	n := Notification{Priority: Immediately}
	var token []byte
	var invalid error
	seen := [PriorityItem + 1]bool{}
	for _, item := range f.Items {
		size := map[uint8]int{IdentifierItem: 4, ExpiryItem: 4, PriorityItem: 1}[item.ID]
		switch {
		case item.ID == 0 || item.ID > PriorityItem:
			invalid = fmt.Errorf("unknown item %d", item.ID)
			continue
		case seen[item.ID]:
			invalid = fmt.Errorf("item %d appears twice", item.ID)
			continue
		case size > 0 && len(item.Data) != size:
			invalid = fmt.Errorf("item %d has %d bytes, want %d", item.ID, len(item.Data), size)
			continue
		}
		seen[item.ID] = true
		switch item.ID {
		case TokenItem:
			token = item.Data
		case PayloadItem:
			n.Payload = item.Data
		case IdentifierItem:
			n.Identifier = binary.BigEndian.Uint32(item.Data)
		case ExpiryItem:
			n.Expiry = binary.BigEndian.Uint32(item.Data)
		case PriorityItem:
			n.Priority = Priority(item.Data[0])
			if n.Priority != Immediately && n.Priority != SavePower {
				invalid = fmt.Errorf("unknown priority %d", n.Priority)
			}
		}
	}
	if invalid != nil { // checked after the loop, because the identifier may be the last item
		return n, &RefusedError{Status: ProcessingError, Identifier: n.Identifier, Cause: invalid}
	}
	return n, n.check(token, MaxPayload)
}

// check sets the token of n and reports what the server refuses.
func (n *Notification) check(token []byte, maxPayload int) error {
	switch {
	case len(token) == 0:
		return &RefusedError{Status: MissingToken, Identifier: n.Identifier}
	case len(token) != len(n.Token):
		return &RefusedError{Status: WrongTokenSize, Identifier: n.Identifier,
			Cause: fmt.Errorf("token has %d bytes, want %d", len(token), len(n.Token))}
	case len(n.Payload) == 0:
		return &RefusedError{Status: MissingPayload, Identifier: n.Identifier}
	case len(n.Payload) > maxPayload:
		return &RefusedError{Status: WrongPayloadSize, Identifier: n.Identifier,
			Cause: fmt.Errorf("payload has %d bytes, at most %d are allowed", len(n.Payload), maxPayload)}
	}
	n.Token = Token(token)
	return nil
}

// readResponse reads the answer of a server.
func readResponse(r io.Reader) (Response, error) {
	var m Response
	err := layout.Read(r, &m)
	return m, err
}
