package bytebuf

import (
	"bytes"
	"io"
)

// innerSize is the room inside the struct, and, as in bytes.Buffer, the first capacity of a zero Buffer.
const innerSize = 64

// MinRead is the least room that [Buffer.ReadFrom] offers to a reader, as bytes.MinRead.
const MinRead = bytes.MinRead

// ErrTooLarge is the value of the panic when a buffer cannot grow. It is bytes.ErrTooLarge itself.
var ErrTooLarge = bytes.ErrTooLarge

// Buffer is a growable buffer of bytes to write to and read from, a drop-in for bytes.Buffer. The zero value is
// empty and ready to use. Its first 64 bytes are part of the struct: a local Buffer with short contents allocates
// nothing.
//
// A Buffer may be copied before use and right after [NewBuffer]. Later copies share memory past 64 bytes, and have
// their own below.
type Buffer struct {
	// The contents are the bytes from off on of inner[:end] while room is innerSize, of buf otherwise.
	//
	// inner is reached by index and never kept in buf: a slice of itself would tie a Buffer to the heap, and a copied
	// Buffer to its original. buf stays nil until the contents leave inner for good, so that the fast paths of the
	// other files test nothing but the length and capacity of buf.
	buf   []byte
	off   int
	end   uint8
	room  uint8 // 0 or innerSize: what inner adds to the capacity
	last  readOp
	inner [innerSize]byte
}

// readOp is what the last call did, for UnreadByte and UnreadRune. Positive: ReadRune, that many bytes.
type readOp int8

const (
	opRead  readOp = -1
	opOther readOp = 0
)

// New returns an empty Buffer. It is new(Buffer): inlined, it stays on the stack where the Buffer does not escape.
func New() *Buffer { return new(Buffer) }

// NewBuffer returns a Buffer with the contents buf, which it owns from now on: the caller does not use buf again.
// It serves to read from buf, or, given buf[:0], to write into memory at hand.
func NewBuffer(buf []byte) *Buffer { return &Buffer{buf: buf} }

// NewBufferString returns a Buffer with a copy of s as its contents, ready to be read.
func NewBufferString(s string) *Buffer { return &Buffer{buf: []byte(s)} }

// Bytes returns the unread bytes without copying. They are the Buffer's own memory, valid until the next call that
// changes the Buffer; what is stored there is what later reads return. A Buffer never written to gives nil.
//
// The slice may point into the Buffer: a local Buffer moves to the heap if the slice does.
func (b *Buffer) Bytes() []byte {
	if b.room != 0 {
		return b.inner[b.off:b.end]
	}
	return b.buf[b.off:]
}

// String returns a copy of the unread bytes, and "<nil>" for a nil *Buffer.
func (b *Buffer) String() string {
	if b == nil {
		return "<nil>"
	}
	return string(b.Bytes())
}

// Len returns the number of unread bytes.
func (b *Buffer) Len() int { return len(b.buf) + int(b.end) - b.off }

// Cap returns the number of bytes the Buffer has memory for, read ones included. As in bytes.Buffer it is 0 at
// first: the bytes inside the struct count from the first write, or [Buffer.Grow], on.
func (b *Buffer) Cap() int { return cap(b.buf) + int(b.room) }

// Available returns the number of bytes that can be written without moving the contents. It is 0 at first, as Cap.
func (b *Buffer) Available() int { return cap(b.buf) - len(b.buf) + int(b.room) - int(b.end) }

// AvailableBuffer returns an empty slice of capacity [Buffer.Available], to be appended to and handed to
// [Buffer.Write] right away, which then has nothing to copy. It is valid until the next write.
func (b *Buffer) AvailableBuffer() []byte {
	if b.room != 0 {
		return b.inner[b.end:b.end]
	}
	return b.buf[len(b.buf):]
}

// Truncate drops all but the first n unread bytes and keeps the memory. It panics if n is negative or more than
// [Buffer.Len].
func (b *Buffer) Truncate(n int) {
	if n == 0 {
		b.Reset()
		return
	}
	b.last = opOther
	if n < 0 || n > b.Len() {
		panic("bytes.Buffer: truncation out of range")
	}
	b.cut(b.Len() - n)
}

// cut drops the last n bytes of the contents.
func (b *Buffer) cut(n int) {
	if b.room != 0 {
		b.end -= uint8(n)
	} else {
		b.buf = b.buf[:len(b.buf)-n]
	}
}

// Reset empties the Buffer and keeps its memory for later writes.
func (b *Buffer) Reset() {
	b.buf = b.buf[:0]
	b.off = 0
	b.end = 0
	b.last = opOther
}

// Wipe empties the Buffer, as Reset does, and overwrites all memory it holds with zeros: contents, bytes read
// already and spare capacity.
//
// It does not reach what the Buffer held before: memory left behind by growing, slices it was copied to, strings made
// of it. To keep a secret in one place, call [Buffer.Grow] with its size before writing it.
func (b *Buffer) Wipe() {
	clear(b.inner[:])
	clear(b.buf[:cap(b.buf)])
	b.Reset()
}

// Peek returns the next n bytes without reading them, valid as those of [Buffer.Bytes]. If there are fewer, it
// returns them and io.EOF.
func (b *Buffer) Peek(n int) ([]byte, error) {
	data := b.Bytes()
	if len(data) < n {
		return data, io.EOF
	}
	return data[:n], nil
}
