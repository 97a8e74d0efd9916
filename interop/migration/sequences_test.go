package migration

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// An encodeCall is a method of vmihailenco's Encoder, and what the migration guide replaces it
// with. Both get the same numbers from r.
type encodeCall struct {
	name   string
	theirs func(e *vmihailenco.Encoder, r *rand.Rand) error
	ours   func(e *msgpack.Encoder, r *rand.Rand) error
}

var (
	someTexts = []string{"", "key", strings.Repeat("s", 31), strings.Repeat("t", 32), strings.Repeat("u", 256), "\xff"}
	someBytes = [][]byte{nil, {}, {1, 2}, make([]byte, 300)}
	someTimes = []time.Time{{}, time.Unix(0, 0), time.Unix(1<<33, 5), time.Unix(1<<35, 7), time.Unix(-5, 5)}
	someMaps  = []map[string]any{nil, {}, {"k": int8(1)}, {"k": []any{"v", nil, uint16(3)}}}
	someAny   = []any{nil, true, 1, int8(-1), uint64(7), "text", 1.5, float32(2), []byte{1}, []any{nil, int16(3)}, map[string]string{"a": "b"}, point{1, 2}, &point{3, 4}, time.Second, []string{"s"}, [2]int{1, 2}}
)

func one[T any](list []T, r *rand.Rand) T { return list[r.IntN(len(list))] }

// number returns integers of all lengths.
func number(r *rand.Rand) int64 { return int64(r.Uint64()) >> r.IntN(64) }

// encoded returns the call that the guide replaces with Encode.
func encoded[T any](name string, theirs func(*vmihailenco.Encoder, T) error, value func(*rand.Rand) T) encodeCall {
	return encodeCall{name,
		func(e *vmihailenco.Encoder, r *rand.Rand) error { return theirs(e, value(r)) },
		func(e *msgpack.Encoder, r *rand.Rand) error { return e.Encode(value(r)) }}
}

var encodeCalls = []encodeCall{
	encoded("Encode", (*vmihailenco.Encoder).Encode, func(r *rand.Rand) any { return one(someAny, r) }),
	encoded("EncodeInt8", (*vmihailenco.Encoder).EncodeInt8, func(r *rand.Rand) int8 { return int8(number(r)) }),
	encoded("EncodeInt16", (*vmihailenco.Encoder).EncodeInt16, func(r *rand.Rand) int16 { return int16(number(r)) }),
	encoded("EncodeInt32", (*vmihailenco.Encoder).EncodeInt32, func(r *rand.Rand) int32 { return int32(number(r)) }),
	encoded("EncodeInt64", (*vmihailenco.Encoder).EncodeInt64, number),
	encoded("EncodeUint8", (*vmihailenco.Encoder).EncodeUint8, func(r *rand.Rand) uint8 { return uint8(number(r)) }),
	encoded("EncodeUint16", (*vmihailenco.Encoder).EncodeUint16, func(r *rand.Rand) uint16 { return uint16(number(r)) }),
	encoded("EncodeUint32", (*vmihailenco.Encoder).EncodeUint32, func(r *rand.Rand) uint32 { return uint32(number(r)) }),
	encoded("EncodeUint64", (*vmihailenco.Encoder).EncodeUint64, func(r *rand.Rand) uint64 { return uint64(number(r)) }),
	encoded("EncodeFloat32", (*vmihailenco.Encoder).EncodeFloat32, func(r *rand.Rand) float32 { return float32(number(r)) / 4 }),
	encoded("EncodeBytes", (*vmihailenco.Encoder).EncodeBytes, func(r *rand.Rand) []byte { return one(someBytes, r) }),
	encoded("EncodeTime", (*vmihailenco.Encoder).EncodeTime, func(r *rand.Rand) time.Time { return one(someTimes, r) }),
	encoded("EncodeMap", (*vmihailenco.Encoder).EncodeMap, func(r *rand.Rand) map[string]any { return one(someMaps, r) }),
	{"EncodeNil", func(e *vmihailenco.Encoder, _ *rand.Rand) error { return e.EncodeNil() }, func(e *msgpack.Encoder, _ *rand.Rand) error { return e.WriteNil() }},
	{"EncodeBool", func(e *vmihailenco.Encoder, r *rand.Rand) error { return e.EncodeBool(r.IntN(2) == 0) }, func(e *msgpack.Encoder, r *rand.Rand) error { return e.WriteBool(r.IntN(2) == 0) }},
	{"EncodeInt", func(e *vmihailenco.Encoder, r *rand.Rand) error { return e.EncodeInt(number(r)) }, func(e *msgpack.Encoder, r *rand.Rand) error { return e.WriteInt(number(r)) }},
	{"EncodeUint", func(e *vmihailenco.Encoder, r *rand.Rand) error { return e.EncodeUint(uint64(number(r))) }, func(e *msgpack.Encoder, r *rand.Rand) error { return e.WriteUint(uint64(number(r))) }},
	{"EncodeFloat64", func(e *vmihailenco.Encoder, r *rand.Rand) error { return e.EncodeFloat64(float64(number(r)) / 4) }, func(e *msgpack.Encoder, r *rand.Rand) error { return e.WriteFloat(float64(number(r)) / 4) }},
	{"EncodeString", func(e *vmihailenco.Encoder, r *rand.Rand) error { return e.EncodeString(one(someTexts, r)) }, func(e *msgpack.Encoder, r *rand.Rand) error { return e.WriteString(one(someTexts, r)) }},
	{"EncodeDuration", func(e *vmihailenco.Encoder, r *rand.Rand) error { return e.EncodeDuration(time.Duration(number(r))) }, func(e *msgpack.Encoder, r *rand.Rand) error { return e.WriteInt(number(r)) }},
	{"EncodeValue", func(e *vmihailenco.Encoder, r *rand.Rand) error {
		return e.EncodeValue(reflect.ValueOf(one(someAny[1:], r)))
	}, func(e *msgpack.Encoder, r *rand.Rand) error { return e.Encode(one(someAny[1:], r)) }},
	{"EncodeMulti", func(e *vmihailenco.Encoder, r *rand.Rand) error { return e.EncodeMulti(one(someAny, r)) }, func(e *msgpack.Encoder, r *rand.Rand) error { return e.Encode(one(someAny, r)) }},
}

var keyCalls = []encodeCall{
	encoded("Encode", (*vmihailenco.Encoder).Encode, func(r *rand.Rand) any { return one(someTexts, r) }),
	encoded("Encode", (*vmihailenco.Encoder).Encode, func(r *rand.Rand) any { return number(r) }),
}

// encodeBoth makes one random call, with values inside of an array or map, and returns the names
// of all calls.
func encodeBoth(t *testing.T, theirs *vmihailenco.Encoder, ours *msgpack.Encoder, r *rand.Rand, depth int) string {
	t.Helper()
	check := func(err, err2 error, name string) string {
		if err != nil || err2 != nil {
			t.Fatalf("%s: the library %v, octet %v", name, err, err2)
		}
		return name
	}
	n := r.IntN(4)
	if n == 3 && r.IntN(8) == 0 {
		n = 20
	}
	name, values := "EncodeArrayLen", n
	call := func(c encodeCall) string {
		seed := r.Uint64()
		err := c.theirs(theirs, rand.New(rand.NewPCG(seed, 0)))
		return check(err, c.ours(ours, rand.New(rand.NewPCG(seed, 0))), c.name)
	}
	switch k := r.IntN(8); {
	case depth > 0 && k == 0:
		check(theirs.EncodeArrayLen(n), ours.WriteArrayHeader(uint32(n)), name)
	case depth > 0 && k == 1:
		name, values = "EncodeMapLen", 2*n
		check(theirs.EncodeMapLen(n), ours.WriteMapHeader(uint32(n)), name)
	default:
		return call(one(encodeCalls, r))
	}
	for i := range values {
		if values > n && i%2 == 0 { // a key; nil is an exception of the profile
			call(one(keyCalls, r))
			continue
		}
		name += " " + encodeBoth(t, theirs, ours, r, depth-1)
	}
	return name
}

// A decodeCall is a method of vmihailenco's Decoder, and what the migration guide replaces it
// with.
type decodeCall struct {
	name   string
	theirs func(*vmihailenco.Decoder) (any, error)
	ours   func(*msgpack.Decoder) (any, error)
}

// decoded returns the call that the guide replaces with Decode.
func decoded[T any](name string, theirs func(*vmihailenco.Decoder) (T, error)) decodeCall {
	return decodeCall{name, func(d *vmihailenco.Decoder) (any, error) { return theirs(d) }, func(d *msgpack.Decoder) (any, error) {
		var v T
		err := d.Decode(&v)
		return v, err
	}}
}

// decodeTimestamp is DecodeTime, which reads arrays and texts, too, as the migration guide says.
func decodeTimestamp(d *vmihailenco.Decoder) (time.Time, error) {
	if c, err := d.PeekCode(); err != nil || !msgpcode.IsExt(c) {
		return time.Time{}, errors.New("no ext")
	}
	return d.DecodeTime()
}

var decodeCalls = []decodeCall{
	decoded("DecodeBool", (*vmihailenco.Decoder).DecodeBool), decoded("DecodeInt", (*vmihailenco.Decoder).DecodeInt),
	decoded("DecodeInt8", (*vmihailenco.Decoder).DecodeInt8), decoded("DecodeInt16", (*vmihailenco.Decoder).DecodeInt16),
	decoded("DecodeInt32", (*vmihailenco.Decoder).DecodeInt32), decoded("DecodeInt64", (*vmihailenco.Decoder).DecodeInt64),
	decoded("DecodeUint", (*vmihailenco.Decoder).DecodeUint), decoded("DecodeUint8", (*vmihailenco.Decoder).DecodeUint8),
	decoded("DecodeUint16", (*vmihailenco.Decoder).DecodeUint16), decoded("DecodeUint32", (*vmihailenco.Decoder).DecodeUint32),
	decoded("DecodeUint64", (*vmihailenco.Decoder).DecodeUint64), decoded("DecodeFloat32", (*vmihailenco.Decoder).DecodeFloat32),
	decoded("DecodeFloat64", (*vmihailenco.Decoder).DecodeFloat64), decoded("DecodeString", (*vmihailenco.Decoder).DecodeString),
	decoded("DecodeBytes", (*vmihailenco.Decoder).DecodeBytes), decoded("DecodeTime", decodeTimestamp),
	decoded("DecodeDuration", (*vmihailenco.Decoder).DecodeDuration), decoded("DecodeInterface", (*vmihailenco.Decoder).DecodeInterface),
	decoded("DecodeMap", (*vmihailenco.Decoder).DecodeMap), decoded("DecodeUntypedMap", (*vmihailenco.Decoder).DecodeUntypedMap),
	decoded("DecodeSlice", (*vmihailenco.Decoder).DecodeSlice),
	{"DecodeNil", func(d *vmihailenco.Decoder) (any, error) { return nil, d.DecodeNil() }, func(d *msgpack.Decoder) (any, error) { return nil, d.ReadNil() }},
	{"DecodeRaw", func(d *vmihailenco.Decoder) (any, error) { b, err := d.DecodeRaw(); return []byte(b), err }, func(d *msgpack.Decoder) (any, error) { b, err := d.ReadRaw(); return []byte(b), err }},
	{"Skip", func(d *vmihailenco.Decoder) (any, error) { return nil, d.Skip() }, func(d *msgpack.Decoder) (any, error) { return nil, d.Skip() }},
	{"DecodeArrayLen", func(d *vmihailenco.Decoder) (any, error) { n, err := d.DecodeArrayLen(); return uint32(n), err }, func(d *msgpack.Decoder) (any, error) { return d.ReadArrayHeader() }},
	{"DecodeMapLen", func(d *vmihailenco.Decoder) (any, error) { n, err := d.DecodeMapLen(); return uint32(n), err }, func(d *msgpack.Decoder) (any, error) { return d.ReadMapHeader() }},
}

// TestCallSequences makes random calls of vmihailenco's Encoder and Decoder, one after the other,
// and what the migration guide replaces them with, on a stream that arrives in pieces. What the
// library reads, Octet reads, too.
func TestCallSequences(t *testing.T) {
	_, codec := profileOf(t, "Vmihailenco")
	calls, read := map[string]int{}, map[string]int{}
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var theirs, ours bytes.Buffer
		e, e2 := vmihailenco.NewEncoder(&theirs), codec.NewEncoder(&ours)
		e2.AutoFlush(true)
		for range 1 + r.IntN(6) {
			names := encodeBoth(t, e, e2, r, 2)
			for name := range strings.FieldsSeq(names) {
				calls[name]++
			}
			if !bytes.Equal(theirs.Bytes(), ours.Bytes()) {
				t.Fatalf("seed %d: %s\ngot  % x\nwant % x", seed, names, ours.Bytes(), theirs.Bytes())
			}
		}
		for range 20 {
			decodeBoth(t, codec, ours.Bytes(), r, read)
		}
	}
	for _, c := range encodeCalls {
		if calls[c.name] < 100 {
			t.Errorf("%d calls of %s", calls[c.name], c.name)
		}
	}
	for _, c := range decodeCalls {
		if read[c.name] < 100 {
			t.Errorf("%d calls of %s that read a value", read[c.name], c.name)
		}
	}
}

// decodeBoth makes random calls until one of the library fails.
func decodeBoth(t *testing.T, codec *msgpack.Codec, data []byte, r *rand.Rand, read map[string]int) {
	t.Helper()
	var in, in2 io.Reader = bytes.NewReader(data), bytes.NewReader(data)
	if r.IntN(2) == 0 {
		in, in2 = iotest.OneByteReader(in), iotest.OneByteReader(in2)
	}
	d, d2 := vmihailenco.NewDecoder(in), codec.NewDecoder(in2)
	names := ""
	for {
		c := one(decodeCalls, r)
		names += " " + c.name
		var want any
		_, err := catch(func() (_ []byte, err error) { want, err = c.theirs(d); return nil, err })
		if err != nil || want == uint32(1<<32-1) { // the length of nil, which is an error in Octet
			return
		}
		got, err := c.ours(d2)
		if err != nil {
			t.Fatalf("%s: %v, want %v of % x", names, err, want, data)
		}
		if diff := randtype.Diff(want, got); diff != "" {
			t.Fatalf("%s: %s of % x", names, diff, data)
		}
		read[c.name]++
	}
}
