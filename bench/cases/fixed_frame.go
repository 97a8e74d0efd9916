package cases

import (
	"bytes"
	stdbinary "encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/binary"
)

// notification is the contents of a frame of the binary interface of Apple's push service: command 2, the length of
// the rest, then items of an id, a length and data.
type notification struct {
	token      [32]byte
	payload    []byte
	identifier uint32
	expiration uint32
	priority   uint8
}

// The ids of the items.
const (
	command        = 2
	itemToken      = 1
	itemPayload    = 2
	itemIdentifier = 3
	itemExpiration = 4
	itemPriority   = 5
)

// frameTail contains the fixed-size items that follow the payload.
type frameTail struct {
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

// frameHead contains the part before the payload.
type frameHead struct {
	Command       uint8
	Length        uint32
	TokenID       uint8
	TokenLength   uint16
	Token         [32]byte
	PayloadID     uint8
	PayloadLength uint16
}

const (
	headSize = 1 + 4 + 3 + 32 + 3
	tailSize = 7 + 7 + 4
)

func (n *notification) length() int { return headSize - 5 + len(n.payload) + tailSize }

// openFrame encodes and decodes one frame in the ways that programs do.
func openFrame() ([]engine.Peer, error) {
	n := &notification{
		payload:    []byte(`{"aps":{"alert":"The nightly inventory is done","badge":3,"sound":"bell"},"batch":40213}`),
		identifier: 40_213, expiration: 1_763_683_200, priority: 10,
	}
	for i := range n.token {
		n.token[i] = byte(7 * i)
	}
	want := make([]byte, n.length()+5)
	n.put(want)
	heads, err := binary.For[frameHead](binary.BigEndian)
	if err != nil {
		return nil, err
	}
	tails, err := binary.For[frameTail](binary.BigEndian)
	if err != nil {
		return nil, err
	}

	var sink bytes.Buffer
	var target notification
	buf := make([]byte, len(want))
	source := bytes.NewReader(want)
	chain := binary.NewWriter(&sink, binary.BigEndian)
	reader := binary.NewReader(source, binary.BigEndian)
	entries := []engine.Peer{
		{Library: engine.Ours, Loops: map[string]engine.Loop{
			verbWrite: engine.Attempt(func() error { sink.Reset(); chain.Reset(&sink, binary.BigEndian); return n.writeChain(chain) }),
			verbRead: engine.Attempt(func() error {
				source.Reset(want)
				reader.Reset(source, binary.BigEndian)
				return target.readChain(reader)
			}),
		}},
		{Library: "octet Write", Loops: map[string]engine.Loop{
			verbWrite: engine.Attempt(func() error {
				return n.write(&sink, func(w io.Writer, v any) error { return binary.Write(w, binary.BigEndian, v) })
			}),
			verbRead: engine.Attempt(func() error {
				source.Reset(want)
				return target.read(source, func(r io.Reader, v any) error { return binary.Read(r, binary.BigEndian, v) })
			}),
		}},
		{Library: "octet Typed", Loops: map[string]engine.Loop{
			verbWrite: engine.Repeat(func() { buf = n.append(buf[:0], heads, tails) }),
			verbRead:  engine.Attempt(func() error { return target.parse(want, heads, tails) }),
		}},
		{Library: "encoding/binary", Loops: map[string]engine.Loop{
			verbWrite: engine.Attempt(func() error {
				return n.write(&sink, func(w io.Writer, v any) error { return stdbinary.Write(w, stdbinary.BigEndian, v) })
			}),
			verbRead: engine.Attempt(func() error {
				source.Reset(want)
				return target.read(source, func(r io.Reader, v any) error { return stdbinary.Read(r, stdbinary.BigEndian, v) })
			}),
		}},
		{Library: "by hand", Loops: map[string]engine.Loop{
			verbWrite: engine.Repeat(func() { n.put(buf) }),
			verbRead:  engine.Attempt(func() error { return target.get(want) }),
		}},
	}
	others, err := frameEntries(n, &target, &sink, want)
	if err != nil {
		return nil, err
	}
	entries = append(entries, others...)
	for i := range entries {
		e := &entries[i]
		// An entry that has set its size uses another format.
		same := e.Size == 0
		if same {
			e.Size = len(want)
		}
		sink.Reset()
		clear(buf)
		if err := e.Loops[verbWrite](1); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Library, err)
		}
		if same && !bytes.Equal(sink.Bytes(), want) && !bytes.Equal(buf, want) {
			return nil, fmt.Errorf("%s: % x, want % x", e.Library, sink.Bytes(), want)
		}
		target = notification{}
		if err := e.Loops[verbRead](1); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Library, err)
		}
		if !target.equal(n) {
			return nil, fmt.Errorf("%s: %v, want %v", e.Library, target, *n)
		}
	}
	return append(entries, engine.Peer{Library: engine.Limit, Size: len(want), Loops: map[string]engine.Loop{
		verbWrite: engine.Repeat(func() { copy(buf, want) }),
		verbRead:  engine.Repeat(func() { copy(buf, want) }),
	}}), nil
}

func (n *notification) equal(other *notification) bool {
	return n.token == other.token && bytes.Equal(n.payload, other.payload) && n.identifier == other.identifier &&
		n.expiration == other.expiration && n.priority == other.priority
}

var errFrame = errors.New("bench: decoded a different frame")

// write writes the frame field by field. It writes the items to a buffer first, because their length precedes them.
func (n *notification) write(sink *bytes.Buffer, write func(w io.Writer, v any) error) error {
	var items bytes.Buffer
	sink.Reset()
	for _, v := range []any{
		uint8(itemToken), uint16(len(n.token)), n.token[:],
		uint8(itemPayload), uint16(len(n.payload)), n.payload,
		uint8(itemIdentifier), uint16(4), n.identifier,
		uint8(itemExpiration), uint16(4), n.expiration,
		uint8(itemPriority), uint16(1), n.priority,
	} {
		if err := write(&items, v); err != nil {
			return err
		}
	}
	if err := write(sink, uint8(command)); err != nil {
		return err
	}
	if err := write(sink, uint32(items.Len())); err != nil {
		return err
	}
	return write(sink, items.Bytes())
}

// read reads the frame field by field.
func (n *notification) read(r io.Reader, read func(r io.Reader, v any) error) error {
	var kind uint8
	var length uint32
	if err := errors.Join(read(r, &kind), read(r, &length)); err != nil || kind != command {
		return errors.Join(errFrame, err)
	}
	for left := int(length); left > 0; {
		var id uint8
		var size uint16
		if err := errors.Join(read(r, &id), read(r, &size)); err != nil {
			return err
		}
		left -= 3 + int(size)
		var err error
		switch id {
		case itemToken:
			err = read(r, n.token[:])
		case itemPayload:
			n.payload = make([]byte, size)
			err = read(r, n.payload)
		case itemIdentifier:
			err = read(r, &n.identifier)
		case itemExpiration:
			err = read(r, &n.expiration)
		case itemPriority:
			err = read(r, &n.priority)
		default:
			err = errFrame
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (n *notification) writeChain(w *binary.Writer) error {
	_, err := w.Uint8(command).Uint32(uint32(n.length())).
		Uint8(itemToken).Uint16ByteSlice(n.token[:]).
		Uint8(itemPayload).Uint16ByteSlice(n.payload).
		Uint8(itemIdentifier).Uint16(4).Uint32(n.identifier).
		Uint8(itemExpiration).Uint16(4).Uint32(n.expiration).
		Uint8(itemPriority).Uint16(1).Uint8(n.priority).End()
	return err
}

func (n *notification) readChain(r *binary.Reader) error {
	if r.Uint8() != command {
		return errFrame
	}
	r.Limit(int(r.Uint32()))
	for r.Left() > 0 {
		switch id, size := r.Uint8(), r.Uint16(); id {
		case itemToken:
			copy(n.token[:], r.Peek(len(n.token)))
			r.Skip(len(n.token))
		case itemPayload:
			n.payload = r.ByteSlice(int(size))
		case itemIdentifier:
			n.identifier = r.Uint32()
		case itemExpiration:
			n.expiration = r.Uint32()
		case itemPriority:
			n.priority = r.Uint8()
		default:
			return errFrame
		}
	}
	_, err := r.End()
	return err
}

// append encodes the frame as two fixed-size structs with the payload between them.
func (n *notification) append(dst []byte, heads binary.Typed[frameHead], tails binary.Typed[frameTail]) []byte {
	dst = heads.Append(dst, &frameHead{command, uint32(n.length()), itemToken, uint16(len(n.token)), n.token, itemPayload, uint16(len(n.payload))})
	dst = append(dst, n.payload...)
	return tails.Append(dst, &frameTail{itemIdentifier, 4, n.identifier, itemExpiration, 4, n.expiration, itemPriority, 1, n.priority})
}

func (n *notification) parse(src []byte, heads binary.Typed[frameHead], tails binary.Typed[frameTail]) error {
	var h frameHead
	size, err := heads.Get(src, &h)
	if err != nil {
		return err
	}
	if h.Command != command || len(src) < size+int(h.PayloadLength) {
		return errFrame
	}
	src = src[size:]
	n.token, n.payload = h.Token, bytes.Clone(src[:h.PayloadLength])
	var t frameTail
	if _, err := tails.Get(src[h.PayloadLength:], &t); err != nil {
		return err
	}
	n.identifier, n.expiration, n.priority = t.Identifier, t.Expiration, t.Priority
	return nil
}

// put encodes the frame with fixed offsets into a buffer that is long enough.
func (n *notification) put(b []byte) {
	order := stdbinary.BigEndian
	b[0] = command
	order.PutUint32(b[1:], uint32(n.length()))
	b[5] = itemToken
	order.PutUint16(b[6:], uint16(len(n.token)))
	copy(b[8:40], n.token[:])
	b[40] = itemPayload
	order.PutUint16(b[41:], uint16(len(n.payload)))
	b = b[headSize+copy(b[headSize:], n.payload):]
	_ = b[tailSize-1]
	b[0] = itemIdentifier
	order.PutUint16(b[1:], 4)
	order.PutUint32(b[3:], n.identifier)
	b[7] = itemExpiration
	order.PutUint16(b[8:], 4)
	order.PutUint32(b[10:], n.expiration)
	b[14] = itemPriority
	order.PutUint16(b[15:], 1)
	b[17] = n.priority
}

// get decodes the frame with fixed offsets.
func (n *notification) get(b []byte) error {
	order := stdbinary.BigEndian
	if len(b) < headSize+tailSize || b[0] != command {
		return errFrame
	}
	copy(n.token[:], b[8:40])
	size := int(order.Uint16(b[41:]))
	if len(b) < headSize+size+tailSize {
		return errFrame
	}
	n.payload = bytes.Clone(b[headSize : headSize+size])
	b = b[headSize+size:]
	n.identifier = order.Uint32(b[3:])
	n.expiration = order.Uint32(b[10:])
	n.priority = b[17]
	return nil
}
