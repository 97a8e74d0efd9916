package migration

import (
	"bytes"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	shamaton "github.com/shamaton/msgpack/v3"
	"github.com/ugorji/go/codec"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// ours returns the Marshal method of a Codec.
func ours(t *testing.T, c msgpack.Options) func(any) ([]byte, error) {
	t.Helper()
	codec, err := msgpack.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return codec.Marshal
}

func withVmihailenco(set func(*vmihailenco.Encoder)) func(any) ([]byte, error) {
	return func(v any) ([]byte, error) {
		var b bytes.Buffer
		e := vmihailenco.NewEncoder(&b)
		set(e)
		err := e.Encode(v)
		return b.Bytes(), err
	}
}

func withUgorji(set func(*codec.MsgpackHandle)) func(any) ([]byte, error) {
	h := new(codec.MsgpackHandle)
	set(h)
	return func(v any) (b []byte, err error) {
		err = codec.NewEncoderBytes(&b, h).Encode(v)
		return b, err
	}
}

// fixed contains integers that show every rule for widths and signs.
var fixed = []any{
	5, 200, -200, int8(1), int16(300), int32(1), int64(1), int64(1 << 40), uint(1), uint8(200), uint16(1), uint32(1), uint64(1 << 63), time.Second,
	[]int64{1, 300, -300}, map[string]int64{"a": 1},
}

// TestOptions compares options of the peers with the equivalent Options.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name   string
		theirs func(any) ([]byte, error)
		config msgpack.Options
		values []any
	}{
		{"shamaton MarshalAsArray", shamaton.MarshalAsArray, msgpack.Options{StructAsArray: true},
			[]any{point{1, 2}, holder{point{3, 4}}, []point{{5, 6}}, shadower{Base{1}, "i"}}},
		{"vmihailenco UseArrayEncodedStructs", withVmihailenco(func(e *vmihailenco.Encoder) { e.UseArrayEncodedStructs(true) }),
			msgpack.Options{StructAsArray: true}, []any{point{1, 2}, holder{point{3, 4}}, []point{{5, 6}}, embedder{Base{1}, "n"}}},
		{"vmihailenco UseCompactInts", withVmihailenco(func(e *vmihailenco.Encoder) { e.UseCompactInts(true) }), msgpack.Options{}, fixed},
		{"vmihailenco SetSortMapKeys", withVmihailenco(func(e *vmihailenco.Encoder) { e.SetSortMapKeys(true) }), msgpack.Options{SortKeys: true},
			[]any{map[string]string{"b": "x", "a": "y", "ab": "z"}, map[string]any{"b": 1, "a": nil}}},
		{"vmihailenco SetCustomStructTag", withVmihailenco(func(e *vmihailenco.Encoder) { e.SetCustomStructTag("json") }),
			msgpack.Options{TagKeys: []string{"msgpack", "json"}}, []any{jsonTagged{1}}},
		{"vmihailenco SetOmitEmpty", withVmihailenco(func(e *vmihailenco.Encoder) { e.SetOmitEmpty(true) }), msgpack.Options{OmitEmpty: true},
			[]any{point{0, 2}, point{}, holder{}}},
		{"ugorji StructToArray", withUgorji(func(h *codec.MsgpackHandle) { h.StructToArray = true }), msgpack.Options{StructAsArray: true},
			[]any{point{1, 2}, holder{point{3, 4}}, []point{{5, 6}}, embedder{Base{1}, "n"}}},
		{"ugorji PositiveIntUnsigned", withUgorji(func(h *codec.MsgpackHandle) { h.WriteExt, h.PositiveIntUnsigned = true, true }), msgpack.Options{}, fixed},
		{"ugorji Canonical", withUgorji(func(h *codec.MsgpackHandle) { h.Canonical = true }), msgpack.Options{SortKeys: true},
			[]any{map[string]string{"b": "x", "a": "y", "ab": "z"}, map[int]bool{3: true, -1: false, 2: true}}},
		{"ugorji NilCollectionToZeroLength", withUgorji(func(h *codec.MsgpackHandle) { h.NilCollectionToZeroLength = true }),
			msgpack.Options{NilSliceAsEmpty: true, NilMapAsEmpty: true}, []any{[]int(nil), map[string]int(nil)}},
		{"ugorji without WriteExt", withUgorji(func(*codec.MsgpackHandle) {}), msgpack.Options{Compat: msgpack.Compat{OldFormats: true}},
			[]any{[]byte{1, 2}, []byte(nil), [2]byte{3, 4}, "text", string(make([]byte, 32)), octave(1)}},
		{"ugorji without PositiveIntUnsigned", withUgorji(func(h *codec.MsgpackHandle) { h.WriteExt = true }), msgpack.Options{Compat: msgpack.Compat{SignedInts: true}}, fixed},
		{"vmihailenco without UseCompactInts", vmihailenco.Marshal, msgpack.Options{Compat: msgpack.Compat{MixedInts: true}}, fixed},
	} {
		t.Run(c.name, func(t *testing.T) {
			marshal := ours(t, c.config)
			for _, v := range c.values {
				want, err := c.theirs(v)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := marshal(v); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%#v: got % x, %v, want % x", v, got, err, want)
				}
			}
		})
	}
}

// TestWithoutEquivalent checks options that have no equivalent in Octet, according to
// the migration guides.
func TestWithoutEquivalent(t *testing.T) {
	for _, c := range []struct {
		name   string
		theirs func(any) ([]byte, error)
		config msgpack.Options
		value  any
		want   string // encoding of the peer
		ours   string
	}{
		{"vmihailenco UseCompactFloats: integral floats", withVmihailenco(func(e *vmihailenco.Encoder) { e.UseCompactFloats(true) }), msgpack.Options{NarrowFloats: true},
			2.0, "02", "ca 40 00 00 00"},
		{"vmihailenco UseInternedStrings", withVmihailenco(func(e *vmihailenco.Encoder) { e.UseInternedStrings(true) }), msgpack.Options{},
			[]string{"text", "text"}, "92 a4 74 65 78 74 d4 80 00", "92 a4 74 65 78 74 a4 74 65 78 74"},
		{"ugorji without WriteExt: times", withUgorji(func(*codec.MsgpackHandle) {}), msgpack.Options{}, time.Unix(1, 0), "a4 00 00 00 01", "d6 ff 00 00 00 01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			theirs, err := c.theirs(c.value)
			if err != nil || !bytes.Equal(theirs, unhex(c.want)) {
				t.Errorf("theirs: % x, %v", theirs, err)
			}
			got, err := ours(t, c.config)(c.value)
			if err != nil || !bytes.Equal(got, unhex(c.ours)) {
				t.Errorf("ours: % x, %v", got, err)
			}
		})
	}
}
