package msgpack

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"
	"time"
)

// reading are the options of a Decoder.
type reading struct {
	loose, rejectUnknown, intern bool
	tag                          string // a key of struct tags, if there is no "msgpack"
}

// A Decoder reads MessagePack values from a reader. It reads no further than the values if
// the reader has the methods of [io.ByteScanner], and has a buffer otherwise.
type Decoder struct {
	r     io.Reader
	s     io.ByteScanner
	mem   *memory // what is read instead of r: the data of Unmarshal, or lent memory
	buf   []byte  // of take
	rec   *[]byte // what is read is also appended here
	deep  int     // of the value that is being decoded
	dict  []string
	maps  func(*Decoder) (any, error)
	lent  lent
	sight sight // what window has found
	reading
}

// A lent is what a Decoder reads from instead of its own reader while a whole value is
// decoded: the memory of that reader.
type lent struct {
	memory
	r io.Reader // that of the Decoder; nil for the data of Unmarshal
	s io.ByteScanner
}

// borrow makes d read from the memory of its reader until giveBack, if all that the reader has
// is there. It reports whether giveBack must be called.
func (d *Decoder) borrow() bool {
	if d.mem != nil {
		return false
	}
	w, all := d.window()
	if !all {
		return false
	}
	d.lent = lent{memory{data: w}, d.r, d.s}
	d.mem = &d.lent.memory
	d.r, d.s = d.mem, d.mem
	return true
}

// giveBack ends what borrow began.
func (d *Decoder) giveBack() {
	if d.lent.r == nil || d.mem != &d.lent.memory { // the memory of another, of which d is a copy
		return
	}
	n := d.lent.pos
	d.r, d.s, d.mem = d.lent.r, d.lent.s, nil
	d.lent, d.sight = lent{}, nil
	d.advance(n)
}

// A memory is a reader of a byte slice.
type memory struct {
	data []byte
	pos  int
	err  error    // at the end; nil is io.EOF
	more *Decoder // reads what follows, or nil
}

// fill reads until n bytes are left, if more follow.
func (m *memory) fill(n int) {
	if n -= len(m.data) - m.pos; n > 0 && m.more != nil && m.err == nil {
		m.data, m.err = m.more.readInto(m.data, n)
	}
}

// fault returns the error at the end.
func (m *memory) fault() error {
	if m.err != nil {
		return m.err
	}
	return io.EOF
}

func (m *memory) Read(b []byte) (int, error) {
	m.fill(min(len(b), 1))
	if m.pos == len(m.data) && len(b) > 0 {
		return 0, m.fault()
	}
	n := copy(b, m.data[m.pos:])
	m.pos += n
	return n, nil
}

func (m *memory) ReadByte() (byte, error) {
	if m.fill(1); m.pos == len(m.data) {
		return 0, m.fault()
	}
	m.pos++
	return m.data[m.pos-1], nil
}

var errUnread = errors.New("msgpack: no byte to unread")

func (m *memory) UnreadByte() error {
	if m.pos == 0 {
		return errUnread
	}
	m.pos--
	return nil
}

var decoders = sync.Pool{New: func() any { return NewDecoder(nil) }}

// GetDecoder returns a Decoder from a pool. Call Reset before it is used.
func GetDecoder() *Decoder { return decoders.Get().(*Decoder) }

// PutDecoder returns a Decoder to the pool of [GetDecoder].
func PutDecoder(dec *Decoder) {
	dec.giveBack()
	dec.r, dec.s, dec.mem, dec.sight, dec.lent = nil, nil, nil, nil, lent{}
	decoders.Put(dec)
}

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader) *Decoder {
	d := new(Decoder)
	d.Reset(r)
	return d
}

// Unmarshal decodes the first value in data into the variable that v points to.
func Unmarshal(data []byte, v any) error {
	d := GetDecoder()
	d.Reset(nil)
	d.lent.memory = memory{data: data}
	d.mem = &d.lent.memory
	d.r, d.s = d.mem, d.mem
	err := d.Decode(v)
	PutDecoder(d)
	return err
}

// Reset makes d read from r, and resets all options.
func (d *Decoder) Reset(r io.Reader) { d.ResetDict(r, nil) }

// ResetDict is like Reset. Numbers of interned strings are indexes of dict.
func (d *Decoder) ResetDict(r io.Reader, dict []string) {
	d.ResetReader(r)
	d.reading, d.dict = reading{}, dict
}

// ResetReader makes d read from r, and drops the dictionary and the function of
// SetMapDecoder. Options stay as they are.
func (d *Decoder) ResetReader(r io.Reader) {
	d.giveBack()
	d.maps, d.dict, d.mem, d.rec, d.deep = nil, nil, nil, nil, 0
	if cap(d.buf) > maxRetained {
		d.buf = nil
	}
	if r == nil {
		d.r, d.s = nil, nil
		return
	}
	s, ok := r.(io.ByteScanner)
	if !ok {
		b := bufio.NewReader(r)
		r, s = b, b
	}
	d.r, d.s = r, s
}

// WithDict calls fn while numbers of interned strings are indexes of dict.
func (d *Decoder) WithDict(dict []string, fn func(*Decoder) error) error {
	old := d.dict
	d.dict = dict
	defer func() { d.dict = old }()
	return fn(d)
}

// SetMapDecoder sets the function that decodes maps into variables of type any. The default
// is [Decoder.DecodeMap].
func (d *Decoder) SetMapDecoder(fn func(*Decoder) (any, error)) { d.maps = fn }

// UseLooseInterfaceDecoding selects whether variables of type any get the types of
// [Decoder.DecodeInterfaceLoose].
func (d *Decoder) UseLooseInterfaceDecoding(on bool) { d.loose = on }

// SetCustomStructTag sets the key of the struct tags of fields that have no tag with the
// key "msgpack".
func (d *Decoder) SetCustomStructTag(tag string) { d.tag = tag }

// DisallowUnknownFields selects whether a key without a field is an error. By default, it is
// skipped.
func (d *Decoder) DisallowUnknownFields(on bool) { d.rejectUnknown = on }

// UseInternedStrings selects whether d keeps strings for later numbers of them.
func (d *Decoder) UseInternedStrings(on bool) { d.intern = on }

// UsePreallocateValues has no effect: d never starts goroutines.
func (d *Decoder) UsePreallocateValues(bool) {}

// DisableAllocLimit has no effect: d reserves memory only for what it has read.
func (d *Decoder) DisableAllocLimit(bool) {}

// Buffered returns the reader that d reads from, which has what was not yet decoded.
func (d *Decoder) Buffered() io.Reader {
	d.giveBack()
	if d.mem == &d.lent.memory { // of Unmarshal, which uses d for others afterwards
		m := d.lent.memory
		d.mem, d.r, d.s = &m, &m, &m
	}
	return d.r
}

// Decode reads a value into the variable that v points to.
func (d *Decoder) Decode(v any) error {
	if ok, err := d.decodeKnown(v); ok {
		return err
	}
	p := reflect.ValueOf(v)
	switch {
	case v == nil:
		return errors.New("msgpack: Decode(nil)")
	case p.Kind() != reflect.Pointer:
		return fmt.Errorf("msgpack: Decode(non-pointer %T)", v)
	case p.IsNil():
		return fmt.Errorf("msgpack: Decode(non-settable %T)", v)
	}
	at := p.Elem()
	if at.Kind() == reflect.Interface && !at.IsNil() {
		if at = at.Elem(); at.Kind() != reflect.Pointer {
			return fmt.Errorf("msgpack: Decode(non-pointer %v)", at.Type())
		}
		return d.DecodeValue(at)
	}
	t := current.Load().plan(at.Type())
	if t.plain == plain || t.plain == plainNew && at.IsZero() {
		if ok, err := d.decodePlain(v, at); ok {
			return err
		}
	}
	return d.decode(t, at)
}

// decodeKnown decodes into a variable of a common type.
func (d *Decoder) decodeKnown(v any) (ok bool, err error) {
	switch v := v.(type) {
	case *string:
		return store(v, d.DecodeString)
	case *int:
		return store(v, d.DecodeInt)
	case *int8:
		return store(v, d.DecodeInt8)
	case *int16:
		return store(v, d.DecodeInt16)
	case *int32:
		return store(v, d.DecodeInt32)
	case *int64:
		return store(v, d.DecodeInt64)
	case *uint:
		return store(v, d.DecodeUint)
	case *uint8:
		return store(v, d.DecodeUint8)
	case *uint16:
		return store(v, d.DecodeUint16)
	case *uint32:
		return store(v, d.DecodeUint32)
	case *uint64:
		return store(v, d.DecodeUint64)
	case *bool:
		return store(v, d.DecodeBool)
	case *float32:
		return store(v, d.DecodeFloat32)
	case *float64:
		return store(v, d.DecodeFloat64)
	case *[]byte:
		if v == nil {
			return false, nil
		}
		b, err := d.bytesInto(*v)
		if err == nil {
			*v = b
		}
		return true, err
	case *time.Duration:
		return store(v, d.DecodeDuration)
	case *time.Time:
		return store(v, d.DecodeTime)
	}
	return false, nil
}

// store stores what decode returns, unless v is nil.
func store[T any](v *T, decode func() (T, error)) (ok bool, err error) {
	if v == nil {
		return false, nil
	}
	*v, err = decode()
	return true, err
}

// DecodeMulti reads values into the variables that v point to.
func (d *Decoder) DecodeMulti(v ...any) error {
	for _, v := range v {
		if err := d.Decode(v); err != nil {
			return err
		}
	}
	return nil
}

// DecodeValue reads a value into v, which can be set or is a pointer.
func (d *Decoder) DecodeValue(v reflect.Value) error {
	if !v.IsValid() {
		return errors.New("msgpack: Decode(nil)")
	}
	return d.decode(current.Load().plan(v.Type()), v)
}

func (d *Decoder) decode(p *plan, v reflect.Value) error {
	if !p.leaf && d.borrow() {
		defer d.giveBack()
	}
	return p.decode(d, v)
}
