package msgp

import (
	"bytes"
	"sync"

	"github.com/octet-go/octet/msgpack"
	"github.com/tinylib/msgp/msgp"
)

// Hooks returns a TypeCoder for msgpack.Options.Types that encodes all types that
// have the method EncodeMsg by calling it, and decodes all types that have the
// method DecodeMsg by calling it, generated methods included.
//
// A method must encode exactly one value, and must decode all of one value.
// Otherwise, the error is msgpack.ErrInvalid and says what the method did. A method
// must not use its Writer or Reader after it has returned.
func Hooks() msgpack.TypeCoder { return msgpack.Implements(encode, decode) }

// Marshalers is like [Hooks] for the methods MarshalMsg and UnmarshalMsg. They are
// faster than EncodeMsg and DecodeMsg. List Marshalers before Hooks if types have
// both.
func Marshalers() msgpack.TypeCoder {
	return msgpack.Implements(
		func(dst []byte, v msgp.Marshaler) ([]byte, error) { return v.MarshalMsg(dst) },
		func(data []byte, v msgp.Unmarshaler) (int, error) {
			rest, err := v.UnmarshalMsg(data)
			return len(data) - len(rest), err
		})
}

const (
	// bufferSize is the size of the buffers of a Writer and a Reader.
	bufferSize = 2048

	// maxPooled is the longest value, in bytes, whose Reader is used again, because
	// its buffer grows.
	maxPooled = bufferSize
)

// A writer is a Writer with the slice that it appends to.
type writer struct {
	*msgp.Writer
	buf []byte
}

// output is the io.Writer of a writer, whose own method Write is that of the
// embedded Writer.
type output writer

func (o *output) Write(p []byte) (int, error) {
	o.buf = append(o.buf, p...)
	return len(p), nil
}

var writers = sync.Pool{New: func() any { return &writer{Writer: msgp.NewWriterSize(nil, bufferSize)} }}

func encode(dst []byte, v msgp.Encodable) ([]byte, error) {
	w := writers.Get().(*writer)
	w.buf = dst
	w.Reset((*output)(w))
	// If the method panics, the Writer is not used again.
	err := v.EncodeMsg(w.Writer)
	if err == nil {
		err = w.Flush()
	}
	result := w.buf
	w.buf = nil
	w.Reset(nil)
	writers.Put(w)
	return result, err
}

// A reader is a Reader with what it reads from.
type reader struct {
	*msgp.Reader
	r bytes.Reader
}

var readers = sync.Pool{New: func() any { return &reader{Reader: msgp.NewReaderSize(nil, bufferSize)} }}

func decode(data []byte, v msgp.Decodable) (int, error) {
	r := readers.Get().(*reader)
	r.r.Reset(data)
	r.Reset(&r.r)
	r.SetMaxRecursionDepth(0) // the defaults, because a method can change the limits
	r.SetMaxElements(0)
	r.SetMaxStringLength(0)
	err := v.DecodeMsg(r.Reader)
	n := len(data) - r.r.Len() - r.Buffered()
	r.r.Reset(nil)
	if len(data) <= maxPooled {
		r.Reset(nil)
		readers.Put(r)
	}
	return n, err
}
