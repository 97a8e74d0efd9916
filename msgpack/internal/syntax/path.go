package syntax

import (
	"strconv"
	"strings"

	"github.com/octet-go/octet/msgpack/wire"
)

// PathTo returns the path to the value that begins at offset target. The bytes before
// target must be valid.
func PathTo(data []byte, target int) string {
	type level struct {
		header wire.Header
		begun  uint64 // number of values that have begun
		key    int    // offset of the last key of a map
	}
	var open []level
	begin := func(pos int) {
		// Containers that are complete do not contain the next value.
		for len(open) > 0 && open[len(open)-1].begun == open[len(open)-1].header.Values() {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			top := &open[len(open)-1]
			if top.begun%2 == 0 {
				top.key = pos
			}
			top.begun++
		}
	}
	for pos := 0; pos < target; {
		begin(pos)
		h, n, err := wire.ConsumeHeader(data[pos:])
		if err != nil {
			break
		}
		if h.Values() > 0 {
			open = append(open, level{header: h})
		}
		pos += n + int(h.Payload)
	}
	begin(target)

	var path strings.Builder
	for _, l := range open {
		switch {
		case l.header.Format.Kind() == wire.KindArray:
			path.WriteString("[" + strconv.FormatUint(l.begun-1, 10) + "]")
		// The target is in a key, which has no name yet.
		case l.begun%2 == 1:
			path.WriteString("[key " + strconv.FormatUint(l.begun/2, 10) + "]")
		default:
			path.WriteString(KeyStep(data[l.key:]))
		}
	}
	return path.String()
}

// KeyStep returns the step of a path for the map key at the start of data.
func KeyStep(data []byte) string {
	if s, _, err := wire.ConsumeString(data); err == nil {
		return StringStep(string(s))
	}
	if h, _, err := wire.ConsumeHeader(data); err == nil && h.Format.Kind() == wire.KindInt {
		return "[" + Number(data) + "]"
	}
	return "[" + Describe(data) + "]"
}

// StringStep returns the step of a path for a string key. It cuts a long key, so that
// hostile input with long keys at many levels does not cause a very long path.
func StringStep(key string) string {
	if len(key) > MaxKey {
		key = key[:MaxKey] + "…"
	}
	return "[" + strconv.Quote(key) + "]"
}

// MaxKey is the maximum number of bytes of a key in the result of [StringStep].
const MaxKey = 40
