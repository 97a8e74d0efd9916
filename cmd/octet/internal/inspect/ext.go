package inspect

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/octet-go/octet/msgpack/wire"
)

// A meaning is what an ext stands for.
type meaning struct {
	name  string // such as "timestamp 32"
	value string // decoded; empty where only the name is known
	guess bool   // the type is free for all, and one known user of it writes this
}

// Known lists to a person the exts that are named.
const Known = `octet inspect names these exts, and decodes them:

  -1            timestamp 32, 64 or 96, by the specification
  0, 8 bytes    Fluentd event time
  2, 16 bytes   Tarantool UUID
  3, 8 bytes    complex64 of tinylib/msgp
  4, 16 bytes   complex128 of tinylib/msgp
  5, 12 bytes   time of tinylib/msgp

Negative types belong to the specification. Those from 0 up are free for all, so
that their names are guesses, marked "?", and made only where length and content
fit.`

// meaningOf explains an ext with its whole payload. A finding is what is wrong
// with one that the specification defines.
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
		return meaning{name: "timestamp"}, "malformed timestamp: more than 999999999 nanoseconds"
	default:
		return meaning{name: "timestamp"}, "malformed timestamp: it takes 4, 8 or 12 bytes"
	}
}

// years that RFC 3339 can write, as seconds from 1970.
var (
	year0     = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	year10000 = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// instant writes a point in time as RFC 3339 does, or in seconds where its year
// has not four digits.
func instant(sec int64, nsec uint32) string {
	if sec < year0 || sec >= year10000 {
		return fmt.Sprintf("%d seconds and %d nanoseconds from 1970", sec, nsec)
	}
	return time.Unix(sec, int64(nsec)).UTC().Format(time.RFC3339Nano)
}
