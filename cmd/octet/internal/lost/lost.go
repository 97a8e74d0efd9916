// Package lost counts the values that lose their type when MessagePack becomes JSON.
package lost

import (
	"strconv"
	"strings"

	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// The seconds of the first and the last timestamp that RFC 3339 can represent.
const firstSecond, lastSecond = -62167219200, 253402300799

// Count adds to c the values of data, one valid MessagePack value, for which JSON
// without escape objects has no form.
func Count(c *transcode.Changed, data []byte) {
	// left has the number of values that each open container still lacks. In a map, a
	// key is next if the number is even.
	type level struct {
		left  uint64
		isMap bool
	}
	var open []level
	for len(data) > 0 {
		h, n, err := wire.ConsumeHeader(data)
		if err != nil {
			return
		}
		kind := h.Format.Kind()
		for len(open) > 0 && open[len(open)-1].left == 0 {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			in := &open[len(open)-1]
			in.left--
			if in.isMap && in.left%2 == 1 {
				size, err := wire.Skip(data, wire.MaxDepth)
				if err != nil {
					return
				}
				if kind != wire.KindStr {
					c.Keys++
				}
				data = data[size:]
				continue
			}
		}
		payload := data[n:][:h.Payload]
		switch {
		case kind == wire.KindBin:
			c.Bins++
		case h.Format == wire.Float32:
			c.Floats++
		case kind == wire.KindExt:
			if second, _, err := wire.ParseTimestamp(payload); h.Ext == wire.TimestampType && err == nil && second >= firstSecond && second <= lastSecond {
				c.Timestamps++
			} else {
				c.Exts++
			}
		case h.Values() > 0:
			open = append(open, level{h.Values(), kind == wire.KindMap})
		}
		data = data[n+len(payload):]
	}
}

// Text says how many values JSON has no form for, and of which kinds they are.
func Text(c transcode.Changed) string {
	var kinds []string
	for _, k := range []struct {
		n         int64
		one, many string
	}{
		{c.Bins, "bin", "bins"}, {c.Timestamps, "timestamp", "timestamps"}, {c.Exts, "ext", "exts"},
		{c.Floats, "float 32", "float 32s"},
		{c.Keys, "key that is not a string", "keys that are not strings"},
	} {
		if k.n > 0 {
			kinds = append(kinds, plural(k.n, k.one, k.many))
		}
	}
	return "JSON has no form for " + plural(c.Total(), "value", "values") + " (" + strings.Join(kinds, ", ") + ")"
}

// plural returns a number with its noun. Package humanize would make the program of the
// inspector larger.
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + " " + many
}
