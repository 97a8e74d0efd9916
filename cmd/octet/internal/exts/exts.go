// Package exts decodes the exts whose meaning is known.
package exts

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/octet-go/octet/msgpack/wire"
)

// A Meaning is the interpretation of an ext.
type Meaning struct {
	Name  string // such as "timestamp 32"
	Value string // decoded; empty if only the name is known
	Guess bool   // applications choose the type freely; this is what one of them uses it for
}

// Of returns the meaning of an ext. payload is the whole payload.
// finding describes an error in an ext that the specification defines.
func Of(typ int8, payload []byte) (m Meaning, finding string) {
	if typ == wire.TimestampType {
		return timestamp(payload)
	}
	if typ < 0 {
		return Meaning{Name: "reserved by the specification"}, ""
	}
	be := binary.BigEndian
	switch {
	case typ == 0 && len(payload) == 8:
		if nsec := be.Uint32(payload[4:]); nsec < 1e9 {
			return Meaning{"Fluentd event time", Instant(int64(be.Uint32(payload)), nsec), true}, ""
		}
	case typ == 2 && len(payload) == 16:
		if version := payload[6] >> 4; version >= 1 && version <= 8 && payload[8]>>6 == 2 {
			return Meaning{"Tarantool UUID", fmt.Sprintf("%x-%x-%x-%x-%x",
				payload[:4], payload[4:6], payload[6:8], payload[8:10], payload[10:]), true}, ""
		}
	case typ == 3 && len(payload) == 8:
		re, im := math.Float32frombits(be.Uint32(payload)), math.Float32frombits(be.Uint32(payload[4:]))
		return Meaning{"msgp complex64", strconv.FormatComplex(complex(float64(re), float64(im)), 'g', -1, 64), true}, ""
	case typ == 4 && len(payload) == 16:
		re, im := math.Float64frombits(be.Uint64(payload)), math.Float64frombits(be.Uint64(payload[8:]))
		return Meaning{"msgp complex128", strconv.FormatComplex(complex(re, im), 'g', -1, 128), true}, ""
	case typ == 5 && len(payload) == 12:
		if nsec := be.Uint32(payload[8:]); nsec < 1e9 {
			return Meaning{"msgp time", Instant(int64(be.Uint64(payload)), nsec), true}, ""
		}
	}
	return Meaning{}, ""
}

func timestamp(payload []byte) (Meaning, string) {
	sec, nsec, err := wire.ParseTimestamp(payload)
	switch {
	case err == nil:
		return Meaning{Name: fmt.Sprintf("timestamp %d", 8*len(payload)), Value: Instant(sec, nsec)}, ""
	case len(payload) == 8 || len(payload) == 12:
		return Meaning{Name: "timestamp"}, "malformed timestamp: nanoseconds exceed 999999999"
	default:
		return Meaning{Name: "timestamp"}, "malformed timestamp: length is not 4, 8 or 12 bytes"
	}
}

// RFC 3339 can represent the years from 0 to 9999. These are their limits in
// seconds since 1970.
var (
	year0     = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	year10000 = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// Instant formats a time as RFC 3339, or in seconds if its year does not have
// four digits.
func Instant(sec int64, nsec uint32) string {
	if sec < year0 || sec >= year10000 {
		return fmt.Sprintf("%d seconds and %d nanoseconds since 1970", sec, nsec)
	}
	return time.Unix(sec, int64(nsec)).UTC().Format(time.RFC3339Nano)
}
