package bytebuf

import (
	"bytes"
	"io"
)

// innerSize is the number of bytes inside the struct. As in bytes.Buffer, it is also the first capacity of a zero
// Buffer.
const innerSize = 64

// MinRead is the minimum length of the slice that [Buffer.ReadFrom] passes to Read, like bytes.MinRead.
const MinRead = bytes.MinRead

// ErrTooLarge is passed to panic if a buffer cannot grow. It is the same value as bytes.ErrTooLarge.
var ErrTooLarge = bytes.ErrTooLarge

// A Buffer is a variable-sized buffer of bytes with Read and Write methods. It is a replacement for bytes.Buffer.
// The zero value is an empty buffer ready to use. The first 64 bytes are part of the struct, so a local Buffer with
// short contents does not allocate.
//
// A Buffer may be copied before use and directly after [NewBuffer]. The copy of a used Buffer has its own contents
// up to 64 bytes, and shares memory with the original for longer contents.
type Buffer struct {
	// The contents are inner[off:end] if room is innerSize, and buf[off:] otherwise.
	//
	// inner is accessed by index and never stored in buf, because a slice of itself would move every Buffer to the
	// heap and tie a copied Buffer to its original. buf stays nil until the contents leave inner for good, so the
	// fast paths in the other files only check the length and capacity of buf.
	buf   []byte
	off   int
	end   uint8
	room  uint8 // the part of the capacity that is in inner: 0 or innerSize
	last  readOp
	inner [innerSize]byte
}

// readOp is the kind of the last operation, for UnreadByte and UnreadRune. A positive value is the length of the
// rune that ReadRune returned.
type readOp int8

const (
	opRead  readOp = -1
	opOther readOp = 0
)

// New returns an empty Buffer, like new(Buffer). It is inlined, so a Buffer that does not escape stays on the
// stack.
func New() *Buffer { return new(Buffer) }

// NewBuffer returns a Buffer with buf as its initial contents. The Buffer takes ownership of buf, and the caller
// must not use buf afterwards. Use NewBuffer to read from existing bytes, or with buf[:0] to write to existing
// memory.
func NewBuffer(buf []byte) *Buffer { return &Buffer{buf: buf} }

// NewBufferString returns a Buffer with a copy of s as its initial contents.
func NewBufferString(s string) *Buffer { return &Buffer{buf: []byte(s)} }

// Bytes returns the unread bytes without copying. The slice is the memory of the Buffer and is valid until the next
// call that changes the Buffer. Changes to the slice change the contents. Bytes returns nil if nothing was ever
// written.
//
// The slice may point into the Buffer itself. A local Buffer therefore moves to the heap if the slice does.
func (b *Buffer) Bytes() []byte {
	if b.room != 0 {
		return b.inner[b.off:b.end]
	}
	return b.buf[b.off:]
}

// String returns the unread bytes as a string. If the Buffer is a nil pointer, it returns "<nil>".
func (b *Buffer) String() string {
	if b == nil {
		return "<nil>"
	}
	return string(b.Bytes())
}

// Len returns the number of unread bytes.
func (b *Buffer) Len() int { return len(b.buf) + int(b.end) - b.off }

// Cap returns the capacity of the Buffer in bytes, including bytes that have been read. As in bytes.Buffer, it is 0
// at first: the bytes inside the struct count only after the first write or [Buffer.Grow].
func (b *Buffer) Cap() int { return cap(b.buf) + int(b.room) }

// Available returns the number of bytes that can be written without moving the contents. Like Cap, it is 0 at
// first.
func (b *Buffer) Available() int { return cap(b.buf) - len(b.buf) + int(b.room) - int(b.end) }

// AvailableBuffer returns an empty slice with the capacity [Buffer.Available]. Append to it and pass it to the next
// [Buffer.Write], which then does not copy. It is valid until the next write.
func (b *Buffer) AvailableBuffer() []byte {
	if b.room != 0 {
		return b.inner[b.end:b.end]
	}
	return b.buf[len(b.buf):]
}

// Truncate discards all but the first n unread bytes and keeps the memory. It panics if n is negative or greater
// than [Buffer.Len].
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

// cut removes the last n bytes of the contents.
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

// Wipe empties the Buffer, like Reset, and overwrites all its memory with zeros: the contents, bytes that have been
// read, and unused capacity.
//
// Wipe does not overwrite memory that the Buffer has left by growing, nor copies and strings of the contents. To
// keep a secret in one place, call [Buffer.Grow] with its size before writing it.
func (b *Buffer) Wipe() {
	clear(b.inner[:])
	clear(b.buf[:cap(b.buf)])
	b.Reset()
}

// Peek returns the next n bytes without reading them. The slice is valid like that of [Buffer.Bytes]. If there are
// fewer bytes, Peek returns them and io.EOF.
func (b *Buffer) Peek(n int) ([]byte, error) {
	data := b.Bytes()
	if len(data) < n {
		return data, io.EOF
	}
	return data[:n], nil
}
