package layout

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typetable"
)

// Options are settings that types do not contain. The functions of the package use
// the zero value.
type Options struct {
	// Order is the byte order of structs that state none: binary.BigEndian or
	// binary.LittleEndian. Nil is big-endian, as in most protocols. If the first
	// message of a file tells its byte order, use a Codec of that order for the rest.
	Order binary.ByteOrder

	// Unions lists the types that fields of interface types can hold. Each element is
	// made by [Union], at most one for each interface type.
	Unions []UnionCoder

	// Sums holds, by name, the checksums of the tag option sum=NAME:A..B.
	Sums map[string]Sum

	// AliasInput lets decoded strings, []byte and Unknown refer to the input of
	// Unmarshal, UnmarshalPrefix and At instead of copies. This saves time and memory, but the
	// input must not change while they are in use, and they keep all of it in memory.
	// Read and Frames always copy.
	AliasInput bool

	// MaxMessage is the largest message in bytes that is encoded or decoded. A larger
	// one is ErrLimit. 0 means [DefaultMaxMessage] for Read and Frames, and no limit
	// for a message in memory.
	MaxMessage int
}

// DefaultMaxMessage is the maximum number of bytes that [Read] and [Typed.Frames] read
// for one message if [Options].MaxMessage is 0.
const DefaultMaxMessage = 16 << 20

// maxDepth is the maximum nesting depth of pointers, unions and recursive structs.
const maxDepth = 512

// A Codec encodes and decodes messages according to its Options. Each method does
// what the package function of the same name does. A nil *Codec and the zero value
// have the default Options. A Codec is immutable and safe for concurrent use.
type Codec struct {
	options Options
	unions  map[reflect.Type]*unionType
	table   sync.Map // from reflect.Type to *message or *Error
	known   typetable.Table[known, *known]
	adding  sync.Mutex // serializes changes of known
}

// defaults is the Codec of the package functions.
var defaults Codec

// New checks the options and returns a Codec for them. If one of them is invalid, the
// error is [ErrOptions].
func New(o Options) (*Codec, error) {
	c := &Codec{options: o, unions: map[reflect.Type]*unionType{}}
	c.options.Sums = maps.Clone(o.Sums)
	c.options.Unions = slices.Clone(o.Unions)
	if o.Order != nil && o.Order != binary.BigEndian && o.Order != binary.LittleEndian && o.Order != binary.NativeEndian {
		return nil, badOption("Order", "%T is neither binary.BigEndian nor binary.LittleEndian", o.Order)
	}
	if o.MaxMessage < 0 {
		return nil, badOption("MaxMessage", "%d is negative", o.MaxMessage)
	}
	for name, s := range o.Sums {
		if s == nil {
			return nil, badOption("Sums", "there is no function for %q", name)
		}
	}
	for i, u := range o.Unions {
		at := fmt.Sprintf("Unions[%d]", i)
		if u.u == nil {
			return nil, badOption(at, "the value is empty; use Union")
		}
		own := *u.u
		if err := own.check(); err != nil {
			return nil, badOption(at, "%v", err)
		}
		if c.unions[own.typ] != nil {
			return nil, badOption(at, "a second Union of %v", own.typ)
		}
		c.unions[own.typ] = &own
	}
	return c, nil
}

// badOption returns the error for the option at path.
func badOption(path, format string, args ...any) error {
	return refused("Options."+path, ErrOptions, format, args...)
}

// Options returns the options of c. They share no memory with c.
func (c *Codec) Options() Options {
	if c == nil {
		return Options{}
	}
	o := c.options
	o.Unions, o.Sums = slices.Clone(o.Unions), maps.Clone(o.Sums)
	return o
}

// order returns the byte order o, or the default.
func (o *Options) order() order {
	switch o.Order {
	case binary.LittleEndian:
		return little
	case binary.NativeEndian:
		return native
	}
	return big
}

// native is the byte order of the machine.
var native = func() order {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return little
	}
	return big
}()

// A message is the compiled form of a type.
type message struct {
	options  *Options
	typ      reflect.Type
	name     string // of the type, for errors
	root     *node
	encoding *flat
	decoding *flat
	least    int  // bytes of a message, at least
	size     int  // bytes of every message, or -1
	alone    bool // there is one text at most
	slots    int
	first    slot   // that holds the offset of the message
	offsets  []slot // those that hold offsets
	places   []slot // those that hold places of numbers
	open     *node  // a field that Read cannot read, or nil
	limit    int
	alias    bool
	sums     bool // there are checksums
	more     bool // there are fields with if=more
	outward  bool // unions in recursive structs switch on numbers around these
	encodes  func(m *message, dst []byte, v mem.Ptr) ([]byte, error)
	decodes  func(m *message, data []byte, v mem.Ptr) (int, error)
	recent   *atomic.Int64 // approximate length of recent messages

	generated *generated // with the message for what it leaves
}

// of returns the message of t.
func (c *Codec) of(t reflect.Type) (*message, error) {
	if c == nil {
		c = &defaults
	}
	if m, ok := c.table.Load(t); ok {
		if m, ok := m.(*message); ok {
			return m, nil
		}
		return nil, m.(error)
	}
	m, err := c.compile(t)
	if err != nil {
		c.table.Store(t, err)
		return nil, err
	}
	found, _ := c.table.LoadOrStore(t, m)
	return found.(*message), nil
}

// compile makes the message of t.
func (c *Codec) compile(t reflect.Type) (*message, error) {
	b, m, err := c.begin(t, false)
	if err != nil {
		return nil, err
	}
	m.sums, m.alone, m.open, m.recent = len(b.checks) > 0, b.hasOneText(), b.openUser(), new(atomic.Int64)
	m.more = slices.ContainsFunc(b.all, (*node).asksAround)
	m.outward = slices.ContainsFunc(b.all, (*node).switchesOutward)
	m.encoding, m.decoding = b.emit(m, toWire{}), b.emit(m, fromWire{})
	m.least, m.size = b.root.least(), b.alwaysSize(b.root)
	// The lists have added slots to the message by now.
	m.encodes, m.decodes = m.encoderOf(), m.decoderOf()
	if err := b.checkEndings(m); err != nil {
		return nil, err
	}
	return m.withGenerated(b), nil
}

// begin builds the tree of t, and makes a message that has no lists of operations yet, but knows
// what its slots hold.
func (c *Codec) begin(t reflect.Type, observed bool) (*builder, *message, error) {
	b := &builder{options: &c.options, unions: c.unions, observed: observed}
	if err := b.build(t); err != nil {
		return nil, nil, err
	}
	m := &message{options: &c.options, typ: t, name: typeName(t), limit: c.options.MaxMessage, alias: c.options.AliasInput, root: b.root}
	m.slots, m.first = b.slots, b.first
	for _, n := range b.all {
		if n.place != 0 {
			m.places = append(m.places, n.place)
		}
		if n.inner != nil && !n.loop {
			for _, of := range n.inner.extents {
				if of.start != 0 {
					m.offsets = append(m.offsets, of.start, of.stop)
				}
			}
		}
	}
	return b, m, nil
}

// plain returns a message that decodes t without the fast forms of operations. If its
// fields are observed, there are operations that show them.
func (c *Codec) plain(t reflect.Type, observed bool) (*message, error) {
	b, m, err := c.begin(t, observed)
	if err != nil {
		return nil, err
	}
	m.decoding = b.emit(m, fromWire{plain: true})
	m.decodes = m.decoderOf()
	return m, nil
}

// observedType is the key of the message whose decoding Fields observes.
type observedType struct{ reflect.Type }

// observed returns the message of t with operations that show its fields.
func (c *Codec) observed(t reflect.Type) (*message, error) {
	if c == nil {
		c = &defaults
	}
	if m, ok := c.table.Load(observedType{t}); ok {
		return m.(*message), nil
	}
	m, err := c.plain(t, true)
	if err != nil {
		return nil, err
	}
	c.table.Store(observedType{t}, m)
	return m, nil
}

// Marshal returns the message v, which is a struct or a pointer to one.
func (c *Codec) Marshal(v any) ([]byte, error) {
	mem.EscapeBelow(v)
	m, p, err := c.source(v)
	if err != nil {
		return nil, err
	}
	return m.marshal(p)
}

// MarshalAppend appends the message v to dst. On error it returns dst with its
// original length.
func (c *Codec) MarshalAppend(dst []byte, v any) ([]byte, error) {
	mem.EscapeBelow(v)
	m, p, err := c.source(v)
	if err != nil {
		return dst, err
	}
	return m.encode(dst, p)
}

// Unmarshal decodes data, which must be exactly one message, into v, a pointer.
// Bytes that follow the message are [ErrTrailing].
func (c *Codec) Unmarshal(data []byte, v any) error {
	n, m, err := c.decode(data, v)
	if err == nil && n < len(data) {
		return trailing(m.typ, n, len(data))
	}
	return err
}

// trailing returns the error for bytes that follow a message of type t and n bytes.
func trailing(t reflect.Type, n, all int) error {
	text := plural(all-n) + " follow the message"
	if all-n == 1 {
		text = "1 byte follows the message"
	}
	return &Error{Path: typeName(t), Offset: int64(n), Err: ErrTrailing, Text: text, frameEnd: -1}
}

// UnmarshalPrefix decodes the message at the start of data into v, a pointer, and
// returns its length. A struct that declares only a header reads only that.
func (c *Codec) UnmarshalPrefix(data []byte, v any) (n int, err error) {
	n, _, err = c.decode(data, v)
	return n, err
}

// decode decodes the message at the start of data into what v points to. It returns its
// length and its type.
func (c *Codec) decode(data []byte, v any) (int, *message, error) {
	mem.EscapeBelow(v)
	m, p, err := c.target(v)
	if err != nil {
		return 0, nil, err
	}
	n, err := m.decode(data, p)
	return n, m, err
}

// At decodes the message at offset off of data, and returns its length. Offsets in
// errors are from the start of data; alignment is from the start of the message.
func (c *Codec) At(data []byte, off int64, v any) (n int, err error) {
	if off < 0 || off > int64(len(data)) {
		return 0, &Error{Path: typeName(reflect.TypeOf(v)), Offset: off, Err: ErrTruncated, Text: fmt.Sprintf("the offset is outside of the %s of data", plural(len(data))), frameEnd: -1}
	}
	n, err = c.UnmarshalPrefix(data[off:], v)
	if e, ok := err.(*Error); ok && e.Offset >= 0 {
		e.Offset += off
		e.empty = e.empty && off == 0
	}
	return n, err
}

// Read reads exactly one message from r into v, a pointer, and nothing that follows
// it. A message of more than [Options].MaxMessage bytes is ErrLimit, before more than
// these have been read. A field that takes the rest of the message takes everything up
// to the end of r. If the limit is reached, Read reads one more byte to find out
// whether r ends there.
//
// The error is io.EOF if r ends before the message begins, and ErrTruncated if r ends
// inside the message. It is ErrTrailing if a field with if=more takes no bytes although
// there are some, because Read has read one of them. An error of r inside the message,
// such as a timeout, loses the bytes that have been read: the next Read would begin in the
// middle. If r returns no bytes and no error 100 times in a row, the error is
// io.ErrNoProgress.
func (c *Codec) Read(r io.Reader, v any) error {
	mem.EscapeBelow(v)
	m, p, err := c.target(v)
	if err != nil {
		return err
	}
	_, err = m.read(r, p, nil)
	return err
}

// Write writes the message v to w with one call of Write.
func (c *Codec) Write(w io.Writer, v any) error {
	b, err := c.Marshal(v)
	if err != nil {
		return err
	}
	n, err := w.Write(b)
	switch {
	case err != nil || n == len(b):
		return err
	case n < 0 || n > len(b):
		return errWriteCount
	}
	return io.ErrShortWrite
}
