package msgpack

import (
	"maps"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/internal/typetable"
	"github.com/octet-go/octet/msgpack/wire"
)

// An encodeFunc appends the value at p to dst. depth is the number of levels of
// containers that may still be opened. Errors are of type *Error.
//
// dst is passed and returned by value so that it stays in registers. An encodeFunc
// has no other state, so all goroutines can share a plan.
type encodeFunc func(dst []byte, p mem.Ptr, depth int) ([]byte, error)

// A decodeFunc decodes the value at d's position into the variable at p.
// Errors are of type *Error; the variable may be partly set then.
//
// Some functions that return one are marked go:noinline: in the copy of a closure that the
// compiler makes when it inlines such a function, it does not inline the calls. TestInlining
// finds those that lack the mark.
type decodeFunc func(d *decoder, p mem.Ptr) error

// A codec holds the two functions of a type. Each make…Codec function returns one.
type codec struct {
	encode encodeFunc
	decode decodeFunc
}

// A plan is the compiled form of one exact type. It is compiled on the first use of
// the type, or of a type that contains it. Only the field long changes after that.
type plan struct {
	codec
	plans     *plans
	typ       reflect.Type
	word      mem.TypeWord // of typ
	elem      *plan        // of the element of a pointer type
	part      *plan        // of the elements of a slice, array or map type
	target    *plan        // of what the data word of an interface points to: p or elem; nil if the word is the value
	level     int          // of nesting that a pointer type adds: 1 if it points to a pointer or interface, otherwise 0
	put       putOp        // putCall for types with methods
	get       getOp
	emit      emitFunc       // for values that the loop of emit does not write itself, or nil
	root      *value         // for values that are not part of others; nil if there were none
	begin     *step          // with which emit begins a message of the type; nil if it cannot begin or something must be done afterwards
	pointed   *step          // begin of what the data word of an interface points to
	entries   *program       // of the entries of a map type, see makeEntryProgram
	entry     emitFunc       // writes an entry of a map type whose elements are of type any, or nil
	scalar    getOp          // of a message that fastScalar may decode; otherwise getCall
	size      int            // of the type
	reuse     decodeFunc     // decodes into a used variable as if it were zero, or nil: see decodeOver
	program   *program       // of a struct type without methods
	generated *generated     // of a struct type, or nil
	fields    *structDecoder // the same, without required fields, for unmarshal
	direct    bool           // see mem.IsDirect
	ownWord   bool           // direct, and encoded by a method that may keep the value, see heapWord
	numbers   bool           // a slice of numbers
	prepared  bool           // by setRoot
	usual     atomic.Int32   // bytes of chunks that a message of the type needed, see decoder.learn
	long      atomic.Int64   // length of a value that was too long for Marshal to encode on the stack; 0: none was

	unsupported *Error // why the type cannot be encoded or decoded; nil if it can
}

// Word returns the word of the type, for the table of plans.
func (p *plan) Word() mem.TypeWord { return p.word }

// A planKey identifies a plan.
type planKey struct {
	typ  reflect.Type
	form string // the tag option that gives the type another form, see fieldForm; empty: none
}

// plans compiles types and keeps the results.
type plans struct {
	policy
	table typetable.Table[plan, *plan] // of the types that were looked up

	mu    sync.Mutex
	all   map[planKey]*plan
	plain *plans // see withoutGenerated

	empties sync.Map              // by type, see isEmptyHeld
	anyMaps atomic.Pointer[value] // with which maps from string to any are written, see appendAny; nil until needed
}

// orDefault returns c, or the plans of the package if c is in a zero Codec, which has
// no depth. The plans of a zero Codec are always empty, so only functions that are
// called without a plan need to call it.
func (c *plans) orDefault() *plans {
	if c.depth == 0 {
		return &defaults.plans
	}
	return c
}

// of returns the plan of the type of v and the data word of v, which holds the value
// or points to it. The word is hidden from escape analysis. The plan is nil if v is
// a nil interface.
func (c *plans) of(v any) (*plan, mem.Ptr) {
	w, data := mem.HideAny(v)
	p := c.table.Home(w)
	if p == nil || p.word != w {
		p = c.look(w, v)
	}
	return p, data
}

// look returns the plan if it is not the first with its hash, or compiles it.
func (c *plans) look(w mem.TypeWord, v any) *plan {
	p := c.table.Get(w)
	if p == nil && v != nil {
		p = c.compile(reflect.TypeOf(v))
	}
	return p
}

// ofType returns the plan of a type.
func (c *plans) ofType(t reflect.Type) *plan {
	if p := c.table.Get(mem.WordOf(t)); p != nil {
		return p
	}
	return c.compile(t)
}

// compile makes the plan of t and of all types that t is made of. Plans are published
// when all of them are complete, so no goroutine sees a plan with parts missing, even
// if a user's function panics meanwhile. Only the plan of t is added to the table,
// because most of the others are never looked up. Goroutines that need a type at the
// same time wait here.
func (c *plans) compile(t reflect.Type) *plan {
	c.mu.Lock()
	defer c.mu.Unlock()
	// Another goroutine may have compiled it while this one waited.
	if p := c.table.Get(mem.WordOf(t)); p != nil {
		return p
	}
	k := compiler{plans: c, begun: make(map[planKey]*plan)}
	p := k.plan(planKey{typ: t})
	for _, e := range k.programs {
		e.complete()
	}
	k.setRoot(p)
	if p.elem != nil {
		k.setRoot(p.elem)
		p.target = p.elem
	} else if !p.direct {
		p.target = p
	}
	if p.target != nil {
		p.pointed = p.target.begin
	}
	k.link()
	if c.all == nil {
		c.all = k.begun
	} else {
		maps.Copy(c.all, k.begun)
	}
	c.table.Add(p)
	return p
}

// setRoot prepares p for values that are whole messages. The plans that p refers
// to must be complete. p itself may have been published long ago, as a part of
// another type, so only callers that got p or a pointer to its type from the table
// read what setRoot sets. They read it without a lock, so it is set only once, though
// the types T and *T are compiled one after the other.
func (k *compiler) setRoot(p *plan) {
	if p.prepared {
		return
	}
	p.prepared = true
	k.root(p)
	// Every message is checked with a guard, so nothing may return early.
	if k.plans.guard.on {
		p.fields = nil
	} else if fast && (p.get.isNumber() || p.get == getString) {
		p.scalar = p.get
	}
}

// A compiler holds the state of one call of compile.
type compiler struct {
	plans    *plans
	begun    map[planKey]*plan // by this call, complete or not
	programs []*program        // whose values are not linked
	later    []func()          // what link calls
}

// plan returns the plan of a type. For a recursive type, that plan may still be
// under construction and empty: see linked.
func (k *compiler) plan(key planKey) *plan {
	if p := k.plans.all[key]; p != nil {
		return p
	}
	if p := k.begun[key]; p != nil {
		return p
	}
	p := &plan{plans: k.plans, typ: key.typ, word: mem.WordOf(key.typ), size: int(key.typ.Size()), direct: mem.IsDirect(key.typ)}
	k.begun[key] = p // before its parts are compiled, so that a recursive type finds itself
	p.codec = k.codec(key, p)
	return p
}

// linked returns the codec of p for use in the plan of a type that contains it. If
// p is not complete, the returned functions read those of p when they are called.
//
//go:noinline
func (p *plan) linked() codec {
	if p.encode != nil {
		return p.codec
	}
	return codec{
		func(dst []byte, v mem.Ptr, depth int) ([]byte, error) { return p.encode(dst, v, depth) },
		func(d *decoder, v mem.Ptr) error { return p.decode(d, v) },
	}
}

// encodeMessage appends the value at v as a whole message, or nil if v is nil. An
// outermost pointer does not count as a level of nesting, as in Unmarshal, whose
// argument is always a pointer.
func (p *plan) encodeMessage(dst []byte, v mem.Ptr, depth int) ([]byte, error) {
	if v.IsNil() {
		return wire.AppendNil(dst), nil
	}
	return p.append(dst, v, depth)
}

// append appends the value at v of a plan in the table.
func (p *plan) append(dst []byte, v mem.Ptr, depth int) ([]byte, error) {
	if p.generated != nil {
		return p.appendGenerated(dst, v, depth)
	}
	if fast {
		return p.root.append(dst, v, depth)
	}
	return p.encode(dst, v, depth)
}

// encodeValue appends a value that is in an interface, given its data word.
func (p *plan) encodeValue(dst []byte, v mem.Ptr, depth int) ([]byte, error) {
	if p.direct {
		word := v // the word is the value, but encode needs its address
		v = mem.Hide(mem.PtrTo(&word))
	}
	return p.append(dst, v, depth)
}

var (
	timeType   = reflect.TypeFor[time.Time]()
	rawType    = reflect.TypeFor[Raw]()
	extType    = reflect.TypeFor[Ext]()
	numberType = reflect.TypeFor[Number]()
	pairsType  = reflect.TypeFor[Pairs]()
	anyType    = reflect.TypeFor[any]()
	stringType = reflect.TypeFor[string]()
)

// codec chooses the functions of a type. In order of precedence, these are those of
// Options.Types, those of a type of this package or time.Time, the methods of the
// type, and those of its kind. A type with methods for only one direction uses its
// kind for the other.
func (k *compiler) codec(key planKey, p *plan) codec {
	t := key.typ
	if r := k.plans.types[t]; r != nil {
		return r.codec(k, p)
	}
	switch t {
	case timeType:
		// Other forms and zones need a call.
		if k.plans.time != nil {
			return k.plans.time(k)
		}
		p.put, p.get = putTime, getTime
		return timeCodec
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
	var own ownCodec
	// Methods of a pointer type are those of its element, whose plan calls them.
	// Methods of an interface are those of the value that it holds.
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && (mayHaveMethods(t) || k.plans.encodeHooks != nil || k.plans.decodeHooks != nil) {
		own = k.ownCodec(t)
	}
	if p.direct {
		// Methods may keep a direct value, also one that is inside of an array or
		// struct, so heapWord copies it to the heap.
		in := inside(t)
		p.ownWord = own.encode != nil || in != nil && k.plan(planKey{typ: in}).ownWord
	}
	// The kind does not matter then, and it may be one that has no form, such as a
	// func.
	if own.encode != nil && own.decode != nil {
		p.unsupported = own.refused
		return own.codec
	}
	c := k.kindCodec(key, p)
	if own.encode == nil && own.decode == nil && key.form == "" {
		c = k.useGenerated(p, c)
	}
	if own.encode != nil || own.decode != nil {
		// kindCodec has chosen operations that would bypass the methods.
		p.put, p.get, p.emit, p.program, p.unsupported = putCall, getCall, nil, nil, own.refused
		if own.decode != nil {
			p.reuse, p.fields = nil, nil
		}
	}
	// emit and fast handle nil themselves, because optional fields are often nil.
	if own.encode != nil {
		c.encode = own.encode
	} else if k.plans.nilable(t.Kind()) && p.put == putCall {
		p.put = putNilable
	}
	if own.decode != nil {
		c.decode = own.decode
	} else if t.Kind() == reflect.Pointer || t.Kind() == reflect.Map {
		p.get = getNil
	}
	return c
}

// mayHaveMethods reports whether t, or a pointer to it, may have methods. Predeclared
// types have none, and neither have unnamed slices, arrays and maps. The test saves
// calls of reflect that are slow in a program that has just started.
func mayHaveMethods(t reflect.Type) bool {
	return t.PkgPath() != "" || t.Kind() == reflect.Struct
}

// nilable reports whether the zero value of a kind is encoded as nil and has a first
// word of nil.
func (o *policy) nilable(kind reflect.Kind) bool {
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

// makeScalarCodec returns the codec of a scalar type and sets the operations of p.
func (k *compiler) makeScalarCodec(t reflect.Type, put putOp, get getOp, p *plan) codec {
	want := t.String()
	// The Options select other operations here, so that the loops need not test it.
	if get == getString && k.plans.AliasInput {
		get = getAlias
	}
	p.put, p.get = put, get
	c := codec{
		func(dst []byte, p mem.Ptr, _ int) ([]byte, error) { return appendOp(dst, put, p) },
		func(d *decoder, p mem.Ptr) error { return d.decodeOp(get, p, want) },
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
		return k.makeComplexCodec(t, putFloat32, getFloat32, 4)
	case reflect.Complex128:
		return k.makeComplexCodec(t, putFloat64, getFloat64, 8)
	case reflect.Slice:
		return k.makeSliceCodec(t, p)
	case reflect.Array:
		return k.makeArrayCodec(t, p)
	case reflect.Map:
		if key.form == optionSet {
			return k.makeSetCodec(t)
		}
		return k.makeMapCodec(t, p)
	case reflect.Struct:
		return k.makeStructCodec(key, p)
	case reflect.Pointer:
		return k.makePointerCodec(key, p)
	case reflect.Interface:
		return k.makeInterfaceCodec(t)
	}
	return p.makeUnsupportedCodec(&Error{Found: t.String(), Err: ErrUnsupported})
}

// makeUnsupportedCodec returns a codec whose functions fail. The error occurs when a
// value of the type is encoded or decoded, not when a type that contains it is
// compiled: a nil pointer to such a type is valid.
func (p *plan) makeUnsupportedCodec(why *Error) codec {
	p.unsupported = why
	return unsupportedCodec(why)
}

// unsupportedCodec returns the functions that fail with a reason.
//
//go:noinline
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

// fieldError converts an error of typeplan to the reason why a type is unsupported.
func fieldError(err error) *Error {
	if e, ok := err.(*typeplan.Error); ok {
		return &Error{Path: e.Path, Found: e.Type.String() + " (" + e.Reason + ")", Err: ErrUnsupported}
	}
	return &Error{Err: err}
}
