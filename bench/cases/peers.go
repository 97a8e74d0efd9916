package cases

import (
	"bytes"
	"encoding/gob"
	stdjson "encoding/json"
	"reflect"

	basekick "github.com/Basekick-Labs/msgpack/v6"
	"github.com/fxamacker/cbor/v2"
	"github.com/go-json-experiment/json"
	hashicorp "github.com/hashicorp/go-msgpack/v2/codec"
	kelindar "github.com/kelindar/binary"
	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/shape"
	"github.com/octet-go/octet/msgpack"
	shamaton "github.com/shamaton/msgpack/v3"
	ugorji "github.com/ugorji/go/codec"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// Each library is called as its documentation shows, without options, except that ugorji and hashicorp are set to
// write strings and times in the current MessagePack format.

// reflective returns the libraries that encode Go values of any type, Octet first.
func reflective[T any]() []competitor[T] {
	return []competitor[T]{
		octet[T]().competitor(),
		forType[T](),
		judge[T]().competitor(),
		library[T]{
			name:      "vmihailenco",
			marshal:   func(v *T) ([]byte, error) { return vmihailenco.Marshal(v) },
			unmarshal: func(v *T, data []byte) error { return vmihailenco.Unmarshal(data, v) },
		}.competitor(),
		library[T]{
			name:      "basekick",
			marshal:   func(v *T) ([]byte, error) { return basekick.Marshal(v) },
			append:    func(v *T, dst []byte) ([]byte, error) { return basekick.MarshalAppend(dst, v) },
			unmarshal: func(v *T, data []byte) error { return basekick.Unmarshal(data, v) },
		}.competitor(),
		ugorjiLibrary[T](new(ugorji.MsgpackHandle)).competitor(),
		hashicorpLibrary[T](new(hashicorp.MsgpackHandle)).competitor(),
		cborLibrary[T]().competitor(),
		library[T]{
			name: "json", own: true, floats: true,
			marshal:   func(v *T) ([]byte, error) { return stdjson.Marshal(v) },
			unmarshal: func(v *T, data []byte) error { return stdjson.Unmarshal(data, v) },
		}.competitor(),
		jsonV2Library[T]().competitor(),
		library[T]{
			name: "gob", own: true,
			marshal: func(v *T) ([]byte, error) {
				var b bytes.Buffer
				err := gob.NewEncoder(&b).Encode(v)
				return b.Bytes(), err
			},
			unmarshal: func(v *T, data []byte) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) },
		}.competitor(),
		library[T]{
			name: "kelindar", own: true,
			marshal:   func(v *T) ([]byte, error) { return kelindar.Marshal(v) },
			unmarshal: func(v *T, data []byte) error { return kelindar.Unmarshal(data, v) },
		}.competitor(),
	}
}

// octet is Octet as most programs call it. Like the other functions that return a library, it is not inlined: the
// compiler would inline nothing into the copies of their function literals, so that each call of the library would be
// two.
//
//go:noinline
func octet[T any]() library[T] {
	return library[T]{
		name:      engine.Ours,
		marshal:   func(v *T) ([]byte, error) { return msgpack.Marshal(v) },
		append:    func(v *T, dst []byte) ([]byte, error) { return msgpack.MarshalAppend(dst, v) },
		unmarshal: func(v *T, data []byte) error { return msgpack.Unmarshal(data, v) },
	}
}

// forType is Octet with For, for a program that names the type.
func forType[T any]() competitor[T] {
	typed, err := msgpack.For[T](nil)
	c := forLibrary("octet For", typed).competitor()
	if err != nil {
		return c.without(err.Error())
	}
	return c
}

//go:noinline
func forLibrary[T any](name string, typed msgpack.Typed[T]) library[T] {
	return library[T]{
		name: name, appends: true,
		marshal:   func(v *T) ([]byte, error) { return typed.Append(nil, v) },
		append:    func(v *T, dst []byte) ([]byte, error) { return typed.Append(dst, v) },
		unmarshal: func(v *T, data []byte) error { return typed.Unmarshal(data, v) },
	}
}

// judge returns shamaton/msgpack. It encodes the messages that all libraries for MessagePack decode, and decodes
// their messages. It is independent of Octet, and its encoding is always the shortest of the specification.
//
//go:noinline
func judge[T any]() library[T] {
	if reflect.TypeFor[T]() == reflect.TypeFor[shape.Row]() {
		return library[T]{
			name:      "shamaton",
			marshal:   func(v *T) ([]byte, error) { return shamaton.MarshalAsArray(v) },
			unmarshal: func(v *T, data []byte) error { return shamaton.UnmarshalAsArray(data, v) },
		}
	}
	return library[T]{
		name:      "shamaton",
		marshal:   func(v *T) ([]byte, error) { return shamaton.Marshal(v) },
		unmarshal: func(v *T, data []byte) error { return shamaton.Unmarshal(data, v) },
	}
}

//go:noinline
func ugorjiLibrary[T any](h *ugorji.MsgpackHandle) library[T] {
	h.WriteExt = true
	appending := ugorji.NewEncoderBytes(nil, h)
	return library[T]{
		name: "ugorji",
		marshal: func(v *T) (data []byte, err error) {
			err = ugorji.NewEncoderBytes(&data, h).Encode(v)
			return data, err
		},
		append: func(v *T, dst []byte) ([]byte, error) {
			// The library overwrites the slice from its start.
			rest := dst[len(dst):]
			appending.ResetBytes(&rest)
			if err := appending.Encode(v); err != nil {
				return nil, err
			}
			if len(dst) == 0 {
				return rest, nil
			}
			return append(dst, rest...), nil
		},
		unmarshal: func(v *T, data []byte) error { return ugorji.NewDecoderBytes(data, h).Decode(v) },
	}
}

//go:noinline
func hashicorpLibrary[T any](h *hashicorp.MsgpackHandle) library[T] {
	h.WriteExt = true
	return library[T]{
		name: "hashicorp",
		marshal: func(v *T) (data []byte, err error) {
			err = hashicorp.NewEncoderBytes(&data, h).Encode(v)
			return data, err
		},
		unmarshal: func(v *T, data []byte) error { return hashicorp.NewDecoderBytes(data, h).Decode(v) },
	}
}

//go:noinline
func cborLibrary[T any]() library[T] {
	var b bytes.Buffer
	return library[T]{
		name: "cbor", own: true,
		marshal: func(v *T) ([]byte, error) { return cbor.Marshal(v) },
		append: func(v *T, dst []byte) ([]byte, error) {
			b = *bytes.NewBuffer(dst)
			err := cbor.MarshalToBuffer(v, &b)
			return b.Bytes(), err
		},
		unmarshal: func(v *T, data []byte) error { return cbor.Unmarshal(data, v) },
	}
}

//go:noinline
func jsonV2Library[T any]() library[T] {
	var b bytes.Buffer
	return library[T]{
		name: "json/v2", own: true, floats: true,
		marshal: func(v *T) ([]byte, error) { return json.Marshal(v) },
		append: func(v *T, dst []byte) ([]byte, error) {
			b = *bytes.NewBuffer(dst)
			err := json.MarshalWrite(&b, v)
			return b.Bytes(), err
		},
		unmarshal: func(v *T, data []byte) error { return json.Unmarshal(data, v) },
	}
}
