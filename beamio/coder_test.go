package beamio

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"

	"github.com/octet-go/octet/msgpack"
)

// TestCoder encodes equal values with maps that were filled in different orders.
func TestCoder(t *testing.T) {
	enc, dec := beam.NewElementEncoder(reflect.TypeFor[group]()), beam.NewElementDecoder(reflect.TypeFor[group]())
	var first []byte
	for i := range 50 {
		g := group{Name: "n", Labels: map[string]string{}, Bits: map[int8]bool{}}
		for j := range 20 {
			k := (j*7 + i) % 20
			g.Labels[fmt.Sprint("label", k)] = fmt.Sprint(k)
			g.Bits[int8(k-10)] = k%3 == 0
		}
		var b bytes.Buffer
		if err := enc.Encode(g, &b); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = bytes.Clone(b.Bytes())
		}
		if !bytes.Equal(b.Bytes(), first) {
			t.Fatalf("equal values have other bytes:\n%x\n%x", b.Bytes(), first)
		}
		got, err := dec.Decode(&b)
		if err != nil || !reflect.DeepEqual(got, g) {
			t.Fatalf("decoded %+v, %v, want %+v", got, err, g)
		}
	}
	// Beam puts the length before the value.
	want := []byte("\x93\x01\xa3ada\xc0") // the fields without their names
	var b bytes.Buffer
	if err := beam.NewElementEncoder(reflect.TypeFor[visit]()).Encode(visit{ID: 1, User: "ada"}, &b); err != nil || !bytes.Equal(b.Bytes()[1:], want) {
		t.Errorf("encoded as %x, %v, want %x", b.Bytes(), err, want)
	}
	if !beam.NewCoder(typex.New(reflect.TypeFor[group]())).IsDeterministic() {
		t.Error("the coder is not deterministic for Beam")
	}
}

// TestCoderErrors requires errors of package msgpack.
func TestCoderErrors(t *testing.T) {
	var b bytes.Buffer
	err := beam.NewElementEncoder(reflect.TypeFor[untyped]()).Encode(untyped{make(chan int)}, &b)
	if !errors.Is(err, msgpack.ErrUnsupported) {
		t.Errorf("a channel: error %v", err)
	}
	_, err = beam.NewElementDecoder(reflect.TypeFor[visit]()).Decode(strings.NewReader("\x02\xc1\xc1"))
	if err == nil || !strings.Contains(err.Error(), "msgpack") {
		t.Errorf("invalid bytes: error %v", err)
	}
}

// TestRegisterPanics requires a panic for types that cannot be registered.
func TestRegisterPanics(t *testing.T) {
	type unsupported struct{ C chan int }
	for name, call := range map[string]func(){
		"not a named type":    Register[map[string]int],
		"an interface type":   Register[fmt.Stringer],
		"unsupported":         Register[unsupported],
		"without a call":      func() { Read[int8](beam.NewPipeline().Root(), "memfs://a", nil) },
		"SplitSize -1":        func() { Read[visit](beam.NewPipeline().Root(), "memfs://a", &Options{SplitSize: -1}) },
		"Shards 1000000":      func() { write0(Options{Shards: 1_000_000}) },
		"Metadata":            func() { write0(Options{Metadata: map[string]any{"a": make(chan int)}}) },
		"invalid option":      func() { write0(Options{BlockSize: 1}) },
		"size limit exceeded": func() { write0(Options{Metadata: map[string]any{"a": make([]byte, 1<<17)}}) },
	} {
		func() {
			defer func() {
				r := recover()
				if e := fmt.Sprint(r); !strings.Contains(e, name) {
					t.Errorf("%s: panic %v", name, e)
				}
				switch name {
				case "SplitSize -1", "Shards 1000000", "Metadata", "invalid option":
					if err, ok := r.(error); !ok || !errors.Is(err, ErrOptions) {
						t.Errorf("%s: panic %v, want ErrOptions", name, r)
					}
				}
			}()
			call()
		}()
	}
}

func write0(o Options) {
	s := beam.NewPipeline().Root()
	Write(s, "memfs://a", beam.Create(s, "a"), &o)
}

// groupFn makes keys whose maps are filled in different orders.
type groupFn struct{}

func (*groupFn) ProcessElement(v visit) (group, int64) {
	g := group{Name: v.User, Labels: map[string]string{}, Bits: map[int8]bool{}}
	for i := range 8 {
		k := (i*3 + int(v.ID)) % 8
		g.Labels[fmt.Sprint("l", k)] = "x"
		g.Bits[int8(k)] = true
	}
	return g, v.ID
}

// describeFn counts the values of a key.
type describeFn struct{}

func (*describeFn) ProcessElement(g group, ids func(*int64) bool, emit func(string)) {
	n, sum, id := 0, int64(0), int64(0)
	for ids(&id) {
		n++
		sum += id
	}
	emit(fmt.Sprintf("%s %d %d: %d, %d", g.Name, len(g.Labels), len(g.Bits), n, sum))
}

// TestGroupByKey groups by structs with maps: equal keys are one group.
func TestGroupByKey(t *testing.T) {
	path := t.TempDir() + "/visits.rec"
	writeVisits(t, path, 5000, 0, small)
	var want []string
	for u := range 10 {
		want = append(want, fmt.Sprintf("user%d 8 8: 500, %d", u, 500*u+10*500*499/2))
	}
	onRunners(t, func(t *testing.T, r runner) {
		got, _ := collect[string](t, r, func(s beam.Scope) beam.PCollection {
			visits := Read[visit](s, path, &Options{SplitSize: 20_000})
			return beam.ParDo(s, &describeFn{}, beam.GroupByKey(s, beam.ParDo(s, &groupFn{}, visits)))
		})
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("groups\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}
