package syntax

import (
	"strconv"
	"strings"

	"github.com/octet-go/octet/msgpack/wire"
)

// PathTo returns the path to the value that begins at offset target, where all
// before it is known to be valid.
func PathTo(data []byte, target int) string {
	type level struct {
		header wire.Header
		begun  uint64 // values that have begun, of those the header announces
		key    int    // offset of the last key of a map
	}
	var open []level
	begin := func(pos int) {
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
		case l.begun%2 == 1:
			path.WriteString("[key " + strconv.FormatUint(l.begun/2, 10) + "]")
		default:
			path.WriteString(KeyStep(data[l.key:]))
		}
	}
	return path.String()
}

// KeyStep is the path step for the map key at the front of data.
func KeyStep(data []byte) string {
	if s, _, err := wire.ConsumeString(data); err == nil {
		return StringStep(string(s))
	}
	if h, _, err := wire.ConsumeHeader(data); err == nil && h.Format.Kind() == wire.KindInt {
		return "[" + Number(data) + "]"
	}
	return "[" + Describe(data) + "]"
}

// StringStep is the path step for a string key, cut short so that hostile keys
// at many levels do not add up.
func StringStep(key string) string {
	if len(key) > MaxKey {
		key = key[:MaxKey] + "…"
	}
	return "[" + strconv.Quote(key) + "]"
}

// MaxKey is how many bytes of a key [StringStep] takes.
const MaxKey = 40
