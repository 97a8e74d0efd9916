package msgpack

import (
	"errors"
	"maps"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
)

// An encodeFunc appends the value at p to dst. depth is how many more levels of
// containers may be opened. Errors are of type *Error.
//
// dst goes down and comes back by value, so that it stays in registers; there
// is no other state, which is what lets a plan be shared by all goroutines.
type encodeFunc func(dst []byte, p mem.Ptr, depth int) ([]byte, error)

// A decodeFunc decodes the value at d's position into the variable at p.
// Errors are of type *Error; the variable may be partly set then.
type decodeFunc func(d *decoder, p mem.Ptr) error

// A codec is how one kind of type is encoded and decoded: what each
// make…Codec function returns.
type codec struct {
	encode encodeFunc
	decode decodeFunc
}

// A plan is what is known of one exact type. It is compiled once, on first use
// of a type that contains it, and never changes afterwards but for long.
type plan struct {
	codec
	typ     reflect.Type
	word    mem.TypeWord // of typ
	elem    *plan        // of a pointer type
	shallow bool         // a pointer to what is neither pointer nor interface: not a level of nesting
	put     putOp        // putCall for types with methods of their own
	get     getOp
	root    *program      // of a value that stands alone, and of a pointer to one, if encodeRoot does no more
	first   *step         // of such a value, if store does nearly always all of it
	room    int           // that first asks for
	alone   bool          // fastAlone may decode it
	size    int           // of the type
	nested  *nestedStruct // of a struct type that always has all its fields, without methods
	whole   *program      // of a struct type without methods
	direct  bool          // see mem.IsDirect
	ownWord bool          // direct, and encoded by what may keep it, see heapWord
	numbers bool          // a slice of numbers
	long    atomic.Int64  // length of a value that was too long for Marshal to encode on the stack; 0: none was

	unsupported *Error // why the type has no form, if that is so
}

// A planKey tells the plans of one type apart.
type planKey struct {
	typ  reflect.Type
	form string // the tag option that gives the type another form, see fieldForm; empty: none
}

// plans compiles types and keeps the results.
type plans struct {
	options
	table table // by type word, of the types that were asked for

	mu  sync.Mutex
	all map[planKey]*plan
}

// of returns the plan of the type of v and, hidden, the word of v that holds the
// value or points at it; nil for a nil interface.
func (c *plans) of(v any) (*plan, mem.Ptr) {
	w, data := mem.HideAny(v)
	p := c.table.home(w)
	if p == nil || p.word != w {
		p = c.look(w, v)
	}
	return p, data
}

// look is for types that share their place in the table with others, and for
// those met for the first time.
func (c *plans) look(w mem.TypeWord, v any) *plan {
	p := c.table.get(w)
	if p == nil && v != nil {
		p = c.compile(reflect.TypeOf(v))
	}
	return p
}

// ofType returns the plan of a type.
func (c *plans) ofType(t reflect.Type) *plan {
	if p := c.table.get(mem.WordOf(t)); p != nil {
		return p
	}
	return c.compile(t)
}

// compile makes the plan of t and of all types that t is made of. Plans are
// published when all of them are complete, so nobody sees a plan with parts
// missing, even if a user's function panics meanwhile. The table gets that of t
// alone: most others are never asked for. Goroutines that need a type at the same
// time wait here.
func (c *plans) compile(t reflect.Type) *plan {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.table.get(mem.WordOf(t)); p != nil {
		return p
	}
	k := compiler{plans: c, begun: make(map[planKey]*plan)}
	p := k.plan(planKey{typ: t})
	p.setAlone(&c.options)
	if c.all == nil {
		c.all = k.begun
	} else {
		maps.Copy(c.all, k.begun)
	}
	c.table.add(p)
	return p
}

// setAlone makes what a value of the type needs that is not part of another. The
// plans that p refers to are complete.
func (p *plan) setAlone(o *options) {
	v := p
	if p.elem != nil {
		v = p.elem
	} else if p.direct {
		return
	}
	switch {
	case o.guard.on:
	case v.whole != nil && !v.whole.counted:
		p.root = v.whole
	case v.put.isNumber() || v.put == putString || v.put == putTime:
		p.root = makeProgram(v)
	}
	p.alone = fast && !o.guard.on && (p.get.isNumber() || p.get == getString)
	if fast && p.root != nil && p.root.levels <= o.depth && p.root.isFlat() {
		p.first, p.room = &p.root.steps[0], int(p.root.steps[0].room)
	}
}

// A compiler holds the state of one call of compile.
type compiler struct {
	plans *plans
	begun map[planKey]*plan // by this call, complete or not
}

// plan returns the plan of a type, which is still empty if it is being made
// further up, as in a recursive type.
func (k *compiler) plan(key planKey) *plan {
	if p := k.plans.all[key]; p != nil {
		return p
	}
	if p := k.begun[key]; p != nil {
		return p
	}
	p := &plan{typ: key.typ, word: mem.WordOf(key.typ), size: int(key.typ.Size()), direct: mem.IsDirect(key.typ)}
	k.begun[key] = p
	p.codec = k.codec(key, p)
	return p
}

// linked returns the codec of a plan for a type that contains it. If the plan
// is still being made, it is one that looks the functions up when called.
func (p *plan) linked() codec {
	if p.encode != nil {
		return p.codec
	}
	return codec{
		func(dst []byte, v mem.Ptr, depth int) ([]byte, error) { return p.encode(dst, v, depth) },
		func(d *decoder, v mem.Ptr) error { return p.decode(d, v) },
	}
}

// encodeRoot appends what Marshal was given, as [plans.of] returns it. A pointer
// to it is not a level of its own, as it is none for Unmarshal.
func (p *plan) encodeRoot(dst []byte, v mem.Ptr, depth int) ([]byte, error) {
	if p.elem != nil && !v.IsNil() {
		return p.elem.encode(dst, v, depth)
	}
	if p.ownWord {
		v = heapWord(p.typ, v)
	}
	return p.encodeValue(dst, v, depth)
}

// encodeValue appends a value that was found in an interface.
func (p *plan) encodeValue(dst []byte, v mem.Ptr, depth int) ([]byte, error) {
	if p.direct {
		word := v
		v = mem.Hide(mem.PtrTo(&word))
	}
	return p.encode(dst, v, depth)
}

var (
	timeType   = reflect.TypeFor[time.Time]()
	rawType    = reflect.TypeFor[Raw]()
	extType    = reflect.TypeFor[Ext]()
	numberType = reflect.TypeFor[Number]()
	pairsType  = reflect.TypeFor[Pairs]()
	anyType    = reflect.TypeFor[any]()
)

// codec chooses how a type is encoded and decoded: by what the Config says of it,
// by exact type, by the methods its author gave it, then by its kind.
func (k *compiler) codec(key planKey, p *plan) codec {
	t := key.typ
	if m := k.plans.makers[t]; m != nil {
		return m(k, p)
	}
	switch t {
	case timeType:
		if k.plans.time == nil {
			p.put, p.get = putTime, getTime
		}
		return k.timeCodec()
	case rawType:
		return k.makeRawCodec()
	case extType:
		return extCodec
	case numberType:
		return numberCodec
	case pairsType:
		return k.makePairsCodec()
	case anyType:
		p.put = putNilable
		return k.makeAnyCodec()
	}
	var own codec
	var refused *Error
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && (mayHaveMethods(t) || k.plans.encodeHooks != nil || k.plans.decodeHooks != nil) {
		own, refused = k.ownCodec(t)
	}
	if p.direct {
		in := inside(t)
		p.ownWord = own.encode != nil || in != nil && k.plan(planKey{typ: in}).ownWord
	}
	if own.encode != nil && own.decode != nil {
		p.unsupported = refused
		return own
	}
	c := k.kindCodec(key, p)
	if own.encode != nil || own.decode != nil {
		p.put, p.get, p.nested, p.whole, p.unsupported = putCall, getCall, nil, nil, refused
	}
	if own.encode != nil {
		c.encode = own.encode
	} else if k.plans.nilable(t.Kind()) && p.put != putList {
		p.put = putNilable
	}
	if own.decode != nil {
		c.decode = own.decode
	} else if t.Kind() == reflect.Pointer || t.Kind() == reflect.Map {
		p.get = getNil
	}
	return c
}

// mayHaveMethods reports whether t, or a pointer to it, may have methods, and so a
// form of its own. Predeclared types have none, nor have slices, arrays and maps
// without a name. To ask reflect takes long when a program has just begun.
func mayHaveMethods(t reflect.Type) bool {
	return t.PkgPath() != "" || t.Kind() == reflect.Struct
}

// nilable tells of which kinds the zero value is encoded as nil.
func (o *options) nilable(kind reflect.Kind) bool {
	switch kind {
	case reflect.Pointer, reflect.Interface:
		return true
	case reflect.Slice:
		return !o.NilSliceAsEmpty
	case reflect.Map:
		return !o.NilMapAsEmpty
	}
	return false
}

// makeScalarCodec returns the functions for a value that stands alone.
func (k *compiler) makeScalarCodec(t reflect.Type, put putOp, get getOp, p *plan) codec {
	want := t.String()
	p.put, p.get = put, get
	c := codec{
		func(dst []byte, p mem.Ptr, _ int) ([]byte, error) { return appendOp(dst, put, p) },
		func(d *decoder, p mem.Ptr) error { return d.decodeOp(get, p, want) },
	}
	if get == getString && k.plans.AliasInput {
		p.get = getAlias
		c.decode = func(d *decoder, p mem.Ptr) error { return d.stringAliased(mem.At[string](p), want) }
	}
	if k.plans.number != nil {
		if other := k.plans.number(k, t, put); other != nil {
			c.encode, p.put = other, putCall
		}
	}
	return c
}

func (k *compiler) kindCodec(key planKey, p *plan) codec {
	t := key.typ
	if put, get := scalarOps(t); get != getCall {
		return k.makeScalarCodec(t, put, get, p)
	}
	switch t.Kind() {
	case reflect.Complex64:
		return complex64Codec
	case reflect.Complex128:
		return complex128Codec
	case reflect.Slice:
		return k.makeSliceCodec(t, p)
	case reflect.Array:
		return k.makeArrayCodec(t)
	case reflect.Map:
		if key.form == optionSet {
			return k.makeSetCodec(t)
		}
		return k.makeMapCodec(t)
	case reflect.Struct:
		return k.makeStructCodec(key, p)
	case reflect.Pointer:
		return k.makePointerCodec(key, p)
	case reflect.Interface:
		return k.makeInterfaceCodec(t)
	}
	return p.makeUnsupportedCodec(&Error{Found: t.String(), Err: ErrUnsupported})
}

// makeUnsupportedCodec refuses a type whenever a value of it is met.
func (p *plan) makeUnsupportedCodec(why *Error) codec {
	p.unsupported = why
	return unsupportedCodec(why)
}

func unsupportedCodec(why *Error) codec {
	return codec{
		func(dst []byte, _ mem.Ptr, _ int) ([]byte, error) {
			return dst, &Error{Op: opMarshal, Path: why.Path, Found: why.Found, Err: why.Err}
		},
		func(d *decoder, _ mem.Ptr) error {
			return &Error{Op: opUnmarshal, Offset: int64(d.pos), Path: why.Path, Want: why.Found, Err: why.Err}
		},
	}
}

// fieldError turns what typeplan found wrong with a type into a reason to
// refuse it.
func fieldError(err error) *Error {
	var e *typeplan.Error
	if errors.As(err, &e) {
		return &Error{Path: e.Path, Found: e.Type.String() + " (" + e.Reason + ")", Err: ErrUnsupported}
	}
	return &Error{Err: err}
}
