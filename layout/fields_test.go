package layout_test

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/layout"
)

// checkFields checks that the leaves cover n bytes once, apart from runs of bits,
// and that every other field consists of the deeper fields that follow it.
func checkFields(list []layout.Field, n int) error {
	if len(list) == 0 || list[0].Depth != 0 || list[0].Offset != 0 || list[0].Size != n {
		return fmt.Errorf("the first field is not the message of %d bytes: %+v", n, list)
	}
	pos := 0
	for i, f := range list {
		if f.Offset < 0 || f.Size < 0 || f.Offset+f.Size > n || i > 0 && (f.Depth < 1 || f.Depth > list[i-1].Depth+1) {
			return fmt.Errorf("field %d of %d bytes: %+v", i, n, f)
		}
		end := f.Offset
		inside := false
		for _, g := range list[i+1:] {
			if g.Depth <= f.Depth {
				break
			}
			if g.Depth == f.Depth+1 {
				inside = true
				end = max(end, g.Offset+g.Size)
			}
		}
		if inside {
			if end != f.Offset+f.Size {
				return fmt.Errorf("field %d: %+v ends at %d, its parts at %d", i, f, f.Offset+f.Size, end)
			}
			continue
		}
		if f.Bits > 0 && f.Shift > 0 && f.Offset+f.Size == pos || f.Bits > 0 && f.Offset+f.Size == pos {
			continue // another field of the run
		}
		if f.Offset != pos {
			return fmt.Errorf("field %d: %+v begins at %d, the one before ends at %d", i, f, f.Offset, pos)
		}
		pos += f.Size
	}
	if pos != n {
		return fmt.Errorf("the leaves end at %d of %d", pos, n)
	}
	return nil
}

// A randomMessage is a message of a random type.
type randomMessage struct {
	seed uint64
	r    *rand.Rand // which has made the type and the value
	typ  reflect.Type
	data []byte
}

// randomMessages returns messages of up to n types, of fewer in a short test, with seeds that
// have the same second half. Types of which no valid value was found are left out.
func randomMessages(t *testing.T, ref reference.Config, n, half uint64) iter.Seq[randomMessage] {
	switch {
	case testing.Short():
		n /= 6
	case os.Getenv("OCTET_LONG") == "":
		n /= 3
	}
	return func(yield func(randomMessage) bool) {
		for seed := range n {
			r := rand.New(rand.NewPCG(seed, half))
			typ := reference.RandomType(r)
			v, ok := ref.RandomValue(r, typ)
			if !ok {
				continue
			}
			data, err := ref.Marshal(v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			if !yield(randomMessage{seed, r, typ, data}) {
				return
			}
		}
	}
}

// TestFieldsRandom checks the fields of random values of random types.
func TestFieldsRandom(t *testing.T) {
	c, ref := oracle(t)
	total := 0
	for m := range randomMessages(t, ref, 300, 7) {
		list, err := c.Fields(append(m.data, 1, 2, 3)[:len(m.data)], reflect.New(m.typ).Interface())
		if err == nil {
			err = checkFields(list, len(m.data))
		}
		if err != nil {
			t.Fatalf("seed %d: %v: %v\n% x\n%s", m.seed, err, m.typ, m.data, show(list))
		}
		total += len(list)
	}
	t.Logf("%d fields", total)
}

// TestFieldsErrors compares the errors of Fields with those of UnmarshalPrefix for messages that are cut short, damaged,
// or both.
func TestFieldsErrors(t *testing.T) {
	c, ref := oracle(t)
	failed := 0
	for m := range randomMessages(t, ref, 300, 8) {
		for range 20 {
			bad := bytes.Clone(m.data)
			for range m.r.IntN(3) {
				if len(bad) > 0 {
					bad[m.r.IntN(len(bad))] ^= 1 << m.r.IntN(8)
				}
			}
			bad = bad[:m.r.IntN(len(bad)+1)]
			_, want := c.UnmarshalPrefix(bad, reflect.New(m.typ).Interface())
			_, err := c.Fields(bad, reflect.New(m.typ).Interface())
			if fmt.Sprint(err) != fmt.Sprint(want) {
				t.Fatalf("seed %d: %v: % x\nFields: %v\nUnmarshalPrefix: %v", m.seed, m.typ, bad, err, want)
			}
			if want != nil {
				failed++
			}
		}
	}
	if failed == 0 {
		t.Error("no message was refused")
	}
}

// show draws fields as a tree.
func show(list []layout.Field) string {
	var b strings.Builder
	for _, f := range list {
		place := fmt.Sprintf("%d+%d", f.Offset, f.Size)
		if f.Bits > 0 {
			place += fmt.Sprintf(" bits %d<<%d", f.Bits, f.Shift)
		}
		fmt.Fprintf(&b, "%-12s%s%s", place, strings.Repeat("  ", f.Depth), f.Name)
		if f.Value != nil {
			fmt.Fprintf(&b, " = %v", f.Value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

type fieldsPacket struct {
	Version uint8        `layout:"bits=4"`
	Kind    uint8        `layout:"bits=4"`
	Total   uint16       `layout:"len=Version..Options"`
	Name    string       `layout:"prefix=varint"`
	Points  []fieldsPair `layout:"count=u8"`
	Times   []uint16     `layout:"until=zero"`
	_       struct{}     `layout:"align=4"`
	Body    any          `layout:"switch=Kind,prefix=u16"`
	Options []fieldsText
	CRC     *fieldsPair `layout:"if=Version==5"`
	Extra   *fieldsPair `layout:"if=Version==6"`
}

type (
	fieldsPair struct{ X, Y uint8 }
	fieldsText struct {
		Text string `layout:"cstring"`
	}
)

// TestFields has a field of every kind.
func TestFields(t *testing.T) {
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[*fieldsPair](1), layout.KeepUnknown())}})
	if err != nil {
		t.Fatal(err)
	}
	p := fieldsPacket{Version: 5, Name: "ab", Points: []fieldsPair{{1, 2}}, Times: []uint16{7, 8}, Body: &fieldsPair{3, 4},
		Options: []fieldsText{{"x"}, {""}}, CRC: &fieldsPair{5, 6}}
	data, err := c.Marshal(&p)
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.Fields(append(data, 0xff), &p)
	if err != nil {
		t.Fatal(err)
	}
	want := `
0+25        fieldsPacket
0+1         bits 4<<4  Version = 5
0+1         bits 4<<0  Kind = 1
1+2           Total = 23
3+3           Name
3+1             _ = 2
4+2             Name = ab
6+3           Points
6+1             _ = 1
7+2             [0]
7+1               X = 1
8+1               Y = 2
9+6           Times
9+4             Times = [7 8]
13+2            [2] = 0
15+1          _
16+4          Body
16+2            _ = 2
18+1            X = 3
19+1            Y = 4
20+3          Options
20+2            [0]
20+2              Text = x
22+1            [1]
22+1              Text =
23+2          CRC
23+1            X = 5
24+1            Y = 6
`
	if got := "\n" + show(list); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for _, f := range list {
		if typ := reflect.TypeFor[fieldsPair](); (f.Name == "Body" || f.Name == "CRC") && f.Type != typ {
			t.Errorf("type of %s = %v, want that of what the pointer points to, %v", f.Name, f.Type, typ)
		}
	}
	if err := checkFields(list, len(data)); err != nil {
		t.Error(err)
	}
}

type (
	fieldsOrder struct {
		Mark  uint8        `layout:"const=1|le,const=2|be"`
		Pairs []fieldsPair `layout:"prefix=u16,order=Mark"`
		Inner fieldsInner
	}
	fieldsInner struct {
		_     struct{}     `layout:"order=Mark"`
		Pairs []fieldsPair `layout:"prefix=u16"`
	}
	fieldsTree struct {
		Kind     uint8
		Children []fieldsTree `layout:"count=u8"`
		Leaf     *fieldsPair  `layout:"if=Kind==1"`
	}
	fieldsMore struct {
		Size uint8  `layout:"len=Text..More"`
		Text string `layout:"cstring"`
		More uint8  `layout:"if=more"`
		Kind uint8
		All  fieldsAround
		End  uint8 `layout:"if=Kind"`
	}
	fieldsAround struct {
		A    uint8
		Size uint8 `layout:"len=A..More"`
		More uint8 `layout:"if=more"`
	}
	fieldsRun struct {
		Mark      uint8
		High, Low uint8 `layout:"bits=4"`
		Size      uint8 `layout:"len=High..More"`
		More      uint8 `layout:"if=more"`
		End       uint8
	}
	fieldsFlags struct {
		Items []fieldsFlag `layout:"count=u8"`
	}
	fieldsFlag struct {
		Has  uint8
		Kind uint8       `layout:"if=Has"`
		Pair *fieldsPair `layout:"if=Kind"`
	}
)

// TestFieldsKnown has messages whose fields depend on numbers read before.
func TestFieldsKnown(t *testing.T) {
	for _, c := range []struct {
		name, data string
		target     any
		count      int
	}{
		{"little-endian", "\x01\x02\x00ab\x02\x00cd", new(fieldsOrder), 13},
		{"big-endian", "\x02\x00\x02ab\x00\x02cd", new(fieldsOrder), 13},
		{"recursive", "\x01\x02\x00\x00\x00\x01\x00\x00ab", new(fieldsTree), 19},
		{"nothing more", "\x02x\x00\x01\x05\x02\x07", new(fieldsMore), 8},
		{"more", "\x03x\x00y\x01\x05\x03z\x07", new(fieldsMore), 10},
		{"length from a run of bits", "\x01\x12\x03a\x07", new(fieldsRun), 7},
		{"flags", "\x02\x01\x01ab\x00", new(fieldsFlags), 11},
	} {
		var codec layout.Codec
		list, err := codec.Fields([]byte(c.data), c.target)
		if err == nil {
			err = checkFields(list, len(c.data))
		}
		if err != nil || len(list) != c.count {
			t.Errorf("%s: %d fields, %v\n%s", c.name, len(list), err, show(list))
		}
	}
}

func ExampleCodec_Fields() {
	type packet struct {
		Size uint16 `layout:"len=Text"`
		Text string
	}
	var codec layout.Codec
	list, err := codec.Fields([]byte("\x00\x02hi"), new(packet))
	for _, f := range list {
		fmt.Println(f.Depth, f.Name, f.Offset, f.Size, f.Value)
	}
	fmt.Println(err)
	// Output:
	// 0 packet 0 4 <nil>
	// 1 Size 0 2 2
	// 1 Text 2 2 hi
	// <nil>
}
