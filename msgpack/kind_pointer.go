package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makePointerCodec returns the codec of a pointer type. A pointer is encoded as the
// value that it points to, or as nil.
func (k *compiler) makePointerCodec(key planKey, p *plan) codec {
	t := key.typ
	p.elem = k.plan(planKey{t.Elem(), key.form})
	target, elem, elemType := p.elem, p.elem.linked(), t.Elem()
	number := target.get.isNumber()
	// A pointer to a pointer or to an interface can lead back to itself without a
	// container between them. Such pointers count as levels of nesting, so that
	// encoding ends with ErrDepth.
	level := 0
	if kind := elemType.Kind(); kind == reflect.Pointer || kind == reflect.Interface {
		level = 1
	}
	p.level = level
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			v := p.Deref()
			if v.IsNil() {
				return wire.AppendNil(dst), nil
			}
			if depth < level {
				return dst, failed(ErrDepth, t.String())
			}
			return elem.encode(dst, v, depth-level)
		},
		func(d *decoder, p mem.Ptr) error {
			if d.isNil() {
				p.SetPtr(mem.Ptr{})
				return nil
			}
			if d.depth < level {
				return d.fail(ErrDepth, t.String())
			}
			v := p.Deref() // an existing variable is decoded into, as in encoding/json
			if v.IsNil() {
				if number { // without a type, which takes less time
					v = mem.NewPlain(uint64(target.size))
				} else {
					v = mem.New(elemType)
				}
				p.SetPtr(v)
			}
			// A pointer to a number takes no second call in the usual formats. A struct
			// of such pointers, as in struct/optional, takes up to a fifth less time.
			if fast && number {
				if end := fastScalar(d.data, d.pos, target, v); end > 0 {
					d.pos = end
					return nil
				}
			}
			d.depth -= level
			err := elem.decode(d, v)
			d.depth += level
			return err
		},
	}
}

// heapWord returns the word of a value of a direct type. If methods may keep the value,
// it copies the memory that the word points to, which may be on the stack. Memory that
// this memory points to is always in the heap.
func (p *plan) heapWord(word mem.Ptr) mem.Ptr {
	if !p.ownWord || word.IsNil() {
		return word
	}
	switch t := innermost(p.typ); t.Kind() {
	// A map that does not escape can be on the stack.
	case reflect.Map:
		return heapMap(t, mem.Hide(mem.PtrTo(&word)))
	case reflect.Pointer:
		return mem.PtrOf(heapCopy(t.Elem(), word))
	}
	return word
}

// innermost returns the pointer, map, channel or function type that a direct
// type consists of.
func innermost(t reflect.Type) reflect.Type {
	for in := inside(t); in != nil; in = inside(t) {
		t = in
	}
	return t
}

// inside returns the type of the only element or field of a direct array or struct,
// or nil for other types.
func inside(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Array:
		return t.Elem()
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i).Type; f.Size() > 0 {
				return f
			}
		}
	}
	return nil
}

// heapMap returns a copy of the map at p.
func heapMap(t reflect.Type, p mem.Ptr) mem.Ptr {
	from := mem.Value(t, p)
	to := reflect.MakeMapWithSize(t, from.Len())
	var iter reflect.MapIter
	for iter.Reset(from); iter.Next(); {
		to.SetMapIndex(iter.Key(), iter.Value())
	}
	return mem.PtrOf(to)
}
