package messages

import "math/rand/v2"

// modbusWrite is a request of Modbus over TCP to write several registers: MODBUS Application Protocol V1.1b3, section
// 6.12, and MODBUS Messaging on TCP/IP V1.0b, section 3.1.3.
type modbusWrite struct {
	_           struct{} `layout:"be"`
	Transaction uint16
	Protocol    uint16 `layout:"const=0"`
	Length      uint16 `layout:"len=Unit..Registers"`
	Unit        uint8
	Function    uint8 `layout:"const=16"`
	Address     uint16
	Quantity    uint16   `layout:"count=Registers"`
	Bytes       uint8    `layout:"len=Registers"`
	Registers   []uint16 `layout:"max=123"`
}

func appendModbus(dst []byte, m *modbusWrite) ([]byte, error) {
	if m.Protocol != 0 || m.Function != 0 && m.Function != 16 {
		return dst, errConstant
	}
	count := len(m.Registers)
	if count > 123 {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, 13+2*count)
	b := dst[n:]
	_ = b[12]
	be.PutUint16(b, m.Transaction)
	be.PutUint16(b[2:], 0)
	be.PutUint16(b[4:], uint16(7+2*count))
	b[6], b[7] = m.Unit, 16
	be.PutUint16(b[8:], m.Address)
	be.PutUint16(b[10:], uint16(count))
	b[12] = byte(2 * count)
	b = b[13:]
	for i, v := range m.Registers {
		be.PutUint16(b[2*i:], v)
	}
	return dst, nil
}

func decodeModbus(data []byte, m *modbusWrite) error {
	if len(data) < 13 {
		return errShort
	}
	if be.Uint16(data[2:]) != 0 || data[7] != 16 {
		return errConstant
	}
	m.Transaction, m.Protocol, m.Length = be.Uint16(data), 0, be.Uint16(data[4:])
	m.Unit, m.Function = data[6], 16
	m.Address, m.Quantity, m.Bytes = be.Uint16(data[8:]), be.Uint16(data[10:]), data[12]
	count := int(m.Quantity)
	if count > 123 || int(m.Bytes) != 2*count || int(m.Length) != 7+2*count {
		return errLength
	}
	if data = data[13:]; len(data) != 2*count {
		return sizeError(len(data), 2*count)
	}
	m.Registers = sized(m.Registers, count)
	for i := range m.Registers {
		m.Registers[i] = be.Uint16(data[2*i:])
	}
	return nil
}

func randomModbus(r *rand.Rand) *modbusWrite {
	return &modbusWrite{
		Transaction: uint16(r.Uint32()), Unit: uint8(r.IntN(32)), Address: uint16(r.Uint32()),
		Registers: some(r, 1, 40, func() uint16 { return uint16(r.Uint32()) }),
	}
}

// canFrame is a frame of the CAN bus as capture files store it: LINKTYPE_CAN_SOCKETCAN of tcpdump.org.
type canFrame struct {
	_        struct{} `layout:"be"`
	Extended bool     `layout:"bits=1"`
	Remote   bool     `layout:"bits=1"`
	Error    bool     `layout:"bits=1"`
	ID       uint32   `layout:"bits=29"`
	Length   uint8    `layout:"len=Data"`
	_        struct{} `layout:"skip=3"`
	Data     []byte   `layout:"max=8"`
}

func appendCAN(dst []byte, m *canFrame) ([]byte, error) {
	if m.ID >= 1<<29 || len(m.Data) > 8 {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, 8+len(m.Data))
	b := dst[n:]
	_ = b[7]
	be.PutUint32(b, uint32(bit(m.Extended, 7)|bit(m.Remote, 6)|bit(m.Error, 5))<<24|m.ID)
	be.PutUint32(b[4:], uint32(len(m.Data))<<24)
	copy(b[8:], m.Data)
	return dst, nil
}

func decodeCAN(data []byte, m *canFrame, alias bool) error {
	if len(data) < 8 {
		return errShort
	}
	id := be.Uint32(data)
	m.Extended, m.Remote, m.Error, m.ID = id>>31 != 0, id>>30&1 != 0, id>>29&1 != 0, id&(1<<29-1)
	m.Length = data[4]
	if m.Length > 8 {
		return errLength
	}
	if data = data[8:]; len(data) != int(m.Length) {
		return sizeError(len(data), int(m.Length))
	}
	m.Data = own(data, alias)
	return nil
}

func randomCAN(r *rand.Rand) *canFrame {
	m := &canFrame{Extended: chance(r, 2), ID: r.Uint32N(1 << 11), Data: randomBytes(r, min(r.IntN(12), 8))}
	if m.Extended {
		m.ID = r.Uint32N(1 << 29)
	}
	return m
}
