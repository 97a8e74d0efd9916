package messages

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
)

// Notification is a notification in the binary interface of Apple's push service with its items in their usual
// order: Local and Remote Notification Programming Guide (2014), Binary Provider API.
type Notification struct {
	_                struct{} `layout:"be"`
	Command          uint8    `layout:"const=2"`
	Length           uint32   `layout:"len=TokenID..Priority"`
	TokenID          uint8    `layout:"const=1"`
	TokenLength      uint16   `layout:"len=Token"`
	Token            [32]byte
	PayloadID        uint8  `layout:"const=2"`
	Payload          []byte `layout:"prefix=u16"`
	IdentifierID     uint8  `layout:"const=3"`
	IdentifierLength uint16 `layout:"const=4"`
	Identifier       uint32
	ExpirationID     uint8  `layout:"const=4"`
	ExpirationLength uint16 `layout:"const=4"`
	Expiration       uint32
	PriorityID       uint8  `layout:"const=5"`
	PriorityLength   uint16 `layout:"const=1"`
	Priority         uint8
}

const (
	apnsHead = 43 // up to the payload
	apnsTail = 18 // after the payload
)

// AppendNotification appends the notification as layout does. The lengths and identifiers of the items may be 0.
func AppendNotification(dst []byte, m *Notification) ([]byte, error) {
	if m.Command != 0 && m.Command != 2 || m.TokenID != 0 && m.TokenID != 1 || m.PayloadID != 0 && m.PayloadID != 2 ||
		m.IdentifierID != 0 && m.IdentifierID != 3 || m.IdentifierLength != 0 && m.IdentifierLength != 4 ||
		m.ExpirationID != 0 && m.ExpirationID != 4 || m.ExpirationLength != 0 && m.ExpirationLength != 4 ||
		m.PriorityID != 0 && m.PriorityID != 5 || m.PriorityLength != 0 && m.PriorityLength != 1 {
		return dst, errConstant
	}
	if len(m.Payload) > 0xffff {
		return dst, errRange
	}
	n, size := len(dst), apnsHead+len(m.Payload)+apnsTail
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[apnsHead-1]
	b[0] = 2
	be.PutUint32(b[1:], uint32(size-5))
	b[5], b[6], b[7] = 1, 0, 32
	copy(b[8:40], m.Token[:])
	b[40] = 2
	be.PutUint16(b[41:], uint16(len(m.Payload)))
	b = b[apnsHead+copy(b[apnsHead:], m.Payload):]
	_ = b[apnsTail-1]
	b[0], b[1], b[2] = 3, 0, 4
	be.PutUint32(b[3:], m.Identifier)
	b[7], b[8], b[9] = 4, 0, 4
	be.PutUint32(b[10:], m.Expiration)
	b[14], b[15], b[16] = 5, 0, 1
	b[17] = m.Priority
	return dst, nil
}

// DecodeNotification decodes a notification and checks everything that package layout checks. If alias is set, the
// payload is a part of data.
func DecodeNotification(data []byte, m *Notification, alias bool) error {
	if len(data) < apnsHead+apnsTail {
		return errShort
	}
	if data[0] != 2 || data[5] != 1 || be.Uint16(data[6:]) != 32 || data[40] != 2 {
		return errConstant
	}
	length := int(be.Uint16(data[41:]))
	if int(be.Uint32(data[1:])) != apnsHead-5+length+apnsTail {
		return errLength
	}
	if len(data) != apnsHead+length+apnsTail {
		return sizeError(len(data), apnsHead+length+apnsTail)
	}
	m.Command, m.Length = 2, be.Uint32(data[1:])
	m.TokenID, m.TokenLength, m.Token = 1, 32, [32]byte(data[8:40])
	m.PayloadID, m.Payload = 2, own(data[apnsHead:apnsHead+length], alias)
	b := data[apnsHead+length:]
	_ = b[apnsTail-1]
	if b[0] != 3 || be.Uint16(b[1:]) != 4 || b[7] != 4 || be.Uint16(b[8:]) != 4 || b[14] != 5 || be.Uint16(b[15:]) != 1 {
		return errConstant
	}
	m.IdentifierID, m.IdentifierLength, m.Identifier = 3, 4, be.Uint32(b[3:])
	m.ExpirationID, m.ExpirationLength, m.Expiration = 4, 4, be.Uint32(b[10:])
	m.PriorityID, m.PriorityLength, m.Priority = 5, 1, b[17]
	return nil
}

func randomNotification(r *rand.Rand) *Notification {
	return &Notification{
		Token: [32]byte(randomBytes(r, 32)), Payload: randomAlert(r), Identifier: r.Uint32(), Expiration: r.Uint32(), Priority: uint8(5 * between(r, 1, 2)),
	}
}

func randomAlert(r *rand.Rand) []byte {
	return []byte(`{"aps":{"alert":"` + randomText(r, 2, 120) + `"}}`)
}

// apnsFrame is the same command as a list of items in any order.
type apnsFrame struct {
	_       struct{}   `layout:"be"`
	Command uint8      `layout:"const=2"`
	Items   []apnsItem `layout:"prefix=u32"`
}

type apnsItem struct {
	ID   uint8
	Data apnsData `layout:"switch=ID,prefix=u16"`
}

// apnsData is a pointer to one of the types of items.
type apnsData any

type (
	apnsToken      struct{ Token [32]byte }
	apnsPayload    struct{ JSON []byte }
	apnsIdentifier struct{ Identifier uint32 }
	apnsExpiration struct{ Seconds uint32 }
	apnsPriority   struct{ Priority uint8 }
)

func appendAPNS(dst []byte, m *apnsFrame) ([]byte, error) {
	if m.Command != 0 && m.Command != 2 {
		return dst, errConstant
	}
	n := len(dst)
	b := append(dst, 2, 0, 0, 0, 0)
	for i := range m.Items {
		switch v := m.Items[i].Data.(type) {
		case *apnsToken:
			b = append(b, 1, 0, 32)
			b = append(b, v.Token[:]...)
		case *apnsPayload:
			if len(v.JSON) > 0xffff {
				return dst, errRange
			}
			b = append(b, 2, byte(len(v.JSON)>>8), byte(len(v.JSON)))
			b = append(b, v.JSON...)
		case *apnsIdentifier:
			b = be.AppendUint32(append(b, 3, 0, 4), v.Identifier)
		case *apnsExpiration:
			b = be.AppendUint32(append(b, 4, 0, 4), v.Seconds)
		case *apnsPriority:
			b = append(b, 5, 0, 1, v.Priority)
		default:
			return dst, errType
		}
	}
	be.PutUint32(b[n+1:], uint32(len(b)-n-5))
	return b, nil
}

func decodeAPNS(data []byte, m *apnsFrame, alias bool) error {
	if len(data) < 5 {
		return errShort
	}
	if data[0] != 2 {
		return errConstant
	}
	m.Command = 2
	if length := be.Uint32(data[1:]); uint64(length) != uint64(len(data)-5) {
		return errLength
	}
	m.Items = emptied(m.Items)
	for data = data[5:]; len(data) > 0; {
		if len(data) < 3 {
			return errLength
		}
		id, length := data[0], int(be.Uint16(data[1:]))
		if data = data[3:]; len(data) < length {
			return errLength
		}
		value := data[:length]
		data = data[length:]
		item := apnsItem{ID: id}
		switch id {
		case 1:
			if length != 32 {
				return errLength
			}
			item.Data = &apnsToken{[32]byte(value)}
		case 2:
			item.Data = &apnsPayload{own(value, alias)}
		case 3:
			if length != 4 {
				return errLength
			}
			item.Data = &apnsIdentifier{be.Uint32(value)}
		case 4:
			if length != 4 {
				return errLength
			}
			item.Data = &apnsExpiration{be.Uint32(value)}
		case 5:
			if length != 1 {
				return errLength
			}
			item.Data = &apnsPriority{value[0]}
		default:
			return errType
		}
		m.Items = append(m.Items, item)
	}
	return nil
}

// writeAPNS writes a frame by calls of encoding/binary: the items to a buffer first, because their length precedes them.
func writeAPNS(w *bytes.Buffer, m *apnsFrame) error {
	if m.Command != 0 && m.Command != 2 {
		return errConstant
	}
	var items bytes.Buffer
	for i := range m.Items {
		var values []any
		switch v := m.Items[i].Data.(type) {
		case *apnsToken:
			values = []any{uint8(1), uint16(32), v.Token[:]}
		case *apnsPayload:
			if len(v.JSON) > 0xffff {
				return errRange
			}
			values = []any{uint8(2), uint16(len(v.JSON)), v.JSON}
		case *apnsIdentifier:
			values = []any{uint8(3), uint16(4), v.Identifier}
		case *apnsExpiration:
			values = []any{uint8(4), uint16(4), v.Seconds}
		case *apnsPriority:
			values = []any{uint8(5), uint16(1), v.Priority}
		default:
			return errType
		}
		for _, v := range values {
			if err := binary.Write(&items, be, v); err != nil {
				return err
			}
		}
	}
	if err := binary.Write(w, be, uint8(2)); err != nil {
		return err
	}
	if err := binary.Write(w, be, uint32(items.Len())); err != nil {
		return err
	}
	_, err := items.WriteTo(w)
	return err
}

// readAPNS reads a frame by calls of encoding/binary.
func readAPNS(r *bytes.Reader, m *apnsFrame) error {
	var head struct {
		Command uint8
		Length  uint32
	}
	if err := binary.Read(r, be, &head); err != nil {
		return err
	}
	if head.Command != 2 {
		return errConstant
	}
	if uint64(head.Length) != uint64(r.Len()) {
		return errLength
	}
	m.Command, m.Items = 2, emptied(m.Items)
	for {
		var head struct {
			ID     uint8
			Length uint16
		}
		if err := binary.Read(r, be, &head); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if int(head.Length) > r.Len() {
			return errLength
		}
		var data any
		switch head.ID {
		case 1:
			data = new(apnsToken)
		case 2:
			p := &apnsPayload{make([]byte, head.Length)}
			if _, err := io.ReadFull(r, p.JSON); err != nil {
				return err
			}
			m.Items = append(m.Items, apnsItem{2, p})
			continue
		case 3:
			data = new(apnsIdentifier)
		case 4:
			data = new(apnsExpiration)
		case 5:
			data = new(apnsPriority)
		default:
			return errType
		}
		if int(head.Length) != binary.Size(data) {
			return errLength
		}
		if err := binary.Read(r, be, data); err != nil {
			return err
		}
		m.Items = append(m.Items, apnsItem{head.ID, data})
	}
}

func randomAPNS(r *rand.Rand) *apnsFrame {
	items := []apnsItem{
		{Data: &apnsToken{[32]byte(randomBytes(r, 32))}}, {Data: &apnsPayload{randomAlert(r)}}, {Data: &apnsIdentifier{r.Uint32()}},
		{Data: &apnsExpiration{r.Uint32()}}, {Data: &apnsPriority{10}},
	}
	if chance(r, 4) {
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	}
	return &apnsFrame{Items: items[:between(r, 3, 5)]}
}
