package main

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	shamaton "github.com/shamaton/msgpack/v3"
)

// contest is one value that every library encodes and decodes.
type contest struct {
	what string // struct, slice, map or document
	name string
	// open makes the value and verifies the libraries on it. No value is there before its turn: what else
	// lives on the heap changes how often the collector runs, and so what is measured.
	open func() (size int, entries []entry, err error)
}

// entry is one library in a contest. Each operation is a loop of n turns, so that what is timed is the library
// and not the harness around it.
type entry struct {
	library       string
	marshal       func(n int) error
	marshalAppend func(n int) error // nil: the library has no such call
	unmarshal     func(n int) error
}

// verb is one of the three operations, by the name that tables and benchmarks give it.
type verb struct {
	name string
	of   func(entry) func(n int) error
}

var verbs = []verb{
	{"Marshal", func(e entry) func(int) error { return e.marshal }},
	{"MarshalAppend", func(e entry) func(int) error { return e.marshalAppend }},
	{"Unmarshal", func(e entry) func(int) error { return e.unmarshal }},
}

// contests returns every case. Where this Go came without the JSON documents there is none of them.
func contests() ([]contest, error) {
	list := []contest{
		{"struct", "report", func() (int, []entry, error) { return enter(report(), msgpReport) }},
		{"struct", "account", func() (int, []entry, error) { return enter(accounts(1)[0], msgpAccount) }},
		{"slice", "accounts", func() (int, []entry, error) { return enter(accounts(1000), msgpAccounts) }},
		{"slice", "ints", func() (int, []entry, error) { return enter(numbers(10_000), msgpInts) }},
		{"map", "accounts", func() (int, []entry, error) { return enter(directory(accounts(1000)), msgpDirectory) }},
	}
	paths, err := documents()
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), packed)
		list = append(list, contest{"document", name, func() (int, []entry, error) {
			value, err := load(path)
			if err != nil {
				return 0, nil, err
			}
			return enter(value, msgpAny)
		}})
	}
	return list, err
}

// enter makes the entries of one contest and the message that all of them decode.
func enter[T any](value T, generated library[T]) (size int, entries []entry, err error) {
	libraries := append(reflective[T](), generated)
	if err := agree(value, libraries); err != nil {
		return 0, nil, err
	}
	data, err := shamaton.Marshal(&value)
	if err != nil {
		return 0, nil, err
	}
	for _, l := range libraries {
		entries = append(entries, newEntry(l, &value, data))
	}
	return len(data), entries, nil
}

func newEntry[T any](l library[T], value *T, data []byte) entry {
	e := entry{library: l.name}
	e.marshal = func(n int) error {
		for range n {
			if _, err := l.marshal(value); err != nil {
				return err
			}
		}
		return nil
	}
	if l.append != nil {
		var buf []byte
		e.marshalAppend = func(n int) (err error) {
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
	e.unmarshal = func(n int) error {
		for range n {
			target = zero
			if err := l.unmarshal(&target, data); err != nil {
				return err
			}
		}
		return nil
	}
	return e
}

// agree reports the first pair of libraries of which one does not read back what the other wrote.
func agree[T any](value T, libraries []library[T]) error {
	want := plain(value)
	for _, from := range libraries {
		messages := map[string]func(*T) ([]byte, error){"marshal": from.marshal}
		if from.append != nil {
			messages["append"] = func(v *T) ([]byte, error) { return from.append(v, nil) }
		}
		for call, encode := range messages {
			data, err := encode(&value)
			if err != nil {
				return fmt.Errorf("%s %s: %w", from.name, call, err)
			}
			for _, to := range libraries {
				var got T
				if err := to.unmarshal(&got, data); err != nil {
					return fmt.Errorf("%s reading what %s wrote: %w", to.name, from.name, err)
				}
				if !reflect.DeepEqual(plain(got), want) {
					return fmt.Errorf("%s reads something else than %s wrote", to.name, from.name)
				}
			}
		}
	}
	return nil
}

// plain gives values without a type of their own one form: the libraries differ in the integer and map types
// that they decode them to, and may.
func plain(v any) any {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return r.Int()
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int64(r.Uint())
	}
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plain(v[i])
		}
		return list
	case map[string]any:
		m := make(map[any]any, len(v))
		for k := range v {
			m[k] = plain(v[k])
		}
		return m
	case map[any]any:
		m := make(map[any]any, len(v))
		for k := range v {
			m[k] = plain(v[k])
		}
		return m
	}
	return v
}
