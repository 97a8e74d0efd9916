package migration

import (
	"reflect"
	"strings"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/ugorji/go/codec"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// Types with methods of one library, for the oracle. The first field or element of each is
// written, as an array of one, so that no method writes the form that the type has without it.
type (
	encodedStruct  struct{ N int16 } // EncodeMsgpack has a value receiver
	encodedPointer struct{ S string }
	encodedList    []int8
	encodedMap     map[string]int8
	encodedPtrList []int8 // EncodeMsgpack has a pointer receiver
	encodedInt     int32

	marshaledStruct struct{ N int16 } // MarshalMsgpack has a value receiver
	marshaledPtr    struct{ N int16 }
	marshaledList   []int8
	marshaledString string

	selferStruct struct{ N int16 } // both methods have pointer receivers
	selferList   []int8
	selferInt    int32

	encodedFields struct {
		S encodedStruct   `msgpack:",omitempty"`
		P *encodedPointer `msgpack:",omitempty"`
		Q encodedPointer  `msgpack:",omitempty"`
		L encodedList     `msgpack:",omitempty"`
		M encodedMap      `msgpack:",omitempty"`
		T encodedPtrList  `msgpack:",omitempty"`
		I encodedInt      `msgpack:",omitempty"`
		A []encodedStruct
		B map[encodedInt]*encodedStruct
		C [2]encodedInt
		D *encodedList
	}
	marshaledFields struct {
		S marshaledStruct `msgpack:",omitempty"`
		P *marshaledPtr   `msgpack:",omitempty"`
		L marshaledList   `msgpack:",omitempty"`
		T marshaledString `msgpack:",omitempty"`
		A []*marshaledPtr
		B map[marshaledString]marshaledStruct
	}
	selferFields struct {
		S selferStruct  `msgpack:",omitempty"`
		P *selferStruct `msgpack:",omitempty"`
		L selferList    `msgpack:",omitempty"`
		I selferInt     `msgpack:",omitempty"`
		A []selferStruct
		B map[string]*selferStruct
		C [2]selferInt
		D *selferList
	}
)

func encodeOne(e *vmihailenco.Encoder, v any) error {
	if err := e.EncodeArrayLen(1); err != nil {
		return err
	}
	return e.Encode(v)
}

func decodeOne(d *vmihailenco.Decoder, v any) error {
	if _, err := d.DecodeArrayLen(); err != nil {
		return err
	}
	return d.Decode(v)
}

func (s encodedStruct) EncodeMsgpack(e *vmihailenco.Encoder) error   { return encodeOne(e, s.N) }
func (s *encodedStruct) DecodeMsgpack(d *vmihailenco.Decoder) error  { return decodeOne(d, &s.N) }
func (s *encodedPointer) EncodeMsgpack(e *vmihailenco.Encoder) error { return encodeOne(e, s.S) }
func (s *encodedPointer) DecodeMsgpack(d *vmihailenco.Decoder) error { return decodeOne(d, &s.S) }
func (i encodedInt) EncodeMsgpack(e *vmihailenco.Encoder) error      { return encodeOne(e, int32(i)) }
func (i *encodedInt) DecodeMsgpack(d *vmihailenco.Decoder) error     { return decodeOne(d, (*int32)(i)) }
func (l encodedList) EncodeMsgpack(e *vmihailenco.Encoder) error     { return encodeOne(e, []int8(l)) }
func (m encodedMap) EncodeMsgpack(e *vmihailenco.Encoder) error      { return encodeOne(e, len(m)) }
func (l *encodedPtrList) EncodeMsgpack(e *vmihailenco.Encoder) error { return encodeOne(e, len(*l)) }

func (l *encodedList) DecodeMsgpack(d *vmihailenco.Decoder) error {
	*l = nil
	return decodeOne(d, (*[]int8)(l))
}

func (m *encodedMap) DecodeMsgpack(d *vmihailenco.Decoder) (err error) {
	var n int8
	err = decodeOne(d, &n)
	*m = encodedMap{"n": n}
	return err
}

func (l *encodedPtrList) DecodeMsgpack(d *vmihailenco.Decoder) (err error) {
	var n int8
	err = decodeOne(d, &n)
	*l = encodedPtrList{n}
	return err
}

func (s marshaledStruct) MarshalMsgpack() ([]byte, error) { return vmihailenco.Marshal([]int16{s.N}) }
func (s *marshaledPtr) MarshalMsgpack() ([]byte, error)   { return vmihailenco.Marshal([]int16{s.N}) }
func (l marshaledList) MarshalMsgpack() ([]byte, error)   { return vmihailenco.Marshal([][]int8{l}) }
func (s marshaledString) MarshalMsgpack() ([]byte, error) {
	return vmihailenco.Marshal([]string{string(s)})
}

func unmarshalOne[T any](b []byte, p *T) error {
	var all []T
	err := vmihailenco.Unmarshal(b, &all)
	if err == nil && len(all) > 0 {
		*p = all[0]
	}
	return err
}

func (s *marshaledStruct) UnmarshalMsgpack(b []byte) error { return unmarshalOne(b, &s.N) }
func (s *marshaledPtr) UnmarshalMsgpack(b []byte) error    { return unmarshalOne(b, &s.N) }
func (l *marshaledList) UnmarshalMsgpack(b []byte) error   { return unmarshalOne(b, (*[]int8)(l)) }
func (s *marshaledString) UnmarshalMsgpack(b []byte) error { return unmarshalOne(b, (*string)(s)) }

func (s *selferStruct) CodecEncodeSelf(e *codec.Encoder) { e.MustEncode([]int16{s.N}) }
func (s *selferStruct) CodecDecodeSelf(d *codec.Decoder) { s.N = selfOne[int16](d) }
func (l *selferList) CodecEncodeSelf(e *codec.Encoder)   { e.MustEncode([][]int8{*l}) }
func (l *selferList) CodecDecodeSelf(d *codec.Decoder)   { *l = selfOne[[]int8](d) }
func (i selferInt) CodecEncodeSelf(e *codec.Encoder)     { e.MustEncode([]int32{int32(i)}) }
func (i *selferInt) CodecDecodeSelf(d *codec.Decoder)    { *i = selferInt(selfOne[int32](d)) }

func selfOne[T any](d *codec.Decoder) (v T) {
	var all []T
	d.MustDecode(&all)
	if len(all) > 0 {
		v = all[0]
	}
	return v
}

var hookLeaves = []randtype.Leaf{
	leaf[encodedStruct](), leaf[encodedPointer](), leaf[encodedList](), leaf[encodedMap](), leaf[encodedPtrList](), leaf[encodedInt](),
	leaf[marshaledStruct](), leaf[marshaledPtr](), leaf[marshaledList](), leaf[marshaledString](),
	leaf[selferStruct](), leaf[selferList](), leaf[selferInt](), leaf[encodedFields](), leaf[marshaledFields](), leaf[selferFields](),
}

// hookOf returns the method that a library may call for a type of hookLeaves, or "".
func hookOf(t reflect.Type) string {
	for _, name := range []string{"EncodeMsgpack", "MarshalMsgpack", "CodecEncodeSelf"} {
		if _, ok := reflect.PointerTo(t).MethodByName(name); ok && t.PkgPath() == reflect.TypeFor[encodedInt]().PkgPath() {
			return name
		}
	}
	return ""
}

// hooked reports whether values of type t have parts for which hookOf has a method.
func hooked(t reflect.Type) bool {
	switch {
	case hookOf(t) != "":
		return true
	case strings.Contains(t.PkgPath(), "randtype"):
		return false // may contain itself
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return hooked(t.Elem())
	case reflect.Map:
		return hooked(t.Key()) || hooked(t.Elem())
	case reflect.Struct:
		for f := range fields(t) {
			if f.IsExported() && f.Tag.Get("msgpack") != "-" && hooked(f.Type) {
				return true
			}
		}
	}
	return false
}

// calls reports whether the library and the profile call a method of hookOf.
func (p profiled) calls(method string) bool {
	switch method {
	case "EncodeMsgpack":
		return p.name == "Vmihailenco"
	case "MarshalMsgpack":
		return strings.HasPrefix(p.name, "Vmihailenco")
	}
	return strings.HasPrefix(p.name, "Ugorji")
}

// withHooks adds the adapter of a library to Options.
func withHooks(o msgpack.Options, hooks msgpack.TypeCoder) msgpack.Options {
	o.Types = append(o.Types, hooks)
	return o
}
