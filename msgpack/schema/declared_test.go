package schema_test

import (
	"database/sql"
	"encoding/json"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// Declared types, as programs have them and reflection does not make them.
type (
	inner struct {
		ID   int32
		Name string
	}
	Exported struct {
		ID   int32
		Note string
	}
	embedsValue struct {
		inner
		Extra bool
	}
	embedsPointer struct {
		*Exported
		Extra bool
	}
	embedsHidden struct {
		*inner
		Extra bool
	}
	shadows struct {
		inner
		Name int8
	}
	flat struct {
		ID    int32
		Name  string
		Extra bool
	}
	box[T any]                struct{ Value T }
	pair[K comparable, V any] struct {
		Key K
		Val V
		Map map[K]V
	}
	nested   map[string]map[string]inner
	loop     struct{ Next *loop }
	loopList struct{ Next []loopList }
	loopMap  map[string]loopMap
	text     string
	octets   []byte
	numbered struct {
		A int32  `msgpack:"+1,keyasint"`
		B string `msgpack:"2,keyasint"`
	}
	numberedMore struct {
		A int32   `msgpack:"1,keyasint"`
		B string  `msgpack:"2,keyasint"`
		C *string `msgpack:"3,keyasint"`
	}
	rawHolder  struct{ Value json.RawMessage }
	anyHolder  struct{ Value any }
	timeHolder struct{ Value time.Time }
	durHolder  struct{ Value time.Duration }
	addrHolder struct {
		Value netip.Addr
		ByIP  map[netip.Addr]int8
	}
	ipHolder    struct{ Value net.IP }
	bigHolder   struct{ Value *big.Int }
	urlHolder   struct{ Value *url.URL }
	nullHolder  struct{ Value sql.Null[int32] }
	numHolder   struct{ Value json.Number }
	shapeHolder struct{ Value shape }
	pairsHolder struct{ Value msgpack.Pairs }
	arrHolder   struct {
		_     struct{} `msgpack:",as_array"`
		Value int32
		Inner inner
	}
	setHolder struct {
		Value map[string]struct{} `msgpack:",set"`
	}
)

// TestCompareDeclared compares each declared type with each other one, and sees what a
// program with one of them does with messages of the other. None has a worse effect than
// Compare says.
func TestCompareDeclared(t *testing.T) {
	codec := newCodec(t, msgpack.Options{Types: unions})
	extra := append([]randtype.Leaf{
		randtype.LeafOf(func(r *randtype.Rand) netip.Addr {
			return []netip.Addr{{}, netip.IPv6Loopback(), netip.MustParseAddr("1.2.3.4")}[r.Below(3)]
		}),
		leafOf(func(r *randtype.Rand) *big.Int { return []*big.Int{nil, big.NewInt(5), big.NewInt(-1)}[r.Below(3)] }),
		leafOf(func(r *randtype.Rand) *url.URL { return []*url.URL{nil, {Host: "a", Scheme: "http"}}[r.Below(2)] }),
		randtype.LeafOf(func(r *randtype.Rand) json.Number { return []json.Number{"1", "2.5"}[r.Below(2)] }),
	}, leaves...)
	types := []reflect.Type{
		reflect.TypeFor[inner](), reflect.TypeFor[embedsValue](), reflect.TypeFor[embedsPointer](), reflect.TypeFor[embedsHidden](), reflect.TypeFor[shadows](),
		reflect.TypeFor[flat](), reflect.TypeFor[box[int64]](), reflect.TypeFor[box[string]](), reflect.TypeFor[box[*int32]](), reflect.TypeFor[box[inner]](), reflect.TypeFor[box[[]inner]](),
		reflect.TypeFor[pair[string, int8]](), reflect.TypeFor[pair[int16, any]](), reflect.TypeFor[nested](), reflect.TypeFor[loop](), reflect.TypeFor[loopList](), reflect.TypeFor[loopMap](),
		reflect.TypeFor[text](), reflect.TypeFor[octets](), reflect.TypeFor[numbered](), reflect.TypeFor[numberedMore](), reflect.TypeFor[rawHolder](),
		reflect.TypeFor[anyHolder](), reflect.TypeFor[timeHolder](), reflect.TypeFor[durHolder](), reflect.TypeFor[addrHolder](), reflect.TypeFor[ipHolder](), reflect.TypeFor[bigHolder](),
		reflect.TypeFor[urlHolder](), reflect.TypeFor[nullHolder](), reflect.TypeFor[numHolder](), reflect.TypeFor[shapeHolder](), reflect.TypeFor[pairsHolder](), reflect.TypeFor[arrHolder](), reflect.TypeFor[setHolder](),
		reflect.TypeFor[map[time.Time]int8](), reflect.TypeFor[map[[2]byte]inner](), reflect.TypeFor[map[text]inner](), reflect.TypeFor[[]*inner](), reflect.TypeFor[[2]any](), reflect.TypeFor[any](),
	}
	programs := make([]program, len(types))
	for i, typ := range types {
		programs[i] = program{codec, typ, schemaOf(t, typ, codec)}
		parsed, err := schema.Parse(programs[i].schema.Compact())
		if err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		if changes := schema.Compare(parsed, programs[i].schema); len(changes) > 0 {
			t.Errorf("%v differs from what is read back: %v", typ, changes)
		}
	}
	seen := map[schema.Effect]int{}
	for i, old := range programs {
		for j, new := range programs {
			changes, want := schema.Compare(old.schema, new.schema), schema.Nothing
			for _, c := range changes {
				want = max(want, shown(c.NewReader))
			}
			g := generator{randtype.FromSeed(uint64(i*len(programs)+j), extra...)}
			for range 10 {
				message, err := codec.Marshal(g.value(old.typ).Addr().Interface())
				if err != nil || codec.Unmarshal(message, reflect.New(old.typ).Interface()) != nil {
					continue // Compare is about messages that their own program can read
				}
				e, why := observe(t, old, new, message)
				if seen[e]++; e > want {
					t.Errorf("%v read by %v: %v: %v, want at most %v: %s\nmessage %x", old.typ, new.typ, changes, e, want, why, message)
					break
				}
			}
		}
	}
	for _, e := range []schema.Effect{schema.Nothing, schema.Changes, schema.Loses, schema.Fails} {
		if seen[e] < 10 {
			t.Errorf("the effect %v was seen only %d times", e, seen[e])
		}
	}
}
