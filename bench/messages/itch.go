package messages

import "math/rand/v2"

// itchAddOrder is the message Add Order of a stock exchange: NASDAQ TotalView-ITCH 5.0, section 1.3.1.
type itchAddOrder struct {
	_         struct{} `layout:"be"`
	Type      uint8    `layout:"const=65"` // A
	Locate    uint16
	Tracking  uint16
	Timestamp uint64 `layout:"u48"`
	Order     uint64
	Side      uint8 `layout:"const=66,const=83"` // B, S
	Shares    uint32
	Stock     [8]byte
	Price     uint32
}

const itchSize = 36

func appendITCH(dst []byte, m *itchAddOrder) ([]byte, error) {
	if m.Type != 0 && m.Type != 'A' || m.Side != 0 && m.Side != 'B' && m.Side != 'S' {
		return dst, errConstant
	}
	if m.Timestamp >= 1<<48 {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, itchSize)
	b := (*[itchSize]byte)(dst[n:])
	b[0] = 'A'
	be.PutUint16(b[1:], m.Locate)
	be.PutUint16(b[3:], m.Tracking)
	be.PutUint16(b[5:], uint16(m.Timestamp>>32))
	be.PutUint32(b[7:], uint32(m.Timestamp))
	be.PutUint64(b[11:], m.Order)
	b[19] = m.Side
	if m.Side == 0 {
		b[19] = 'B'
	}
	be.PutUint32(b[20:], m.Shares)
	copy(b[24:32], m.Stock[:])
	be.PutUint32(b[32:], m.Price)
	return dst, nil
}

func decodeITCH(data []byte, m *itchAddOrder) error {
	if len(data) != itchSize {
		return sizeError(len(data), itchSize)
	}
	b := (*[itchSize]byte)(data)
	if b[0] != 'A' || b[19] != 'B' && b[19] != 'S' {
		return errConstant
	}
	m.Type, m.Locate, m.Tracking = 'A', be.Uint16(b[1:]), be.Uint16(b[3:])
	m.Timestamp = uint64(be.Uint16(b[5:]))<<32 | uint64(be.Uint32(b[7:]))
	m.Order = be.Uint64(b[11:])
	m.Side = b[19]
	m.Shares = be.Uint32(b[20:])
	m.Stock = [8]byte(b[24:])
	m.Price = be.Uint32(b[32:])
	return nil
}

func randomITCH(r *rand.Rand) *itchAddOrder {
	stocks := []string{"AAPL    ", "MSFT    ", "QQQ     ", "GOOGL   ", "TSLA    "}
	return &itchAddOrder{
		Locate: uint16(r.Uint32()), Timestamp: r.Uint64N(86_400e9), Order: r.Uint64N(1 << 40), Side: "BS"[r.IntN(2)], Shares: 100 * r.Uint32N(50),
		Stock: [8]byte([]byte(stocks[r.IntN(len(stocks))])), Price: r.Uint32N(5_000_000),
	}
}
