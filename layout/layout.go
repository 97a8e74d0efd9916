package layout

import "io"

// Marshal returns the message v, which is a struct or a pointer to one.
func Marshal(v any) ([]byte, error) { return defaults.Marshal(v) }

// MarshalAppend appends the message v to dst. On error it returns dst with its
// original length.
func MarshalAppend(dst []byte, v any) ([]byte, error) { return defaults.MarshalAppend(dst, v) }

// Unmarshal decodes data, which must be exactly one message, into v, a pointer.
// Bytes that follow the message are [ErrTrailing].
func Unmarshal(data []byte, v any) error { return defaults.Unmarshal(data, v) }

// UnmarshalPrefix decodes the message at the start of data into v, a pointer, and
// returns its length. A struct that declares only a header reads only that.
func UnmarshalPrefix(data []byte, v any) (n int, err error) { return defaults.UnmarshalPrefix(data, v) }

// At decodes the message at offset off of data, and returns its length. It is for
// files in which one message holds the offset of another. Offsets in errors count
// from the start of data; alignment counts from the start of the message.
func At(data []byte, off int64, v any) (n int, err error) { return defaults.At(data, off, v) }

// Read reads exactly one message from r into v, a pointer, and nothing that follows
// it. A message of more than [DefaultMaxMessage] bytes is [ErrLimit]. See [Codec.Read].
func Read(r io.Reader, v any) error { return defaults.Read(r, v) }

// Write writes the message v to w with one call of Write.
func Write(w io.Writer, v any) error { return defaults.Write(w, v) }

// Fields decodes the message at the start of data into v, a pointer, and returns its
// fields with their places and values. See [Codec.Fields].
func Fields(data []byte, v any) ([]Field, error) { return defaults.Fields(data, v) }
