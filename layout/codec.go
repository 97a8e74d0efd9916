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

	"github.com/octet-go/octet/internal/block"
	"github.com/octet-go/octet/internal/mem"
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
	return &Error{Path: "Options." + path, Offset: -1, Err: ErrOptions, Text: fmt.Sprintf(format, args...), frameEnd: -1}
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
	options *Options
	typ     reflect.Type
	name    string // of the type, for errors
	root    *node
	program *program
	slots   int
	offsets []slot // those that hold offsets
	places  []slot // those that hold places of numbers
	limit   int
	alias   bool
	sums    bool          // there are checksums
	block   *block.Plan   // of a message that consists of plain numbers
	lone    loneRun       // of one that consists of a short run
	fast    *straight     // of other simple messages, or nil
	recent  *atomic.Int64 // approximate length of recent messages
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

func (c *Codec) compile(t reflect.Type) (*message, error) {
	b := &builder{options: &c.options, unions: c.unions}
	if err := b.build(t); err != nil {
		return nil, err
	}
	p, err := b.compile()
	if err != nil {
		return nil, err
	}
	m := &message{options: &c.options, typ: t, name: typeName(t), root: b.root, program: p, limit: c.options.MaxMessage, alias: c.options.AliasInput, sums: len(b.checks) > 0, recent: new(atomic.Int64)}
	b.collectSlots(m)
	m.fast = p.straight(&c.options)
	m.lone = m.fast.lone()
	if ops := p.ops; len(ops) == 3 && ops[0].code == opRoom && ops[1].code == opBlock && ops[1].off == 0 && m.limit == 0 {
		// Without a permutation, as on processors without vectors, the steps run.
		if b := ops[1].x.plan; b.Encode.Exists() && b.Decode.Exists() {
			m.block, m.lone, m.fast = b, noLoneRun, nil
			m.recent.Store(int64(b.EncodeRoom))
		}
	}
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

// source returns the message for v, and its address. A pointer is followed.
func (c *Codec) source(v any) (*message, mem.Ptr, error) {
	t := reflect.TypeOf(v)
	if t == nil {
		return nil, mem.Ptr{}, &Error{Path: "nil", Offset: -1, Err: ErrUnsupported, Text: "cannot encode a nil interface"}
	}
	_, p := mem.HideAny(v)
	if t.Kind() == reflect.Pointer {
		if p.IsNil() {
			return nil, p, &Error{Path: typeName(t), Offset: -1, Err: ErrRange, Text: "cannot encode a nil pointer"}
		}
		m, err := c.of(t.Elem())
		return m, p, err
	}
	m, err := c.of(t)
	if mem.IsDirect(t) {
		// The interface holds the value itself, which is a pointer.
		w := reflect.New(t)
		w.Elem().Set(reflect.ValueOf(v))
		p = mem.PtrOf(w)
	}
	return m, p, err
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

func (c *Codec) decode(data []byte, v any) (int, *message, error) {
	mem.EscapeBelow(v)
	m, p, err := c.target(v)
	if err != nil {
		return 0, nil, err
	}
	n, err := m.decode(data, p)
	return n, m, err
}

// target returns the message for what v points to, and its address.
func (c *Codec) target(v any) (*message, mem.Ptr, error) {
	t := reflect.TypeOf(v)
	_, p := mem.HideAny(v)
	if t == nil || t.Kind() != reflect.Pointer || p.IsNil() {
		return nil, p, &Error{Path: fmt.Sprint(t), Offset: -1, Err: ErrTarget, Text: "cannot decode into it; want a pointer that is not nil"}
	}
	m, err := c.of(t.Elem())
	return m, p, err
}

// At decodes the message at offset off of data, and returns its length. Offsets in
// errors are from the start of data; alignment is from the start of the message.
func (c *Codec) At(data []byte, off int64, v any) (n int, err error) {
	if off < 0 || off > int64(len(data)) {
		return 0, &Error{Path: typeName(reflect.TypeOf(v)), Offset: off, Err: ErrTruncated, Text: fmt.Sprintf("the offset is outside of the %d bytes of data", len(data)), frameEnd: -1}
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
// inside the message. If r returns no bytes and no error 100 times in a row, the
// error is io.ErrNoProgress.
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
