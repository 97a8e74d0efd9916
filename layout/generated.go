package layout

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/outline"
)

// Generated holds the functions that cmd/octet-gen writes for T. They encode and decode
// what is usual, and report everything else, which is then left to the plan. The plan
// uses them instead of its own loops if T has a method
//
//	func (*T) OctetLayout() Generated[T]
//
// Only a method with the type itself counts, so embedding T has no effect. Functions
// written for another form of T than the current one, such as other tags, are not used,
// and neither are they under Options that change the form, and with AliasInput and
// MaxMessage. They are for whole messages in memory: Read and Frames use the plan, and
// so do fields of type T in other types, which can depend on what is around them.
type Generated[T any] struct {
	Fingerprint string // of the outline from which the functions were written

	// Append appends *v to dst like [Typed.Append].
	Append func(dst []byte, v *T) (_ []byte, ok bool)

	// Decode decodes the message at the start of data into *v like
	// [Typed.UnmarshalPrefix] and returns its length, or a negative number.
	Decode func(data []byte, v *T) (n int)
}

// generated holds the functions of a Generated, and the message for what they leave.
type generated struct {
	append func(dst []byte, v mem.Ptr) ([]byte, bool)
	decode func(data []byte, v mem.Ptr) int
	plan   *message
	tries  outline.Tries
}

// encodeGenerated appends a value to dst, by generated code if it can.
func encodeGenerated(m *message, dst []byte, v mem.Ptr) ([]byte, error) {
	g := m.generated
	if b, ok := g.append(dst, v); ok {
		return b, nil
	}
	return g.plan.encode(dst, v)
}

// decodeGenerated decodes the message at the start of data, by generated code if it can.
func decodeGenerated(m *message, data []byte, v mem.Ptr) (int, error) {
	g := m.generated
	if !g.tries.Skip() {
		if n := g.decode(data, v); n >= 0 {
			g.tries.Done()
			return n, nil
		}
		g.tries.Left()
	}
	return g.plan.decode(data, v)
}

// use returns the functions of a type with the method m, whose result is a Generated[T],
// or nil if they must not be used.
func (Generated[T]) use(plan *message, b *builder, m reflect.Method) *generated {
	if reflect.TypeFor[T]() != plan.typ {
		return nil // promoted from an embedded field
	}
	g := m.Func.Interface().(func(*T) Generated[T])(new(T))
	if g.Fingerprint != b.fingerprint() {
		return nil
	}
	return &generated{
		append: mem.Recast[func(dst []byte, v mem.Ptr) ([]byte, bool)](g.Append),
		decode: mem.Recast[func(data []byte, v mem.Ptr) int](g.Decode),
		plan:   plan,
	}
}

// withGenerated returns a message that uses the generated code of its type, or m if there
// is none. It calls a method of Generated, so programs without generated code link
// nothing that only the method needs.
func (m *message) withGenerated(b *builder) *message {
	if m.typ.Kind() != reflect.Struct || m.typ.Name() == "" || m.alias || m.limit > 0 {
		return m
	}
	method, ok := reflect.PointerTo(m.typ).MethodByName("OctetLayout")
	if !ok || method.Type.NumIn() != 1 || method.Type.NumOut() != 1 {
		return m
	}
	result, ok := reflect.Zero(method.Type.Out(0)).Interface().(interface {
		use(*message, *builder, reflect.Method) *generated
	})
	if !ok {
		return m
	}
	g := result.use(m, b, method)
	if g == nil {
		return m
	}
	with := *m
	with.generated, with.encodes, with.decodes = g, encodeGenerated, decodeGenerated
	return &with
}
