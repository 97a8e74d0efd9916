package msgpack

import (
	"reflect"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makePointerCodec returns the codec of a pointer type. A pointer is encoded as the
// value that it points to, or as nil.
func (k *compiler) makePointerCodec(key planKey, p *plan) codec {
	t := key.typ
	p.elem = k.plan(planKey{t.Elem(), key.form})
	target, elem := p.elem, p.elem.linked()
	// A pointer to a pointer or to an interface can lead back to itself without a
	// container between them. Such pointers count as levels of nesting, so that
	// encoding ends with ErrDepth.
	level := 0
	if kind := t.Elem().Kind(); kind == reflect.Pointer || kind == reflect.Interface {
		level = 1
	}
	p.level = level
	switch {
	case level > 0:
	case target.put.pointer() != putCall:
		p.put = target.put.pointer()
	default:
		p.emit = emitTarget
	}
	if !isPlain(p.typ) {
		p.reuse = pointerDecoder(p, level, target.decodeOver)
	}
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
		pointerDecoder(p, level, elem.decode),
	}
}

// pointerDecoder returns the decoder of a pointer type. If the pointer is not nil, it
// calls decode for the variable that it points to, as encoding/json does.
func pointerDecoder(p *plan, level int, decode decodeFunc) decodeFunc {
	t, elemType, plain := p.typ, p.typ.Elem(), hasNoPointers(p.typ.Elem())
	// Types of clients of services are full of pointers to scalars, which therefore take
	// no second call in the usual formats.
	if fast && !isPlain(p.typ) {
		switch get := p.elem.get; {
		case get.isNumber() || get == getTime:
			return scalarPointerDecoder(p.elem, decode)
		case get == getString:
			return textPointerDecoder(decode)
		}
	}
	return func(d *decoder, p mem.Ptr) error {
		if d.isNil() {
			p.SetPtr(mem.Ptr{})
			return nil
		}
		if d.depth < level {
			return d.fail(ErrDepth, t.String())
		}
		v := p.Deref()
		switch {
		case !v.IsNil():
		case plain: // without reflect, which takes longer
			v = mem.NewPlain(uint64(elemType.Size()))
			p.SetPtr(v)
		default:
			v = mem.New(elemType)
			p.SetPtr(v)
		}
		d.depth -= level
		err := decode(d, v)
		d.depth += level
		return err
	}
}

// scalarPointerDecoder returns the decoder of pointers to a bool, integer, float or time.
//
//go:noinline
func scalarPointerDecoder(target *plan, decode decodeFunc) decodeFunc {
	return func(d *decoder, p mem.Ptr) error {
		if d.isNil() {
			p.SetPtr(mem.Ptr{})
			return nil
		}
		v, isTime := p.Deref(), target.get == getTime
		if v.IsNil() {
			if isTime {
				v = mem.PtrTo(new(time.Time)) // without reflect
			} else {
				v = d.newPlain(uint64(target.size))
			}
			p.SetPtr(v)
		}
		if isTime {
			if d.fastElements(getTime, v, 1, 0) == 1 {
				return nil
			}
		} else if end := fastScalar(d.data, d.pos, target, v); end > 0 {
			d.pos = end
			return nil
		}
		return decode(d, v)
	}
}

// textPointerDecoder returns the decoder of pointers to a string.
//
//go:noinline
func textPointerDecoder(decode decodeFunc) decodeFunc {
	return func(d *decoder, p mem.Ptr) error {
		at := mem.At[*string](p)
		// A short string for which the chunk has memory takes no call but the copy.
		if d.pos < len(d.data) {
			size := int(d.data[d.pos] ^ byte(wire.FixStr))
			if size <= shortString && size < len(d.data)-d.pos && size > 0 {
				from := d.pos + 1
				d.pos = from + size
				var text string
				if size <= len(d.chunk)-d.used {
					text = d.place(mem.Bytes(d.data).Add(uintptr(from)), size)
				} else {
					text = d.newString(d.data[from:d.pos])
				}
				if *at == nil {
					*at = d.newText(size)
				}
				**at = text
				return nil
			}
		}
		text, end := (*Input)(d).StringPointer(d.pos, *at)
		if end > 0 {
			*at, d.pos = text, end
			return nil
		}
		if *at == nil {
			*at = new(string)
		}
		return decode(d, mem.PtrTo(*at))
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
		v := reflect.New(t.Elem())
		v.Elem().Set(mem.Value(t.Elem(), word))
		return mem.PtrOf(v)
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
