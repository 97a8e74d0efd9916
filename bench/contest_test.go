package main

import (
	"bytes"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	shamaton "github.com/shamaton/msgpack/v3"
)

// TestLibrariesAgree is what entitles the tables to compare: every library reads what every library wrote.
func TestLibrariesAgree(t *testing.T) {
	list, err := contests()
	if err != nil {
		t.Fatal(err)
	}
	documents := 0
	for _, c := range list {
		if c.what == "document" {
			documents++
		}
		t.Run(c.what+"/"+c.name, func(t *testing.T) {
			if _, _, err := c.open(); err != nil {
				t.Error(err)
			}
		})
	}
	if documents == 0 {
		t.Skip("no JSON documents: this Go came without the test data of encoding/json")
	}
}

func TestAgreeNotices(t *testing.T) {
	broken := errors.New("broken")
	honest := msgpAccount
	cases := map[string]struct {
		library library[Account]
		want    string
	}{
		"a lost field": {
			library[Account]{name: "loser", marshal: honest.marshal, unmarshal: func(v *Account, data []byte) error {
				err := honest.unmarshal(v, data)
				v.Score = 0
				return err
			}},
			"loser reads something else",
		},
		"a wrong append": {
			library[Account]{name: "appender", marshal: honest.marshal, unmarshal: honest.unmarshal,
				append: func(v *Account, dst []byte) ([]byte, error) { return append(dst, 0x80), nil }},
			"something else than appender wrote",
		},
		"an error in encoding": {
			library[Account]{name: "refuser", unmarshal: honest.unmarshal,
				marshal: func(*Account) ([]byte, error) { return nil, broken }},
			"refuser marshal: broken",
		},
		"an error in decoding": {
			library[Account]{name: "refuser", marshal: honest.marshal,
				unmarshal: func(*Account, []byte) error { return broken }},
			"refuser reading what msgp wrote: broken",
		},
	}
	value := accounts(1)[0]
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := agree(value, []library[Account]{honest, c.library})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestPlain has the forms in which the libraries return one and the same document.
func TestPlain(t *testing.T) {
	text := []byte(`{"a": [1, 300, -5, 2.5, "x", null, true], "b": {"c": 70000}}`)
	value, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := agree(value, append(reflective[any](), msgpAny)); err != nil {
		t.Error(err)
	}
	other, err := parse(bytes.Replace(text, []byte("2.5"), []byte("2.25"), 1))
	if err != nil {
		t.Fatal(err)
	}
	data, err := shamaton.Marshal(other)
	if err != nil {
		t.Fatal(err)
	}
	stale := msgpAny
	stale.marshal = func(*any) ([]byte, error) { return data, nil }
	if err := agree(value, []library[any]{stale}); err == nil {
		t.Error("2.25 passes for 2.5")
	}
}

func TestRatio(t *testing.T) {
	// The second machine stalls in one round: both are slow there, and the ratio is what it was.
	a := timing{ns: []float64{10, 10, 1000, 10, 10}}
	b := timing{ns: []float64{20, 20, 2000, 20, 20}}
	if got, want := ratio(a, b), (quartiles{0.5, 0.5, 0.5}); got != want {
		t.Errorf("ratio = %v, want %v", got, want)
	}
	q := summarise([]float64{1, 2, 3, 4, 5})
	if q.median != 3 || q.low >= q.median || q.high <= q.median || math.Abs(q.low+q.high-6) > 1e-9 {
		t.Errorf("summarise(1…5) = %v", q)
	}
}

func TestMeasure(t *testing.T) {
	var out bytes.Buffer
	if err := measure(&out, regexp.MustCompile("struct/account/Marshal"), 2, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"median of 2 rounds", "\nstruct/account, 81 bytes\n", "MarshalAppend", "msgp", "shamaton", "vmihailenco"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for _, other := range []string{"Unmarshal", "report"} {
		if strings.Contains(out.String(), other) {
			t.Errorf("%q, which was not asked for, in\n%s", other, out.String())
		}
	}
	if err := measure(&out, regexp.MustCompile("^$"), 1, 1); err == nil {
		t.Error("a pattern that matches nothing is no error")
	}
}
