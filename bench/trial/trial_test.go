package trial

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/msgpack"
)

type sample struct {
	A int
	B string
	C []float64
	D map[string]*inner
	E *inner
	T time.Time
	F []byte
	G [3]uint16
}

type inner struct {
	X bool
	Y *sample
}

// TestFill checks that values depend only on the seed, the name and the menu, and on how much is present.
func TestFill(t *testing.T) {
	filled := func(name string, seed uint64, m Menu) (v sample) {
		fill(&v, name, seed, m)
		return v
	}
	one := filled("a", 1, RandomMenu())
	if again := filled("a", 1, RandomMenu()); !reflect.DeepEqual(one, again) {
		t.Error("the same seed gives another value")
	}
	for _, other := range []sample{filled("b", 1, RandomMenu()), filled("a", 2, RandomMenu())} {
		if reflect.DeepEqual(one, other) {
			t.Error("another name or seed gives the same value")
		}
	}
	present := func(share float64) (n int) {
		for seed := range uint64(200) {
			v := filled("a", seed, RealMenu(share))
			for _, p := range []bool{v.C != nil, v.D != nil, v.E != nil, v.F != nil} {
				if p {
					n++
				}
			}
		}
		return n
	}
	if n := present(0.6); n < 420 || n > 540 {
		t.Errorf("%d of 800 optional parts, want about 480", n)
	}
	if n := present(0.1); n < 40 || n > 130 {
		t.Errorf("%d of 800 optional parts, want about 80", n)
	}
}

func TestEqual(t *testing.T) {
	same := func(a, b sample) bool { return equal(reflect.ValueOf(a), reflect.ValueOf(b)) }
	now := time.Now()
	base := func() sample {
		return sample{A: 1, B: "b", C: []float64{1}, D: map[string]*inner{"k": {X: true}}, E: &inner{}, T: now, F: []byte("f")}
	}
	for name, change := range map[string]func(v *sample){
		"an int": func(v *sample) { v.A++ }, "a string": func(v *sample) { v.B = "" }, "an element": func(v *sample) { v.C[0]++ }, "a length": func(v *sample) { v.C = nil },
		"a key": func(v *sample) { v.D = map[string]*inner{"l": {X: true}} }, "a value": func(v *sample) { v.D["k"].X = false }, "a pointer": func(v *sample) { v.E = nil },
		"a time": func(v *sample) { v.T = now.Add(1) }, "a byte": func(v *sample) { v.F[0]++ }, "an array": func(v *sample) { v.G[2] = 1 },
	} {
		other := base()
		change(&other)
		if same(base(), other) || same(other, base()) {
			t.Errorf("%s: the values are equal", name)
		}
	}
	other := base()
	other.T = now.UTC()
	if !same(base(), other) || !same(sample{C: []float64{}, D: map[string]*inner{}}, sample{}) {
		t.Error("equal values differ")
	}
}

// TestShuffled checks that a message keeps its value, and that its keys change places at every level.
func TestShuffled(t *testing.T) {
	v := sample{A: 70000, B: "b", C: []float64{1, 2}, D: map[string]*inner{"k": {X: true}}, T: time.Unix(5, 6), F: []byte("f")}
	v.E = &inner{Y: &sample{A: 3}}
	message, err := msgpack.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for seed := range uint64(10) {
		other, err := shuffled(rand.New(rand.NewPCG(seed, 1)), message)
		if err != nil {
			t.Fatal(err)
		}
		var got sample
		if err := msgpack.Unmarshal(other, &got); err != nil || !equal(reflect.ValueOf(got), reflect.ValueOf(v)) || len(other) != len(message) {
			t.Fatalf("%v: %+v, want %+v", err, got, v)
		}
		if string(other) != string(message) {
			changed++
		}
	}
	if changed < 9 {
		t.Errorf("the order changed in %d of 10 messages", changed)
	}
	if _, err := shuffled(rand.New(rand.NewPCG(1, 1)), message[:len(message)-1]); err == nil {
		t.Error("a truncated message returned no error")
	}
}

// TestErrorsAreNotTimed checks that a library that returns an error or decodes another value is left out and counted,
// that one that cannot read Octet's message decodes its own, and that Octet must be correct.
func TestErrorsAreNotTimed(t *testing.T) {
	good, err := octet[sample](msgpack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	peer := func(library string, change func(c *codec[sample])) codec[sample] {
		c := good
		c.library = library
		change(&c)
		return c
	}
	broken := errors.New("broken")
	marked := func(v *sample) ([]byte, error) {
		data, err := good.marshal(v)
		return append(data, 0xc0), err
	}
	codecs := []codec[sample]{
		good,
		peer("same", func(*codec[sample]) {}),
		peer("own", func(c *codec[sample]) {
			c.marshal = marked
			c.unmarshal = func(v *sample, data []byte) error {
				if data[len(data)-1] != 0xc0 {
					return broken
				}
				return good.unmarshal(v, data[:len(data)-1])
			}
		}),
		peer("fails", func(c *codec[sample]) { c.unmarshal = func(*sample, []byte) error { return broken } }),
		peer("wrong", func(c *codec[sample]) {
			c.unmarshal = func(v *sample, data []byte) error {
				err := good.unmarshal(v, data)
				v.A++
				return err
			}
		}),
	}
	const rounds = 2*passes + 1
	s := &session{Effort: engine.Effort{Rounds: rounds, Turn: 1, Step: func() {}}, seed: 1, menu: RandomMenu(), reasons: make(map[string]int), timed: make(map[string][]engine.Entry)}
	v := verb[sample]{name: "Unmarshal", decode: true, fresh: true, codecs: codecs}
	for s.pass = range passes {
		if len(s.Columns) > 0 {
			t.Errorf("figures before the last pass: %+v", s.Columns)
		}
		if err := measure(s, "sample", []verb[sample]{v}); err != nil {
			t.Fatal(err)
		}
	}
	s.pass = 0
	for _, e := range s.timed["sample/Unmarshal"] {
		if len(e.NS) != rounds {
			t.Errorf("%s has %d times of all passes, want %d", e.Library, len(e.NS), rounds)
		}
	}
	var timed []string
	for _, c := range s.Columns {
		timed = append(timed, c.Library)
	}
	if got := strings.Join(timed, " "); got != "octet same own" {
		t.Errorf("timed %s", got)
	}
	want := map[string]int{"Unmarshal: fails returns an error": 1, "Unmarshal: wrong decodes another value": 1}
	if !reflect.DeepEqual(s.reasons, want) {
		t.Errorf("left out %v, want %v", s.reasons, want)
	}
	v.codecs = []codec[sample]{peer(engine.Ours, func(c *codec[sample]) { c.unmarshal = codecs[4].unmarshal })}
	if err := measure(s, "sample", []verb[sample]{v}); !errors.Is(err, errWrong) {
		t.Errorf("Octet decodes another value: %v", err)
	}
}
