package types

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/bench/engine"
)

// TestRandom checks that a seed always gives the same types, that another seed gives others, and that the types have
// every kind of the menu.
func TestRandom(t *testing.T) {
	one := Random(1, 70)
	if again := Random(1, 70); !reflect.DeepEqual(one, again) {
		t.Error("the same seed gives other types")
	}
	if reflect.DeepEqual(one.Types, Random(2, 70).Types) {
		t.Error("another seed gives the same types")
	}
	var text strings.Builder
	fields, keys := 0, []int{math.MaxInt, 0}
	for _, s := range one.Types {
		text.WriteString(s.String())
		fields = max(fields, len(s.Fields))
		for _, f := range s.Fields {
			keys[0], keys[1] = min(keys[0], len(f.Key)), max(keys[1], len(f.Key))
		}
	}
	for _, want := range append(slices.Clone(scalars), " []int", " map[string]string", " *S", " []S", " map[string]S", " [3]") {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no type has %s", want)
		}
	}
	if len(one.Roots) != 70 || fields != 20 || keys[0] != 2 || keys[1] < 15 {
		t.Errorf("%d types, %d fields at most, keys of %d bytes", len(one.Roots), fields, keys)
	}
}

// TestMeasure builds and runs the program for a few types. Once the modules are in the cache, it needs no network.
func TestMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("skipping in short mode: builds a program")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	home, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	set := Random(5, 3)
	c := Settings{Home: home, Rounds: 1, Turn: time.Microsecond}
	var program string
	for _, proxy := range []string{"off", os.Getenv("GOPROXY"), "off"} { // the second build fills the cache
		t.Setenv("GOPROXY", proxy)
		c.Folder = t.TempDir()
		if program, err = set.Build(c); err == nil && proxy == "off" {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	d, err := set.Run(c, program, RandomMenu())
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Types) != 3 || len(d.Decls) != len(set.Types) || d.Kind != "random" || d.Seed != 5 {
		t.Errorf("%+v", d)
	}
	list := d.Ratios()
	for _, verb := range []string{
		"Marshal", "MarshalAppend", "Typed.Append", "Unmarshal, new", "Unmarshal, used", "Unmarshal, other key order", "Unmarshal, AliasInput",
		"Typed.Unmarshal, new", "Typed.Unmarshal, used", "Marshal, generated", "MarshalAppend, generated", "Typed.Append, generated",
		"Unmarshal, new, generated", "Unmarshal, used, generated", "Unmarshal, other key order, generated", "Unmarshal, unknown key, generated",
		"Unmarshal, last keys swapped, generated", "Marshal, as array", "Unmarshal, as array",
	} {
		i := slices.IndexFunc(list, func(r engine.Ratios) bool { return r.Verb == verb && r.Peer == "msgp" })
		if i < 0 || len(list[i].Ratios) != 3 {
			t.Errorf("%s: no ratios to msgp for 3 types in %+v", verb, list)
		}
	}
}
