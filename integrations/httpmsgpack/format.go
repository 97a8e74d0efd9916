package httpmsgpack

import (
	"net/http"
	"sync"

	"github.com/octet-go/octet/msgpack"
)

// DefaultMaxBytes is the longest body that is read if [Format].MaxBytes is 0.
const DefaultMaxBytes = 1 << 20

// A Format says how bodies are read and written. The zero Format is what the functions of the
// package use. A Format is a plain value: it can be copied, and all methods are safe for concurrent
// use.
type Format struct {
	// Codec encodes and decodes MessagePack. The default, nil, is the functions of package msgpack.
	Codec *msgpack.Codec
	// MaxBytes is the length of the longest body that is read. The default, 0, is DefaultMaxBytes. A
	// negative number means no limit.
	MaxBytes int64
	// NoJSON refuses JSON bodies and never writes JSON. The default is to read and write both.
	NoJSON bool
}

// Read decodes the body of r into the variable that v points to. See [Format.Read].
func Read(w http.ResponseWriter, r *http.Request, v any) error { return Format{}.Read(w, r, v) }

// Write writes v as the response to r. See [Format.Write].
func Write(w http.ResponseWriter, r *http.Request, status int, v any) error {
	return Format{}.Write(w, r, status, v)
}

func (f Format) limit() int64 {
	if f.MaxBytes == 0 {
		return DefaultMaxBytes
	}
	return f.MaxBytes
}

// maxPooled is the capacity above which a buffer is left to the garbage collector, so that one long
// response does not keep its memory forever.
const maxPooled = 1 << 18

// buffers holds the buffers in which responses are encoded before they are written.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// encode calls write with the encoding of v, which is valid only during the call.
func (f Format) encode(v any, write func([]byte) error) error {
	p := buffers.Get().(*[]byte)
	b, err := f.Codec.MarshalAppend((*p)[:0], v)
	if err == nil {
		err = write(b)
	} else {
		err = &Error{http.StatusInternalServerError, err}
	}
	if cap(b) <= maxPooled {
		*p = b
	}
	buffers.Put(p)
	return err
}
