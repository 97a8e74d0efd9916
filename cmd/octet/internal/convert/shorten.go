package convert

import (
	"bufio"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/msgpack/wire"
)

// chunkSize is the number of payload bytes that are copied at a time.
const chunkSize = 32 << 10

// shorten copies MessagePack and writes every value in the shortest format that
// holds it. The values do not change: floats keep their width, maps their
// order, exts their type, and a str its bytes. base is the offset of r
// in the input. It calls mark, if it is not nil, after each value.
func shorten(w io.Writer, r io.Reader, base int64, mark func(offset int64)) (values int64, err error) {
	out, in := buffered(w, r, mark)
	s := scan.New(in, base)
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

// buffered returns a buffered writer to w and a reader of r, for a loop that calls
// mark after each value. With a mark, the writer is flushed after each value, and the
// input is often short.
func buffered(w io.Writer, r io.Reader, mark func(offset int64)) (*bufio.Writer, io.Reader) {
	if mark != nil {
		return bufio.NewWriterSize(w, 1<<10), r
	}
	return tally.Buffered(w, r)
}

// appendShortest appends the header of the token in its shortest format. For
// integers and timestamps it appends the payload too, because their payloads
// also get shorter.
func appendShortest(dst []byte, s *scan.Scanner, t scan.Token) ([]byte, error) {
	var room [canonical.LongestHead]byte
	value := append(room[:0], s.Head()...)
	kind := t.Format.Kind()
	timestamp := kind == wire.KindExt && t.Ext == wire.TimestampType
	if kind == wire.KindInt || timestamp {
		payload, err := s.Payload(12)
		if err != nil {
			return dst, err
		}
		value = append(value, payload...)
	}
	out, whole := canonical.AppendShortest(dst, t.Header, value)
	if timestamp && !whole {
		return dst, s.MalformedTimestamp(string(value[t.Size:])) // a copy, so that value stays on the stack
	}
	return out, nil
}
