package cases

import (
	"bytes"
	stdbinary "encoding/binary"

	"github.com/go-restruct/restruct"
	kelindar "github.com/kelindar/binary"
	"github.com/lunixbochs/struc"
	"github.com/octet-go/octet/bench/engine"
)

// frame is a notification as one struct with the lengths of the items, for libraries that take the length of a
// slice from a field.
type frame struct {
	Command          uint8
	Length           uint32
	TokenID          uint8
	TokenLength      uint16
	Token            [32]byte
	PayloadID        uint8
	PayloadLength    uint16 `struc:"sizeof=Payload" struct:"sizeof=Payload"`
	Payload          []byte
	IdentifierID     uint8
	IdentifierLength uint16
	Identifier       uint32
	ExpirationID     uint8
	ExpirationLength uint16
	Expiration       uint32
	PriorityID       uint8
	PriorityLength   uint16
	Priority         uint8
}

func (n *notification) frame() *frame {
	return &frame{
		command, uint32(n.length()), itemToken, uint16(len(n.token)), n.token, itemPayload, uint16(len(n.payload)), n.payload,
		itemIdentifier, 4, n.identifier, itemExpiration, 4, n.expiration, itemPriority, 1, n.priority,
	}
}

func (n *notification) setFrame(f *frame, err error) error {
	if err != nil {
		return err
	}
	if f.Command != command {
		return errFrame
	}
	*n = notification{f.Token, f.Payload, f.Identifier, f.Expiration, f.Priority}
	return nil
}

// frameEntries returns the entries of the libraries that need the whole frame as a struct. They write n to sink, and
// read want into target.
func frameEntries(n, target *notification, sink *bytes.Buffer, want []byte) ([]engine.Peer, error) {
	own, err := kelindar.Marshal(n.frame())
	if err != nil {
		return nil, err
	}
	source := bytes.NewReader(nil)
	return []engine.Peer{
		{Library: "kelindar", Size: len(own), Note: ownFormat, Loops: map[string]engine.Loop{
			verbWrite: engine.Attempt(func() error { sink.Reset(); return kelindar.MarshalTo(n.frame(), sink) }),
			verbRead:  engine.Attempt(func() error { f := new(frame); return target.setFrame(f, kelindar.Unmarshal(own, f)) }),
		}},
		{Library: "struc", Loops: map[string]engine.Loop{
			verbWrite: engine.Attempt(func() error { sink.Reset(); return struc.Pack(sink, n.frame()) }),
			verbRead: engine.Attempt(func() error {
				source.Reset(want)
				f := new(frame)
				return target.setFrame(f, struc.Unpack(source, f))
			}),
		}},
		{Library: "restruct", Loops: map[string]engine.Loop{
			verbWrite: engine.Attempt(func() error {
				b, err := restruct.Pack(stdbinary.BigEndian, n.frame())
				sink.Reset()
				sink.Write(b)
				return err
			}),
			verbRead: engine.Attempt(func() error {
				f := new(frame)
				return target.setFrame(f, restruct.Unpack(want, stdbinary.BigEndian, f))
			}),
		}},
	}, nil
}
