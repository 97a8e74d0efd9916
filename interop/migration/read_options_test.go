package migration

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/octet-go/octet/msgpack"
	shamaton "github.com/shamaton/msgpack/v3"
	"github.com/tinylib/msgp/msgp"
	"github.com/ugorji/go/codec"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// readCaseOf returns the case with this name.
func readCaseOf(t *testing.T, name string) readCase {
	t.Helper()
	for _, c := range readCases {
		if c.name == name {
			return c
		}
	}
	t.Fatalf("unknown case %q", name)
	return readCase{}
}

func fromVmihailenco(set func(*vmihailenco.Decoder)) func([]byte, any) error {
	return func(data []byte, v any) error {
		d := vmihailenco.NewDecoder(bytes.NewReader(data))
		set(d)
		return d.Decode(v)
	}
}

func fromUgorji(set func(*codec.MsgpackHandle)) func([]byte, any) error {
	h := ugorjiHandle()
	set(h)
	return func(data []byte, v any) error { return codec.NewDecoderBytes(data, h).Decode(v) }
}

// TestReadOptions compares decoding options of the peers with the equivalent
// Options.
func TestReadOptions(t *testing.T) {
	for _, c := range []struct {
		name   string
		theirs func([]byte, any) error
		config msgpack.Options
		cases  []string
	}{
		{"shamaton UnmarshalAsArray", shamaton.UnmarshalAsArray, msgpack.Options{},
			[]string{"array into struct", "shorter array into struct", "longer array into struct"}},
		{"vmihailenco UseLooseInterfaceDecoding", fromVmihailenco(func(d *vmihailenco.Decoder) { d.UseLooseInterfaceDecoding(true) }), msgpack.Options{},
			[]string{"fixint into any", "negative fixint into any", "int 64 into any", "greatest uint 64 into any", "float 32 into any"}},
		{"vmihailenco DisallowUnknownFields", fromVmihailenco(func(d *vmihailenco.Decoder) { d.DisallowUnknownFields(true) }),
			msgpack.Options{RejectUnknown: true}, []string{"field", "unknown field", "field in another case"}},
		{"ugorji ErrorIfNoField", fromUgorji(func(h *codec.MsgpackHandle) { h.ErrorIfNoField = true }),
			msgpack.Options{RejectUnknown: true}, []string{"field", "unknown field", "field in another case"}},
		{"ugorji SignedInteger", fromUgorji(func(h *codec.MsgpackHandle) { h.SignedInteger = true }), msgpack.Options{},
			[]string{"fixint into any", "negative fixint into any", "uint 8 into any", "int 64 into any"}},
		{"ugorji MapType", fromUgorji(func(h *codec.MsgpackHandle) { h.MapType = reflect.TypeFor[map[string]any]() }), msgpack.Options{},
			[]string{"map into any"}},
		{"ugorji InterfaceReset", fromUgorji(func(h *codec.MsgpackHandle) { h.InterfaceReset = true }), msgpack.Options{},
			[]string{"into any that holds a value", "nil into any that holds a value"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			codec, err := msgpack.New(c.config)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range c.cases {
				r := readCaseOf(t, name)
				if theirs, ours := read(c.theirs, r), read(codec.Unmarshal, r); !alike(theirs, ours) {
					t.Errorf("%s: %s, octet %s", name, theirs, ours)
				}
			}
		})
	}
}

// TestQuery checks that all libraries find the same value in a message.
func TestQuery(t *testing.T) {
	data, err := msgpack.Marshal(map[string]any{"users": []any{map[string]any{"name": "Ada"}, map[string]any{"name": "Alan"}}, "n": 5})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := msgpack.Get(data, "users", 1, "name")
	if err != nil {
		t.Fatal(err)
	}
	found, err := vmihailenco.NewDecoder(bytes.NewReader(data)).Query("users.1.name")
	if err != nil || len(found) != 1 || string(raw) != "\xa4"+found[0].(string) {
		t.Errorf("octet finds % x, vmihailenco %v, %v", raw, found, err)
	}
	if raw, err = msgpack.Get(data, "n"); err != nil || !bytes.Equal(raw, msgp.Locate("n", data)) {
		t.Errorf("octet finds % x, %v, msgp % x", raw, err, msgp.Locate("n", data))
	}
}

// TestFlush checks that Octet's Encoder buffers messages that other libraries
// write immediately.
func TestFlush(t *testing.T) {
	var theirs, ours bytes.Buffer
	if err := vmihailenco.NewEncoder(&theirs).Encode(5); err != nil || theirs.Len() != 1 {
		t.Errorf("vmihailenco: %d bytes, %v", theirs.Len(), err)
	}
	e := msgpack.NewEncoder(&ours)
	if err := e.Encode(5); err != nil || ours.Len() != 0 {
		t.Errorf("octet before Flush: %d bytes, %v", ours.Len(), err)
	}
	if err := e.Flush(); err != nil || ours.Len() != 1 {
		t.Errorf("octet after Flush: %d bytes, %v", ours.Len(), err)
	}
}
