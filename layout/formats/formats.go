package formats

import (
	"encoding/binary"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync"

	"github.com/octet-go/octet/layout"
)

// A Format finds the messages of a file or stream. The functions of this package
// that are named after a format return one.
type Format struct {
	name, about string
	walk        func(*walk)
}

// Name returns the name of the format, such as "png".
func (f Format) Name() string { return f.name }

// About says in one line what the format is and which messages it yields.
func (f Format) About() string { return f.about }

// A Message is a part of a file that is declared as one Go type.
type Message struct {
	Name   string // what it is, such as "section header 3"
	Offset int64  // in the file
	Data   []byte // the bytes of the message in the file
	Value  any    // a pointer to the decoded value

	codec *layout.Codec
}

// Codec returns the codec that decoded the message. It has the byte order of the
// message if its type does not state one.
func (m Message) Codec() *layout.Codec { return m.codec }

// Fields returns the fields of the message with their places in Data.
func (m Message) Fields() ([]layout.Field, error) {
	return m.codec.Fields(m.Data, reflect.New(reflect.TypeOf(m.Value).Elem()).Interface())
}

// Messages returns the messages in data, in the order in which the format refers to
// them. An error ends the sequence; its Message is empty. Errors of package layout are
// wrapped, with offsets from the start of data. Values do not refer to data. If
// messages overlap so often that they have more than four times the bytes of data,
// that is an error too.
func (f Format) Messages(data []byte) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		w := &walk{data: data, yield: yield, budget: 4*len(data) + 1<<16}
		be, le, err := codecs()
		if err != nil {
			yield(Message{}, err)
			return
		}
		w.be, w.le = be, le
		f.walk(w)
	}
}

func all() []Format {
	return []Format{
		APNS(), DNS(), ELF(), Gzip(), HTTP2(), MQTT(), PCAPNG(), PNG(), TAR(), TLS(), TZIF(), ZIP(),
	}
}

// Names returns the names of all formats in alphabetical order.
func Names() []string {
	var names []string
	for _, f := range all() {
		names = append(names, f.name)
	}
	return names
}

// Lookup returns the format with the name.
func Lookup(name string) (Format, bool) {
	list := all()
	i := slices.IndexFunc(list, func(f Format) bool { return f.name == name })
	if i < 0 {
		return Format{}, false
	}
	return list[i], true
}

// Options returns the options of a codec for all types of this package. Set the
// field Order for messages whose byte order is found in an earlier one: little-endian
// for example for the sections of a little-endian ELF file.
func Options() layout.Options {
	return layout.Options{
		Unions: slices.Concat(apnsUnions(), dnsUnions(), elfUnions(), http2Unions(), mqttUnions(), pcapngUnions(),
			pngUnions(), tarUnions(), tlsUnions(), zipUnions()),
		Sums: map[string]layout.Sum{"tar": tarSum, "crc16": crc16},
	}
}

// codecs returns the codecs of both byte orders. Their plans are kept for the
// life of the program.
func codecs() (be, le *layout.Codec, err error) {
	pair, err := codecPair()
	return pair[0], pair[1], err
}

var codecPair = sync.OnceValues(func() (pair [2]*layout.Codec, err error) {
	for i, order := range []binary.ByteOrder{binary.BigEndian, binary.LittleEndian} {
		o := Options()
		o.Order = order
		if pair[i], err = layout.New(o); err != nil {
			return pair, err
		}
	}
	return pair, nil
})

// A walk is one pass over a file.
type walk struct {
	data   []byte
	be, le *layout.Codec
	yield  func(Message, error) bool
	budget int  // bytes that may still be decoded: tables of a hostile file can overlap
	done   bool // the caller has stopped, or there was an error
}

// fail ends the walk with an error.
func (w *walk) fail(format string, args ...any) {
	if !w.done {
		w.done = true
		w.yield(Message{}, fmt.Errorf("formats: "+format, args...))
	}
}

// at decodes a message from data[off:end] into v, yields it and returns the
// offset after it. It returns false if the walk has ended.
func (w *walk) at(c *layout.Codec, name string, off, end int64, v any) (next int64, ok bool) {
	next, ok = w.try(c, name, off, end, v)
	return next, ok && w.emit(c, name, off, next, v)
}

// either decodes a message into the first of the values that it is valid for, yields it,
// and returns it and the offset after it. If there is none, the error is that of the first.
func (w *walk) either(c *layout.Codec, name string, off int64, values ...any) (v any, next int64, ok bool) {
	if w.done {
		return nil, off, false
	}
	var first error
	for _, v := range values {
		n, err := c.At(w.data, off, v)
		if err == nil {
			next = off + int64(n)
			return v, next, w.emit(c, name, off, next, v)
		}
		if first == nil {
			first = err
		}
	}
	w.fail("%s: %w", name, first)
	return nil, off, false
}

// try is at without yielding the message.
func (w *walk) try(c *layout.Codec, name string, off, end int64, v any) (next int64, ok bool) {
	if w.done {
		return off, false
	}
	if off < 0 || end < off || end > w.size() {
		w.fail("%s: bytes %d to %d are not in the file, which ends at %d", name, off, end, w.size())
		return off, false
	}
	n, err := c.At(w.data[:end], off, v)
	if err != nil {
		w.fail("%s: %w", name, err)
		return off, false
	}
	return off + int64(n), true
}

// emit yields a decoded message.
func (w *walk) emit(c *layout.Codec, name string, off, next int64, v any) bool {
	if w.done {
		return false
	}
	if w.budget -= int(next - off); w.budget < 0 {
		w.fail("%s at offset %d: the messages of the file overlap too often", name, off)
		return false
	}
	w.done = !w.yield(Message{Name: name, Offset: off, Data: w.data[off:next:next], Value: v, codec: c}, nil)
	return !w.done
}

// size returns the length of the file.
func (w *walk) size() int64 { return int64(len(w.data)) }

// stream decodes messages of type T one after the other until the data ends.
func stream[T any](w *walk, c *layout.Codec, off int64, name func(*T) string) {
	for ok := true; ok && off < w.size() && !w.done; {
		v := new(T)
		start := off
		if off, ok = w.try(c, name(nil), off, w.size(), v); !ok {
			return
		}
		if off == start {
			w.fail("%s at offset %d: message without bytes", name(nil), off)
			return
		}
		ok = w.emit(c, name(v), start, off, v)
	}
}
