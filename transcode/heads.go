package transcode

import (
	"math"
	"slices"

	"github.com/octet-go/octet/msgpack/wire"
)

// A MessagePack container starts with its number of elements, which JSON does
// not state. The converter therefore reserves one byte for each header, which
// is sufficient for up to 15 elements. It inserts longer headers at the end of
// the value, in one pass that moves every byte at most once.

// A head is a header that is open or does not fit into its byte.
type head struct {
	at    int // offset of its byte in the output
	count uint32
	kind  wire.Format // FixArray or FixMap; 0 if the header is open or fits its byte
}

// heads holds the heads in the order of their bytes.
type heads struct{ list []head }

// open adds a header that starts at the given offset of the output.
func (h *heads) open(at int) (index int) {
	h.list = append(h.list, head{at: at})
	return len(h.list) - 1
}

// close sets the kind, FixArray or FixMap, and the count of a header. It
// returns false if MessagePack cannot represent the count.
func (h *heads) close(dst []byte, index int, kind wire.Format, count int) bool {
	entry := &h.list[index]
	if count > 15 {
		entry.count, entry.kind = uint32(count), kind
		return uint64(count) <= math.MaxUint32
	}
	dst[entry.at] = byte(kind) | byte(count)
	if index == len(h.list)-1 {
		h.list = h.list[:index]
	}
	return true
}

// expand inserts the headers from the given index on, which must all be closed,
// and removes them from the list.
func (h *heads) expand(dst []byte, from int) []byte {
	var header [5]byte
	end, extra := len(dst), 0
	for _, entry := range h.list[from:] {
		if entry.kind != 0 {
			extra += len(entry.append(header[:0])) - 1
		}
	}
	dst = slices.Grow(dst, extra)[:end+extra]
	to := len(dst)
	for i := len(h.list) - 1; i >= from && to > end; i-- {
		entry := h.list[i]
		if entry.kind == 0 {
			continue
		}
		to -= copy(dst[to-(end-entry.at-1):], dst[entry.at+1:end])
		b := entry.append(header[:0])
		to -= copy(dst[to-len(b):], b)
		end = entry.at
	}
	h.list = h.list[:from]
	return dst
}

// append appends the encoded header.
func (e head) append(dst []byte) []byte {
	if e.kind == wire.FixMap {
		return wire.AppendMapHeader(dst, e.count)
	}
	return wire.AppendArrayHeader(dst, e.count)
}
