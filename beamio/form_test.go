package beamio

import (
	"bytes"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/octet-go/octet/msgpack"
)

// Base is embedded by types of the tests.
type Base struct{ A, B int }

// A tree contains itself.
type tree struct {
	Name     string
	Children []tree
	Parent   *tree
}

// TestForm requires the array form where it loses nothing.
func TestForm(t *testing.T) {
	type (
		plain struct {
			Name  string
			Left  *Base
			Pairs map[Base][]Base
			When  time.Time
			Big   *big.Int
		}
		promoted struct{ Base }
		listed   struct{ List []map[string]struct{ V any } }
		inline   struct {
			Rest map[string]int `msgpack:",inline"`
		}
		pointer  struct{ *Base }
		numbered struct {
			A int `msgpack:"1,keyasint"`
		}
		deep        struct{ N []numbered }
		unreachable struct {
			V any `msgpack:"-"`
		}
	)
	for _, test := range []struct {
		v    any
		want bool
	}{
		{plain{}, true}, {promoted{}, true}, {tree{}, true}, {unreachable{}, true}, {"", true}, {[]Base{}, true}, {map[string]Base{}, true},
		{listed{}, false}, {inline{}, false}, {pointer{}, false}, {numbered{}, false}, {deep{}, false}, {map[string]any{}, false},
	} {
		if got := fitsArray(reflect.TypeOf(test.v)); got != test.want {
			t.Errorf("%T: array form %v, want %v", test.v, got, test.want)
		}
	}
}

// A chosen has an interface that holds a struct, which needs its names.
type chosen struct {
	ID    int
	Value any
}

// A numbered has integer keys.
type numbered struct {
	ID   int64  `msgpack:"1,keyasint"`
	User string `msgpack:"2,keyasint"`
}

// A named has the fields of a visit and the map form.
type named struct {
	ID   int64             `msgpack:"id"`
	User string            `msgpack:"user"`
	Tags map[string]string `msgpack:"tags"`
}

// encoded returns what a worker sends for a value, without the length before it.
func encoded(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := beam.NewElementEncoder(reflect.TypeOf(v)).Encode(v, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()[1:]
}

// TestRegisteredForms requires the form that Register and RegisterMap say, and that a
// worker reads the other one.
func TestRegisteredForms(t *testing.T) {
	v := visit{1, "ada", map[string]string{"page": "/"}}
	asMap, err := msgpack.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	array := encoded(t, v)
	if want := []byte("\x93\x01\xa3ada\x81\xa4page\xa1/"); !bytes.Equal(array, want) {
		t.Errorf("Register: %x, want %x", array, want)
	}
	if got := encoded(t, named(v)); !bytes.Equal(got, asMap) {
		t.Errorf("RegisterMap: %x, want %x", got, asMap)
	}
	if got, want := encoded(t, numbered{1, "ada"}), []byte("\x82\x01\x01\x02\xa3ada"); !bytes.Equal(got, want) {
		t.Errorf("integer keys: %x, want %x", got, want)
	}
	// Each message is shorter than 128 bytes, so the length before it is a byte.
	for _, data := range [][]byte{array, asMap} {
		got, err := beam.NewElementDecoder(reflect.TypeFor[visit]()).Decode(bytes.NewReader(append([]byte{byte(len(data))}, data...)))
		if err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%x was decoded as %v, %v", data, got, err)
		}
	}
	c := chosen{1, map[string]any{"A": int64(2)}}
	data := encoded(t, chosen{1, Base{A: 2}})
	got, err := beam.NewElementDecoder(reflect.TypeFor[chosen]()).Decode(bytes.NewReader(append([]byte{byte(len(data))}, data...)))
	c.Value.(map[string]any)["B"] = int64(0)
	if err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("a struct in an interface was decoded as %v, %v, want %v", got, err, c)
	}
}

// TestUpdate decodes what an older program has encoded: docs/beam.md says what comes out.
func TestUpdate(t *testing.T) {
	type (
		old struct {
			User        string
			Page, Count int
		}
		added struct {
			User        string
			Page, Count int
			Agent       string
		}
		inserted struct {
			User               string
			Agent, Page, Count int
		}
		removed struct {
			User  string
			Count int
		}
		moved struct {
			User        string
			Count, Page int
		}
		renamed struct {
			User        string
			Path, Count int
		}
		changed struct {
			User  string
			Page  string
			Count int
		}
	)
	v := old{"ada", 1, 2}
	for _, test := range []struct {
		name           string
		array, asMap   any  // the values
		arrayOK, mapOK bool // without an error
	}{
		{"a field added at the end", added{"ada", 1, 2, ""}, added{"ada", 1, 2, ""}, true, true},
		{"a field inserted", inserted{"ada", 1, 2, 0}, inserted{"ada", 0, 1, 2}, true, true},
		{"a field removed", removed{"ada", 1}, removed{"ada", 2}, true, true},
		{"fields exchanged", moved{"ada", 1, 2}, moved{"ada", 2, 1}, true, true},
		{"a field renamed", renamed{"ada", 1, 2}, renamed{"ada", 0, 2}, true, true},
		{"a type changed", nil, nil, false, false},
	} {
		for _, form := range []struct {
			array bool
			want  any
			ok    bool
		}{{true, test.array, test.arrayOK}, {false, test.asMap, test.mapOK}} {
			codec, err := msgpack.New(msgpack.Options{SortKeys: true, StructAsArray: form.array})
			if err != nil {
				t.Fatal(err)
			}
			data, err := codec.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			typ := reflect.TypeFor[changed]()
			if form.want != nil {
				typ = reflect.TypeOf(form.want)
			}
			got := reflect.New(typ)
			if err := codec.Unmarshal(data, got.Interface()); (err == nil) != form.ok {
				t.Errorf("%s, array %v: error %v", test.name, form.array, err)
			}
			if form.ok && !reflect.DeepEqual(got.Elem().Interface(), form.want) {
				t.Errorf("%s, array %v: %+v, want %+v", test.name, form.array, got.Elem(), form.want)
			}
		}
	}
}
