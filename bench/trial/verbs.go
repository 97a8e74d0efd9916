package trial

import (
	"bytes"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/msgpack"
	shamaton "github.com/shamaton/msgpack/v3"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// Of returns the trial of a type that is encoded as a map.
func Of[T any](name string, g Generated[T]) Trial {
	return Trial{name, func(s *session) error {
		plain, err := octet[T](msgpack.Options{})
		if err != nil {
			return err
		}
		alias, err := octet[T](msgpack.Options{AliasInput: true})
		if err != nil {
			return err
		}
		typed, err := typed[T]()
		if err != nil {
			return err
		}
		generated := msgpCodec(g)
		all := []codec[T]{plain, generated, shamatonMap[T](), vmihailencoMap[T]()}
		return measure(s, name, []verb[T]{
			{name: "Marshal", fresh: true, codecs: all},
			{name: "MarshalAppend", codecs: []codec[T]{plain, generated}},
			{name: "Typed.Append", codecs: []codec[T]{typed, generated}},
			{name: "Unmarshal, new", decode: true, fresh: true, codecs: all},
			{name: "Unmarshal, used", decode: true, codecs: []codec[T]{plain, generated}},
			{name: "Unmarshal, other key order", decode: true, fresh: true, change: shuffled, codecs: all},
			{name: "Unmarshal, AliasInput", decode: true, fresh: true, codecs: []codec[T]{alias, generated}},
			{name: "Typed.Unmarshal, new", decode: true, fresh: true, codecs: []codec[T]{typed, generated}},
			{name: "Typed.Unmarshal, used", decode: true, codecs: []codec[T]{typed, generated}},
		})
	}}
}

// OfGenerated returns the trial of a type that also has the code of octet-gen. It is compared with the plan too, which
// is used under Options that keep the form of the type.
func OfGenerated[T any](name string, g Generated[T]) Trial {
	return Trial{name, func(s *session) error {
		plain, err := octet[T](msgpack.Options{})
		if err != nil {
			return err
		}
		plan, err := octet[T](msgpack.Options{TagKeys: []string{"msgpack"}})
		if err != nil {
			return err
		}
		plan.library, plan.kind = "plan", kindPlan
		typed, err := typed[T]()
		if err != nil {
			return err
		}
		all := []codec[T]{plain, msgpCodec(g), plan}
		return measure(s, name, []verb[T]{
			{name: "Marshal, generated", fresh: true, codecs: all},
			{name: "MarshalAppend, generated", codecs: all},
			{name: "Typed.Append, generated", codecs: []codec[T]{typed, msgpCodec(g), plan}},
			{name: "Unmarshal, new, generated", decode: true, fresh: true, codecs: all},
			{name: "Unmarshal, used, generated", decode: true, codecs: all},
			{name: "Unmarshal, other key order, generated", decode: true, fresh: true, change: shuffled, codecs: all},
			{name: "Unmarshal, unknown key, generated", decode: true, fresh: true, change: extended, codecs: all},
			{name: "Unmarshal, last keys swapped, generated", decode: true, fresh: true, change: swapped, codecs: all},
		})
	}}
}

// OfArray returns the trial of a type that is encoded as an array. Its generated code must have this form too.
func OfArray[T any](name string, g Generated[T]) Trial {
	return Trial{name, func(s *session) error {
		plain, err := octet[T](msgpack.Options{StructAsArray: true})
		if err != nil {
			return err
		}
		all := []codec[T]{plain, msgpCodec(g), shamatonArray[T](), vmihailencoArray[T]()}
		return measure(s, name, []verb[T]{
			{name: "Marshal, as array", fresh: true, codecs: all},
			{name: "Unmarshal, as array", decode: true, fresh: true, codecs: all},
		})
	}}
}

//go:noinline
func octet[T any](o msgpack.Options) (c codec[T], err error) {
	if o.AliasInput || o.StructAsArray || o.TagKeys != nil {
		m, err := msgpack.New(o)
		return codec[T]{
			library:   engine.Ours,
			marshal:   func(v *T) ([]byte, error) { return m.Marshal(v) },
			append:    func(v *T, dst []byte) ([]byte, error) { return m.MarshalAppend(dst, v) },
			unmarshal: func(v *T, data []byte) error { return m.Unmarshal(data, v) },
		}, err
	}
	return codec[T]{
		library:   engine.Ours,
		marshal:   func(v *T) ([]byte, error) { return msgpack.Marshal(v) },
		append:    func(v *T, dst []byte) ([]byte, error) { return msgpack.MarshalAppend(dst, v) },
		unmarshal: func(v *T, data []byte) error { return msgpack.Unmarshal(data, v) },
	}, nil
}

//go:noinline
func typed[T any]() (codec[T], error) {
	m, err := msgpack.For[T](nil)
	return codec[T]{
		library:   engine.Ours,
		marshal:   func(v *T) ([]byte, error) { return m.Append(nil, v) },
		append:    func(v *T, dst []byte) ([]byte, error) { return m.Append(dst, v) },
		unmarshal: func(v *T, data []byte) error { return m.Unmarshal(data, v) },
	}, err
}

//go:noinline
func msgpCodec[T any](g Generated[T]) codec[T] {
	return codec[T]{
		library: "msgp", kind: kindGenerated,
		marshal: func(v *T) ([]byte, error) { return g.Marshal(v, nil) },
		append:  g.Marshal,
		unmarshal: func(v *T, data []byte) error {
			_, err := g.Unmarshal(v, data)
			return err
		},
	}
}

//go:noinline
func shamatonMap[T any]() codec[T] {
	return codec[T]{
		library: "shamaton", kind: kindReflection,
		marshal:   func(v *T) ([]byte, error) { return shamaton.MarshalAsMap(v) },
		unmarshal: func(v *T, data []byte) error { return shamaton.UnmarshalAsMap(data, v) },
	}
}

//go:noinline
func shamatonArray[T any]() codec[T] {
	return codec[T]{
		library: "shamaton", kind: kindReflection,
		marshal:   func(v *T) ([]byte, error) { return shamaton.MarshalAsArray(v) },
		unmarshal: func(v *T, data []byte) error { return shamaton.UnmarshalAsArray(data, v) },
	}
}

//go:noinline
func vmihailencoMap[T any]() codec[T] {
	return codec[T]{
		library: "vmihailenco", kind: kindReflection,
		marshal:   func(v *T) ([]byte, error) { return vmihailenco.Marshal(v) },
		unmarshal: func(v *T, data []byte) error { return vmihailenco.Unmarshal(data, v) },
	}
}

//go:noinline
func vmihailencoArray[T any]() codec[T] {
	return codec[T]{
		library: "vmihailenco", kind: kindReflection,
		marshal: func(v *T) ([]byte, error) {
			var b bytes.Buffer
			e := vmihailenco.NewEncoder(&b)
			e.UseArrayEncodedStructs(true)
			err := e.Encode(v)
			return b.Bytes(), err
		},
		unmarshal: func(v *T, data []byte) error { return vmihailenco.Unmarshal(data, v) },
	}
}
