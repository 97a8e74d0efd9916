package convert

import (
	"fmt"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/output"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// chunkSize is the number of payload bytes that are copied at a time.
const chunkSize = 32 << 10

// shorten copies MessagePack and writes every value in the shortest format that
// holds it. The values do not change: floats keep their width, maps their
// order, exts their type, and a str its bytes. It calls mark, if it is not nil,
// after each value.
func shorten(w io.Writer, r io.Reader, mark func(offset int64)) (values int64, err error) {
	out, in := output.Buffered(w, r)
	s := scan.New(in, 0)
	var scratch []byte
	for {
		t, err := s.Next()
		if err == io.EOF {
			return values, out.Flush()
		}
		if err != nil {
			return values, err
		}
		scratch, err = appendShortest(scratch[:0], s, t)
		if err != nil {
			return values, err
		}
		if _, err := out.Write(scratch); err != nil {
			return values, err
		}
		for s.Rest() > 0 {
			payload, err := s.Payload(chunkSize)
			if err != nil {
				return values, err
			}
			if _, err := out.Write(payload); err != nil {
				return values, err
			}
		}
		if s.Open() == 0 {
			values++
			if mark != nil {
				if err := out.Flush(); err != nil {
					return values, err
				}
				mark(s.Offset())
			}
		}
	}
}

// appendShortest appends the header of the token in its shortest format. For
// integers and timestamps it appends the payload too, because their payloads
// also get shorter.
func appendShortest(dst []byte, s *scan.Scanner, t scan.Token) ([]byte, error) {
	switch t.Format.Kind() {
	case wire.KindInt:
		payload, err := s.Payload(8)
		if err != nil {
			return dst, err
		}
		value := append(append(make([]byte, 0, 9), s.Head()...), payload...)
		if v, _, err := wire.ConsumeInt(value); err == nil {
			return wire.AppendInt(dst, v), nil
		}
		v, _, err := wire.ConsumeUint(value)
		return wire.AppendUint(dst, v), err
	case wire.KindStr:
		return wire.AppendStringHeader(dst, t.Payload), nil
	case wire.KindBin:
		return wire.AppendBinHeader(dst, t.Payload), nil
	case wire.KindArray:
		return wire.AppendArrayHeader(dst, t.Count), nil
	case wire.KindMap:
		return wire.AppendMapHeader(dst, t.Count), nil
	case wire.KindExt:
		if t.Ext == wire.TimestampType {
			return appendTimestamp(dst, s, t)
		}
		return wire.AppendExtHeader(dst, t.Ext, t.Payload), nil
	}
	return append(dst, s.Head()...), nil // nil, bool and floats have only one format
}

func appendTimestamp(dst []byte, s *scan.Scanner, t scan.Token) ([]byte, error) {
	payload, err := s.Payload(12)
	if err != nil {
		return dst, err
	}
	sec, nsec, err := int64(0), uint32(0), error(wire.ErrTimestamp)
	if s.Rest() == 0 {
		sec, nsec, err = wire.ParseTimestamp(payload)
	}
	if err != nil {
		return dst, s.Malformed(err, "a timestamp of 4, 8 or 12 bytes with at most 999999999 nanoseconds",
			fmt.Sprintf("%d bytes, % x", t.Payload, payload))
	}
	return wire.AppendTimestamp(dst, sec, nsec), nil
}
