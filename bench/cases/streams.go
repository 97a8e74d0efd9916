package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/shape"
	"github.com/octet-go/octet/msgpack"
	"github.com/tinylib/msgp/msgp"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// The operations on streams. verbValues is a loop over the values. verbPutOne and verbGetOne make an encoder or a decoder
// for each value, as programs do that receive every message in a slice of its own. verbGetBody reads each value from a
// reader that does not know how long it is, like the body of a request.
const (
	verbPut     = "Encode"
	verbGet     = "Decode"
	verbValues  = "Values"
	verbPutOne  = "EncodeOne"
	verbGetOne  = "DecodeOne"
	verbGetBody = "DecodeBody"
)

// streamContests returns the contests on small structs that are written one after another to memory and read from
// it. A library without a loop over values decodes one value at a time instead. No struct has a time, because msgp
// fails if its buffer ends inside a time.
func streamContests() []engine.Contest {
	return []engine.Contest{
		streams("reading", readings, streamer[shape.Reading]{
			name: "msgp",
			writer: func(w io.Writer) writer[shape.Reading] {
				m := msgp.NewWriter(w)
				return writer[shape.Reading]{func(v *shape.Reading) error { return v.EncodeMsg(m) }, m.Flush}
			},
			reader: func(r io.Reader) func(*shape.Reading) error {
				m := msgp.NewReader(r)
				return func(v *shape.Reading) error { return v.DecodeMsg(m) }
			},
			putOne: func(w *bytes.Buffer, v *shape.Reading) error { return msgp.Encode(w, v) },
			getOne: func(r *bytes.Reader, v *shape.Reading) error { return msgp.Decode(r, v) },
			body:   func(r io.Reader, v *shape.Reading) error { return msgp.Decode(r, v) },
		}),
	}
}

// A writer encodes values to a stream. Some bytes may stay in a buffer until flush is called.
type writer[T any] struct {
	put   func(v *T) error
	flush func() error
}

// A streamer encodes and decodes a stream of Ts with one library.
type streamer[T any] struct {
	name   string
	own    bool // has its own format
	writer func(w io.Writer) writer[T]
	reader func(r io.Reader) func(v *T) error
	values func(r io.Reader) iter.Seq2[T, error] // nil if there is no such call
	putOne func(w *bytes.Buffer, v *T) error
	getOne func(r *bytes.Reader, v *T) error
	body   func(r io.Reader, v *T) error // of one value; nil if the contest has no verbGetBody
}

// streams returns a contest with generated, which also checks the messages of the others.
func streams[T any](shape string, values func(n int) []T, generated streamer[T]) engine.Contest {
	return streamsOf("streams", shape, []string{verbPut, verbGet, verbValues, verbPutOne, verbGetOne, verbGetBody}, values,
		[]streamer[T]{octetStream[T](), vmihailencoStream[T](), generated, jsonStream[T]()}, generated)
}

// streamsOf returns a contest of the given streamers. The judge checks the messages of those with the same format.
func streamsOf[T any](group, shape string, verbs []string, values func(n int) []T, of []streamer[T], judge streamer[T]) engine.Contest {
	return engine.Contest{Group: group, Shape: shape, Verbs: verbs, Open: func() ([]engine.Peer, error) {
		s, err := judged(values(varied))
		if err != nil {
			return nil, err
		}
		var entries []engine.Peer
		for _, l := range of {
			e, err := l.oneByOne().enter(s, judge.oneByOne())
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
		return append(entries, streamLimit(s)), nil
	}}
}

func octetStream[T any]() streamer[T] {
	return streamer[T]{
		name: engine.Ours,
		writer: func(w io.Writer) writer[T] {
			e := msgpack.NewEncoder(w)
			return writer[T]{func(v *T) error { return e.Encode(v) }, e.Flush}
		},
		reader: func(r io.Reader) func(*T) error {
			d := msgpack.NewDecoder(r)
			return func(v *T) error { return d.Decode(v) }
		},
		values: func(r io.Reader) iter.Seq2[T, error] { return msgpack.Values[T](msgpack.NewDecoder(r)) },
		putOne: func(w *bytes.Buffer, v *T) error {
			e := msgpack.NewEncoder(w)
			if err := e.Encode(v); err != nil {
				return err
			}
			return e.Flush()
		},
		getOne: func(r *bytes.Reader, v *T) error { return msgpack.NewDecoder(r).Decode(v) },
		body:   func(r io.Reader, v *T) error { return msgpack.UnmarshalRead(r, v) },
	}
}

func vmihailencoStream[T any]() streamer[T] {
	return streamer[T]{
		name: "vmihailenco",
		writer: func(w io.Writer) writer[T] {
			e := vmihailenco.NewEncoder(w)
			return writer[T]{func(v *T) error { return e.Encode(v) }, func() error { return nil }}
		},
		reader: func(r io.Reader) func(*T) error {
			d := vmihailenco.NewDecoder(r)
			return func(v *T) error { return d.Decode(v) }
		},
		putOne: func(w *bytes.Buffer, v *T) error { return vmihailenco.NewEncoder(w).Encode(v) },
		getOne: func(r *bytes.Reader, v *T) error { return vmihailenco.NewDecoder(r).Decode(v) },
		body:   func(r io.Reader, v *T) error { return vmihailenco.NewDecoder(r).Decode(v) },
	}
}

func jsonStream[T any]() streamer[T] {
	return streamer[T]{
		name: "json", own: true,
		writer: func(w io.Writer) writer[T] {
			e := json.NewEncoder(w)
			return writer[T]{func(v *T) error { return e.Encode(v) }, func() error { return nil }}
		},
		reader: func(r io.Reader) func(*T) error {
			d := json.NewDecoder(r)
			return func(v *T) error { return d.Decode(v) }
		},
		putOne: func(w *bytes.Buffer, v *T) error { return json.NewEncoder(w).Encode(v) },
		getOne: func(r *bytes.Reader, v *T) error { return json.NewDecoder(r).Decode(v) },
		body:   func(r io.Reader, v *T) error { return json.NewDecoder(r).Decode(v) },
	}
}

// enter verifies the library on the messages of s and on its own messages. If these are MessagePack, the judge
// decodes them.
func (l streamer[T]) enter(s samples[T], judge streamer[T]) (engine.Peer, error) {
	var written bytes.Buffer
	w := l.writer(&written)
	for i := range s.values {
		if err := w.put(&s.values[i]); err != nil {
			return engine.Peer{}, fmt.Errorf("%s: %w", l.name, err)
		}
	}
	if err := w.flush(); err != nil {
		return engine.Peer{}, fmt.Errorf("%s: %w", l.name, err)
	}
	var single bytes.Buffer
	messages := make([][]byte, len(s.values))
	for i := range s.values {
		start := single.Len()
		if err := l.putOne(&single, &s.values[i]); err != nil {
			return engine.Peer{}, fmt.Errorf("%s: %w", l.name, err)
		}
		messages[i] = bytes.Clone(single.Bytes()[start:])
	}
	if !l.own {
		messages = s.messages
	} else {
		judge = l
	}
	for _, stream := range [][]byte{written.Bytes(), single.Bytes()} {
		if err := judge.verify(stream, s.values); err != nil {
			return engine.Peer{}, fmt.Errorf("message of %s: %w", l.name, err)
		}
	}
	if err := l.verify(bytes.Join(messages, nil), s.values); err != nil {
		return engine.Peer{}, err
	}
	for i, m := range messages {
		var got T
		if err := l.getOne(bytes.NewReader(m), &got); err != nil || !equal(got, s.values[i], false) {
			return engine.Peer{}, fmt.Errorf("%s: decoded a different value %d alone: %w", l.name, i, err)
		}
		if l.body == nil {
			continue
		}
		got = *new(T)
		if err := l.body(&body{*bytes.NewReader(m)}, &got); err != nil || !equal(got, s.values[i], false) {
			return engine.Peer{}, fmt.Errorf("%s: decoded a different value %d from a body: %w", l.name, i, err)
		}
	}
	return l.entry(s, messages, written.Len()/len(s.values)), nil
}

// verify reads a stream with each reading call of the library.
func (l streamer[T]) verify(stream []byte, values []T) error {
	read := l.reader(bytes.NewReader(stream))
	for i := range values {
		var got T
		if err := read(&got); err != nil {
			return fmt.Errorf("%s: value %d: %w", l.name, i, err)
		}
		if !equal(got, values[i], false) {
			return fmt.Errorf("%s: decoded a different value %d", l.name, i)
		}
	}
	if err := read(new(T)); err == nil {
		return fmt.Errorf("%s decoded more values than the stream has", l.name)
	}
	if l.values == nil {
		return nil
	}
	i := 0
	for got, err := range l.values(bytes.NewReader(stream)) {
		if err != nil || i >= len(values) || !equal(got, values[i], false) {
			return fmt.Errorf("%s: decoded a different value %d in a loop: %w", l.name, i, err)
		}
		i++
	}
	if i != len(values) {
		return fmt.Errorf("%s: the loop returned %d values, want %d", l.name, i, len(values))
	}
	return nil
}

func (l streamer[T]) entry(s samples[T], messages [][]byte, size int) engine.Peer {
	w, mask, stream := l.writer(new(sink)), s.mask(), bytes.Join(messages, nil)
	read := l.reader(&ring{data: stream})
	var target, zero T
	var single bytes.Buffer
	var message bytes.Reader
	decode := func(n int) error {
		for range n {
			target = zero
			if err := read(&target); err != nil {
				return err
			}
		}
		return nil
	}
	e := engine.Peer{Library: l.name, Size: size, Loops: map[string]engine.Loop{
		verbPut: func(n int) error {
			for i := range n {
				if err := w.put(&s.values[i&mask]); err != nil {
					return err
				}
			}
			return w.flush()
		},
		verbGet: decode, verbValues: decode,
		verbPutOne: func(n int) error {
			for i := range n {
				single.Reset()
				if err := l.putOne(&single, &s.values[i&mask]); err != nil {
					return err
				}
			}
			return nil
		},
		verbGetOne: func(n int) error {
			for i := range n {
				target = zero
				message.Reset(messages[i&mask])
				if err := l.getOne(&message, &target); err != nil {
					return err
				}
			}
			return nil
		},
	}}
	if l.body != nil {
		var message body
		e.Loops[verbGetBody] = func(n int) error {
			for i := range n {
				target = zero
				message.memory.Reset(messages[i&mask])
				if err := l.body(&message, &target); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if l.values != nil {
		all := l.values(&ring{data: stream})
		e.Loops[verbValues] = func(n int) error {
			for v, err := range all {
				if err != nil {
					return err
				}
				target = v
				if n--; n == 0 {
					break
				}
			}
			return nil
		}
	}
	return e
}

// streamLimit copies the messages through a buffer, and copies the values.
func streamLimit[T any](s samples[T]) engine.Peer {
	w, stream := new(sink), bytes.Join(s.messages, nil)
	buf := make([]byte, 0, len(w.memory))
	r, in, at := &ring{data: stream}, make([]byte, len(w.memory)), 0
	var made struct{ value T }
	decode := engine.Each(s.mask(), func(i int) error {
		if at += len(s.messages[i]); at > len(in) {
			n, _ := r.Read(in)
			at = len(in) - n
		}
		made.value = s.values[i]
		return nil
	})
	return engine.Peer{Library: engine.Limit, Size: meanSize(s.messages), Loops: map[string]engine.Loop{
		verbPut: engine.Each(s.mask(), func(i int) error {
			if len(buf)+len(s.messages[i]) > cap(buf) {
				_, _ = w.Write(buf)
				buf = buf[:0]
			}
			buf = append(buf, s.messages[i]...)
			return nil
		}),
		verbGet: decode, verbValues: decode, verbGetOne: decode, verbGetBody: decode,
		verbPutOne: engine.Each(s.mask(), func(i int) error {
			buf = append(buf[:0], s.messages[i]...)
			return nil
		}),
	}}
}

// body is a reader that does not show how many bytes it has.
type body struct{ memory bytes.Reader }

func (b *body) Read(p []byte) (int, error) { return b.memory.Read(p) }

// sink is a writer that keeps the last slice.
type sink struct{ memory [32 << 10]byte }

func (s *sink) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		rest = rest[copy(s.memory[:], rest):]
	}
	return len(p), nil
}

// ring is a reader that repeats the same bytes.
type ring struct {
	data []byte
	at   int
}

func (r *ring) Read(p []byte) (int, error) {
	n := copy(p, r.data[r.at:])
	if r.at += n; r.at == len(r.data) {
		r.at = 0
	}
	return n, nil
}
