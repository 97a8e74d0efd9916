package layout

import (
	"errors"
	"io"
	"math"
	"math/bits"
	"runtime"

	"github.com/octet-go/octet/internal/mem"
)

// A decoder is the state of decoding one message.
type decoder struct {
	data    []byte
	end     int // of the frame that is being decoded
	slots   []int64
	levels  mem.Ptr // of the list that is running
	calls   int     // of recursive structs, one in the other
	alias   bool
	source  *source // where more data comes from, or nil
	message *message
	memory  uint64  // what the values have taken of their bound
	again   uint64  // bytes that have been read again
	saved   []int64 // slots of the calls around, if there are many
	watch   *fieldLister

	// Short texts share a copy of the bytes of the input from chunkFrom to chunkTo. If
	// the codec aliases its input, that is all of the input.
	chunk              mem.Ptr
	chunkFrom, chunkTo int
}

// Texts of up to maxShared bytes share chunks of up to chunkSize bytes, which are one
// allocation. A text that is kept can keep a chunk in memory.
const (
	maxShared = 128
	chunkSize = 512
)

// maxLink is the largest number whose links the loop follows.
const maxLink = 1 << 30

// unbounded is the end of a message whose length is not known.
const unbounded = math.MaxInt

// decode decodes the message at the start of data.
func (m *message) decode(data []byte, v mem.Ptr) (int, error) { return m.decodes(m, data, v) }

// decoderOf returns the function that decodes the messages of m. The functions differ in
// what they clear, like those of encoderOf.
func (m *message) decoderOf() func(m *message, data []byte, v mem.Ptr) (int, error) {
	switch {
	case m.slots >= someSlots || m.limit > 0:
		return decodeMany
	case m.slots >= fewSlots || m.decoding.levels:
		return decodeNested
	}
	return decodeDirect
}

// decodeDirect decodes a message with few slots and no levels.
func decodeDirect(m *message, data []byte, v mem.Ptr) (int, error) {
	var d decoder
	var slots [fewSlots]int64
	d.start(m, data)
	d.slots = mem.HideSlice(slots[:])
	n, err := d.run(m.decoding, 0, v)
	runtime.KeepAlive(&slots)
	if err != nil {
		return d.result(n, err)
	}
	return n, nil
}

// decodeNested decodes a message with some slots.
func decodeNested(m *message, data []byte, v mem.Ptr) (int, error) {
	var d decoder
	var slots [someSlots]int64
	var levels [maxLevels]level
	d.start(m, data)
	d.slots = mem.HideSlice(slots[:])
	d.levels = mem.Hide(mem.PtrTo(&levels))
	n, err := d.run(m.decoding, 0, v)
	runtime.KeepAlive(&slots)
	runtime.KeepAlive(&levels)
	if err != nil {
		return d.result(n, err)
	}
	return n, nil
}

// decodeMany decodes any message.
func decodeMany(m *message, data []byte, v mem.Ptr) (int, error) {
	if m.slots >= manySlots {
		return m.observe(data, v, nil)
	}
	var d decoder
	var slots [manySlots]int64
	d.start(m, data)
	d.slots = mem.HideSlice(slots[:])
	n, err := d.result(d.inner(m.decoding, 0, v))
	runtime.KeepAlive(&slots)
	return n, err
}

// start sets the fields of a decoder that are not zero. A composite literal would be made
// elsewhere and then copied.
func (d *decoder) start(m *message, data []byte) {
	d.data, d.end, d.message = data, len(data), m
	if m.alias {
		d.alias, d.chunk, d.chunkTo = true, mem.Bytes(data), len(data)
	}
}

// observe is decode for a message with very many slots, or whose fields w lists. Its
// slots are simply allocated.
func (m *message) observe(data []byte, v mem.Ptr, w *fieldLister) (int, error) {
	d := decoder{watch: w}
	d.start(m, data)
	d.slots = make([]int64, m.slots+1)
	return d.result(d.inner(m.decoding, 0, v))
}

// inner runs a list with levels of its own.
func (d *decoder) inner(f *flat, pos int, p mem.Ptr) (int, *Error) {
	var levels [maxLevels]level
	outer := d.levels
	d.levels = mem.Hide(mem.PtrTo(&levels))
	pos, err := d.run(f, pos, p)
	d.levels = outer
	runtime.KeepAlive(&levels)
	return pos, err
}

// result returns the results of decode after a run.
func (d *decoder) result(n int, err *Error) (int, error) {
	if n, err = d.finish(n, err); err == nil {
		return n, nil
	}
	// A method of a user may want more data, too.
	err.empty = len(d.data) == 0 && (errors.Is(err.Err, io.ErrUnexpectedEOF) || errors.Is(err.Err, io.EOF))
	return 0, err
}

// finish completes the result of decoding a message: it compares the length with the
// limit, and adds to an error what only the whole message tells.
func (d *decoder) finish(n int, err *Error) (int, *Error) {
	m := d.message
	if err == nil && m.limit > 0 && n > m.limit {
		// The end of the frame is that of the data: the limit does not shorten a field
		// that takes the rest.
		err = failure(m.limit, ErrLimit, "the message has %d bytes, which exceeds the limit of %d", n, m.limit)
	}
	if err == nil {
		return n, nil
	}
	if err.frameEnd >= 0 && !err.foreign {
		err.Text += " in the message"
	}
	return n, finish(m.name, err)
}

// loadPrefix returns the little-endian number of width bytes at p, which are at most
// mostPrefix. It is small enough to be inlined.
func loadPrefix(p mem.Ptr, width uint8) uint64 {
	switch width {
	case 1:
		return uint64(mem.Load8(p, 0))
	case 2:
		return uint64(mem.Load16(p, 0))
	case 3:
		return uint64(mem.Load16(p, 0)) | uint64(mem.Load8(p, 2))<<16
	}
	return uint64(mem.Load32(p, 0))
}

// loadShort returns the little-endian number of 1 to 3 bytes that is pos bytes after p. It
// and loadLong are two functions because the compiler does not inline one for both.
func loadShort(p mem.Ptr, pos, width int) uint64 {
	if width == 1 {
		return uint64(mem.Load8(p, pos))
	}
	return uint64(mem.Load16(p, pos)) | uint64(mem.Load8(p, pos+width-1))<<(uint(8*width-8)&63)
}

// loadLong is loadShort for 4 to 8 bytes.
func loadLong(p mem.Ptr, pos, width int) uint64 {
	return uint64(mem.Load32(p, pos)) | uint64(mem.Load32(p, pos+width-4))<<(uint(8*width-32)&63)
}

// mostPrefix is how many bytes a prefix can have that the loop reads.
const mostPrefix = 4

// reversed returns the low width bytes of v in reverse order. v must have no bits above
// them.
func reversed(v uint64, width int) uint64 {
	return bits.ReverseBytes64(v) >> (uint(64-8*width) & 63)
}

// ordered returns v, which has been loaded as a little-endian number, in the order that
// the operation says.
func (o *op) ordered(v uint64) uint64 {
	if o.swap {
		return reversed(v, int(o.width))
	}
	return v
}

// slot returns slot i. The loop does not keep the address of the slots, so that the
// compiler has registers for its other variables.
func (d *decoder) slot(i int32) *int64 { return slotAt(mem.SliceStart(d.slots), i) }
