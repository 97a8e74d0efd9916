package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/internal/reference"
	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// ref is the reference implementation, the oracle of the tests.
var ref = reference.MessagePack{Raw: reflect.TypeFor[msgpack.Raw](), Ext: reflect.TypeFor[msgpack.Ext]()}

// leaves are the types of this package that random types can contain.
var leaves = []randtype.Leaf{
	randtype.LeafOf(func(r *randtype.Rand) msgpack.Raw {
		raws := []string{"", "\xc0", "\x01", "\x92\x01\xa1a", "\x81\xa0\x90", "\xd9\x01a", "\xd6\xff\x00\x00\x00\x01"}
		return msgpack.Raw(raws[r.Below(len(raws))])
	}),
	randtype.LeafOf(func(r *randtype.Rand) msgpack.Ext {
		return msgpack.Ext{Type: int8(r.Below(128)), Data: r.Bytes()}
	}),
	randtype.LeafOf(func(r *randtype.Rand) appenderP { return appenderP{byte(r.Below(200))} }),
	randtype.LeafOf(func(r *randtype.Rand) wordList { return wordList{"a", string(r.Bytes())} }),
	randtype.LeafOf(func(r *randtype.Rand) binaryAndText { return binaryAndText{} }),
}

// A sample is a message and the type of the value that it encodes.
type sample struct {
	name string
	typ  reflect.Type
	data []byte
}

// corpus returns a message for every conversion in every place, and for some random
// types.
var corpus = sync.OnceValue(func() (samples []sample) {
	seen := map[string]bool{}
	add := func(name string, typ reflect.Type, data []byte) {
		if id := typ.String() + string(data); len(data) <= 600 && !seen[id] {
			seen[id] = true
			samples = append(samples, sample{name, typ, data})
		}
	}
	all := append(append(append([]conversion(nil), conversions...), decodings...), ownConversions...)
	for _, c := range all {
		for _, p := range places {
			typ := reflect.TypeOf(c.value)
			if !p.decodes(typ, c.bytes) {
				continue
			}
			var data []byte
			if _, err := fmt.Sscanf(strings.ReplaceAll(p.message(c.bytes), " ", ""), "%x", &data); err == nil {
				add(c.name+" in "+p.name, p.typ(typ), data)
			}
		}
	}
	for seed := range uint64(400) {
		r := randtype.FromSeed(seed, leaves...)
		typ := r.Type()
		data, err := ref.Marshal(r.Value(typ).Interface())
		// A key of type any can be encoded, but not every one can be decoded.
		if err == nil && ref.Unmarshal(data, reflect.New(typ).Interface()) == nil {
			add(fmt.Sprint("seed ", seed), typ, data)
		}
	}
	return samples
})

// TestCorpus checks that the corpus, on which other tests build, has many messages
// and that all of them are valid.
func TestCorpus(t *testing.T) {
	if n := len(corpus()); n < 2000 {
		t.Errorf("only %d messages", n)
	}
	codec := newCodec(t, msgpack.Options{}) // its plans go away with it, unlike those of the default one
	for _, s := range corpus() {
		if err := codec.Unmarshal(s.data, reflect.New(s.typ).Interface()); err != nil {
			t.Errorf("%s: % x: %v", s.name, s.data, err)
		}
		if err := msgpack.Valid(s.data); err != nil {
			t.Errorf("%s: % x: %v", s.name, s.data, err)
		}
	}
}

// TestTruncated decodes every proper prefix of every message.
func TestTruncated(t *testing.T) {
	for i, s := range corpus() {
		if reduced() && i%8 != 0 {
			continue
		}
		for n := range s.data {
			prefix := bytes.Clone(s.data[:n])
			check := func(how string, err error) {
				t.Helper()
				var e *msgpack.Error
				if !errors.As(err, &e) || !errors.Is(err, msgpack.ErrTruncated) || int(e.Offset) > n {
					t.Errorf("%s, %s: % x: %v", s.name, how, prefix, err)
				}
			}
			check("typed", msgpack.Unmarshal(prefix, reflect.New(s.typ).Interface()))
			var raw msgpack.Raw
			check("Raw", msgpack.Unmarshal(prefix, &raw))
			check("Valid", msgpack.Valid(prefix))
			var a any
			if err := msgpack.Unmarshal(prefix, &a); !errors.Is(err, msgpack.ErrUnhashable) {
				check("any", err)
			}
			if t.Failed() {
				return
			}
		}
	}
}

// allocated returns the number of bytes that f allocates.
func allocated(f func()) uint64 { return heaptest.Allocated(f) }

// oneProcessor lets a test that measures often run on one processor. Measuring
// stops all processors, and waking the others takes longer than most calls that are
// measured.
func oneProcessor(t *testing.T) {
	n := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(n) })
}

// TestMutated replaces bytes of many messages by every other byte.
func TestMutated(t *testing.T) {
	const maxLength = 64 // of most messages, because the time grows with the square of the length
	step := 1
	if reduced() {
		step = 23
	}
	count, messages := 0, 0
	for i, s := range corpus() {
		if len(s.data) > 256 || len(s.data) > maxLength && i%50 != 0 || i%9 != 0 {
			continue
		}
		messages++
		for at := range s.data {
			data := bytes.Clone(s.data)
			used := allocated(func() {
				for b := 1; b < 256; b += step {
					data[at] = s.data[at] ^ byte(b)
					checkMutant(t, s.typ, data)
					count++
				}
			})
			// If one mutant allocated memory for a false count, the sum for all
			// mutants would exceed this bound.
			if used > 8<<20 {
				t.Errorf("%s: byte %d of % x: %d bytes allocated", s.name, at, s.data, used)
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d mutants of %d messages", count, messages)
	if messages < 200 {
		t.Errorf("only %d messages", messages)
	}
}

// checkMutant decodes data into a value of the type and into an any. If data is
// accepted, encoding the result again must give stable bytes.
func checkMutant(t *testing.T, typ reflect.Type, data []byte) {
	valid := msgpack.Valid(data)
	for _, target := range []reflect.Type{typ, reflect.TypeFor[any]()} {
		v := reflect.New(target)
		if err := msgpack.Unmarshal(data, v.Interface()); err != nil {
			continue
		}
		if valid != nil {
			t.Errorf("% x into %v is accepted but not valid: %v", data, target, valid)
		}
		first, err := msgpack.Marshal(v.Interface())
		if errors.Is(err, msgpack.ErrUnsupported) {
			continue // a field that is missing in the input has a value that cannot be encoded
		}
		if err != nil {
			t.Errorf("% x into %v, and back: %v", data, target, err)
			continue
		}
		v = reflect.New(target)
		if err := msgpack.Unmarshal(first, v.Interface()); err != nil {
			t.Errorf("% x into %v, back and again: %v", data, target, err)
			continue
		}
		second, err := msgpack.Marshal(v.Interface())
		if err != nil || !bytes.Equal(first, second) && sorted(t, first) != sorted(t, second) {
			t.Errorf("% x into %v: first % x, then % x, %v", data, target, first, second, err)
		}
	}
}

// sorted returns the message with the entries of its maps in sorted order.
func sorted(t *testing.T, data []byte) string {
	b, err := ref.SortMaps(data)
	if err != nil {
		t.Errorf("% x: %v", data, err)
	}
	return string(b)
}
