package layout

import (
	"fmt"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// This file finds the message of an argument of type any.

// A known is what is known of the type of an argument that has been used before: its
// message, or the message that it points to.
type known struct {
	word    mem.TypeWord
	m       *message
	pointer bool
}

// Word implements typetable.Entry.
func (k *known) Word() mem.TypeWord { return k.word }

// source returns the message for v, and its address. A pointer is followed.
func (c *Codec) source(v any) (*message, mem.Ptr, error) {
	if c == nil {
		c = &defaults
	}
	w, p := mem.HideAny(v)
	if k := c.known.Home(w); k != nil && k.word == w && !p.IsNil() {
		return k.m, p, nil
	}
	return c.newSource(v)
}

// newSource is source for any argument.
func (c *Codec) newSource(v any) (*message, mem.Ptr, error) {
	t := reflect.TypeOf(v)
	if t == nil {
		return nil, mem.Ptr{}, refused("nil", ErrUnsupported, "cannot encode a nil interface")
	}
	w, p := mem.HideAny(v)
	if t.Kind() == reflect.Pointer {
		if p.IsNil() {
			return nil, p, refused(typeName(t), ErrRange, "cannot encode a nil pointer")
		}
		m, err := c.find(w, t.Elem(), true)
		return m, p, err
	}
	if !mem.IsDirect(t) {
		m, err := c.find(w, t, false)
		return m, p, err
	}
	// The interface holds the value itself, which is a pointer.
	m, err := c.of(t)
	value := reflect.New(t)
	value.Elem().Set(reflect.ValueOf(v))
	return m, mem.PtrOf(value), err
}

// target returns the message for what v points to, and its address.
func (c *Codec) target(v any) (*message, mem.Ptr, error) {
	if c == nil {
		c = &defaults
	}
	w, p := mem.HideAny(v)
	if k := c.known.Home(w); k != nil && k.word == w && k.pointer && !p.IsNil() {
		return k.m, p, nil
	}
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer || p.IsNil() {
		return nil, p, refused(fmt.Sprint(t), ErrTarget, "cannot decode into it; want a pointer that is not nil")
	}
	return c.newSource(v)
}

// find returns the message of t, and notes that an argument whose type has the word
// leads to it.
func (c *Codec) find(w mem.TypeWord, t reflect.Type, pointer bool) (*message, error) {
	if k := c.known.Get(w); k != nil {
		return k.m, nil
	}
	m, err := c.of(t)
	if err != nil {
		return nil, err
	}
	c.adding.Lock()
	defer c.adding.Unlock()
	if c.known.Get(w) == nil {
		c.known.Add(&known{w, m, pointer})
	}
	return m, nil
}
