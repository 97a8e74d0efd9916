package profile

import (
	"time"

	"github.com/octet-go/octet/msgpack"
)

// Vmihailenco returns a Config that writes the bytes of
// github.com/vmihailenco/msgpack/v5.
func Vmihailenco() msgpack.Config {
	return msgpack.Config{
		TextAsBin:     true,
		AllowTrailing: true,
		Zone:          time.Local,
		AnyNumber:     msgpack.AnyNumberFormat,
		AnyStringKeys: true,
	}
}

// VmihailencoV4 returns a Config that writes the bytes of
// github.com/vmihailenco/msgpack/v4.
func VmihailencoV4() msgpack.Config {
	return msgpack.Config{
		AllowTrailing: true,
		Zone:          time.Local,
		AnyNumber:     msgpack.AnyNumberFormat,
	}
}

// Shamaton returns a Config that writes the bytes of
// github.com/shamaton/msgpack, versions 2 and 3.
func Shamaton() msgpack.Config {
	return msgpack.Config{
		AnyMap:    msgpack.AnyMapAny,
		AnyNumber: msgpack.AnyNumberFormat,
	}
}

// ShamatonArray returns a Config like that of [Shamaton] that writes structs as
// arrays, like MarshalAsArray.
func ShamatonArray() msgpack.Config {
	c := Shamaton()
	c.StructAsArray = true
	return c
}

// Ugorji returns a Config that writes the bytes of github.com/ugorji/go/codec with
// a MsgpackHandle without options, which are those of the MessagePack specification
// before 2013. See [UgorjiExt].
func Ugorji() msgpack.Config {
	c := UgorjiExt()
	c.BytesAsStr = true
	return c
}

// UgorjiExt returns a Config that writes the bytes of github.com/ugorji/go/codec
// with a MsgpackHandle with WriteExt.
func UgorjiExt() msgpack.Config {
	return msgpack.Config{
		TagKeys:       []string{"codec", "json"},
		AllowTrailing: true,
		AnyMap:        msgpack.AnyMapAny,
		AnyStringKeys: true,
	}
}

// Hashicorp returns a Config that writes the bytes of
// github.com/hashicorp/go-msgpack/v2 with a MsgpackHandle without options.
func Hashicorp() msgpack.Config {
	return Ugorji()
}

// Msgp returns a Config that writes the bytes of code that github.com/tinylib/msgp
// generates.
func Msgp() msgpack.Config {
	return msgpack.Config{
		TagKeys:         []string{"msg", "msgpack"},
		NilSliceAsEmpty: true,
		NilMapAsEmpty:   true,
		AllowTrailing:   true,
		Zone:            time.Local,
	}
}
