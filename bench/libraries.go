package main

import (
	"github.com/octet-go/octet/msgpack"
	shamaton "github.com/shamaton/msgpack/v3"
	"github.com/tinylib/msgp/msgp"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// library is one library's way to encode and decode a T. It gets pointers, so that none of them pays for the
// copy that a value in an interface is.
type library[T any] struct {
	name      string
	marshal   func(v *T) ([]byte, error)
	append    func(v *T, dst []byte) ([]byte, error) // nil: it has no such call
	unmarshal func(v *T, data []byte) error
}

// reflective returns the libraries that take any Go value.
func reflective[T any]() []library[T] {
	return []library[T]{
		{
			name:      ours,
			marshal:   func(v *T) ([]byte, error) { return msgpack.Marshal(v) },
			append:    func(v *T, dst []byte) ([]byte, error) { return msgpack.MarshalAppend(dst, v) },
			unmarshal: func(v *T, data []byte) error { return msgpack.Unmarshal(data, v) },
		},
		{
			name:      "shamaton",
			marshal:   func(v *T) ([]byte, error) { return shamaton.Marshal(v) },
			unmarshal: func(v *T, data []byte) error { return shamaton.Unmarshal(data, v) },
		},
		{
			name:      "vmihailenco",
			marshal:   func(v *T) ([]byte, error) { return vmihailenco.Marshal(v) },
			unmarshal: func(v *T, data []byte) error { return vmihailenco.Unmarshal(data, v) },
		},
	}
}

// What msgp generated is called directly in each of these, as a program would call it: a shared wrapper would
// add an indirect call to every measurement of msgp.

var msgpReport = library[Report]{
	name:    "msgp",
	marshal: func(v *Report) ([]byte, error) { return v.MarshalMsg(nil) },
	append:  (*Report).MarshalMsg,
	unmarshal: func(v *Report, data []byte) error {
		_, err := v.UnmarshalMsg(data)
		return err
	},
}

var msgpAccount = library[Account]{
	name:    "msgp",
	marshal: func(v *Account) ([]byte, error) { return v.MarshalMsg(nil) },
	append:  (*Account).MarshalMsg,
	unmarshal: func(v *Account, data []byte) error {
		_, err := v.UnmarshalMsg(data)
		return err
	},
}

var msgpAccounts = library[[]Account]{
	name:    "msgp",
	marshal: func(v *[]Account) ([]byte, error) { return (*Accounts)(v).MarshalMsg(nil) },
	append:  func(v *[]Account, dst []byte) ([]byte, error) { return (*Accounts)(v).MarshalMsg(dst) },
	unmarshal: func(v *[]Account, data []byte) error {
		_, err := (*Accounts)(v).UnmarshalMsg(data)
		return err
	},
}

var msgpDirectory = library[map[string]Account]{
	name:    "msgp",
	marshal: func(v *map[string]Account) ([]byte, error) { return (*Directory)(v).MarshalMsg(nil) },
	append:  func(v *map[string]Account, dst []byte) ([]byte, error) { return (*Directory)(v).MarshalMsg(dst) },
	unmarshal: func(v *map[string]Account, data []byte) error {
		_, err := (*Directory)(v).UnmarshalMsg(data)
		return err
	},
}

var msgpInts = library[[]int]{
	name:    "msgp",
	marshal: func(v *[]int) ([]byte, error) { return (*Ints)(v).MarshalMsg(nil) },
	append:  func(v *[]int, dst []byte) ([]byte, error) { return (*Ints)(v).MarshalMsg(dst) },
	unmarshal: func(v *[]int, data []byte) error {
		_, err := (*Ints)(v).UnmarshalMsg(data)
		return err
	},
}

// msgpAny is msgp on values without a type of their own, for which nothing can be generated.
var msgpAny = library[any]{
	name:    "msgp",
	marshal: func(v *any) ([]byte, error) { return msgp.AppendIntf(nil, *v) },
	append:  func(v *any, dst []byte) ([]byte, error) { return msgp.AppendIntf(dst, *v) },
	unmarshal: func(v *any, data []byte) (err error) {
		*v, _, err = msgp.ReadIntfBytes(data)
		return err
	},
}
