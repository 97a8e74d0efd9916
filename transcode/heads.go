package transcode

import (
	"slices"

	"github.com/octet-go/octet/msgpack/wire"
)

// MessagePack counts the elements of a container before the first of them,
// JSON not at all. So one byte is left for each header, enough for up to 15
// elements, and the larger headers are put in at the end of the value, in one
// pass that moves every byte at most once.

// A head is a header that is open or does not fit its byte.
type head struct {
	at    int // of its byte in the output
	count uint32
	kind  wire.Format // FixArray or FixMap; 0 where nothing is left to do
}

// heads holds them in the order of their bytes.
type heads struct{ list []head }

// open notes a header that starts at the given offset of the output.
func (h *heads) open(at int) (index int) {
	h.list = append(h.list, head{at: at})
	return len(h.list) - 1
}

// close says what the header is: FixArray or FixMap, and the count.
func (h *heads) close(dst []byte, index int, kind wire.Format, count int) {
	entry := &h.list[index]
	if count > 15 {
		entry.count, entry.kind = uint32(count), kind
		return
	}
	dst[entry.at] = byte(kind) | byte(count)
	if index == len(h.list)-1 {
		h.list = h.list[:index]
	}
}

// expand makes room for the headers from the given index on, which are all
// closed, writes them and forgets them.
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

// append appends the header itself.
func (e head) append(dst []byte) []byte {
	if e.kind == wire.FixMap {
		return wire.AppendMapHeader(dst, e.count)
	}
	return wire.AppendArrayHeader(dst, e.count)
}
