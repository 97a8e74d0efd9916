package msgpack

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestKeyTable looks up every key of tables of up to 70,000 keys, more than 16 bits
// can number, and keys that are not in them. The tables are made without structs,
// because the compiler takes too long for such large ones.
func TestKeyTable(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 100, 32767, 32768, 65535, 70000} {
		names := make([]string, n)
		for i := range n {
			names[i] = fmt.Sprint("Field", i)
		}
		var s fieldSet
		s.initKeys(names, false)
		find := func(name string, behind int) int {
			key := wire.AppendString(nil, name)
			d := &decoder{data: append(key, make([]byte, behind)...)}
			f, err := s.find(d)
			if err != nil || d.pos != len(key) {
				t.Fatalf("%d keys: %q: %v at %d", n, name, err, d.pos)
			}
			if f == nil {
				return -1
			}
			return s.index(f)
		}
		for i, name := range names {
			if got := find(name, i%10); got != i {
				t.Fatalf("%d keys: %q is found at %d", n, name, got)
			}
		}
		for i, name := range []string{"", "Field", "Field-1", "field0", fmt.Sprint("Field", n), "Field0Field0Field0Field0"} {
			if got := find(name, i); got != -1 {
				t.Errorf("%d keys: %q is found at %d", n, name, got)
			}
		}
	}
}

// TestFieldsInAnyOrder decodes single fields of structs that have too many fields
// for the slots of the key table. The fields share one variable.
func TestFieldsInAnyOrder(t *testing.T) {
	type flag struct{ On bool }
	for _, n := range []int{3, 32767, 32768, 70000} {
		s := typeplan.Struct{Type: reflect.TypeFor[flag]()}
		for i := range n {
			name := fmt.Sprint("Field", i)
			s.Fields = append(s.Fields, typeplan.Field{Name: name, GoName: name, Type: reflect.TypeFor[bool]()})
		}
		k := compiler{plans: &plans{policy: defaultPolicy}, begun: make(map[planKey]*plan)}
		decode := k.makeStructDecoder(&s).decode
		for _, i := range []int{0, 1, n / 2, n - 1} {
			data := wire.AppendBool(wire.AppendString(wire.AppendMapHeader(nil, 1), fmt.Sprint("Field", i)), true)
			var v flag
			if err := decode(&decoder{data: data, depth: 1, plans: k.plans}, mem.PtrTo(&v)); err != nil || !v.On {
				t.Errorf("%d fields: field %d is %v, %v", n, i, v.On, err)
			}
		}
	}
}

// TestLearnedOrder checks the order of keys that a field set expects: the order of
// the last message, and the declared order once it has changed too often.
func TestLearnedOrder(t *testing.T) {
	if !fast {
		t.Skip("only the fast loop learns the order")
	}
	names := []string{"a", "b", "c"}
	var s fieldSet
	s.initKeys(names, false)
	for i := range names {
		s.fields[i].get = getInt8
	}
	expected := func() (order string) {
		for f := s.sentinel.next.Load(); f != s.sentinel && len(order) < 9; f = f.next.Load() {
			order += names[s.index(f)]
		}
		return order
	}
	decode := func(order string) {
		d := &decoder{data: make([]byte, 0, 16)}
		for _, name := range order {
			d.data = append(d.data, 0xa1, byte(name), 1)
		}
		d.data = append(d.data, 0, 0) // a key is compared by loading eight bytes, which must be in the input
		var v int8
		if _, err := s.decode(d, s.sentinel, len(order), 0, mem.PtrTo(&v)); err != nil {
			t.Fatalf("%s: %v", order, err)
		}
	}
	if got := expected(); got != "abc" {
		t.Errorf("at first, %s is expected", got)
	}
	decode("cba")
	if got := expected(); got[:3] != "cba" {
		t.Errorf("after cba, %s is expected", got)
	}
	for range changesPerField * (len(names) + 1) {
		decode("bac")
		decode("cba")
	}
	if got := expected(); got != "abc" {
		t.Errorf("after many changes, %s is expected", got)
	}
	decode("cba")
	if got := expected(); got != "abc" || s.changes.Load() != 0 {
		t.Errorf("after the last change, %s is expected, %d changes remain", got, s.changes.Load())
	}
}
