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
	if !isPlain(p) {
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
	t, target, elemType, usual := p.typ, p.elem, p.typ.Elem(), fast && !isPlain(p)
	number, text, moment := usual && target.get.isNumber(), usual && target.get == getString, usual && target.get == getTime
	return func(d *decoder, p mem.Ptr) error {
		if d.isNil() {
			p.SetPtr(mem.Ptr{})
			return nil
		}
		if d.depth < level {
			return d.fail(ErrDepth, t.String())
		}
		v := p.Deref()
		if v.IsNil() {
			// Numbers share memory like short strings, see strings.go. Strings and times
			// are allocated without reflect. Both take less time.
			switch {
			case number:
				v = d.newPlain(uint64(target.size))
			case text:
				v = mem.PtrTo(new(string))
			case moment:
				v = mem.PtrTo(new(time.Time))
			default:
				v = mem.New(elemType)
			}
			p.SetPtr(v)
		}
		// Pointers to scalars take no second call in the usual formats, because
		// types of clients of services are full of them.
		switch {
		case number:
			if end := fastScalar(d.data, d.pos, target, v); end > 0 {
				d.pos = end
				return nil
			}
		case text:
			if b, ok := d.shortBytes(); ok {
				*mem.At[string](v) = d.newString(b)
				return nil
			}
		case moment:
			if d.fastElements(getTime, v, 1, 0) == 1 {
				return nil
			}
		}
		d.depth -= level
		err := decode(d, v)
		d.depth += level
		return err
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
