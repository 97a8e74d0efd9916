package bytebuf

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"
)

// The texts are the same as in bytes.Buffer, because callers may compare them.
var (
	errUnreadByte = errors.New("bytes.Buffer: UnreadByte: previous operation was not a successful read")
	errUnreadRune = errors.New("bytes.Buffer: UnreadRune: previous operation was not a successful ReadRune")
)

// Read reads up to len(p) bytes into p and returns their number. It returns io.EOF if the Buffer is empty and p is
// not.
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

// advance marks n bytes as read and records the operation for UnreadByte.
func (b *Buffer) advance(n int) {
	b.off += n
	if n > 0 {
		b.last = opRead
	}
}

// Next reads n bytes, or all bytes if there are fewer, and returns them without copying. The slice is valid like
// that of [Buffer.Bytes].
func (b *Buffer) Next(n int) []byte {
	b.last = opOther
	data := b.Bytes()
	data = data[:min(n, len(data))]
	b.advance(len(data))
	return data
}

// ReadByte reads one byte. It returns io.EOF if the Buffer is empty.
func (b *Buffer) ReadByte() (c byte, err error) {
	if off, buf := b.off, b.buf; off < len(buf) {
		b.off = off + 1
		b.last = opRead
		return buf[off], nil
	} else if off < int(b.end) {
		b.off = off + 1
		b.last = opRead
		return b.inner[off], nil
	}
	b.Reset()
	return 0, io.EOF
}

// ReadRune reads one UTF-8 encoded rune and returns it with its length. For an invalid byte it returns U+FFFD, 1.
// It returns io.EOF if the Buffer is empty.
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

// UnreadRune unreads the last rune. It returns an error if the last operation was not a successful
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

// UnreadByte unreads the last byte. It returns an error if the last operation was a write, failed, or read no
// bytes.
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

// ReadBytes reads up to and including the first delim and returns a copy of these bytes. If the contents have no
// delim, it returns all of them and io.EOF.
func (b *Buffer) ReadBytes(delim byte) (line []byte, err error) {
	data, err := b.readSlice(delim)
	return append(line, data...), err
}

// ReadString is like [Buffer.ReadBytes] but returns a string.
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
