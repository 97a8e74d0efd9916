package messages

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// checks has the tests of a message. Every *message[T] implements it.
type checks interface {
	values1000(t *testing.T, seed uint64)
	truncated(t *testing.T, seed uint64)
	flipped(t *testing.T, seed uint64)
	refused(t *testing.T, seed uint64)
	vectors(t *testing.T, list []vector)
}

// each runs a test for each message.
func each(t *testing.T, test func(t *testing.T, name string, c checks)) {
	for _, m := range All() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			test(t, m.Name, m.kind.(checks))
		})
	}
}

// TestAgree checks that the code by hand and layout encode 1,000 values to the same bytes and decode equal values.
func TestAgree(t *testing.T) {
	each(t, func(t *testing.T, _ string, c checks) { c.values1000(t, 1) })
}

func (m *message[T]) values1000(t *testing.T, seed uint64) {
	l, err := layoutsOf[T]()
	if err != nil {
		t.Fatal(err)
	}
	byHand, declared, aliased := new(T), new(T), new(T)
	seen, refers := map[string]bool{}, false
	for _, v := range m.values(seed, 1000) {
		want, err := m.append([]byte("before"), v)
		if err != nil {
			t.Fatal(err)
		}
		want, ok := bytes.CutPrefix(want, []byte("before"))
		if !ok {
			t.Fatalf("the encoder by hand overwrites what it appends to: % x", want)
		}
		seen[string(want)] = true
		if err := m.verify(&l, v, want); err != nil {
			t.Fatal(err)
		}
		// The same with targets that hold another value, whose memory is reused.
		err = l.copies.Unmarshal(want, declared)
		aliasErr := l.aliases.Unmarshal(want, aliased)
		if handErr := m.decodeTo(byHand, want, false); handErr != nil || err != nil || aliasErr != nil {
			t.Fatal(handErr, err, aliasErr)
		}
		if !reflect.DeepEqual(byHand, declared) || !reflect.DeepEqual(byHand, aliased) {
			t.Fatalf("into a used target: by hand %+v, layout %+v and %+v", byHand, declared, aliased)
		}
		if again, err := m.append(nil, byHand); err != nil || !bytes.Equal(again, want) {
			t.Fatalf("the decoded value is encoded as % x, %v, not % x", again, err, want)
		}
		refers = m.independent(t, want) || refers
	}
	if len(seen) < 500 {
		t.Errorf("only %d different messages", len(seen))
	}
	if refers != (m.alias != nil) {
		t.Errorf("values refer to the input: %v", refers)
	}
}

// independent checks that a value decoded without alias does not refer to the input. It reports whether one decoded
// with alias does.
func (m *message[T]) independent(t *testing.T, data []byte) (refers bool) {
	t.Helper()
	input, copied, aliased, want := bytes.Clone(data), new(T), new(T), new(T)
	if err := errors.Join(m.decodeTo(copied, input, false), m.decodeTo(aliased, input, true), m.decodeTo(want, data, false)); err != nil {
		t.Fatal(err)
	}
	for i := range input {
		input[i] ^= 0xff
	}
	if !reflect.DeepEqual(copied, want) {
		t.Fatal("a value that was decoded by hand refers to the input")
	}
	return !reflect.DeepEqual(aliased, want)
}

// TestTruncated checks that every proper prefix of a message, and a message with one more byte, is an error.
func TestTruncated(t *testing.T) {
	each(t, func(t *testing.T, _ string, c checks) { c.truncated(t, 2) })
}

func (m *message[T]) truncated(t *testing.T, seed uint64) {
	l, err := layoutsOf[T]()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range m.values(seed, 10) {
		data, err := m.append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		for n := range data {
			byHand, declared := m.decodeTo(new(T), data[:n:n], false), l.codec.Unmarshal(data[:n:n], new(T))
			if (byHand == nil) != (declared == nil) {
				t.Errorf("% x: by hand %v, layout %v", data[:n], byHand, declared)
			}
			if byHand == nil && !endless[reflect.TypeFor[T]()] {
				t.Errorf("the first %d of %d bytes are a message", n, len(data))
			}
		}
		long := append(slices.Clip(data), 0)
		byHand, declared := m.decodeTo(new(T), long, false), l.codec.Unmarshal(long, new(T))
		if (byHand == nil) != (declared == nil) || byHand == nil && !endless[reflect.TypeFor[T]()] {
			t.Errorf("one more byte: by hand %v, layout %v", byHand, declared)
		}
	}
}

// endless contains the types whose last field takes the rest of the message, so that a prefix can be a message, too.
var endless = map[reflect.Type]bool{
	reflect.TypeFor[rtpPacket]():  true,
	reflect.TypeFor[tcpSegment](): true,
	reflect.TypeFor[sctpPacket](): true,
}

// TestFlipped checks that the code by hand and layout accept the same messages among those with one byte changed, and
// decode equal values from them.
func TestFlipped(t *testing.T) {
	each(t, func(t *testing.T, _ string, c checks) { c.flipped(t, 3) })
}

func (m *message[T]) flipped(t *testing.T, seed uint64) {
	l, err := layoutsOf[T]()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	differences, flips := 0, 10_000
	if testing.Short() {
		flips = 2000
	}
	for _, v := range m.values(seed, 1000) {
		if flips < 0 {
			break
		}
		data, err := m.append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		flips -= len(data)
		for i := range data {
			old := data[i]
			switch r.IntN(4) {
			case 0:
				data[i]++
			case 1:
				data[i]--
			case 2:
				data[i] ^= 1 << r.IntN(8)
			case 3:
				data[i] = byte(r.Uint32())
			}
			byHand, declared := new(T), new(T)
			handErr := m.decodeTo(byHand, data, false)
			layoutErr := l.codec.Unmarshal(data, declared)
			if aliasErr := m.decodeTo(new(T), data, true); (aliasErr == nil) != (handErr == nil) {
				t.Errorf("% x: by hand %v, aliased %v", data, handErr, aliasErr)
			}
			if (handErr == nil) != (layoutErr == nil) {
				if differences++; differences <= 3 {
					t.Errorf("byte %d: % x: by hand %v, layout %v", i, data, handErr, layoutErr)
				}
			} else if handErr == nil && !equal(byHand, declared) {
				t.Fatalf("byte %d: % x: by hand %+v, layout %+v", i, data, byHand, declared)
			}
			data[i] = old
		}
	}
	if differences > 0 {
		t.Errorf("%d differences", differences)
	}
}

// equal reports whether two values are deeply equal. Values with NaNs are equal if they look the same.
func equal(a, b any) bool {
	return reflect.DeepEqual(a, b) || strings.Contains(fmt.Sprint(a), "NaN") && fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b)
}

// TestRefused sets numbers of a value to other numbers, and checks that the code by hand and layout encode the same
// values. A value that cannot be encoded leaves dst as it was.
func TestRefused(t *testing.T) {
	each(t, func(t *testing.T, _ string, c checks) { c.refused(t, 4) })
}

func (m *message[T]) refused(t *testing.T, seed uint64) {
	l, err := layoutsOf[T]()
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range m.values(seed, 40) {
		for field := range reflect.TypeFor[T]().NumField() {
			w := *v
			f := reflect.ValueOf(&w).Elem().Field(field)
			if !f.CanSet() || !change(f, i) {
				continue
			}
			byHand, handErr := m.append([]byte("x"), &w)
			declared, layoutErr := l.copies.Append([]byte("x"), &w)
			name := reflect.TypeFor[T]().Field(field).Name
			if (handErr == nil) != (layoutErr == nil) {
				t.Fatalf("%s is %v: by hand %v, layout %v", name, f, handErr, layoutErr)
			}
			if !bytes.Equal(byHand, declared) {
				t.Fatalf("%s is %v: by hand % x, layout % x", name, f, byHand, declared)
			}
		}
	}
}

// change sets a number or slice to another one.
func change(f reflect.Value, i int) bool {
	if f.CanUint() {
		f.SetUint([]uint64{0, 1, 3, 1 << 7, 1<<8 - 1, 1<<12 - 1, 1 << 15, 1<<24 - 1, 1 << 31, 1 << 62}[i%10] & (1<<f.Type().Bits() - 1))
		return true
	}
	if f.CanInt() {
		f.SetInt(int64([]int64{0, -1, 7, 1 << 6, -1 << 7}[i%5]))
		return true
	}
	if f.Kind() == reflect.Bool {
		f.SetBool(!f.Bool())
		return true
	}
	if f.Kind() == reflect.Slice {
		s := reflect.MakeSlice(f.Type(), 0, 0)
		if f.Len() > 0 {
			for range []int{0, 1, 2, 40, 129, 260}[i%6] {
				s = reflect.Append(s, f.Index(0))
			}
		}
		f.Set(s)
		return true
	}
	return false
}

// TestTable checks that all messages have a name, a description, a specification and a vector.
func TestTable(t *testing.T) {
	var names []string
	for _, m := range All() {
		names = append(names, m.Name)
		if m.About == "" || m.Spec == "" || m.kind == nil {
			t.Errorf("%s is not described", m.Name)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(names)) != len(All()) {
		t.Errorf("not sorted, or twice: %v", names)
	}
	if len(names) < 24 {
		t.Errorf("%d messages", len(names))
	}
}

// TestOpen checks the loops that bench runs.
func TestOpen(t *testing.T) {
	for _, m := range All() {
		w, err := m.Open(1)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		for i, loop := range []Loop{w.AppendTyped, w.AppendMarshal, w.AppendByHand, w.DecodeTyped, w.DecodePrefix, w.DecodeByHand, w.AliasTyped, w.AliasPrefix, w.Copy, w.AliasByHand} {
			if loop == nil && i < 9 {
				t.Fatalf("%s: loop %d is missing", m.Name, i)
			}
			if loop != nil && loop(Values+1) != nil {
				t.Errorf("%s: loop %d: %v", m.Name, i, loop(Values))
			}
		}
	}
}

// TestImports checks that the code by hand uses nothing of Octet, and neither reflect nor unsafe.
func TestImports(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if name == "all.go" || name == "message.go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if p, _ := strconv.Unquote(i.Path.Value); p == "reflect" || p == "unsafe" || strings.Contains(p, ".") {
				t.Errorf("%s imports %s", name, p)
			}
		}
	}
}
