package octetgen_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/layout"
	"github.com/octet-go/octet/octetgen"
)

// Types that get methods for one package or for both.
type (
	tagged struct {
		A uint8 `msgpack:"a"`
		B inTags
	}
	inTags struct {
		A uint8 `layout:"u8"`
	}
	around struct{ B []inTags }
	both   struct {
		A uint8 `msgpack:"a" layout:"u8"`
	}
	plain struct{ A uint8 }
)

// TestPackages checks for which packages a type gets methods.
func TestPackages(t *testing.T) {
	for _, test := range []struct {
		of              reflect.Type
		msgpack, layout bool
	}{
		{reflect.TypeFor[tagged](), true, false},
		{reflect.TypeFor[inTags](), false, true},
		{reflect.TypeFor[around](), false, true},
		{reflect.TypeFor[both](), true, true},
		{reflect.TypeFor[plain](), true, false},
	} {
		source, err := octetgen.Source(nil, test.of)
		m, l := strings.Contains(string(source), ") OctetMsgpack() "), strings.Contains(string(source), ") OctetLayout() ")
		if err != nil || m != test.msgpack || l != test.layout {
			t.Errorf("%v: msgpack %t, layout %t, %v", test.of, m, l, err)
		}
	}
}

// Types of package msgpack for which there is no generated code.
type (
	list    []int
	channel struct{ C chan int }
	own     struct{ A int }
	rest    struct {
		M map[string]any `msgpack:",inline"`
	}
	embeds  struct{ *base }
	ordered struct {
		_ struct{} `msgpack:",as_array"`
		*Base
	}
	base struct{ B int }
	Base struct{ B int }
	set  struct {
		S map[string]struct{} `msgpack:",set"`
	}
	zero struct {
		Z [2]float64 `msgpack:",omitzero"`
	}
	needed struct {
		*Needed
	}
	Needed struct {
		R int `msgpack:",required"`
	}
	nonsense struct {
		A int `msgpack:"a,nonsense"`
	}
)

func (own) MarshalMsgpack() ([]byte, error) { return []byte{1}, nil }

// TestRefusedTypes checks the errors for them.
func TestRefusedTypes(t *testing.T) {
	for of, want := range map[reflect.Type]string{
		reflect.TypeFor[list]():     "octetgen: type octetgen_test.list: not a struct",
		reflect.TypeFor[channel]():  "octetgen: type octetgen_test.channel: field C has a type that cannot be encoded",
		reflect.TypeFor[own]():      "octetgen: type octetgen_test.own: it has methods or a form of its own",
		reflect.TypeFor[rest]():     "octetgen: type octetgen_test.rest: it has an inline map",
		reflect.TypeFor[embeds]():   "octetgen: type octetgen_test.embeds: an embedded pointer that cannot be set leads to field B",
		reflect.TypeFor[ordered]():  "octetgen: type octetgen_test.ordered: the field B of an embedded pointer that is nil must be written",
		reflect.TypeFor[set]():      "octetgen: type octetgen_test.set: the tag of field S gives its type another form",
		reflect.TypeFor[zero]():     "octetgen: type octetgen_test.zero: the condition for omitting field Z is not supported",
		reflect.TypeFor[needed]():   "octetgen: type octetgen_test.needed: the field R of an embedded pointer that is nil must be written",
		reflect.TypeFor[nonsense](): "unknown option",
	} {
		if source, err := octetgen.Source(nil, of); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %s\n%s", of, err, want, source)
		}
	}
}

// Types of package layout for which there is no generated code.
type (
	asked struct {
		N uint32 `layout:"oct=8,const=1"`
		B uint8  `layout:"if=N"`
	}
	late struct {
		N uint32 `layout:"dec=4,len=A..B"`
		A uint8
		B []byte `layout:"prefix=u8"`
	}
	outer struct {
		N    uint8
		List []struct {
			A uint8 `layout:"if=N"`
			B uint8
		} `layout:"until=zero"`
	}
	withRaw struct {
		A  uint8
		B  []byte `layout:"prefix=u8"`
		In raw    `layout:"if=A"`
	}
	raw struct {
		Raw []byte `layout:"raw=B"`
	}
	withMore struct {
		N uint8 `layout:"len=A..B"`
		A uint8
		B uint8 `layout:"if=more"`
	}
	withMoreLength struct {
		N uint8  `layout:"len=B"`
		B []byte `layout:"if=more"`
		C uint8
	}
	withOrder struct {
		A uint8  `layout:"const=1|le,const=2|be"`
		B string `layout:"order=A,prefix=u8,utf16"`
	}
	orderOfZero struct {
		A    uint8 `layout:"const=1|le,const=2|be"`
		List []struct {
			B inTags `layout:"prefix=u16"`
		} `layout:"order=A,until=zero"`
	}
	recursive struct {
		N    uint8
		Next *recursive `layout:"if=N"`
	}
	pointer struct {
		*inTags
		N uint8 `layout:"u8"`
	}
	absent struct {
		A uint8
		N uint8  `layout:"if=A,len=B..C"`
		B []byte `layout:"prefix=u8"`
		C uint8
	}
	large struct {
		List []struct {
			A uint8
			B [1000]uint8 `layout:"if=A"`
		} `layout:"count=u8"`
	}
	blank struct {
		_ uint8 `layout:"len=B"`
		B []byte
	}
	binaryText struct {
		N uint8     `layout:"len=T"`
		T time.Time // without a length around it, it would be a struct
	}
	summed struct {
		A uint8
		S uint8 `layout:"sum=sum8:A"`
	}
	selected struct {
		N uint8 `layout:"max=2"`
		V any   `layout:"switch=N"`
	}
	nothing struct {
		N uint8
		B string `layout:"fixed=0"`
	}
	moved struct {
		A struct {
			B []byte `layout:"prefix=u8"`
			C uint8  `layout:"sum8=B"`
		} `layout:"prefix=varint"`
	}
	limitedSum struct {
		A []byte
		B uint8 `layout:"sum8=A,max=3"`
	}
	bare struct {
		A uint8 `layout:"-"`
	}
	itself struct {
		A uint8 `layout:"u8"`
	}
	moving struct {
		N uint16 `layout:"len=A..B"`
		A inTags `layout:"prefix=varint"`
		B uint8
		C uint8 `layout:"sum8=A..B"`
	}
)

func (*itself) AppendLayout(dst []byte) ([]byte, error) { return append(dst, 1), nil }
func (*itself) DecodeLayout([]byte) (int, error)        { return 1, nil }

// TestRefusedMessages checks the errors for them.
func TestRefusedMessages(t *testing.T) {
	c, err := layout.New(layout.Options{
		Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[*inTags](1))},
		Sums:   map[string]layout.Sum{"sum8": layout.Checksum("sum8")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		of   reflect.Type
		want string
	}{
		{reflect.TypeFor[asked](), "field asked.N: there is no generated code for other options beside oct=8,const=1"},
		{reflect.TypeFor[late](), "field late.N: there is no generated code for a length with be,dec=4 of later fields"},
		{reflect.TypeFor[outer](), "field outer.List: there is no generated code for the option be,until=zero with fields that depend on others"},
		{reflect.TypeFor[withRaw](), "field withRaw.In.Raw: there is no generated code for a checksum or raw bytes that may be absent where their range is not"},
		{reflect.TypeFor[withMore](), "field withMore.B: there is no generated code for if=more"},
		{reflect.TypeFor[withMoreLength](), "field withMoreLength.B: there is no generated code for if=more"},
		{reflect.TypeFor[withOrder](), "field withOrder.B: there is no generated code for be,prefix=u8,utf16 in the byte order that A names"},
		{reflect.TypeFor[orderOfZero](), "field orderOfZero.List: there is no generated code for be,until=zero in the byte order that A names"},
		{reflect.TypeFor[recursive](), "field recursive: there is no generated code for a recursive type"},
		{reflect.TypeFor[pointer](), "an embedded pointer to an unexported type cannot be set"},
		{reflect.TypeFor[absent](), "field absent.N: there is no generated code for a length in a field that may be absent"},
		{reflect.TypeFor[large](), "field large.List: the elements take much more memory than bytes"},
		{reflect.TypeFor[blank](), "field blank._: there is no generated code for a blank field that others depend on"},
		{reflect.TypeFor[binaryText](), "field binaryText.T: there is no generated code for a type with UnmarshalBinary whose length another field has"},
		{reflect.TypeFor[summed](), "field summed.S: there is no generated code for sum=, because its function belongs to a Codec"},
		{reflect.TypeFor[selected](), "field selected.V: there is no generated code for this use of switch"},
		{reflect.TypeFor[nothing](), "field nothing.B: there is no generated code for fixed=0"},
		{reflect.TypeFor[moved](), "field moved.A: there is no generated code for a varint before a number that depends on later fields"},
		{reflect.TypeFor[limitedSum](), "field limitedSum.B: there is no generated code for max on a checksum"},
		{reflect.TypeFor[itself](), "octetgen: type octetgen_test.itself: it has methods or a form of its own"},
		{reflect.TypeFor[bare](), "the message has no bytes"},
		{reflect.TypeFor[moving](), "there is no generated code for a varint that depends on later fields beside other such fields"},
	} {
		if source, err := octetgen.SourceWith(nil, map[reflect.Type]*layout.Codec{test.of: c}, test.of); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: got %v, want %s\n%s", test.of, err, test.want, source)
		}
	}
}
