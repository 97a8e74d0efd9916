package layout

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestRandom encodes random values of random types, decodes them and encodes them
// again, which must give the same bytes. Decoding changed bytes must not report that
// the declaration is wrong.
func TestRandom(t *testing.T) {
	types, values, none := 500, 0, 0
	if testing.Short() {
		types = 50
	}
	for seed := range uint64(types) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := RandomConfig(reflect.TypeFor[unknown]())
		typ := RandomType(r)
		if err := c.Validate(typ); err != nil {
			t.Fatalf("seed %d: %v: %v", seed, typ, err)
		}
		v, ok := c.RandomValue(r, typ)
		if !ok {
			none++
			continue
		}
		values++
		data, err := c.Marshal(v.Interface())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		back := reflect.New(typ)
		if err := c.Unmarshal(data, back.Interface()); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		again, err := c.Marshal(back.Elem().Interface())
		if err != nil || string(again) != string(data) {
			t.Fatalf("seed %d: %v\n%+v\n% x\n%+v\n% x, %v", seed, typ, v, data, back.Elem(), again, err)
		}
		for range 20 {
			broken := append([]byte{}, data...)
			if len(broken) > 0 {
				broken[r.IntN(len(broken))] ^= byte(1 + r.IntN(255))
			}
			if err := c.Unmarshal(broken[:r.IntN(len(broken)+1)], reflect.New(typ).Interface()); errors.Is(err, ErrTag) {
				t.Fatalf("seed %d: %v: %v", seed, typ, err)
			}
		}
	}
	t.Logf("%d types, %d values, %d types without a value", types, values, none)
	if none > types/20 {
		t.Errorf("%d of %d types without a value", none, types)
	}
}
