package octetgen_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/heaptest"
	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/layout"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/octetgen"
	"github.com/octet-go/octet/octetgen/internal/compare"
	"github.com/octet-go/octet/octetgen/internal/shapes"
)

func TestMain(m *testing.M) { heaptest.Main(m) }

// TestOracle compares generated code with the plans of its types and with the oracle.
func TestOracle(t *testing.T) {
	check[shapes.Scalars](t)
	check[shapes.Optional](t)
	check[shapes.Many](t)
	check[shapes.Tree](t)
	check[shapes.Links](t)
	check[shapes.Methods](t)
	check[shapes.Embeds](t)
	check[shapes.Tree2](t)
}

// TestSource checks that Source prints the same code when it is called directly. Unlike TestCurrent, it starts no process.
func TestSource(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("internal/shapes", octetgen.FileName))
	if err != nil {
		t.Fatal(err)
	}
	codecs := map[reflect.Type]*layout.Codec{reflect.TypeFor[shapes.Command](): shapes.Codec}
	got, err := octetgen.SourceWith(nil, codecs, reflect.TypeFor[shapes.Publish](), reflect.TypeFor[shapes.Packet](), reflect.TypeFor[shapes.Frames](), reflect.TypeFor[shapes.Command](), reflect.TypeFor[shapes.Pointers](), reflect.TypeFor[shapes.Scalars](), reflect.TypeFor[shapes.Optional](), reflect.TypeFor[shapes.Many](), reflect.TypeFor[shapes.Tree](), reflect.TypeFor[shapes.Links](),
		reflect.TypeFor[shapes.Methods](), reflect.TypeFor[shapes.Embeds](), reflect.TypeFor[shapes.Tree2](), reflect.TypeFor[shapes.Loose]())
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("Source does not print the code in the package: %v\n%s", err, got)
	}
	if _, err := octetgen.Source(nil); err == nil {
		t.Error("no types: no error")
	}
}

// TestConstants checks that no constant is so long that copying it or comparing with it is a call.
func TestConstants(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("internal/shapes", octetgen.FileName))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	const literal = `"(?:[^"\\]|\\.)*"`
	for _, match := range regexp.MustCompile(`, (`+literal+`)\.\.\.\)|\]\) [!=]= (`+literal+`)`).FindAllSubmatch(source, -1) {
		text, err := strconv.Unquote(string(match[1]) + string(match[2]))
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 16 {
			t.Errorf("a constant of %d bytes: %q", len(text), text)
		}
		n++
	}
	if n < 200 {
		t.Errorf("found %d constants", n)
	}
}

// TestCurrent checks that the code that the other tests compare is what octet-gen writes now.
func TestCurrent(t *testing.T) {
	needsGo(t)
	t.Chdir("internal/shapes")
	octetgen.Current(t)
}

func check[T any](t *testing.T) {
	t.Run("", func(t *testing.T) {
		compare.Used[T](t)
		seeds := uint64(12)
		if testing.Short() || os.Getenv("OCTET_LONG") == "" {
			seeds = 4
		}
		for seed := range seeds {
			compare.Check[T](t, seed, heaptest.Allocated)
		}
	})
}

// FuzzGenerated decodes the same input with and without generated code.
func FuzzGenerated(f *testing.F) {
	text := "text"
	for _, v := range []any{
		shapes.Scalars{String: "s", Int64: -1, Bytes: []byte{1}}, shapes.Optional{Name: "n", Inner: &shapes.Inner{D: &text}},
		shapes.Tree{Kids: []shapes.Tree{{Value: 1}}}, shapes.Methods{Ints: []int{1}}, shapes.Tree2{A: 1},
		shapes.Embeds{Base: &shapes.Base{Number: 300, Deep: &shapes.Deep{Flag: true}}},
	} {
		data, err := msgpack.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint64(1))
	}
	// One of the types for each input, because the random variables of a type are large.
	messages := []func(t testing.TB, data []byte, seed uint64){
		compare.NewComparison[shapes.Scalars]().Message, compare.NewComparison[shapes.Optional]().Message, compare.NewComparison[shapes.Tree]().Message,
		compare.NewComparison[shapes.Links]().Message,
		compare.NewComparison[shapes.Methods]().Message, compare.NewComparison[shapes.Embeds]().Message,
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		if len(data) > 1<<12 {
			return
		}
		messages[seed%uint64(len(messages))](t, data, seed)
		heaptest.AtMost(t, 1<<20+1<<10*len(data), func() {
			_ = msgpack.Unmarshal(data, new(shapes.Tree))
			_ = msgpack.Unmarshal(data, new(shapes.Optional))
		})
	})
}

// TestMemoryOfClaims decodes maps that claim more pairs than there are, one inside the other. Generated code leaves the
// maps to the plan, which leaves what is in them to generated code. All of them together may not claim more than there is.
func TestMemoryOfClaims(t *testing.T) {
	valid, err := msgpack.Marshal(shapes.Links{Named: map[string]*shapes.Links{"": {}}})
	if err != nil {
		t.Fatal(err)
	}
	start, rest, ok := bytes.Cut(valid, []byte("\x81\xa0"))
	if !ok || !bytes.HasPrefix(rest, start) {
		t.Fatalf("another form: %q", valid)
	}
	for range 1000 { // generated code that has left many values before is tried again
		if err := msgpack.Unmarshal(valid, new(shapes.Links)); err != nil {
			t.Fatal(err)
		}
	}
	data := bytes.Repeat(append(start, "\xde\x0f\xff\xa0"...), 200)
	data = append(data, make([]byte, 2<<12)...)
	heaptest.AtMost(t, 128*len(data), func() {
		if err := msgpack.Unmarshal(data, new(shapes.Links)); err == nil {
			t.Error("no error")
		}
	})
}

// TestLongListsAreNotLeft decodes values with many elements that take one byte each. If generated code leaves such a value,
// what comes before the list is decoded and allocated twice.
func TestLongListsAreNotLeft(t *testing.T) {
	plans, err := msgpack.New(msgpack.Options{TagKeys: []string{"msgpack"}}) // ignores generated code
	if err != nil {
		t.Fatal(err)
	}
	data, err := msgpack.Marshal(shapes.Methods{Text: shapes.NewUpper(500), Ints: make([]int, 4000)})
	if err != nil {
		t.Fatal(err)
	}
	short, err := msgpack.Marshal(shapes.Methods{Text: shapes.NewUpper(1)})
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 { // generated code that has left many values before is tried again
		if err := msgpack.Unmarshal(short, new(shapes.Methods)); err != nil {
			t.Fatal(err)
		}
	}
	decode := func(unmarshal func([]byte, any) error) uint64 {
		return heaptest.Allocated(func() {
			for range 4 {
				if err := unmarshal(data, new(shapes.Methods)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	decode(plans.Unmarshal) // compiles the type
	want := decode(plans.Unmarshal)
	if got := decode(msgpack.Unmarshal); got > want+want/50 {
		t.Errorf("allocated %d bytes, the plan %d", got, want)
	}
}

// TestPointerToZeroTime leaves out a pointer whose method IsZero says that it is zero.
func TestPointerToZeroTime(t *testing.T) {
	want, err := msgpack.Marshal(&shapes.Optional{ID: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, err := msgpack.Marshal(&shapes.Optional{ID: 1, Until: new(time.Time)})
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("% x, %v, want % x", got, err, want)
	}
}

// TestKeysThatDiffer decodes keys that are not equal to themselves, before a value that the
// plan must decode.
func TestKeysThatDiffer(t *testing.T) {
	data, err := msgpack.Marshal(&shapes.Optional{Scale: map[float64]int{math.NaN(): 1}, Blob: []byte("a")})
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Replace(data, []byte("blob"), []byte("blub"), 1) // a key that is not expected
	var v shapes.Optional
	if err := msgpack.Unmarshal(data, &v); err != nil || len(v.Scale) != 1 {
		t.Errorf("%v, %v", v.Scale, err)
	}
	var in shapes.Loose
	in.Part.Scale = map[float64]int{math.NaN(): 1}
	in.Parts[0] = map[float64]int{math.NaN(): 1}
	in.Set.Keys = map[float64]struct{}{math.NaN(): {}}
	if data, err = msgpack.Marshal(&in); err != nil {
		t.Fatal(err)
	}
	var out shapes.Loose
	err = msgpack.Unmarshal(bytes.Replace(data, []byte("Last"), []byte("Lest"), 1), &out)
	if err != nil || len(out.Part.Scale) != 1 || len(out.Parts[0]) != 1 || len(out.Set.Keys) != 1 {
		t.Errorf("%v, %v", out, err)
	}
}

// commands are the Codecs for shapes.Command.
var commands = func() *compare.Codecs {
	c := reference.Config{Unions: map[reflect.Type]reference.Union{}}
	for of, variants := range shapes.Unions {
		c.Unions[of] = reference.Union{Variants: variants}
	}
	return compare.NewCodecs(shapes.Options, c)
}()

// TestMessages compares generated code for package layout with the plans of its types and with the oracle.
func TestMessages(t *testing.T) {
	seeds := uint64(300)
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
		seeds = 50
	}
	compare.UsedMessage[shapes.Publish](t, compare.Default)
	compare.UsedMessage[shapes.Packet](t, compare.Default)
	compare.UsedMessage[shapes.Frames](t, compare.Default)
	compare.UsedMessage[shapes.Pointers](t, compare.Default)
	compare.UsedMessage[shapes.Command](t, commands)
	for seed := range seeds {
		compare.CheckMessage[shapes.Publish](t, compare.Default, seed)
		compare.CheckMessage[shapes.Packet](t, compare.Default, seed)
		compare.CheckMessage[shapes.Frames](t, compare.Default, seed)
		compare.CheckMessage[shapes.Pointers](t, compare.Default, seed)
		compare.CheckMessage[shapes.Command](t, commands, seed)
	}
}

// FuzzMessages decodes the same input with and without generated code for package layout, and encodes what was decoded.
func FuzzMessages(f *testing.F) {
	for _, v := range []any{
		shapes.Publish{Topic: "a/b", QoS: 1, PacketID: 7, Body: []byte("text")},
		shapes.Packet{Options: []byte{1, 2, 3, 4}, Payload: []byte{1}},
	} {
		data, err := layout.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		compare.DecodeMessage[shapes.Publish](t, compare.Default, data)
		compare.DecodeMessage[shapes.Packet](t, compare.Default, data)
		compare.DecodeMessage[shapes.Frames](t, compare.Default, data)
		compare.DecodeMessage[shapes.Pointers](t, compare.Default, data)
		compare.DecodeMessage[shapes.Command](t, commands, data)
		heaptest.AtMost(t, 1<<20+1<<10*len(data), func() { _ = layout.Unmarshal(data, new(shapes.Packet)) })
	})
}

// TestTruncatedParts decodes the beginnings of a message whose type has no generated code, but whose parts have. The
// errors must be those of the plans, which know what the containers around a part still need.
func TestTruncatedParts(t *testing.T) {
	type outer struct {
		Lists  [][]shapes.Optional
		Fixed  [3]shapes.Tree
		Named  map[string]*shapes.Embeds
		Linked []*shapes.Links
		Last   []int
	}
	text, count := "text", 300
	optional := shapes.Optional{ID: 1, Name: "name", Count: &count, Inner: &shapes.Inner{D: &text}}
	v := outer{
		Lists:  [][]shapes.Optional{{optional, {}, optional}, {}, {optional, optional}},
		Fixed:  [3]shapes.Tree{{Value: 1, Kids: []shapes.Tree{{Value: 2}, {Value: 3}}}},
		Named:  map[string]*shapes.Embeds{"one": {Base: &shapes.Base{Number: 300, Deep: &shapes.Deep{Flag: true}}}},
		Linked: []*shapes.Links{{}, {Named: map[string]*shapes.Links{"": {}}}, {}},
		Last:   []int{1, 2, 3, 4, 5, 6, 7, 8},
	}
	data, err := msgpack.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := msgpack.New(msgpack.Options{TagKeys: []string{"msgpack"}}) // under which no generated code is used
	if err != nil {
		t.Fatal(err)
	}
	for n := range data {
		var got, want outer
		gotErr, wantErr := msgpack.Unmarshal(data[:n], &got), plain.Unmarshal(data[:n], &want)
		if gotErr == nil || wantErr == nil || gotErr.Error() != wantErr.Error() {
			t.Errorf("%d of %d bytes: got error %v, want %v", n, len(data), gotErr, wantErr)
		}
	}
}
