package cases

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/octet-go/octet/bench/engine"
)

// The operations on values, with their names in the tables.
const (
	verbMarshal   = "Marshal"
	verbAppend    = "MarshalAppend"
	verbUnmarshal = "Unmarshal"
)

var valueVerbs = []string{verbMarshal, verbAppend, verbUnmarshal}

// A competitor is a library that may take part in a contest on a T.
type competitor[T any] struct {
	name string
	// enter verifies the library on every value and its message. All libraries that read MessagePack decode this
	// message.
	enter func(s samples[T]) (engine.Peer, error)
	// leftOut is the reason why the library is not measured: it cannot process the
	// value, or there is no code for it.
	leftOut string
}

// samples contains the values of a contest with their messages. The timed loops use them in turn, so that the
// processor cannot learn the branches of a single message. Their number is a power of two.
type samples[T any] struct {
	values   []T
	messages [][]byte
}

// mask returns the mask that maps a count to an index.
func (s samples[T]) mask() int { return len(s.values) - 1 }

// meanSize returns the mean length of the messages.
func meanSize(messages [][]byte) int {
	total := 0
	for _, data := range messages {
		total += len(data)
	}
	return (total + len(messages)/2) / len(messages)
}

// varied is the number of different values in a contest on small values.
const varied = 256

// without excludes a competitor that cannot process a T.
func (c competitor[T]) without(reason string) competitor[T] {
	c.leftOut = reason
	return c
}

// leaveOut excludes one competitor of a list.
func leaveOut[T any](list []competitor[T], name, reason string) []competitor[T] {
	for i, c := range list {
		if c.name == name {
			list[i] = c.without(reason)
		}
	}
	return list
}

// absent returns a competitor for a library that has no call for a T.
func absent[T any](name, reason string) competitor[T] {
	return competitor[T]{name: name, leftOut: reason}
}

// A library encodes and decodes a T with one library. It gets pointers, so that no library has to copy the value
// into an interface.
type library[T any] struct {
	name      string
	marshal   func(v *T) ([]byte, error)
	append    func(v *T, dst []byte) ([]byte, error) // nil if there is no such call
	unmarshal func(v *T, data []byte) error
	own       bool // has its own format, and decodes its own messages
	floats    bool // decodes every untyped number to float64
	appends   bool // has only a call that appends to a slice
}

func (l library[T]) competitor() competitor[T] { return competitor[T]{name: l.name, enter: l.enter} }

// valueContest returns a contest on one value, in the group values.
func valueContest[T any](shape string, value func() T, competitors func() []competitor[T]) engine.Contest {
	return variedContest(shape, func() []T { return []T{value()} }, competitors)
}

// variedContest returns a contest on many different values of one type.
func variedContest[T any](shape string, values func() []T, competitors func() []competitor[T]) engine.Contest {
	return engine.Contest{Group: "values", Shape: shape, Verbs: valueVerbs, Open: func() ([]engine.Peer, error) {
		return enter(values(), competitors())
	}}
}

// enter returns the entries of one contest, using the messages of the judge.
func enter[T any](values []T, competitors []competitor[T]) ([]engine.Peer, error) {
	s, err := judged(values)
	if err != nil {
		return nil, err
	}
	return s.enter(competitors)
}

// judged returns values with the messages of the judge.
func judged[T any](values []T) (samples[T], error) {
	s := samples[T]{values: values, messages: make([][]byte, len(values))}
	for i := range values {
		var err error
		if s.messages[i], err = judge[T]().marshal(&values[i]); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s samples[T]) enter(competitors []competitor[T]) ([]engine.Peer, error) {
	if len(s.values)&s.mask() != 0 {
		return nil, fmt.Errorf("the number of values, %d, is not a power of two", len(s.values))
	}
	var entries []engine.Peer
	for _, c := range competitors {
		e := engine.Peer{Library: c.name, Note: c.leftOut}
		if c.leftOut == "" {
			var err error
			if e, err = c.enter(s); err != nil {
				return nil, err
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func (l library[T]) enter(s samples[T]) (engine.Peer, error) {
	values, messages, mask := s.values, s.messages, s.mask()
	encoded := make([][]byte, len(values))
	for i := range values {
		var err error
		if encoded[i], err = l.verify(values[i], messages[i]); err != nil {
			return engine.Peer{}, err
		}
	}
	e := engine.Peer{Library: l.name, Size: meanSize(encoded), Loops: make(map[string]engine.Loop)}
	if l.own {
		messages = make([][]byte, len(encoded))
		for i, data := range encoded {
			messages[i] = bytes.Clone(data)
		}
	}
	if l.floats && reflect.TypeFor[T]().Kind() == reflect.Interface {
		e.Note = "all numbers become float64"
	}
	if !l.appends {
		e.Loops[verbMarshal] = func(n int) error {
			for i := range n {
				if _, err := l.marshal(&values[i&mask]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if l.append != nil {
		var buf []byte
		e.Loops[verbAppend] = func(n int) (err error) {
			for i := range n {
				if buf, err = l.append(&values[i&mask], buf[:0]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	// Clear the target instead of allocating it. Whether it is on the stack is up to the caller.
	var target, zero T
	e.Loops[verbUnmarshal] = func(n int) error {
		for i := range n {
			target = zero
			if err := l.unmarshal(&target, messages[i&mask]); err != nil {
				return err
			}
		}
		return nil
	}
	return e, nil
}

// verify returns the message that the library encodes for value. It returns an error if the library does not decode
// data to value, or if the judge does not decode the message of the library to value. A library with its own format
// is its own judge.
func (l library[T]) verify(value T, data []byte) ([]byte, error) {
	reads := func(reader library[T], data []byte, from string) error {
		var got T
		if err := reader.unmarshal(&got, data); err != nil {
			return fmt.Errorf("%s decoding the message of %s: %w", reader.name, from, err)
		}
		if !equal(got, value, l.floats) {
			return fmt.Errorf("%s decoded a different value from the message of %s", reader.name, from)
		}
		return nil
	}
	reader := judge[T]()
	if l.own {
		reader = l
	} else if err := reads(l, data, reader.name); err != nil {
		return nil, err
	}
	encoded, err := l.marshal(&value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.name, err)
	}
	if err := reads(reader, encoded, l.name); err != nil || l.append == nil {
		return encoded, err
	}
	const before = "before"
	longer, err := l.append(&value, []byte(before))
	if err != nil {
		return nil, fmt.Errorf("%s appending: %w", l.name, err)
	}
	if !bytes.HasPrefix(longer, []byte(before)) {
		return nil, fmt.Errorf("%s overwrites the slice that it appends to", l.name)
	}
	return encoded, reads(reader, longer[len(before):], l.name)
}
