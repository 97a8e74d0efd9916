package msgpack_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// handGenerated has functions as octet-gen writes them, which count their calls. Append leaves negative values to the
// plan, and Decode everything but the integer 7.
type handGenerated struct {
	N int `msgpack:"n"`
}

var appended, decoded int

func (*handGenerated) OctetMsgpack() msgpack.Generated[handGenerated] {
	return msgpack.Generated[handGenerated]{
		Fingerprint: handFingerprint,
		Replaces:    true,
		Append: func(dst []byte, v *handGenerated, depth int) ([]byte, bool) {
			appended++
			if depth < 1 || v.N < 0 {
				return append(dst, "garbage"...), false
			}
			return wire.AppendInt(append(dst, "\x81\xa1n"...), int64(v.N)), true
		},
		Decode: func(in *msgpack.Input, pos int, v *handGenerated, depth int) int {
			decoded++
			if depth < 1 || !bytes.HasPrefix(in.Bytes()[pos:], []byte("\x81\xa1n\x07")) {
				return -1
			}
			v.N = 7
			return pos + 4
		},
	}
}

// handFingerprint is that of handGenerated.
const handFingerprint = "9645403ed9e8bfcd"

// calls runs f and returns how often the functions of handGenerated were called.
func calls(f func()) (appends, decodes int) {
	appended, decoded = 0, 0
	f()
	return appended, decoded
}

// TestGeneratedIsUsed checks that everything that encodes and decodes a type calls its functions, and that Options
// that change the form do not.
func TestGeneratedIsUsed(t *testing.T) {
	v := handGenerated{7}
	data := []byte("\x81\xa1n\x07")
	typed, err := msgpack.For[handGenerated](nil)
	if err != nil {
		t.Fatal(err)
	}
	codec := func(o msgpack.Options) *msgpack.Codec {
		c, err := msgpack.New(o)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	var target handGenerated
	var list []handGenerated
	used := map[string]func() error{
		"Marshal":         func() error { _, err := msgpack.Marshal(v); return err },
		"Marshal pointer": func() error { _, err := msgpack.Marshal(&v); return err },
		"MarshalAppend":   func() error { _, err := msgpack.MarshalAppend(make([]byte, 0, 9), &v); return err },
		"Typed.Append":    func() error { _, err := typed.Append(nil, &v); return err },
		"Encoder":         func() error { return msgpack.NewEncoder(new(bytes.Buffer)).Encode(v) },
		"element":         func() error { _, err := msgpack.Marshal([]handGenerated{v}); return err },
		"field":           func() error { _, err := msgpack.Marshal(struct{ V handGenerated }{v}); return err },
		"target":          func() error { _, err := msgpack.Marshal(struct{ V *handGenerated }{&v}); return err },
		"map":             func() error { _, err := msgpack.Marshal(map[int]handGenerated{1: v}); return err },
		"any":             func() error { _, err := msgpack.Marshal([]any{v}); return err },
		"limits":          func() error { _, err := codec(msgpack.Options{MaxDepth: 9, MaxBytes: 9}).Marshal(v); return err },
		"Unmarshal":       func() error { return msgpack.Unmarshal(data, &target) },
		"Typed.Unmarshal": func() error { return typed.Unmarshal(data, &target) },
		"Decoder":         func() error { return msgpack.NewDecoder(bytes.NewReader(data)).Decode(&target) },
		"decoded element": func() error { return msgpack.Unmarshal([]byte("\x91\x81\xa1n\x07"), &list) },
		"again":           func() error { return msgpack.Unmarshal([]byte("\x91\x81\xa1n\x07"), &list) },
		"unknown":         func() error { return codec(msgpack.Options{RejectUnknown: true}).Unmarshal(data, &target) },
	}
	for name, f := range used {
		appends, decodes := calls(func() {
			if err := f(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		if appends+decodes != 1 {
			t.Errorf("%s: %d calls, want 1", name, appends+decodes)
		}
	}
	for name, o := range map[string]msgpack.Options{
		"array": {StructAsArray: true}, "typed": {TypedInts: true}, "naming": {Naming: msgpack.SnakeCase}, "omit": {OmitZero: true},
	} {
		appends, decodes := calls(func() {
			if err := errors.Join(func() error { _, err := codec(o).Marshal(v); return err }(), codec(o).Unmarshal(data, &target)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		if appends+decodes != 0 {
			t.Errorf("%s: the generated code was used", name)
		}
	}
}

// TestGeneratedLeaves checks that the plan encodes and decodes what the functions leave, as if it were alone.
func TestGeneratedLeaves(t *testing.T) {
	if got, err := msgpack.Marshal([]handGenerated{{-1}, {1}}); err != nil || string(got) != "\x92\x81\xa1n\xff\x81\xa1n\x01" {
		t.Errorf("got % x, %v", got, err)
	}
	prefix := []byte("prefix")
	if got, err := msgpack.MarshalAppend(prefix, handGenerated{-1}); err != nil || string(got) != "prefix\x81\xa1n\xff" {
		t.Errorf("got %q, %v", got, err)
	}
	var got []handGenerated
	if err := msgpack.Unmarshal([]byte("\x92\x81\xa1n\x08\x82\xa1x\x01\xa1n\x07"), &got); err != nil || len(got) != 2 || got[0].N != 8 || got[1].N != 7 {
		t.Errorf("got %v, %v", got, err)
	}
	err := msgpack.Unmarshal([]byte("\x91\x81\xa1n\xa1x"), &got)
	if want := "msgpack: unmarshal [0].N at offset 4: found fixstr of 1 byte, want int: value does not fit the Go type"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestGeneratedIsNotTriedInVain checks that a sender whose values the functions always leave costs few calls.
func TestGeneratedIsNotTriedInVain(t *testing.T) {
	c, err := msgpack.New(msgpack.Options{MaxDepth: 100}) // with plans of its own, because they count
	if err != nil {
		t.Fatal(err)
	}
	var target handGenerated
	decode := func(data string, n int) int {
		_, decodes := calls(func() {
			for range n {
				if err := c.Unmarshal([]byte(data), &target); err != nil {
					t.Fatal(err)
				}
			}
		})
		return decodes
	}
	if n := decode("\x81\xa1n\x08", 10000); n < 64 || n > 1000 {
		t.Errorf("%d calls for 10000 values of another form", n)
	}
	if n := decode("\x81\xa1n\x07", 10000); n < 9000 {
		t.Errorf("%d calls for 10000 values of the usual form after that", n)
	}
}

type (
	promoted struct {
		handGenerated
		More int
	}
	promotedPointer struct {
		*handGenerated
		More int
	}
	stale struct {
		M int `msgpack:"m"`
	}
	withMethods struct{ handGenerated }
)

func (*stale) OctetMsgpack() msgpack.Generated[stale] {
	return msgpack.Generated[stale]{Fingerprint: "of another form", Append: func(dst []byte, _ *stale, _ int) ([]byte, bool) { return dst, true }}
}

func (withMethods) MarshalMsgpack() ([]byte, error) { return []byte{5}, nil }

// TestGeneratedIsNotPromoted checks that a type that embeds one with generated code keeps its other fields.
func TestGeneratedIsNotPromoted(t *testing.T) {
	for _, v := range []any{promoted{handGenerated{1}, 2}, promotedPointer{&handGenerated{1}, 2}} {
		if got, err := msgpack.Marshal(v); err != nil || string(got) != "\x82\xa1n\x01\xa4More\x02" {
			t.Errorf("%T: got % x, %v", v, got, err)
		}
	}
	if got, err := msgpack.Marshal(promotedPointer{nil, 2}); err != nil || string(got) != "\x81\xa4More\x02" {
		t.Errorf("got % x, %v", got, err)
	}
	if got, err := msgpack.Marshal(withMethods{}); err != nil || string(got) != "\x05" {
		t.Errorf("a method written by hand: got % x, %v", got, err)
	}
}

// TestGeneratedForOtherTags checks that functions that were written for other tags are not used.
func TestGeneratedForOtherTags(t *testing.T) {
	if got, err := msgpack.Marshal([]stale{{3}}); err != nil || string(got) != "\x91\x81\xa1m\x03" {
		t.Errorf("got % x, %v", got, err)
	}
}

// TestGeneratedAllocations checks that generated code keeps the promises about allocations.
func TestGeneratedAllocations(t *testing.T) {
	skipIfInstrumented(t)
	v, buf := handGenerated{7}, make([]byte, 0, 16)
	data := []byte("\x81\xa1n\x07")
	for name, f := range map[string]func(){
		"MarshalAppend": func() { buf, _ = msgpack.MarshalAppend(buf[:0], &v) },
		"Unmarshal":     func() { _ = msgpack.Unmarshal(data, &v) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
