package msgpack_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// duplicateFactor is the number of bytes that RejectDuplicates may allocate for
// each byte of input. The worst case is a map slightly too long for a table that
// has just doubled.
const duplicateFactor = 96

// distinctKeys returns the beginning of a map of n pairs with the shortest
// different keys. The value of the last pair is missing.
func distinctKeys(n int) string {
	b := binary.BigEndian.AppendUint16([]byte{0xde}, uint16(n))
	for i := range n {
		if i > 0 {
			b = append(b, 0xc0)
		}
		switch {
		case i < 128:
			b = append(b, byte(i))
		case i < 160:
			b = append(b, byte(i+96)) // fixints below zero
		case i < 416:
			b = append(b, 0xcc, byte(i-160)) // equal to others, unless above 127
		default:
			b = append(b, 0xcd, byte(i>>8), byte(i))
		}
	}
	return string(b)
}

// TestMemoryOfConfigs checks the limit of memory for any, with every option that
// affects it and every function that decodes.
func TestMemoryOfConfigs(t *testing.T) {
	skipIfInstrumented(t)
	input := map[string][]byte{}
	for name, open := range map[string]string{
		"maps": "\x81\xa0", "maps by nil": "\x81\xc0", "maps by nil and str": "\x82\xc0\xc0\xa0", "maps by str and nil": "\x82\xa0\xc0\xc0", "arrays": "\x91",
		"maps by int": "\x81\x01", "maps by nil and int": "\x82\xc0\xc0\x01", "maps by int 8": "\x81\xd0\x01",
	} {
		input["nested "+name] = times(10, strings.Repeat(open, 500)+"\xc0")
		input["many "+name] = times(2000, open+"\xc0")
	}
	for name, n := range map[string]int{"no keys": 0, "15 keys": 15, "16 keys": 16, "17 keys": 17, "29 keys": 29, "57 keys": 57, "113 keys": 113, "127 keys": 127, "160 keys": 160} {
		open := distinctKeys(n)
		if n == 0 {
			input["many of "+name] = times(50, open)
			continue
		}
		input["many of "+name] = times(50, open+"\xc0")
		input["one of "+name] = []byte(open + "\xc0")
		input["nested "+name] = []byte(strings.Repeat(open, 100) + "\xc0")
	}
	for name, element := range map[string]string{"ints": "\x01", "uint 64": "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "float 32": "\xca\x3f\xc0\x00\x00", "strings": "\xa1a", "empty strings": "\xa0", "times": "\xd6\xff\x00\x00\x00\x00", "exts": "\xd4\x01\x00"} {
		input[name] = times(2000, element)
	}
	for name, config := range map[string]msgpack.Options{
		"zero":          {},
		"duplicates":    {RejectDuplicates: true},
		"limits":        {MaxElements: 1 << 30, MaxBytes: 1 << 30, MaxTotal: 1 << 30, RejectInvalidUTF8: true},
		"aliased":       {AliasInput: true},
		"map[any]any":   {AnyMap: msgpack.AnyMapAny},
		"pairs":         {AnyMap: msgpack.AnyMapPairs},
		"formats":       {AnyNumber: msgpack.AnyNumberFormat},
		"as written":    {AnyNumber: msgpack.AnyNumberRaw},
		"string keys":   {AnyStringKeys: true},
		"text as bytes": {Compat: msgpack.Compat{AnyText: msgpack.AnyTextBytes}},
		"text":          {Compat: msgpack.Compat{AnyText: msgpack.AnyTextString}},
		"zone":          {Zone: time.FixedZone("", 3600)},
		"all":           {AnyMap: msgpack.AnyMapPairs, AnyNumber: msgpack.AnyNumberRaw, RejectDuplicates: true, AliasInput: true},
		"all but pairs": {AnyMap: msgpack.AnyMapAny, AnyNumber: msgpack.AnyNumberRaw, RejectDuplicates: true},
	} {
		c := newCodec(t, config)
		factor := uint64(anyFactor)
		if config.RejectDuplicates {
			factor += duplicateFactor
		}
		for what, data := range input {
			bound := factor*uint64(len(data)) + 16<<10
			var err error
			if used := allocated(func() { err = c.Unmarshal(data, new(any)) }); used > bound || err != nil {
				t.Errorf("%s: %s of %d bytes took %d, more than %d, %v", name, what, len(data), used, bound, err)
			}
			stream := bound + uint64(5*len(data)) + streamBase // a Decoder buffers the input, and copies what is aliased
			if used := allocated(func() { err = c.NewDecoder(hideLen(data)).Decode(new(any)) }); used > stream || err != nil {
				t.Errorf("%s: a Decoder of %s, %d bytes, took %d, more than %d, %v", name, what, len(data), used, stream, err)
			}
			check := bound - anyFactor*uint64(len(data))
			if used := allocated(func() { err = c.Valid(data) }); used > check || err != nil {
				t.Errorf("%s: Valid of %s, %d bytes, took %d, more than %d, %v", name, what, len(data), used, check, err)
			}
		}
	}
}
