package msgpack

import (
	"errors"
	"io"
	"reflect"
	"sync"
	"time"
)

// options are the options of an Encoder.
type options struct {
	sortKeys, arrays, compactInts, compactFloats, intern, omitEmpty bool
	tag                                                             string // a key of struct tags, if there is no "msgpack"
}

// An Encoder writes MessagePack values to a writer, each with one call of Write. What a
// value has written when an error occurs is dropped.
//
// Methods EncodeMsgpack get the Encoder of the outer value, and can write any number of
// values.
type Encoder struct {
	w    io.Writer
	buf  []byte // what was encoded and not written
	busy bool   // in a call of Encode or another method that encodes whole values
	deep int    // of the value that is being encoded
	dict map[string]int
	news []interned // strings of buf that were added to a dictionary
	options
}

const (
	maxDepth    = 10_000
	maxRetained = 64 << 10 // longer buffers are not kept
)

var (
	errDepth    = errors.New("msgpack: value is nested more than 10000 levels deep")
	errNoWriter = errors.New("msgpack: Encoder has no writer")
	errLength   = errors.New("msgpack: length is negative or does not fit in 32 bits")
)

var encoders = sync.Pool{New: func() any { return NewEncoder(nil) }}

// GetEncoder returns an Encoder from a pool. Call Reset before it is used.
func GetEncoder() *Encoder { return encoders.Get().(*Encoder) }

// PutEncoder returns an Encoder to the pool of [GetEncoder].
func PutEncoder(enc *Encoder) {
	enc.w = nil
	encoders.Put(enc)
}

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder {
	e := new(Encoder)
	e.Reset(w)
	return e
}

// A sink is the writer of Marshal.
type sink struct{ data []byte }

func (s *sink) Write(b []byte) (int, error) {
	s.data = append(s.data, b...)
	return len(b), nil
}

// Marshal returns the encoding of v.
func Marshal(v any) ([]byte, error) {
	if t := reflect.TypeOf(v); t != nil && current.Load().plan(t).plain != notPlain {
		if b, err := codecFor(false, false).Marshal(v); err == nil {
			return b, nil
		}
	}
	var s sink
	e := GetEncoder()
	e.Reset(&s)
	err := e.Encode(v)
	PutEncoder(e)
	if err != nil {
		return nil, err
	}
	return s.data, nil
}

// Writer returns the writer. In a method EncodeMsgpack, what was encoded before is
// written first.
func (e *Encoder) Writer() io.Writer {
	if e.busy {
		_ = e.flush() // the next Write of the caller has the same error
	}
	return e.w
}

// Reset makes e write to w, and resets all options.
func (e *Encoder) Reset(w io.Writer) { e.ResetDict(w, nil) }

// ResetDict is like Reset. The strings that are keys of dict are written as its numbers.
func (e *Encoder) ResetDict(w io.Writer, dict map[string]int) {
	e.ResetWriter(w)
	e.options = options{}
	e.dict = dict
}

// ResetWriter makes e write to w, and drops the dictionary. Options stay as they are.
func (e *Encoder) ResetWriter(w io.Writer) {
	if e.busy {
		_ = e.flush()
	}
	e.buf, e.deep, e.dict, e.w = e.buf[:0], 0, nil, w
}

// WithDict calls fn while the strings in dict are written as its numbers.
func (e *Encoder) WithDict(dict map[string]int, fn func(*Encoder) error) error {
	old := e.dict
	e.dict = dict
	defer func() { e.dict = old }()
	return fn(e)
}

// SetSortMapKeys selects whether maps from string to string, bool and any are sorted.
func (e *Encoder) SetSortMapKeys(on bool) *Encoder {
	e.sortKeys = on
	return e
}

// SetCustomStructTag sets the key of the struct tags of fields that have no tag with the
// key "msgpack".
func (e *Encoder) SetCustomStructTag(tag string) { e.tag = tag }

// SetOmitEmpty selects whether all fields have the tag option omitempty.
func (e *Encoder) SetOmitEmpty(on bool) { e.omitEmpty = on }

// UseArrayEncodedStructs selects whether structs are arrays of their fields.
func (e *Encoder) UseArrayEncodedStructs(on bool) { e.arrays = on }

// UseCompactInts selects whether integers have the shortest format. By default, those of
// types other than int and uint have the width of their type.
func (e *Encoder) UseCompactInts(on bool) { e.compactInts = on }

// UseCompactFloats selects whether floats without a fraction are integers.
func (e *Encoder) UseCompactFloats(on bool) { e.compactFloats = on }

// UseInternedStrings selects whether a string that e has already written is written as its
// number.
func (e *Encoder) UseInternedStrings(on bool) { e.intern = on }

// flush writes what was encoded.
func (e *Encoder) flush() error {
	if len(e.buf) == 0 {
		return nil
	}
	b := e.buf
	e.buf = b[:0]
	if cap(b) > maxRetained {
		e.buf = nil
	}
	if e.w == nil {
		e.forget()
		return errNoWriter
	}
	_, err := e.w.Write(b)
	if err != nil {
		e.forget()
	}
	clear(e.news)
	e.news = e.news[:0]
	return err
}

// put sets the buffer, to which a value was appended, and writes it unless a larger value
// is being encoded.
func (e *Encoder) put(b []byte) error {
	if e.busy {
		e.buf = b
		return nil
	}
	if e.w == nil || len(b) == 0 || len(e.news) > 0 || cap(b) > maxRetained {
		e.buf = b
		return e.flush()
	}
	e.buf = b[:0]
	_, err := e.w.Write(b)
	return err
}

// whole calls encode, and writes what it has encoded unless it is part of a larger value.
func (e *Encoder) whole(encode func() error) error {
	if e.busy {
		return encode()
	}
	e.busy = true
	defer func() {
		e.forget()
		e.busy, e.buf, e.deep = false, e.buf[:0], 0
	}()
	if err := encode(); err != nil {
		return err
	}
	return e.flush()
}

// Encode writes v.
func (e *Encoder) Encode(v any) error {
	switch v := v.(type) {
	case nil:
		return e.EncodeNil()
	case string:
		return e.EncodeString(v)
	case []byte:
		return e.EncodeBytes(v)
	case int:
		return e.EncodeInt(int64(v))
	case int64:
		return e.sized(v)
	case uint:
		return e.EncodeUint(uint64(v))
	case uint64:
		return e.sizedUint(v, 8)
	case bool:
		return e.EncodeBool(v)
	case float32:
		return e.EncodeFloat32(v)
	case float64:
		return e.EncodeFloat64(v)
	case time.Duration:
		return e.sized(int64(v))
	case time.Time:
		return e.EncodeTime(v)
	}
	return e.encode(reflect.ValueOf(v), v)
}

// EncodeMulti writes the values one after the other.
func (e *Encoder) EncodeMulti(v ...any) error {
	for _, v := range v {
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// EncodeValue writes the value of v.
func (e *Encoder) EncodeValue(v reflect.Value) error {
	if !v.IsValid() {
		return e.EncodeNil()
	}
	return e.encode(v, nil)
}

// encode writes the value of v, which is also the value of whole unless that is nil.
func (e *Encoder) encode(v reflect.Value, whole any) error {
	p := current.Load().plan(v.Type())
	if p.plain != notPlain && e.isPlain() && v.CanInterface() {
		if whole == nil {
			whole = v.Interface()
		}
		if b, err := codecFor(e.sortKeys, e.compactInts).MarshalAppend(e.buf, whole); err == nil {
			return e.put(b)
		}
	}
	if e.busy || p.leaf {
		return p.encode(e, v)
	}
	return e.whole(func() error { return p.encode(e, v) })
}

// EncodeMap writes m. Its keys are sorted only by [Encoder.EncodeMapSorted].
func (e *Encoder) EncodeMap(m map[string]any) error {
	return e.whole(func() error { return encodeStringMap(e, m, e.Encode, false) })
}

// EncodeMapSorted writes m in the order of its keys.
func (e *Encoder) EncodeMapSorted(m map[string]any) error {
	return e.whole(func() error { return encodeStringMap(e, m, e.Encode, true) })
}
