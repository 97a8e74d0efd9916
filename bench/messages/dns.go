package messages

import "math/rand/v2"

// dnsMessage is a message of DNS without compressed names: RFC 1035, section 4.1.
type dnsMessage struct {
	_                  struct{} `layout:"be"`
	ID                 uint16
	Response           bool   `layout:"bits=1"`
	Opcode             uint8  `layout:"bits=4"`
	Authoritative      bool   `layout:"bits=1"`
	Truncated          bool   `layout:"bits=1"`
	RecursionDesired   bool   `layout:"bits=1"`
	RecursionAvailable bool   `layout:"bits=1"`
	Reserved           uint8  `layout:"bits=3"`
	Code               uint8  `layout:"bits=4"`
	QuestionCount      uint16 `layout:"count=Questions"`
	AnswerCount        uint16 `layout:"count=Answers"`
	AuthorityCount     uint16 `layout:"count=Authorities"`
	AdditionalCount    uint16 `layout:"count=Additionals"`
	Questions          []dnsQuestion
	Answers            []dnsRecord
	Authorities        []dnsRecord
	Additionals        []dnsRecord
}

type dnsQuestion struct {
	Name        dnsName
	Type, Class uint16
}

type dnsRecord struct {
	Name  dnsName
	Type  uint16
	Class uint16
	TTL   uint32
	Data  dnsData `layout:"switch=Type,prefix=u16"`
}

type dnsName struct {
	Labels []dnsLabel `layout:"until=zero,max=127"`
}

type dnsLabel struct {
	Text string `layout:"prefix=u8,max=63"`
}

// dnsData is a pointer to one of the types of records.
type dnsData any

type (
	dnsA     struct{ Address [4]byte }
	dnsAAAA  struct{ Address [16]byte }
	dnsNS    struct{ Host dnsName }
	dnsCNAME struct{ Target dnsName }
	dnsMX    struct {
		Preference uint16
		Host       dnsName
	}
)

func appendDNS(dst []byte, m *dnsMessage) ([]byte, error) {
	if m.Opcode > 15 || m.Reserved > 7 || m.Code > 15 ||
		max(len(m.Questions), len(m.Answers), len(m.Authorities), len(m.Additionals)) > 0xffff {
		return dst, errRange
	}
	b := be.AppendUint16(dst, m.ID)
	b = append(b, bit(m.Response, 7)|m.Opcode<<3|bit(m.Authoritative, 2)|bit(m.Truncated, 1)|bit(m.RecursionDesired, 0),
		bit(m.RecursionAvailable, 7)|m.Reserved<<4|m.Code)
	b = be.AppendUint16(b, uint16(len(m.Questions)))
	b = be.AppendUint16(b, uint16(len(m.Answers)))
	b = be.AppendUint16(b, uint16(len(m.Authorities)))
	b = be.AppendUint16(b, uint16(len(m.Additionals)))
	var err error
	for i := range m.Questions {
		q := &m.Questions[i]
		if b, err = q.Name.append(b); err != nil {
			return dst, err
		}
		b = be.AppendUint16(b, q.Type)
		b = be.AppendUint16(b, q.Class)
	}
	for _, list := range [...][]dnsRecord{m.Answers, m.Authorities, m.Additionals} {
		for i := range list {
			if b, err = list[i].append(b); err != nil {
				return dst, err
			}
		}
	}
	return b, nil
}

func (n *dnsName) append(b []byte) ([]byte, error) {
	if len(n.Labels) > 127 {
		return b, errRange
	}
	for i := range n.Labels {
		text := n.Labels[i].Text
		if text == "" || len(text) > 63 {
			return b, errRange
		}
		b = append(b, byte(len(text)))
		b = append(b, text...)
	}
	return append(b, 0), nil
}

func (r *dnsRecord) append(b []byte) ([]byte, error) {
	b, err := r.Name.append(b)
	if err != nil {
		return b, err
	}
	head := len(b)
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	kind := uint16(0)
	switch v := r.Data.(type) {
	case *dnsA:
		kind, b = 1, append(b, v.Address[:]...)
	case *dnsNS:
		kind = 2
		b, err = v.Host.append(b)
	case *dnsCNAME:
		kind = 5
		b, err = v.Target.append(b)
	case *dnsMX:
		kind = 15
		b, err = v.Host.append(be.AppendUint16(b, v.Preference))
	case *dnsAAAA:
		kind, b = 28, append(b, v.Address[:]...)
	default:
		return b, errType
	}
	length := len(b) - head - 10
	if length > 0xffff {
		return b, errRange
	}
	h := (*[10]byte)(b[head:])
	be.PutUint16(h[0:], kind)
	be.PutUint16(h[2:], r.Class)
	be.PutUint32(h[4:], r.TTL)
	be.PutUint16(h[8:], uint16(length))
	return b, err
}

func decodeDNS(data []byte, m *dnsMessage) error {
	if len(data) < 12 {
		return errShort
	}
	m.ID = be.Uint16(data)
	high, low := data[2], data[3]
	m.Response, m.Opcode, m.Authoritative, m.Truncated, m.RecursionDesired = high&0x80 != 0, high>>3&15, high&4 != 0, high&2 != 0, high&1 != 0
	m.RecursionAvailable, m.Reserved, m.Code = low&0x80 != 0, low>>4&7, low&15
	m.QuestionCount, m.AnswerCount = be.Uint16(data[4:]), be.Uint16(data[6:])
	m.AuthorityCount, m.AdditionalCount = be.Uint16(data[8:]), be.Uint16(data[10:])
	data = data[12:]
	m.Questions = emptied(m.Questions)
	for range m.QuestionCount {
		var q dnsQuestion
		var err error
		if data, err = q.Name.decode(data); err != nil {
			return err
		}
		if len(data) < 4 {
			return errShort
		}
		q.Type, q.Class = be.Uint16(data), be.Uint16(data[2:])
		data = data[4:]
		m.Questions = append(m.Questions, q)
	}
	var err error
	if m.Answers, data, err = decodeDNSRecords(m.Answers, int(m.AnswerCount), data); err != nil {
		return err
	}
	if m.Authorities, data, err = decodeDNSRecords(m.Authorities, int(m.AuthorityCount), data); err != nil {
		return err
	}
	if m.Additionals, data, err = decodeDNSRecords(m.Additionals, int(m.AdditionalCount), data); err != nil {
		return err
	}
	if len(data) > 0 {
		return errTrailing
	}
	return nil
}

// decode sets the name and returns the bytes that follow it.
func (n *dnsName) decode(data []byte) ([]byte, error) {
	// Count the labels first, because most names have few of them.
	count, at := 0, 0
	for {
		if at >= len(data) {
			return data, errShort
		}
		length := int(data[at])
		if length == 0 {
			break
		}
		if length > 63 {
			return data, errLength
		}
		at += 1 + length
		count++
	}
	if count > 127 {
		return data, errRange
	}
	n.Labels = make([]dnsLabel, count)
	for i := range n.Labels {
		end := 1 + int(data[0])
		n.Labels[i].Text = string(data[1:end])
		data = data[end:]
	}
	return data[1:], nil
}

func decodeDNSRecords(list []dnsRecord, count int, data []byte) ([]dnsRecord, []byte, error) {
	list = emptied(list)
	for range count {
		var r dnsRecord
		var err error
		if data, err = r.Name.decode(data); err != nil {
			return list, data, err
		}
		if len(data) < 10 {
			return list, data, errShort
		}
		r.Type, r.Class, r.TTL = be.Uint16(data), be.Uint16(data[2:]), be.Uint32(data[4:])
		end := 10 + int(be.Uint16(data[8:]))
		if len(data) < end {
			return list, data, errShort
		}
		if r.Data, err = decodeDNSData(r.Type, data[10:end]); err != nil {
			return list, data, err
		}
		data = data[end:]
		list = append(list, r)
	}
	return list, data, nil
}

func decodeDNSData(kind uint16, data []byte) (dnsData, error) {
	var rest []byte
	var err error
	var v dnsData
	switch kind {
	case 1:
		if len(data) != 4 {
			return nil, errLength
		}
		return &dnsA{[4]byte(data)}, nil
	case 2:
		ns := new(dnsNS)
		rest, err = ns.Host.decode(data)
		v = ns
	case 5:
		cname := new(dnsCNAME)
		rest, err = cname.Target.decode(data)
		v = cname
	case 15:
		if len(data) < 2 {
			return nil, errLength
		}
		mx := &dnsMX{Preference: be.Uint16(data)}
		rest, err = mx.Host.decode(data[2:])
		v = mx
	case 28:
		if len(data) != 16 {
			return nil, errLength
		}
		return &dnsAAAA{[16]byte(data)}, nil
	default:
		return nil, errType
	}
	if err == nil && len(rest) > 0 {
		err = errLength
	}
	return v, err
}

func randomDNS(r *rand.Rand) *dnsMessage {
	name := func() dnsName {
		labels := []dnsLabel{{randomText(r, 1, 12)}, {randomText(r, 4, 15)}, {"example"}, {"com"}}
		return dnsName{labels[r.IntN(3):]}
	}
	m := &dnsMessage{
		ID: uint16(r.Uint32()), Response: true, RecursionDesired: true, RecursionAvailable: true, Authoritative: chance(r, 4),
		Questions: []dnsQuestion{{name(), 1, 1}},
	}
	record := func() dnsRecord {
		data := []dnsData{&dnsA{[4]byte(randomBytes(r, 4))}, &dnsAAAA{[16]byte(randomBytes(r, 16))}, &dnsCNAME{name()}, &dnsNS{name()}, &dnsMX{10, name()}}
		return dnsRecord{Name: name(), Class: 1, TTL: r.Uint32N(86400), Data: data[r.IntN(len(data))]}
	}
	m.Answers = some(r, 0, 4, record)
	if chance(r, 3) {
		m.Authorities, m.Additionals = some(r, 0, 2, record), some(r, 0, 2, record)
	}
	return m
}
