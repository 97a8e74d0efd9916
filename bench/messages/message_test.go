package messages

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"hash/crc32"
	"math/rand/v2"
	"os"
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
	damaged(t *testing.T, seed uint64)
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
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
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

// TestDamaged does the same with messages in which parts are removed, repeated or overwritten.
func TestDamaged(t *testing.T) {
	each(t, func(t *testing.T, _ string, c checks) { c.damaged(t, 5) })
}

func (m *message[T]) damaged(t *testing.T, seed uint64) {
	l, err := layoutsOf[T]()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	rounds := 20
	if testing.Short() {
		rounds = 4
	}
	for _, v := range m.values(seed, 100) {
		valid, err := m.append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		for range rounds {
			data := damage(valid, r)
			if sum := checksums[reflect.TypeFor[T]()]; sum != nil && !chance(r, 4) {
				sum(data)
			}
			byHand, declared := new(T), new(T)
			handErr, layoutErr := m.decodeTo(byHand, data, true), l.codec.Unmarshal(data, declared)
			if (handErr == nil) != (layoutErr == nil) {
				t.Fatalf("% x: by hand %v, layout %v", data, handErr, layoutErr)
			}
			if handErr == nil && !equal(byHand, declared) {
				t.Fatalf("% x: by hand %+v, layout %+v", data, byHand, declared)
			}
		}
	}
}

// damage returns a changed copy of data.
func damage(data []byte, r *rand.Rand) []byte {
	data = bytes.Clone(data)
	for range between(r, 1, 3) {
		if len(data) == 0 {
			break
		}
		from := r.IntN(len(data))
		to := min(from+between(r, 1, 8), len(data))
		switch r.IntN(5) {
		case 0:
			data = slices.Delete(data, from, to)
		case 1:
			data = slices.Insert(data, from, bytes.Clone(data[from:to])...)
		case 2:
			clear(data[from:to])
		case 3:
			for i := range data[from:to] {
				data[from+i] = 0xff
			}
		case 4:
			copy(data[from:to], randomBytes(r, to-from))
		}
	}
	return data
}

// checksums contains functions that correct the checksum of a damaged message, so that what follows is read.
var checksums = map[reflect.Type]func(data []byte){
	reflect.TypeFor[ipv4Packet](): func(data []byte) {
		if len(data) < 20 || len(data) < int(data[0]&15)*4 {
			return
		}
		be.PutUint16(data[10:], 0)
		be.PutUint16(data[10:], inetSum(data[:int(data[0]&15)*4]))
	},
	reflect.TypeFor[sctpPacket](): func(data []byte) {
		if len(data) >= 12 {
			be.PutUint32(data[8:], 0)
			le.PutUint32(data[8:], crc32.Checksum(data, castagnoli))
		}
	},
	reflect.TypeFor[kafkaBatch](): func(data []byte) {
		if len(data) >= kafkaSize {
			be.PutUint32(data[17:], crc32.Checksum(data[21:], castagnoli))
		}
	},
	reflect.TypeFor[pngChunk](): func(data []byte) {
		if n := len(data); n >= 12 {
			be.PutUint32(data[n-4:], crc32.ChecksumIEEE(data[4:n-4]))
		}
	},
	reflect.TypeFor[tarHeader](): func(data []byte) {
		if len(data) == tarSize {
			putOctal(data[148:155], uint64(tarChecksum((*[tarSize]byte)(data))))
		}
	},
}

// equal reports whether two values are deeply equal. Values with NaNs are equal if they look the same.
func equal(a, b any) bool {
	return reflect.DeepEqual(a, b) || strings.Contains(fmt.Sprint(a), "NaN") && fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b)
}

// TestRefused sets one number, bool, text or slice of a value to another, and checks that the code by hand and layout
// encode the same values. If a value cannot be encoded, dst is unchanged.
func TestRefused(t *testing.T) {
	each(t, func(t *testing.T, _ string, c checks) { c.refused(t, 4) })
}

func (m *message[T]) refused(t *testing.T, seed uint64) {
	l, err := layoutsOf[T]()
	if err != nil {
		t.Fatal(err)
	}
	r, rounds := rand.New(rand.NewPCG(seed, 1)), 400
	for i := range rounds {
		v := m.values(seed+uint64(i), 1)[0]
		parts := leaves(nil, reflect.ValueOf(v).Elem(), "")
		p := parts[r.IntN(len(parts))]
		change(p.Value, r)
		if p.variant.IsValid() {
			p.holder.Set(p.variant)
		}
		byHand, handErr := m.append([]byte("x"), v)
		declared, layoutErr := l.copies.Append([]byte("x"), v)
		if (handErr == nil) != (layoutErr == nil) {
			t.Fatalf("%s is %v: by hand %v, layout %v", p.path, p.Value, handErr, layoutErr)
		}
		if !bytes.Equal(byHand, declared) {
			t.Fatalf("%s is %v: by hand % x, layout % x", p.path, p.Value, byHand, declared)
		}
	}
}

// A leaf is a part of a value that change can change. If it is in a struct that an interface holds by value, it is that of a
// copy, which the interface gets after the change.
type leaf struct {
	reflect.Value
	path            string
	holder, variant reflect.Value
}

// leaves appends the parts of v.
func leaves(list []leaf, v reflect.Value, path string) []leaf {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		switch {
		case v.IsNil():
		case v.Kind() == reflect.Pointer || v.Elem().Kind() == reflect.Pointer:
			list = leaves(list, v.Elem(), path)
		default:
			variant := reflect.New(v.Elem().Type()).Elem()
			variant.Set(v.Elem())
			for _, l := range leaves(nil, variant, path) {
				l.holder, l.variant = v, variant
				list = append(list, l)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "_" {
				list = leaves(list, v.Field(i), path+"."+name)
			}
		}
	case reflect.Slice:
		list = append(list, leaf{Value: v, path: path})
		for i := range v.Len() {
			list = leaves(list, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			if k := v.Type().Elem().Kind(); k != reflect.Struct {
				break
			}
		}
	case reflect.Array:
		list = leaves(list, v.Index(0), path+"[0]")
	case reflect.Float32, reflect.Float64:
	default:
		list = append(list, leaf{Value: v, path: path})
	}
	return list
}

// change sets v to another value, which may be too large for the message.
func change(v reflect.Value, r *rand.Rand) {
	switch {
	case v.CanUint():
		v.SetUint([]uint64{0, 1, 2, 3, 6, 1 << 7, 1<<8 - 1, 1<<12 - 1, 1 << 15, 1<<24 - 1, 1 << 24, 1 << 31, 1 << 62}[r.IntN(13)] & (1<<v.Type().Bits() - 1))
	case v.CanInt():
		v.SetInt([]int64{0, -1, 7, 1 << 6, -1 << 7, 1 << 23, -1<<23 - 1}[r.IntN(7)])
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.String:
		v.SetString(strings.Repeat("a", []int{0, 0, 1, 31, 33, 64, 101, 156, 256, 70_000}[r.IntN(10)]) + []string{"", "", "\x00", "\n", "\xff"}[r.IntN(5)])
	case v.Kind() == reflect.Slice && r.IntN(4) == 0:
		v.SetZero()
	case v.Kind() == reflect.Slice:
		n := 0
		if v.Len() > 0 {
			n = []int{0, 1, 2, 9, 33, 40, 129, 260, 70_000}[r.IntN(9)]
		}
		s := reflect.MakeSlice(v.Type(), n, n)
		for i := range n {
			s.Index(i).Set(v.Index(0))
		}
		v.Set(s)
	}
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
