package messages

import (
	"hash/crc32"
	"math/rand/v2"
)

// kafkaBatch is a record batch of Apache Kafka: Kafka 4.0 documentation, section 5.3.1. The records, whose lengths are
// zigzag numbers, are bytes.
type kafkaBatch struct {
	_             struct{} `layout:"be"`
	BaseOffset    int64
	Length        uint32 `layout:"len=LeaderEpoch..Records"`
	LeaderEpoch   int32
	Magic         uint8  `layout:"const=2"`
	CRC           uint32 `layout:"crc32c=Unused..Records"`
	Unused        uint16 `layout:"bits=9"`
	DeleteHorizon bool   `layout:"bits=1"`
	Control       bool   `layout:"bits=1"`
	Transactional bool   `layout:"bits=1"`
	AppendTime    bool   `layout:"bits=1"`
	Compression   uint8  `layout:"bits=3"`
	LastDelta     int32
	BaseTime      int64
	MaxTime       int64
	Producer      int64
	ProducerEpoch int16
	BaseSequence  int32
	Count         int32
	Records       []byte
}

const kafkaSize = 61

func appendKafka(dst []byte, m *kafkaBatch) ([]byte, error) {
	if m.Magic != 0 && m.Magic != 2 {
		return dst, errConstant
	}
	size := kafkaSize + len(m.Records)
	if m.Unused >= 1<<9 || m.Compression > 7 || uint64(size-12) > 1<<32-1 {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[kafkaSize-1]
	be.PutUint64(b, uint64(m.BaseOffset))
	be.PutUint32(b[8:], uint32(size-12))
	be.PutUint32(b[12:], uint32(m.LeaderEpoch))
	b[16] = 2
	be.PutUint16(b[21:], m.Unused<<7|uint16(bit(m.DeleteHorizon, 6)|bit(m.Control, 5)|bit(m.Transactional, 4)|bit(m.AppendTime, 3)|m.Compression))
	be.PutUint32(b[23:], uint32(m.LastDelta))
	be.PutUint64(b[27:], uint64(m.BaseTime))
	be.PutUint64(b[35:], uint64(m.MaxTime))
	be.PutUint64(b[43:], uint64(m.Producer))
	be.PutUint16(b[51:], uint16(m.ProducerEpoch))
	be.PutUint32(b[53:], uint32(m.BaseSequence))
	be.PutUint32(b[57:], uint32(m.Count))
	copy(b[kafkaSize:], m.Records)
	be.PutUint32(b[17:], crc32.Checksum(b[21:], castagnoli))
	return dst, nil
}

func decodeKafka(data []byte, m *kafkaBatch, alias bool) error {
	if len(data) < kafkaSize {
		return errShort
	}
	if data[16] != 2 {
		return errConstant
	}
	m.BaseOffset = int64(be.Uint64(data))
	m.Length = be.Uint32(data[8:])
	if uint64(m.Length) != uint64(len(data)-12) {
		return errLength
	}
	m.LeaderEpoch, m.Magic, m.CRC = int32(be.Uint32(data[12:])), 2, be.Uint32(data[17:])
	if crc32.Checksum(data[21:], castagnoli) != m.CRC {
		return errChecksum
	}
	flags := be.Uint16(data[21:])
	m.Unused, m.DeleteHorizon, m.Control, m.Transactional = flags>>7, flags&0x40 != 0, flags&0x20 != 0, flags&0x10 != 0
	m.AppendTime, m.Compression = flags&8 != 0, uint8(flags&7)
	m.LastDelta = int32(be.Uint32(data[23:]))
	m.BaseTime = int64(be.Uint64(data[27:]))
	m.MaxTime = int64(be.Uint64(data[35:]))
	m.Producer = int64(be.Uint64(data[43:]))
	m.ProducerEpoch = int16(be.Uint16(data[51:]))
	m.BaseSequence = int32(be.Uint32(data[53:]))
	m.Count = int32(be.Uint32(data[57:]))
	m.Records = own(data[kafkaSize:], alias)
	return nil
}

func randomKafka(r *rand.Rand) *kafkaBatch {
	count := int32(between(r, 1, 20))
	now := 1_763_000_000_000 + r.Int64N(1<<32)
	return &kafkaBatch{
		BaseOffset: r.Int64N(1 << 40), LeaderEpoch: r.Int32N(100), Transactional: chance(r, 4), Compression: uint8(r.IntN(5)), LastDelta: count - 1,
		BaseTime: now, MaxTime: now + r.Int64N(1000), Producer: -1, ProducerEpoch: -1, BaseSequence: -1, Count: count,
		Records: randomBytes(r, int(count)*between(r, 20, 60)),
	}
}
