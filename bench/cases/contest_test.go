package cases

import (
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/shape"
)

// TestLibrariesAgree checks that every library decodes every value correctly, without which the tables would not be
// comparable. It runs every loop, except those on large values, which only take longer, and those on documents,
// which are the same as those on records. Files are short without OCTET_LONG=1, because writing them takes longest.
func TestLibrariesAgree(t *testing.T) {
	if os.Getenv("OCTET_LONG") == "" {
		records, size := fileRecords, parallelSize
		defer func() { fileRecords, parallelSize = records, size }()
		fileRecords, parallelSize = 2*fileValues, 4<<20
	}
	list, err := Contests()
	if err != nil {
		t.Fatal(err)
	}
	documents := 0
	for _, c := range list {
		if strings.HasPrefix(c.Shape, "document/") {
			documents++
		}
		if c.Large() {
			continue
		}
		t.Run(c.Name(), func(t *testing.T) {
			if c.Slow && (instrumented || os.Getenv("OCTET_LONG") == "") {
				t.Skip("large documents take a minute under the race detector; set OCTET_LONG=1 to try them without it")
			}
			entries, err := c.Open()
			if err != nil && strconv.IntSize == 32 && strings.Contains(err.Error(), "int is unsupported for Avro long") {
				t.Skip("avro needs int of 64 bits: ", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if entries[0].Library != engine.Ours {
				t.Errorf("%s is first, want octet", entries[0].Library)
			}
			for _, verb := range c.Verbs {
				run := 0
				for _, e := range entries {
					if e.Loops[verb] == nil {
						continue
					}
					run++
					if strings.Contains(c.Shape, "document/") || strings.Contains(c.Shape, "typed/") {
						continue
					}
					if err := e.Loops[verb](1); err != nil {
						t.Errorf("%s: %s: %v", e.Library, verb, err)
					}
				}
				if run < 2 {
					t.Errorf("%s: no library to compare with", verb)
				}
			}
			bounds := slices.IndexFunc(entries, func(e engine.Peer) bool { return e.Library == engine.Limit })
			for _, verb := range c.Verbs {
				if bounds < 0 || entries[bounds].Loops[verb] == nil {
					t.Errorf("%s: the contest has no limit", verb)
				}
			}
			for _, e := range entries {
				if e.Loops == nil && e.Note == "" {
					t.Errorf("%s does not take part, and there is no reason", e.Library)
				}
			}
		})
	}
	if documents == 0 {
		t.Skip("the Go installation has no JSON test documents of encoding/json")
	}
}

func TestVerifyErrors(t *testing.T) {
	broken := errors.New("broken")
	cases := map[string]struct {
		change func(l *library[shape.Account])
		want   string
	}{
		"no change": {func(*library[shape.Account]) {}, ""},
		"a field is not decoded": {func(l *library[shape.Account]) {
			l.unmarshal = func(v *shape.Account, data []byte) error {
				err := msgpAccount.unmarshal(v, data)
				v.Score = 0
				return err
			}
		}, "msgp decoded a different value from the message of shamaton"},
		"another value": {func(l *library[shape.Account]) {
			l.marshal = func(v *shape.Account) ([]byte, error) { return msgpAccount.marshal(new(shape.Account)) }
		}, "shamaton decoded a different value from the message of msgp"},
		"another value appended": {func(l *library[shape.Account]) {
			l.append = func(v *shape.Account, dst []byte) ([]byte, error) { return append(dst, 0x80), nil }
		}, "shamaton decoded a different value from the message of msgp"},
		"invalid message": {func(l *library[shape.Account]) {
			l.marshal = func(v *shape.Account) ([]byte, error) { return []byte{0xc1}, nil }
		}, "shamaton decoding the message of msgp: "},
		"another value in its own format": {func(l *library[shape.Account]) {
			l.own = true
			l.marshal = func(v *shape.Account) ([]byte, error) { return msgpAccount.marshal(new(shape.Account)) }
		}, "msgp decoded a different value from the message of msgp"},
		"append that overwrites": {func(l *library[shape.Account]) {
			l.append = func(v *shape.Account, dst []byte) ([]byte, error) { return v.MarshalMsg(dst[:0]) }
		}, "msgp overwrites the slice that it appends to"},
		"an error in encoding": {func(l *library[shape.Account]) {
			l.marshal = func(*shape.Account) ([]byte, error) { return nil, broken }
		}, "msgp: broken"},
		"an error in appending": {func(l *library[shape.Account]) {
			l.append = func(*shape.Account, []byte) ([]byte, error) { return nil, broken }
		}, "msgp appending: broken"},
		"an error in decoding": {func(l *library[shape.Account]) {
			l.unmarshal = func(*shape.Account, []byte) error { return broken }
		}, "msgp decoding the message of shamaton: broken"},
	}
	value := accounts(1)[0]
	data, err := judge[shape.Account]().marshal(&value)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			l := msgpAccount
			c.change(&l)
			_, err := l.verify(value, data)
			if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestExcluded checks that the libraries still cannot process the values for which they are excluded. A later version
// may process them.
func TestExcluded(t *testing.T) {
	value, err := parse([]byte(`{"a": [null, 1], "b": {"c": true}}`))
	if err != nil {
		t.Fatal(err)
	}
	tryExcluded(t, value, []string{"gob", "kelindar"}, untyped())
	nodes := shape.Source{Tree: &shape.Node{Name: "leaf"}}
	for range 40 {
		nodes.Tree = &shape.Node{Kids: []shape.Node{*nodes.Tree}}
	}
	tryExcluded(t, nodes, []string{"cbor"}, sourceCompetitors())
	names := []string{"one", "two", "three", "four", "five"}
	catalog := shape.Catalog{Events: make(map[string]shape.Show)}
	for i, name := range names {
		catalog.Events[name] = shape.Show{Name: name, Logo: &names[i], TopicIDs: []int64{int64(i)}}
	}
	tryExcluded(t, catalog, []string{"hashicorp"}, catalogCompetitors())
	zero := int64(0)
	tryExcluded(t, shape.Twitter{Statuses: []shape.Status{{InReplyToStatusID: &zero}}}, []string{"gob"}, twitterCompetitors())
	tryExcluded(t, shape.Optional{ID: &zero}, []string{"gob"}, optionalCompetitors())
	if msgpReading.unmarshal(new(shape.Reading), []byte("\x81\xa5value\x01")) == nil {
		t.Error("msgp accepts an integer for a float64, but is excluded because it did not")
	}
	tryExcluded(t, shape.Event{Time: time.Unix(5, 6)}, []string{"cbor"}, eventCompetitors())
}

func tryExcluded[T any](t *testing.T, value T, names []string, competitors []competitor[T]) {
	t.Helper()
	s, err := judged([]T{value})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range competitors {
		if !slices.Contains(names, c.name) {
			continue
		}
		if c.leftOut == "" {
			t.Errorf("%s takes part", c.name)
		}
		if _, err := c.enter(s); err == nil {
			t.Errorf("%s accepts %T, but is excluded because %s", c.name, value, c.leftOut)
		}
	}
}

// TestEqual compares the forms in which the libraries return the same document, and different documents.
func TestEqual(t *testing.T) {
	const text = `{"a": [1, 300, -5, 2.5, "x", null, true], "b": {"c": 70000}}`
	value, err := parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	other, err := parse([]byte(strings.Replace(text, "2.5", "2.25", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := enter([]any{value}, untyped()); err != nil {
		t.Error(err)
	}
	data, err := judge[any]().marshal(&value)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := judge[any]().verify(other, data); err == nil {
		t.Error("2.5 equals 2.25")
	}
	for _, c := range []struct {
		name      string
		got, want any
		floats    bool
		equal     bool
	}{
		{"an integer of another width", int8(-5), int64(-5), false, true},
		{"an unsigned integer", uint16(300), int64(300), false, true},
		{"an integer that overflows int64", uint64(1<<63 + 5), int64(math.MinInt64 + 5), false, false},
		{"a float for an integer", 300.0, int64(300), false, false},
		{"a float for an integer, all numbers are floats", 300.0, int64(300), true, true},
		{"another float for an integer, all numbers are floats", 300.5, int64(300), true, false},
		{"nil for an integer", nil, int64(0), true, false},
		{"a missing key", map[string]any{"a": nil}, map[string]any{"a": nil, "b": nil}, false, false},
		{"another key", map[string]any{"a": nil}, map[string]any{"b": nil}, false, false},
		{"keys that are not strings", map[any]any{1: nil}, map[string]any{"": nil}, false, false},
		{"a missing element", []any{nil}, []any{nil, nil}, false, false},
		{"a nil slice for an empty list", []int(nil), []int{}, false, true},
		{"the same instant", time.Unix(5, 0), time.Unix(5, 0).UTC(), false, true},
		{"another instant", time.Unix(6, 0), time.Unix(5, 0).UTC(), false, false},
	} {
		if got := equal(c.got, c.want, c.floats); got != c.equal {
			t.Errorf("%s: equal(%v, %v) = %v", c.name, c.got, c.want, got)
		}
	}
}
