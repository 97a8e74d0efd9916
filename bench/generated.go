package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/octet-go/octet/bench/shape"
	msgpackgen "github.com/shamaton/msgpackgen/msgpack"
	"github.com/tinylib/msgp/msgp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// What msgp generated for small structs is called directly in each of these, as a program would call it: a
// shared wrapper would add an indirect call to every measurement of msgp.

var msgpReport = library[shape.Report]{
	name:    "msgp",
	marshal: func(v *shape.Report) ([]byte, error) { return v.MarshalMsg(nil) },
	append:  (*shape.Report).MarshalMsg,
	unmarshal: func(v *shape.Report, data []byte) error {
		_, err := v.UnmarshalMsg(data)
		return err
	},
}

var msgpRow = library[shape.Row]{
	name:    "msgp",
	marshal: func(v *shape.Row) ([]byte, error) { return v.MarshalMsg(nil) },
	append:  (*shape.Row).MarshalMsg,
	unmarshal: func(v *shape.Row, data []byte) error {
		_, err := v.UnmarshalMsg(data)
		return err
	},
}

var msgpAccount = library[shape.Account]{
	name:    "msgp",
	marshal: func(v *shape.Account) ([]byte, error) { return v.MarshalMsg(nil) },
	append:  (*shape.Account).MarshalMsg,
	unmarshal: func(v *shape.Account, data []byte) error {
		_, err := v.UnmarshalMsg(data)
		return err
	},
}

var msgpEvent = library[shape.Event]{
	name:    "msgp",
	marshal: func(v *shape.Event) ([]byte, error) { return v.MarshalMsg(nil) },
	append:  (*shape.Event).MarshalMsg,
	unmarshal: func(v *shape.Event, data []byte) error {
		_, err := v.UnmarshalMsg(data)
		return err
	},
}

var msgpReading = library[shape.Reading]{
	name:    "msgp",
	marshal: func(v *shape.Reading) ([]byte, error) { return v.MarshalMsg(nil) },
	append:  (*shape.Reading).MarshalMsg,
	unmarshal: func(v *shape.Reading, data []byte) error {
		_, err := v.UnmarshalMsg(data)
		return err
	},
}

var msgpOptional = library[shape.Optional]{
	name:    "msgp",
	marshal: func(v *shape.Optional) ([]byte, error) { return v.MarshalMsg(nil) },
	append:  (*shape.Optional).MarshalMsg,
	unmarshal: func(v *shape.Optional, data []byte) error {
		_, err := v.UnmarshalMsg(data)
		return err
	},
}

var msgpProfile = library[shape.Profile]{
	name:    "msgp",
	marshal: func(v *shape.Profile) ([]byte, error) { return v.MarshalMsg(nil) },
	append:  (*shape.Profile).MarshalMsg,
	unmarshal: func(v *shape.Profile, data []byte) error {
		_, err := v.UnmarshalMsg(data)
		return err
	},
}

var msgpCustomer = library[shape.Customer]{
	name:    "msgp",
	marshal: func(v *shape.Customer) ([]byte, error) { return v.MarshalMsg(nil) },
	append:  (*shape.Customer).MarshalMsg,
	unmarshal: func(v *shape.Customer, data []byte) error {
		_, err := v.UnmarshalMsg(data)
		return err
	},
}

var msgpMetric = library[shape.Metric]{
	name:    "msgp",
	marshal: func(v *shape.Metric) ([]byte, error) { return v.MarshalMsg(nil) },
	append:  (*shape.Metric).MarshalMsg,
	unmarshal: func(v *shape.Metric, data []byte) error {
		_, err := v.UnmarshalMsg(data)
		return err
	},
}

// msgpLarge is that wrapper, for values that take a thousand times as long as the call. T has the methods itself,
// or is what a type N that has them is made of.
func msgpLarge[T any](marshal, unmarshal func(v *T, b []byte) ([]byte, error)) competitor[T] {
	return library[T]{
		name:    "msgp",
		marshal: func(v *T) ([]byte, error) { return marshal(v, nil) },
		append:  marshal,
		unmarshal: func(v *T, data []byte) error {
			_, err := unmarshal(v, data)
			return err
		},
	}.competitor()
}

// msgpString is what its generated code calls for a string.
func msgpString() competitor[string] {
	return library[string]{
		name:    "msgp",
		marshal: func(v *string) ([]byte, error) { return msgp.AppendString(nil, *v), nil },
		append:  func(v *string, dst []byte) ([]byte, error) { return msgp.AppendString(dst, *v), nil },
		unmarshal: func(v *string, data []byte) (err error) {
			*v, _, err = msgp.ReadStringBytes(data)
			return err
		},
	}.competitor()
}

// msgpAny is msgp on values without a type of their own, for which nothing can be generated.
func msgpAny() competitor[any] {
	return library[any]{
		name:    "msgp",
		marshal: func(v *any) ([]byte, error) { return msgp.AppendIntf(nil, *v) },
		append:  func(v *any, dst []byte) ([]byte, error) { return msgp.AppendIntf(dst, *v) },
		unmarshal: func(v *any, data []byte) (err error) {
			*v, _, err = msgp.ReadIntfBytes(data)
			return err
		},
	}.competitor()
}

// msgpackgenLibrary needs a struct: what is not one it hands to a library with reflection.
func msgpackgenLibrary[T any]() competitor[T] {
	shape.RegisterGeneratedResolver()
	return library[T]{
		name:      "msgpackgen",
		marshal:   func(v *T) ([]byte, error) { return msgpackgen.Marshal(v) },
		unmarshal: func(v *T, data []byte) error { return msgpackgen.Unmarshal(data, v) },
	}.competitor()
}

const structsAlone = "its generator takes structs alone"

// message is what protoc-gen-go makes of a message named M.
type message[M any] interface {
	*M
	proto.Message
}

// protobuf encodes a message that holds what the value does. If field is not empty, it is the one which holds
// the whole value: a list or a map cannot stand alone there.
func protobuf[T, M any, P message[M]](field string) competitor[T] {
	return competitor[T]{name: "protobuf", enter: func(s samples[T]) (entry, error) {
		messages := make([]P, len(s.values))
		for i := range s.values {
			text, err := json.Marshal(&s.values[i])
			if err != nil {
				return entry{}, err
			}
			if field != "" {
				text = fmt.Appendf(nil, "{%q:%s}", field, text)
			}
			messages[i] = P(new(M))
			if err := protojson.Unmarshal(text, messages[i]); err != nil {
				return entry{}, fmt.Errorf("protobuf: %w", err)
			}
		}
		return protobufEntry(messages, func() P { return new(M) })
	}}
}

// protobufAny is protobuf on values without a type of their own.
func protobufAny() competitor[any] {
	return competitor[any]{name: "protobuf", enter: func(s samples[any]) (entry, error) {
		text, err := json.Marshal(s.values[0])
		if err != nil {
			return entry{}, err
		}
		m := new(structpb.Value)
		if err := protojson.Unmarshal(text, m); err != nil {
			return entry{}, fmt.Errorf("protobuf: %w", err)
		}
		e, err := protobufEntry([]*structpb.Value{m}, func() *structpb.Value { return new(structpb.Value) })
		e.note = "all numbers become double"
		return e, err
	}}
}

func protobufEntry[P proto.Message](messages []P, empty func() P) (entry, error) {
	encoded := make([][]byte, len(messages))
	target := empty()
	for i, m := range messages {
		var err error
		if encoded[i], err = proto.Marshal(m); err != nil {
			return entry{}, fmt.Errorf("protobuf: %w", err)
		}
		if err := proto.Unmarshal(encoded[i], target); err != nil {
			return entry{}, fmt.Errorf("protobuf: %w", err)
		}
		if !proto.Equal(m, target) {
			return entry{}, errors.New("protobuf reads something else than it wrote")
		}
	}
	var buf []byte
	mask := len(messages) - 1
	return entry{library: "protobuf", size: meanSize(encoded), loops: map[string]loop{
		verbMarshal: each(mask, func(i int) error { _, err := proto.Marshal(messages[i]); return err }),
		verbAppend: each(mask, func(i int) (err error) {
			buf, err = proto.MarshalOptions{}.MarshalAppend(buf[:0], messages[i])
			return err
		}),
		// It clears its target first.
		verbUnmarshal: each(mask, func(i int) error { return proto.Unmarshal(encoded[i], target) }),
	}}, nil
}
