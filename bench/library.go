package main

import (
	"bytes"
	"fmt"
	"reflect"
)

// The operations on values, by the names that tables give them.
const (
	verbMarshal   = "Marshal"
	verbAppend    = "MarshalAppend"
	verbUnmarshal = "Unmarshal"
)

var valueVerbs = []string{verbMarshal, verbAppend, verbUnmarshal}

// competitor is a library that would enter a contest on a T.
type competitor[T any] struct {
	name string
	// enter verifies the library on a value and the message of it that all who read MessagePack decode.
	enter func(value *T, data []byte) (entry, error)
	// leftOut says why the library does not compete: it cannot take the value, or there is no code for it.
	leftOut string
}

// without leaves a competitor out that a T is too much for.
func (c competitor[T]) without(reason string) competitor[T] {
	c.leftOut = reason
	return c
}

// leaveOut leaves one of a list out.
func leaveOut[T any](list []competitor[T], name, reason string) []competitor[T] {
	for i, c := range list {
		if c.name == name {
			list[i] = c.without(reason)
		}
	}
	return list
}

// absent stands for a library that has no call for a T.
func absent[T any](name, reason string) competitor[T] {
	return competitor[T]{name: name, leftOut: reason}
}

// library is one library's way to encode and decode a T. It gets pointers, so that none of them pays for the
// copy that a value in an interface is.
type library[T any] struct {
	name      string
	marshal   func(v *T) ([]byte, error)
	append    func(v *T, dst []byte) ([]byte, error) // nil: it has no such call
	unmarshal func(v *T, data []byte) error
	own       bool // has a format of its own, and decodes what it encoded itself
	floats    bool // makes float64 of every number that has no type of its own
	appends   bool // is called with a slice to append to and not otherwise
}

func (l library[T]) competitor() competitor[T] { return competitor[T]{name: l.name, enter: l.enter} }

// valueContest is a contest on a value of the group values.
func valueContest[T any](shape string, value func() T, competitors func() []competitor[T]) contest {
	return contest{group: "values", shape: shape, verbs: valueVerbs, open: func() ([]entry, error) {
		return enter(value(), competitors())
	}}
}

// enter makes the entries of one contest, from the message that the judge writes.
func enter[T any](value T, competitors []competitor[T]) ([]entry, error) {
	data, err := judge[T]().marshal(&value)
	if err != nil {
		return nil, err
	}
	var entries []entry
	for _, c := range competitors {
		e := entry{library: c.name, note: c.leftOut}
		if c.leftOut == "" {
			if e, err = c.enter(&value, data); err != nil {
				return nil, err
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func (l library[T]) enter(value *T, data []byte) (entry, error) {
	if err := l.verify(*value, data); err != nil {
		return entry{}, err
	}
	encoded, err := l.marshal(value)
	if err != nil {
		return entry{}, err
	}
	e := entry{library: l.name, size: len(encoded), loops: make(map[string]loop)}
	if l.own {
		data = bytes.Clone(encoded)
	}
	if l.floats && reflect.TypeFor[T]().Kind() == reflect.Interface {
		e.note = "all numbers become float64"
	}
	if !l.appends {
		e.loops[verbMarshal] = func(n int) error {
			for range n {
				if _, err := l.marshal(value); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if l.append != nil {
		var buf []byte
		e.loops[verbAppend] = func(n int) (err error) {
			for range n {
				if buf, err = l.append(value, buf[:0]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	// The target is cleared, not allocated: whether it lives on the stack is its owner's affair.
	var target, zero T
	e.loops[verbUnmarshal] = func(n int) error {
		for range n {
			target = zero
			if err := l.unmarshal(&target, data); err != nil {
				return err
			}
		}
		return nil
	}
	return e, nil
}

// verify reports an error if the library does not read data as value, or writes what the judge (itself, if it
// has a format of its own) does not read so.
func (l library[T]) verify(value T, data []byte) error {
	reads := func(reader library[T], data []byte, from string) error {
		var got T
		if err := reader.unmarshal(&got, data); err != nil {
			return fmt.Errorf("%s reading what %s wrote: %w", reader.name, from, err)
		}
		if !equal(got, value, l.floats) {
			return fmt.Errorf("%s reads something else than %s wrote", reader.name, from)
		}
		return nil
	}
	reader := judge[T]()
	if l.own {
		reader = l
	} else if err := reads(l, data, reader.name); err != nil {
		return err
	}
	encoded, err := l.marshal(&value)
	if err != nil {
		return fmt.Errorf("%s: %w", l.name, err)
	}
	if err := reads(reader, encoded, l.name); err != nil || l.append == nil {
		return err
	}
	const before = "before"
	longer, err := l.append(&value, []byte(before))
	if err != nil {
		return fmt.Errorf("%s appending: %w", l.name, err)
	}
	if !bytes.HasPrefix(longer, []byte(before)) {
		return fmt.Errorf("%s overwrites what it appends to", l.name)
	}
	return reads(reader, longer[len(before):], l.name)
}
