package inspect

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/octet-go/octet/msgpack/wire"
)

// A meaning is the interpretation of an ext.
type meaning struct {
	name  string // such as "timestamp 32"
	value string // decoded; empty if only the name is known
	guess bool   // applications choose the type freely; this is what one of them uses it for
}

// Known is the help text that lists the exts with known meanings.
const Known = `octet inspect recognizes and decodes these extension types:

  -1            timestamp 32, 64 or 96 of the MessagePack specification
  0, 8 bytes    Fluentd event time
  2, 16 bytes   Tarantool UUID
  3, 8 bytes    complex64 of tinylib/msgp
  4, 16 bytes   complex128 of tinylib/msgp
  5, 12 bytes   time of tinylib/msgp

Negative types are reserved for the specification. Every application may use the
other types as it likes. A name for such a type is therefore a guess, marked
"?". It appears only if the length and the content match.`

// meaningOf returns the meaning of an ext. payload is the whole payload.
// finding describes an error in an ext that the specification defines.
func meaningOf(typ int8, payload []byte) (m meaning, finding string) {
	if typ == wire.TimestampType {
		return timestamp(payload)
	}
	if typ < 0 {
		return meaning{name: "reserved by the specification"}, ""
	}
	be := binary.BigEndian
	switch {
	case typ == 0 && len(payload) == 8:
		if nsec := be.Uint32(payload[4:]); nsec < 1e9 {
			return meaning{"Fluentd event time", instant(int64(be.Uint32(payload)), nsec), true}, ""
		}
	case typ == 2 && len(payload) == 16:
		if version := payload[6] >> 4; version >= 1 && version <= 8 && payload[8]>>6 == 2 {
			return meaning{"Tarantool UUID", fmt.Sprintf("%x-%x-%x-%x-%x",
				payload[:4], payload[4:6], payload[6:8], payload[8:10], payload[10:]), true}, ""
		}
	case typ == 3 && len(payload) == 8:
		re, im := math.Float32frombits(be.Uint32(payload)), math.Float32frombits(be.Uint32(payload[4:]))
		return meaning{"msgp complex64", strconv.FormatComplex(complex(float64(re), float64(im)), 'g', -1, 64), true}, ""
	case typ == 4 && len(payload) == 16:
		re, im := math.Float64frombits(be.Uint64(payload)), math.Float64frombits(be.Uint64(payload[8:]))
		return meaning{"msgp complex128", strconv.FormatComplex(complex(re, im), 'g', -1, 128), true}, ""
	case typ == 5 && len(payload) == 12:
		if nsec := be.Uint32(payload[8:]); nsec < 1e9 {
			return meaning{"msgp time", instant(int64(be.Uint64(payload)), nsec), true}, ""
		}
	}
	return meaning{}, ""
}

func timestamp(payload []byte) (meaning, string) {
	sec, nsec, err := wire.ParseTimestamp(payload)
	switch {
	case err == nil:
		return meaning{name: fmt.Sprintf("timestamp %d", 8*len(payload)), value: instant(sec, nsec)}, ""
	case len(payload) == 8 || len(payload) == 12:
		return meaning{name: "timestamp"}, "malformed timestamp: nanoseconds exceed 999999999"
	default:
		return meaning{name: "timestamp"}, "malformed timestamp: length is not 4, 8 or 12 bytes"
	}
}

// RFC 3339 can represent the years from 0 to 9999. These are their limits in
// seconds since 1970.
var (
	year0     = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	year10000 = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// instant formats a time as RFC 3339, or in seconds if its year does not have
// four digits.
func instant(sec int64, nsec uint32) string {
	if sec < year0 || sec >= year10000 {
		return fmt.Sprintf("%d seconds and %d nanoseconds since 1970", sec, nsec)
	}
	return time.Unix(sec, int64(nsec)).UTC().Format(time.RFC3339Nano)
}
