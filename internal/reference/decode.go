package reference

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"time"
)

// decode sets target to v. depth is the number of containers around v.
func (m MessagePack) decode(v value, target reflect.Value, depth int) error {
	t := target.Type()
	switch {
	case t.Kind() == reflect.Pointer:
		return m.decodePointer(v, target, depth)
	case t.Kind() == reflect.Interface:
		return m.decodeInterface(v, target, depth)
	case t == m.Raw:
		target.SetBytes(append([]byte{}, v.encoded...))
		return m.checkDepth(v, depth)
	case t == m.Ext:
		return decodeExt(v, target)
	case t == reflect.TypeFor[time.Time]():
		return decodeTime(v, target)
	case hasAny(t, decodingMethods):
		return m.decodeByMethod(v, target, depth)
	}
	return m.decodeKind(v, target, depth)
}

func (m MessagePack) decodePointer(v value, target reflect.Value, depth int) error {
	if v.kind == nilKind {
		return setZero(target)
	}
	if pointsToPointer(target.Type()) {
		if err := m.enter(depth); err != nil {
			return err
		}
		depth++
	}
	if target.IsNil() {
		target.Set(reflect.New(target.Type().Elem()))
	}
	return m.decode(v, target.Elem(), depth)
}

// decodeInterface decodes into the pointer that an interface holds. If it holds
// no pointer, decodeInterface stores a new value of the type that matches v.
func (m MessagePack) decodeInterface(v value, target reflect.Value, depth int) error {
	if v.kind == nilKind {
		return setZero(target)
	}
	if p := target.Elem(); p.Kind() == reflect.Pointer && !p.IsNil() {
		return m.decodePointer(v, p, depth)
	}
	if target.Type().NumMethod() > 0 {
		return mismatch(v, target)
	}
	x, err := m.toAny(v, depth)
	if err == nil {
		target.Set(reflect.ValueOf(x))
	}
	return err
}

func decodeExt(v value, target reflect.Value) error {
	switch v.kind {
	case nilKind:
		return setZero(target)
	case extKind:
		target.FieldByName("Type").SetInt(int64(v.ext))
		target.FieldByName("Data").SetBytes(append([]byte{}, v.content...))
		return nil
	}
	return mismatch(v, target)
}

func decodeTime(v value, target reflect.Value) error {
	if v.kind == nilKind {
		return setZero(target)
	}
	if v.kind != extKind || v.ext != timestamp {
		return mismatch(v, target)
	}
	t, _ := parseTime(v.content) // cannot fail because the parser has checked it
	target.Set(reflect.ValueOf(t))
	return nil
}

// decodeKind decodes into a type that is only known by its kind. Unsupported
// kinds are rejected before nil is handled, because all other kinds accept nil.
func (m MessagePack) decodeKind(v value, target reflect.Value, depth int) error {
	switch target.Kind() {
	case reflect.Chan, reflect.Func, reflect.Uintptr, reflect.UnsafePointer:
		return fmt.Errorf("%w: %v", ErrUnsupported, target.Type())
	case reflect.Struct:
		return m.decodeStruct(v, target, depth)
	}
	if v.kind == nilKind {
		return setZero(target)
	}
	switch target.Kind() {
	case reflect.Bool:
		if v.kind != boolKind {
			return mismatch(v, target)
		}
		target.SetBool(v.boolean)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, err := v.toInteger(target)
		if err != nil {
			return err
		}
		if !i.IsInt64() || target.OverflowInt(i.Int64()) {
			return outOfRange(i, target)
		}
		target.SetInt(i.Int64())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		i, err := v.toInteger(target)
		if err != nil {
			return err
		}
		if !i.IsUint64() || target.OverflowUint(i.Uint64()) {
			return outOfRange(i, target)
		}
		target.SetUint(i.Uint64())
	case reflect.Float32, reflect.Float64:
		f, err := v.toFloat(target, target.Type().Bits())
		if err != nil {
			return err
		}
		target.SetFloat(f)
	case reflect.Complex64, reflect.Complex128:
		return m.decodeComplex(v, target, depth)
	case reflect.String:
		if v.kind != strKind && v.kind != binKind {
			return mismatch(v, target)
		}
		target.SetString(string(v.content))
	case reflect.Slice:
		return m.decodeSlice(v, target, depth)
	case reflect.Array:
		return m.decodeArray(v, target, depth)
	case reflect.Map:
		return m.decodeMap(v, target, depth)
	}
	return nil
}

// toInteger returns the integer in v, which may be encoded as a float.
func (v value) toInteger(target reflect.Value) (*big.Int, error) {
	switch v.kind {
	case intKind:
		return v.integer, nil
	case floatKind:
		if math.IsNaN(v.float) || math.IsInf(v.float, 0) || v.float != math.Trunc(v.float) {
			return nil, outOfRange(v.float, target)
		}
		i, _ := big.NewFloat(v.float).Int(nil)
		return i, nil
	}
	return nil, mismatch(v, target)
}

// toFloat returns the float of 32 or 64 bits in v, which may be encoded as an
// integer.
func (v value) toFloat(target reflect.Value, bits int) (float64, error) {
	switch v.kind {
	case floatKind:
		if bits == 64 {
			return v.float, nil
		}
		rounded := float64(float32(v.float))
		if math.IsInf(rounded, 0) && !math.IsInf(v.float, 0) {
			return 0, outOfRange(v.float, target)
		}
		return rounded, nil
	case intKind:
		exact := new(big.Float).SetInt(v.integer)
		f, accuracy := exact.Float64()
		if bits == 32 {
			var f32 float32
			f32, accuracy = exact.Float32()
			f = float64(f32)
		}
		if accuracy != big.Exact {
			return 0, outOfRange(v.integer, target)
		}
		return f, nil
	}
	return 0, mismatch(v, target)
}

// decodeComplex decodes an array of two numbers or nils. Each of them is
// decoded like a float.
func (m MessagePack) decodeComplex(v value, target reflect.Value, depth int) error {
	if v.kind != arrayKind || len(v.elements) != 2 {
		return mismatch(v, target)
	}
	if err := m.enter(depth); err != nil {
		return err
	}
	var parts [2]float64
	for i, e := range v.elements {
		if e.kind == nilKind {
			continue
		}
		f, err := e.toFloat(target, target.Type().Bits()/2)
		if err != nil {
			return err
		}
		parts[i] = f
	}
	target.SetComplex(complex(parts[0], parts[1]))
	return nil
}

// setZero sets target to zero. It returns an error if reflection cannot set the
// target.
func setZero(target reflect.Value) error {
	if !target.CanSet() {
		return fmt.Errorf("%w: reflection cannot set a value of unexported type %v to nil", ErrUnsupported, target.Type())
	}
	target.SetZero()
	return nil
}

func mismatch(v value, target reflect.Value) error {
	return fmt.Errorf("%w: %v into %v", ErrMismatch, v.kind, target.Type())
}

func outOfRange(number any, target reflect.Value) error {
	return fmt.Errorf("%w: %v into %v", ErrRange, number, target.Type())
}
