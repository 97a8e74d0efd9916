package main

import (
	"bytes"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"
)

// TestLibrariesAgree is what entitles the tables to compare: every library reads one message, and one reads what they all write.
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
	cases := map[string]struct {
		change func(l *library[Account])
		want   string
	}{
		"nothing": {func(*library[Account]) {}, ""},
		"a lost field": {func(l *library[Account]) {
			l.unmarshal = func(v *Account, data []byte) error {
				err := msgpAccount.unmarshal(v, data)
				v.Score = 0
				return err
			}
		}, "msgp reads something else than shamaton wrote"},
		"another value": {func(l *library[Account]) {
			l.marshal = func(v *Account) ([]byte, error) { return msgpAccount.marshal(new(Account)) }
		}, "shamaton reads something else than msgp wrote"},
		"another value appended": {func(l *library[Account]) {
			l.append = func(v *Account, dst []byte) ([]byte, error) { return append(dst, 0x80), nil }
		}, "shamaton reads something else than msgp wrote"},
		"no value": {func(l *library[Account]) {
			l.marshal = func(v *Account) ([]byte, error) { return []byte{0xc1}, nil }
		}, "shamaton reading what msgp wrote: "},
		"not appending": {func(l *library[Account]) {
			l.append = func(v *Account, dst []byte) ([]byte, error) { return v.MarshalMsg(dst[:0]) }
		}, "msgp overwrites what it appends to"},
		"an error in encoding": {func(l *library[Account]) {
			l.marshal = func(*Account) ([]byte, error) { return nil, broken }
		}, "msgp: broken"},
		"an error in appending": {func(l *library[Account]) {
			l.append = func(*Account, []byte) ([]byte, error) { return nil, broken }
		}, "msgp appending: broken"},
		"an error in decoding": {func(l *library[Account]) {
			l.unmarshal = func(*Account, []byte) error { return broken }
		}, "msgp reading what shamaton wrote: broken"},
	}
	value := accounts(1)[0]
	data, err := judge[Account]().marshal(&value)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			l := msgpAccount
			c.change(&l)
			err := agree(value, data, []library[Account]{l})
			if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestPlain has the forms in which the libraries return one and the same document, and one that differs.
func TestPlain(t *testing.T) {
	const text = `{"a": [1, 300, -5, 2.5, "x", null, true], "b": {"c": 70000}}`
	value, err := parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	other, err := parse([]byte(strings.Replace(text, "2.5", "2.25", 1)))
	if err != nil {
		t.Fatal(err)
	}
	data, err := judge[any]().marshal(&value)
	if err != nil {
		t.Fatal(err)
	}
	libraries := append(reflective[any](), msgpAny)
	if err := agree(value, data, libraries); err != nil {
		t.Error(err)
	}
	if err := agree(other, data, libraries); err == nil {
		t.Error("2.5 passes for 2.25")
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
