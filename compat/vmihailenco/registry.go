package msgpack

import (
	"fmt"
	"maps"
	"reflect"
	"sync"
	"sync/atomic"
	"time"
)

// A registry has the functions that a program has registered, and what is known of each type
// with them. It does not change: registering makes a new one.
type registry struct {
	encoders map[reflect.Type]encodeFunc
	decoders map[reflect.Type]decodeFunc
	exts     map[int8]ext
	written  map[int8]reflect.Type // types with an encoder, by ext
	times    bool                  // time.Time has the functions of this package

	plans, structs sync.Map
	recent         [64]atomic.Pointer[plan] // plans that were used last, by the addresses of their types
}

// A plan says how values of a type are encoded and decoded.
type plan struct {
	typ    reflect.Type
	encode encodeFunc
	decode decodeFunc
	plain  plainness // notPlain if the codec would not be faster
	leaf   bool      // encode and decode call nothing of the program, and write or read one value
}

// plan returns the plan of type t.
func (r *registry) plan(t reflect.Type) *plan {
	at := &r.recent[reflect.ValueOf(t).Pointer()>>5%uintptr(len(r.recent))]
	p := at.Load()
	if p == nil || p.typ != t {
		p = r.findPlan(t)
		at.Store(p)
	}
	return p
}

func (r *registry) findPlan(t reflect.Type) *plan {
	if p, ok := r.plans.Load(t); ok {
		return p.(*plan)
	}
	p := &plan{typ: t, encode: r.makeEncoder(t), decode: r.makeDecoder(t), leaf: r.isLeaf(t)}
	if !p.leaf {
		p.encode, p.decode = limitDepth(p.encode), limitDepthOf(p.decode)
	}
	if worthwhile(t) {
		p.plain = r.findPlainness(t, map[reflect.Type]bool{})
	}
	q, _ := r.plans.LoadOrStore(t, p)
	return q.(*plan)
}

// nests reports whether values of type t can contain others of any depth.
func nests(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
		return true
	}
	return false
}

// isLeaf reports whether values of type t, or what they point to, are numbers or texts without
// methods and registered functions.
func (r *registry) isLeaf(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer && !r.hasForm(t) {
		t = t.Elem()
	}
	return !r.hasForm(t) && !r.hasForm(reflect.PointerTo(t)) && (!nests(t) || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8)
}

// later returns a function that returns the plan of type t. The plan is made when it is first
// needed, because a type can contain itself.
func (r *registry) later(t reflect.Type) func() *plan {
	return sync.OnceValue(func() *plan { return r.plan(t) })
}

// An ext is a type that is decoded from an ext.
type ext struct {
	typ    reflect.Type
	decode func(d *Decoder, v reflect.Value, extLen int) error
}

// The registry is global, as in the library whose names this package has.
var (
	current  atomic.Pointer[registry]
	register sync.Mutex
	_        = change(func(r *registry) {
		t := reflect.TypeFor[time.Time]()
		r.written[timestamp], r.encoders[t] = t, encodeTimestamp
		r.setDecoder(timestamp, t, decodeTimestamp)
		r.times = true
	})
)

// change replaces the registry by a changed copy.
func change(f func(*registry)) bool {
	register.Lock()
	defer register.Unlock()
	next := &registry{encoders: map[reflect.Type]encodeFunc{}, decoders: map[reflect.Type]decodeFunc{}, exts: map[int8]ext{}, written: map[int8]reflect.Type{}}
	if old := current.Load(); old != nil {
		maps.Copy(next.encoders, old.encoders)
		maps.Copy(next.decoders, old.decoders)
		maps.Copy(next.exts, old.exts)
		maps.Copy(next.written, old.written)
		next.times = old.times
	}
	f(next)
	current.Store(next)
	return true
}

// Register makes enc and dec encode and decode all values of the type of value. Either may
// be nil.
func Register(value any, enc func(*Encoder, reflect.Value) error, dec func(*Decoder, reflect.Value) error) {
	t := reflect.TypeOf(value)
	change(func(r *registry) {
		r.changed(t)
		if enc != nil {
			r.encoders[t] = enc
		}
		if dec != nil {
			r.decoders[t] = dec
		}
	})
}

// RegisterExt makes values of the type of value an ext, whose payload is what MarshalMsgpack
// returns and UnmarshalMsgpack gets. In a variable of type any, an ext with the id becomes a
// value of the type.
func RegisterExt(extID int8, value MarshalerUnmarshaler) {
	RegisterExtEncoder(extID, value, func(_ *Encoder, v reflect.Value) ([]byte, error) {
		return v.Interface().(Marshaler).MarshalMsgpack()
	})
	RegisterExtDecoder(extID, value, func(d *Decoder, v reflect.Value, extLen int) error {
		b, err := d.takeCopy(extLen)
		if err != nil {
			return err
		}
		return v.Interface().(Unmarshaler).UnmarshalMsgpack(b)
	})
}

// RegisterExtEncoder makes values of the type of value an ext, whose payload encoder
// returns. If the type is a pointer type, the same applies to variables of the type that it
// points to.
func RegisterExtEncoder(extID int8, value any, encoder func(enc *Encoder, v reflect.Value) ([]byte, error)) {
	change(func(r *registry) {
		r.dropEncoder(extID)
		r.setEncoder(extID, reflect.TypeOf(value), encoder)
	})
}

// RegisterExtDecoder makes decoder decode exts with the id into values of the type of value.
// The decoder must read extLen bytes, for example with [Decoder.ReadFull].
func RegisterExtDecoder(extID int8, value any, decoder func(dec *Decoder, v reflect.Value, extLen int) error) {
	change(func(r *registry) {
		r.dropDecoder(extID)
		r.setDecoder(extID, reflect.TypeOf(value), decoder)
	})
}

// UnregisterExt drops what was registered for the id.
func UnregisterExt(extID int8) {
	change(func(r *registry) {
		r.dropEncoder(extID)
		r.dropDecoder(extID)
	})
}

// changed notes that the functions of t change, or of what it points to.
func (r *registry) changed(t reflect.Type) {
	if t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[*time.Time]() {
		r.times = false
	}
}

func (r *registry) setEncoder(id int8, t reflect.Type, payload func(*Encoder, reflect.Value) ([]byte, error)) {
	encode := func(e *Encoder, v reflect.Value) error {
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return e.EncodeNil()
		}
		b, err := payload(e, v)
		if err != nil {
			return err
		}
		if err := e.EncodeExtHeader(id, len(b)); err != nil {
			return err
		}
		return e.put(append(e.buf, b...))
	}
	r.changed(t)
	r.written[id], r.encoders[t] = t, encode
	if t.Kind() == reflect.Pointer {
		r.encoders[t.Elem()] = func(e *Encoder, v reflect.Value) error {
			if !v.CanAddr() {
				return fmt.Errorf("msgpack: EncodeExt(nonaddressable %v)", v.Type())
			}
			return encode(e, v.Addr())
		}
	}
}

func (r *registry) setDecoder(id int8, t reflect.Type, payload func(d *Decoder, v reflect.Value, extLen int) error) {
	decode := nilOr(func(d *Decoder, v reflect.Value) error {
		got, n, err := d.DecodeExtHeader()
		if err != nil {
			return err
		}
		if got != id {
			return fmt.Errorf("msgpack: got ext type=%d, wanted %d", got, id)
		}
		return payload(d, v, n)
	}, true)
	r.changed(t)
	r.exts[id], r.decoders[t] = ext{t, payload}, decode
	if t.Kind() == reflect.Pointer {
		r.decoders[t.Elem()] = func(d *Decoder, v reflect.Value) error {
			if !v.CanAddr() {
				return fmt.Errorf("msgpack: DecodeExt(nonaddressable %v)", v.Type())
			}
			return decode(d, v.Addr())
		}
	}
}

func (r *registry) dropEncoder(id int8) {
	if t, ok := r.written[id]; ok {
		r.changed(t)
		delete(r.written, id)
		dropType(r.encoders, t)
	}
}

func (r *registry) dropDecoder(id int8) {
	if x, ok := r.exts[id]; ok {
		r.changed(x.typ)
		delete(r.exts, id)
		dropType(r.decoders, x.typ)
	}
}

// dropType drops the functions for t and for what it points to.
func dropType[F any](functions map[reflect.Type]F, t reflect.Type) {
	delete(functions, t)
	if t.Kind() == reflect.Pointer {
		delete(functions, t.Elem())
	}
}
