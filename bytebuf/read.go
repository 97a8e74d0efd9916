package bytebuf

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"
)

// The texts are those of bytes.Buffer, whose callers may know them.
var (
	errUnreadByte = errors.New("bytes.Buffer: UnreadByte: previous operation was not a successful read")
	errUnreadRune = errors.New("bytes.Buffer: UnreadRune: previous operation was not a successful ReadRune")
)

// Read reads up to len(p) bytes into p and returns their number. It returns io.EOF if there are none and p is not
// empty.
func (b *Buffer) Read(p []byte) (n int, err error) {
	if off := b.off; off < len(b.buf) {
		n = copy(p, b.buf[off:])
	} else if off < int(b.end) {
		n = copy(p, b.inner[off:b.end])
	} else {
		b.Reset()
		if len(p) > 0 {
			err = io.EOF
		}
		return
	}
	b.off += n
	b.last = -readOp(min(n, 1)) // opRead, or opOther if p is empty
	return
}

// advance marks n bytes as read, for UnreadByte to find if there were any.
func (b *Buffer) advance(n int) {
	b.off += n
	if n > 0 {
		b.last = opRead
	}
}

// Next reads n bytes, or all if there are fewer, and returns them without copying, valid as those of [Buffer.Bytes].
func (b *Buffer) Next(n int) []byte {
	b.last = opOther
	data := b.Bytes()
	data = data[:min(n, len(data))]
	b.advance(len(data))
	return data
}

// ReadByte reads one byte. It returns io.EOF if there is none.
func (b *Buffer) ReadByte() (c byte, err error) {
	if off := b.off; off < len(b.buf) {
		b.off = off + 1
		b.last = opRead
		return b.buf[off], nil
	} else if off < int(b.end) {
		b.off = off + 1
		b.last = opRead
		return b.inner[off], nil
	}
	b.Reset()
	return 0, io.EOF
}

// ReadRune reads one rune in UTF-8 and returns it with its length. Bytes that are no UTF-8 give U+FFFD and length 1.
// It returns io.EOF if there are no bytes.
func (b *Buffer) ReadRune() (r rune, size int, err error) {
	if off := b.off; off < len(b.buf) {
		if c := b.buf[off]; c < utf8.RuneSelf {
			b.off = off + 1
			b.last = 1
			return rune(c), 1, nil
		}
		r, size = utf8.DecodeRune(b.buf[off:])
	} else if off < int(b.end) {
		r, size = utf8.DecodeRune(b.inner[off:b.end])
	} else {
		b.Reset()
		return 0, 0, io.EOF
	}
	b.off += size
	b.last = readOp(size)
	return r, size, nil
}

// UnreadRune takes back the last rune read. It returns an error unless the last call was a successful
// [Buffer.ReadRune].
func (b *Buffer) UnreadRune() error {
	if b.last <= opOther {
		return errUnreadRune
	}
	if size := int(b.last); b.off >= size {
		b.off -= size
	}
	b.last = opOther
	return nil
}

// UnreadByte takes back the last byte read. It returns an error if a write came after it, or if the last read failed
// or read nothing.
func (b *Buffer) UnreadByte() error {
	if b.last == opOther {
		return errUnreadByte
	}
	b.last = opOther
	if b.off > 0 {
		b.off--
	}
	return nil
}

// ReadBytes reads up to and including the first delim and returns a copy. If there is no delim, it returns all there
// is and io.EOF.
func (b *Buffer) ReadBytes(delim byte) (line []byte, err error) {
	data, err := b.readSlice(delim)
	return append(line, data...), err
}

// ReadString is [Buffer.ReadBytes] with a string as its result.
func (b *Buffer) ReadString(delim byte) (line string, err error) {
	data, err := b.readSlice(delim)
	return string(data), err
}

func (b *Buffer) readSlice(delim byte) (line []byte, err error) {
	data := b.Bytes()
	n := bytes.IndexByte(data, delim) + 1
	if n == 0 {
		n, err = len(data), io.EOF
	}
	b.off += n
	b.last = opRead
	return data[:n], err
}
