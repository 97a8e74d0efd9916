package diag

import (
	"encoding/hex"
	"strconv"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// AppendValue appends the text of a value that is not an array or map. value is
// the encoded value. If the text of a str, bin or ext needs more than limit bytes
// of the payload, AppendValue shortens it and returns true.
func AppendValue(dst []byte, h wire.Header, value []byte, limit int) ([]byte, bool) {
	payload := value[h.Size:]
	suffix := ""
	switch h.Format.Kind() {
	case wire.KindStr, wire.KindBin, wire.KindExt:
		suffix = lengthSuffix(scan.Token{Header: h})
	}
	cut := len(payload) > limit
	if cut {
		payload = payload[:limit]
		suffix = "…" + suffix
	}
	switch h.Format.Kind() {
	case wire.KindStr:
		var text escaper
		dst = text.append(append(dst, '"'), payload)
		if !cut {
			dst = text.flush(dst)
		}
		return append(append(dst, '"'), suffix...), cut
	case wire.KindBin:
		return append(append(hex.AppendEncode(append(dst, "h'"...), payload), '\''), suffix...), cut
	case wire.KindExt:
		if h.Ext == wire.TimestampType && h.Payload <= 12 && suffix == "" {
			break
		}
		dst = append(strconv.AppendInt(append(dst, "ext("...), int64(h.Ext), 10), ", h'"...)
		return append(append(hex.AppendEncode(dst, payload), "')"...), suffix...), cut
	}
	return appendScalar(dst, h, value), false
}

// Suffix returns what follows the last bracket of an array or map: the number of
// bits of its count, or nothing if the format is the shortest.
func Suffix(h wire.Header) string { return lengthSuffix(scan.Token{Header: h}) }
