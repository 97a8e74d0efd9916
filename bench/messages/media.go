package messages

import "math/rand/v2"

// flvTag is a tag of a Flash video file, with the size that follows it: Adobe Flash Video File Format Specification
// 10.1, sections E.3 and E.4.1.
type flvTag struct {
	_            struct{} `layout:"be"`
	Reserved     uint8    `layout:"bits=2"`
	Filter       bool     `layout:"bits=1"`
	Type         uint8    `layout:"bits=5"`
	Size         uint32   `layout:"u24,len=Data"`
	Timestamp    uint32   `layout:"u24"`
	TimestampTop uint8
	Stream       uint32 `layout:"u24"`
	Data         []byte
	Previous     uint32 `layout:"len=Reserved..Data"`
}

func appendFLV(dst []byte, m *flvTag) ([]byte, error) {
	if m.Reserved > 3 || m.Type > 31 || len(m.Data) >= 1<<24 || m.Timestamp >= 1<<24 || m.Stream >= 1<<24 {
		return dst, errRange
	}
	n, size := len(dst), len(m.Data)
	dst = extend(dst, 15+size)
	b := dst[n:]
	_ = b[14]
	be.PutUint32(b, uint32(m.Reserved<<6|bit(m.Filter, 5)|m.Type)<<24|uint32(size))
	be.PutUint32(b[4:], m.Timestamp<<8|uint32(m.TimestampTop))
	b[8], b[9], b[10] = byte(m.Stream>>16), byte(m.Stream>>8), byte(m.Stream)
	copy(b[11:], m.Data)
	be.PutUint32(b[11+size:], uint32(11+size))
	return dst, nil
}

func decodeFLV(data []byte, m *flvTag, alias bool) error {
	if len(data) < 15 {
		return errShort
	}
	head := be.Uint32(data)
	size := int(head & 0xffffff)
	if len(data) != 15+size {
		return sizeError(len(data), 15+size)
	}
	m.Reserved, m.Filter, m.Type, m.Size = uint8(head>>30), head>>29&1 != 0, uint8(head>>24&31), uint32(size)
	time := be.Uint32(data[4:])
	m.Timestamp, m.TimestampTop = time>>8, uint8(time)
	m.Stream = uint32(data[8])<<16 | uint32(data[9])<<8 | uint32(data[10])
	m.Data = own(data[11:11+size], alias)
	m.Previous = be.Uint32(data[11+size:])
	if int(m.Previous) != 11+size {
		return errLength
	}
	return nil
}

func randomFLV(r *rand.Rand) *flvTag {
	return &flvTag{Type: uint8(8 + r.IntN(2)), Timestamp: r.Uint32N(1 << 24), TimestampTop: uint8(r.IntN(2)), Data: randomBytes(r, between(r, 100, 900))}
}

// wavFile is a WAVE file of 16-bit PCM samples: Multimedia Programming Interface and Data Specifications 1.0 (1991),
// pages 56 to 65.
type wavFile struct {
	_          struct{} `layout:"le"`
	RIFF       [4]byte  `layout:"magic=RIFF"`
	Length     uint32   `layout:"len=WAVE..Samples"`
	WAVE       [4]byte  `layout:"magic=WAVE"`
	Format     [4]byte  `layout:"magic=fmt\\x20"`
	FormatSize uint32   `layout:"const=16"`
	Tag        uint16   `layout:"const=1"`
	Channels   uint16
	Rate       uint32
	ByteRate   uint32
	BlockAlign uint16
	Bits       uint16  `layout:"const=16"`
	Data       [4]byte `layout:"magic=data"`
	DataSize   uint32  `layout:"len=Samples"`
	Samples    []int16
}

func appendWAV(dst []byte, m *wavFile) ([]byte, error) {
	if m.FormatSize != 0 && m.FormatSize != 16 || m.Tag != 0 && m.Tag != 1 || m.Bits != 0 && m.Bits != 16 ||
		!isMagic(m.RIFF, "RIFF") || !isMagic(m.WAVE, "WAVE") || !isMagic(m.Format, "fmt ") || !isMagic(m.Data, "data") {
		return dst, errConstant
	}
	size := 44 + 2*len(m.Samples)
	if uint64(size-8) > 1<<32-1 {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[43]
	copy(b, "RIFF")
	le.PutUint32(b[4:], uint32(size-8))
	copy(b[8:], "WAVEfmt ")
	le.PutUint32(b[16:], 16)
	le.PutUint16(b[20:], 1)
	le.PutUint16(b[22:], m.Channels)
	le.PutUint32(b[24:], m.Rate)
	le.PutUint32(b[28:], m.ByteRate)
	le.PutUint16(b[32:], m.BlockAlign)
	le.PutUint16(b[34:], 16)
	copy(b[36:], "data")
	le.PutUint32(b[40:], uint32(size-44))
	b = b[44:]
	for i, s := range m.Samples {
		le.PutUint16(b[2*i:], uint16(s))
	}
	return dst, nil
}

// isMagic reports whether a constant is want, or zero, which stands for it.
func isMagic(v [4]byte, want string) bool { return v == [4]byte{} || string(v[:]) == want }

func decodeWAV(data []byte, m *wavFile) error {
	if len(data) < 44 {
		return errShort
	}
	if string(data[:4]) != "RIFF" || string(data[8:16]) != "WAVEfmt " || le.Uint32(data[16:]) != 16 || le.Uint16(data[20:]) != 1 ||
		le.Uint16(data[34:]) != 16 || string(data[36:40]) != "data" {
		return errConstant
	}
	m.RIFF, m.WAVE, m.Format, m.Data = [4]byte(data), [4]byte(data[8:]), [4]byte(data[12:]), [4]byte(data[36:])
	m.Length, m.FormatSize, m.Tag = le.Uint32(data[4:]), 16, 1
	m.Channels, m.Rate = le.Uint16(data[22:]), le.Uint32(data[24:])
	m.ByteRate, m.BlockAlign, m.Bits = le.Uint32(data[28:]), le.Uint16(data[32:]), 16
	m.DataSize = le.Uint32(data[40:])
	size := uint64(m.DataSize)
	if uint64(m.Length) != 36+size || size%2 != 0 {
		return errLength
	}
	if data = data[44:]; uint64(len(data)) != size {
		return errLength
	}
	m.Samples = sized(m.Samples, len(data)/2)
	for i := range m.Samples {
		m.Samples[i] = int16(le.Uint16(data[2*i:]))
	}
	return nil
}

func randomWAV(r *rand.Rand) *wavFile {
	return &wavFile{Channels: 1, Rate: 16000, ByteRate: 32000, BlockAlign: 2, Samples: some(r, 160, 480, func() int16 { return int16(r.Uint32()) })}
}
