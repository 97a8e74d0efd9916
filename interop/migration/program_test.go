package migration

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	hashicorp "github.com/hashicorp/go-msgpack/v2/codec"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	"github.com/ugorji/go/codec"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// Types for programs that once wrote or read other values than with their library.
type (
	textList   []string
	binaryList []byte
	textMap    map[string]int
	ptrList    []string // its methods need a pointer

	emptiness struct {
		P   *time.Time        `msgpack:",omitempty" codec:",omitempty"`
		T   time.Time         `msgpack:",omitempty" codec:",omitempty"`
		F   float64           `msgpack:",omitempty" codec:",omitempty"`
		F32 float32           `msgpack:",omitempty" codec:",omitempty"`
		I   **int             `msgpack:",omitempty" codec:",omitempty"`
		S   struct{ L []int } `msgpack:",omitempty" codec:",omitempty"`
		C   point             `msgpack:",omitempty" codec:",omitempty"`
		Z   zeroFive          `msgpack:",omitempty" codec:",omitempty"`
		A   [2]int            `msgpack:",omitempty" codec:",omitempty"`
		V   any               `msgpack:",omitempty" codec:",omitempty"`
	}
	omittingPointer struct {
		*Base
		N int `msgpack:",omitempty"`
	}
	hiddenBase     struct{ Hidden int }
	hiddenEmbedder struct {
		hiddenBase
		Name string
	}
	// A zeroFive says that 5 is its zero.
	zeroFive int8
)

func (z zeroFive) IsZero() bool { return z == 5 }

// The methods of nilMethods and nilText return nil for 0, and no bytes for 1.
type (
	nilMethods int8
	nilText    int8
)

func (n nilMethods) MarshalBinary() ([]byte, error) { return [][]byte{nil, {}, {'b'}}[n], nil }
func (n *nilMethods) UnmarshalBinary(b []byte) error {
	*n = nilMethods(1 + len(b))
	return nil
}

func (n nilText) MarshalText() ([]byte, error) { return [][]byte{nil, {}, {'b'}}[n], nil }
func (n *nilText) UnmarshalText(b []byte) error {
	*n = nilText(1 + len(b))
	return nil
}

func (l textList) MarshalText() ([]byte, error) { return []byte{byte('0' + len(l))}, nil }
func (l *textList) UnmarshalText(b []byte) error {
	*l = make(textList, b[0]-'0')
	return nil
}

func (l binaryList) MarshalBinary() ([]byte, error)  { return append([]byte{1}, l...), nil }
func (l *binaryList) UnmarshalBinary(b []byte) error { *l = append(binaryList{}, b[1:]...); return nil }
func (m textMap) MarshalBinary() ([]byte, error)     { return []byte{byte(len(m))}, nil }
func (m *textMap) UnmarshalBinary([]byte) error      { *m = textMap{}; return nil }
func (l *ptrList) MarshalBinary() ([]byte, error)    { return []byte{byte(len(*l))}, nil }
func (l *ptrList) UnmarshalBinary(b []byte) error    { *l = make(ptrList, b[0]); return nil }

// profileOf returns the library of a profile by its name.
func profileOf(t *testing.T, name string) (profiled, *msgpack.Codec) {
	t.Helper()
	for _, p := range profiles() {
		if p.name != name {
			continue
		}
		c, err := msgpack.New(p.config)
		if err != nil {
			t.Fatal(err)
		}
		return p, c
	}
	t.Fatalf("no profile %s", name)
	return profiled{}, nil
}

// TestProgramsWrite encodes values that programs have, by pointer, as their libraries
// do. It decodes what both wrote with both.
func TestProgramsWrite(t *testing.T) {
	zone := time.FixedZone("", 3600)
	zero, five := time.Time{}, zeroFive(5)
	var nothing *int
	minus, minus32 := math.Copysign(0, -1), float32(math.Copysign(0, -1))
	values := []any{
		&struct{ IP net.IP }{net.IP{1, 2, 3, 4}}, &struct{ IP net.IP }{}, &struct{ IP net.IP }{net.IPv4(1, 2, 3, 4)},
		&struct{ A netip.Addr }{netip.MustParseAddr("1.2.3.4")}, &struct{ A netip.AddrPort }{netip.MustParseAddrPort("[::1]:80")},
		&struct{ A []netip.Addr }{[]netip.Addr{netip.MustParseAddr("10.0.0.1")}},
		&struct{ L textList }{}, &struct{ L textList }{textList{}}, &struct{ L textList }{textList{"a"}}, &struct{ L []textList }{[]textList{nil, {}}},
		&struct{ L binaryList }{}, &struct{ L binaryList }{binaryList{}}, &struct{ L binaryList }{binaryList{1}},
		&struct{ M textMap }{}, &struct{ M textMap }{textMap{}}, &struct{ L ptrList }{}, &struct{ L ptrList }{ptrList{"a"}},
		&emptiness{P: &zero}, &emptiness{T: zero.In(zone)}, &emptiness{F: minus}, &emptiness{F32: minus32}, &emptiness{I: &nothing},
		&emptiness{S: struct{ L []int }{[]int{}}}, &emptiness{Z: five}, &emptiness{A: [2]int{1}}, &emptiness{}, &emptiness{V: minus}, &emptiness{V: zero},
		&emptiness{V: &zero}, &emptiness{V: point{}}, &emptiness{V: ""}, &emptiness{V: []int(nil)}, &emptiness{P: new(time.Unix(1, 0))},
		&hiddenEmbedder{hiddenBase{1}, "n"}, &struct{ U url.URL }{}, &struct{ M []nilMethods }{[]nilMethods{0, 1, 2}}, &struct{ T []nilText }{[]nilText{0, 1, 2}},
		&omittingPointer{}, &omittingPointer{N: 1}, &omittingPointer{Base: &Base{}}, &struct{ P omittingPointer }{},
	}
	for _, p := range profiles() {
		t.Run(p.name, func(t *testing.T) {
			ours, err := msgpack.New(p.config)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range values {
				if strings.HasPrefix(p.name, "Shamaton") && strings.Contains(reflect.TypeOf(v).String(), "netip.") {
					continue // the library loses them
				}
				want, err := p.marshal(v)
				if err != nil {
					t.Errorf("%T: the library cannot encode %v", v, err)
					continue
				}
				got, err := ours.Marshal(v)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%T %+v\ngot  % x, %v\nwant % x", v, v, got, err, want)
					continue
				}
				back, theirs := reflect.New(reflect.TypeOf(v).Elem()), reflect.New(reflect.TypeOf(v).Elem())
				if err := p.unmarshal(want, theirs.Interface()); err != nil {
					continue // the library does not read what it wrote
				}
				if err := ours.Unmarshal(want, back.Interface()); err != nil {
					t.Errorf("%T %+v: % x: %v", v, v, want, err)
				}
			}
		})
	}
}

// TestProgramsHashicorpTime reads times that programs have written with
// TimeNotBuiltin, as a default handle does.
func TestProgramsHashicorpTime(t *testing.T) {
	old := new(hashicorp.MsgpackHandle)
	old.TimeNotBuiltin = true
	_, ours := profileOf(t, "Hashicorp")
	for _, at := range []time.Time{time.Unix(1, 2).UTC(), time.Unix(1<<33, 0).In(time.FixedZone("", 3600)), time.Unix(5, 0).In(time.FixedZone("", 3601))} {
		v := struct{ AppendedAt time.Time }{at}
		var data []byte
		if err := hashicorp.NewEncoderBytes(&data, old).Encode(v); err != nil {
			t.Fatal(err)
		}
		got := v
		got.AppendedAt = time.Time{}
		if err := ours.Unmarshal(data, &got); err != nil || !got.AppendedAt.Equal(at) {
			t.Errorf("% x: got %v, %v, want %v", data, got, err, at)
		}
	}
}

// TestProgramsMaps decodes into maps that have entries.
func TestProgramsMaps(t *testing.T) {
	for _, name := range []string{"Vmihailenco", "VmihailencoV4"} {
		p, ours := profileOf(t, name)
		for _, make := range []func() any{
			func() any { return &map[string]any{"old": 1} },
			func() any { return &map[string]string{"old": "1"} },
			func() any { return &struct{ M map[string]any }{map[string]any{"old": 1}} },
			func() any { type m map[string]any; return &m{"old": 1} },
			func() any { var v map[string]any; return &v },
		} {
			for _, message := range []string{"\x81\xa1M\xa1v", "\x80", "\xc0", "\x81\xa1M\x81\xa1k\x01", "\x81\xa1M\xc0"} {
				theirs, got := make(), make()
				err := p.unmarshal([]byte(message), theirs)
				if err2 := ours.Unmarshal([]byte(message), got); (err == nil) != (err2 == nil) || err == nil && !reflect.DeepEqual(theirs, got) {
					t.Errorf("%s: %x into %T: got %v, %v, want %v, %v", name, message, got, reflect.ValueOf(got).Elem(), err2, reflect.ValueOf(theirs).Elem(), err)
				}
			}
		}
	}
}

// TestProgramsEOF compares the errors for empty input with ==, as caches do.
func TestProgramsEOF(t *testing.T) {
	for _, name := range []string{"Vmihailenco", "VmihailencoV4"} {
		p, ours := profileOf(t, name)
		for _, v := range []any{new(int), new(any), new(point), new(map[string]any), new([]string), new(time.Time), new(*point)} {
			if err := p.unmarshal(nil, v); err != io.EOF {
				t.Fatalf("%s: %T: %v", name, v, err)
			}
			if err := ours.Unmarshal(nil, v); err != io.EOF {
				t.Errorf("%s: %T: got %v, want io.EOF", name, v, err)
			}
			if err := ours.Unmarshal([]byte{}, v); err != io.EOF {
				t.Errorf("%s: %T: got %v, want io.EOF", name, v, err)
			}
		}
	}
}

// TestProgramsAddresses reads addresses of all libraries with the default Options.
func TestProgramsAddresses(t *testing.T) {
	for _, ip := range []net.IP{{1, 2, 3, 4}, net.IPv4(1, 2, 3, 4), net.ParseIP("::1"), net.ParseIP("2001:db8::1:2:3")} {
		for _, p := range profiles() {
			data, err := p.marshal(struct{ IP net.IP }{ip})
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(p.name, "Array") {
				continue
			}
			var got struct{ IP net.IP }
			if err := msgpack.Unmarshal(data, &got); err != nil || !got.IP.Equal(ip) {
				t.Errorf("%s: % x: got %v, %v, want %v", p.name, data, got.IP, err, ip)
			}
		}
	}
}

// TestProgramsText decodes text into variables of type any, with handles that make bytes or
// strings of it.
func TestProgramsText(t *testing.T) {
	values := []any{
		"", "a", strings.Repeat("a", 40), []byte{}, []byte("b"), time.Unix(1, 0), octave(1),
		[]any{"a", []byte("b"), nil, []string{"c"}}, map[string]any{"k": "v"}, map[string]any{"k": map[string]any{"k": []byte("v")}},
		map[any]any{"k": []byte("v")}, map[any]any{int64(1): "v"}, map[int]string{1: "a"}, point{1, 2}, holder{"a"}, holder{holder{[]byte("b")}},
	}
	targets := []func() any{
		fresh[any], fresh[map[string]any], fresh[map[any]any], fresh[map[any]string], fresh[map[string]string], fresh[holder], fresh[string], fresh[[]byte],
	}
	for _, raw := range []bool{false, true} {
		for _, ext := range []bool{false, true} {
			u, h := new(codec.MsgpackHandle), new(hashicorp.MsgpackHandle)
			u.RawToString, u.WriteExt, h.RawToString, h.WriteExt = raw, ext, raw, ext
			withText := func(o msgpack.Options) *msgpack.Codec {
				if ext {
					o.Types, o.Compat.OldFormats, o.Compat.AnyText = profile.UgorjiExt().Types, false, msgpack.AnyTextFormat
				}
				if raw {
					o.Compat.AnyText = msgpack.AnyTextString
				}
				c, err := msgpack.New(o)
				if err != nil {
					t.Fatal(err)
				}
				return c
			}
			for _, library := range []struct {
				name   string
				encode func(any) ([]byte, error)
				decode func([]byte, any) error
				ours   *msgpack.Codec
			}{
				{"ugorji", func(v any) (b []byte, err error) { return b, codec.NewEncoderBytes(&b, u).Encode(v) }, func(b []byte, v any) error { return codec.NewDecoderBytes(b, u).Decode(v) }, withText(profile.Ugorji())},
				{"hashicorp", func(v any) (b []byte, err error) { return b, hashicorp.NewEncoderBytes(&b, h).Encode(v) }, func(b []byte, v any) error { return hashicorp.NewDecoderBytes(b, h).Decode(v) }, withText(profile.Hashicorp())},
			} {
				compared := 0
				for _, v := range values {
					var data []byte
					if _, err := catch(func() (b []byte, err error) { data, err = library.encode(v); return nil, err }); err != nil {
						t.Fatal(err)
					}
					for _, target := range targets {
						theirs, got := target(), target()
						_, err := catch(func() ([]byte, error) { return nil, library.decode(bytes.Clone(data), theirs) })
						if err2 := library.ours.Unmarshal(data, got); err == nil && (err2 != nil || !reflect.DeepEqual(theirs, got)) {
							t.Errorf("%s, RawToString %v, WriteExt %v: % x into %T: got %#v, %v, want %#v", library.name, raw, ext, data, got, reflect.ValueOf(got).Elem(), err2, reflect.ValueOf(theirs).Elem())
						} else if err == nil {
							compared++
						}
					}
				}
				if compared < 30 {
					t.Errorf("%s: only %d compared", library.name, compared)
				}
			}
		}
	}
}

// TestProgramsRaw decodes nil and other values into the type for encoded values.
func TestProgramsRaw(t *testing.T) {
	handle := new(codec.MsgpackHandle)
	for _, data := range []string{"\xc0", "\x91\xc0", "\x92\x01\xc0", "\x81\xa1R\xc0", "\x81\xa1R\x91\xc0", "\x81\xa1P\xc0", "\x81\xa1P\x01", "\x81\xa1M\x81\xa1k\xc0"} {
		for name, theirs := range map[string]func(mark byte) (any, error){
			"Vmihailenco": func(mark byte) (any, error) {
				return decodeRaw[vmihailenco.RawMessage](data, mark, func(v any) error { return vmihailenco.Unmarshal([]byte(data), v) })
			},
			"Ugorji": func(mark byte) (any, error) {
				return decodeRaw[codec.Raw](data, mark, func(v any) error { return codec.NewDecoderBytes([]byte(data), handle).Decode(v) })
			},
			"Hashicorp": func(mark byte) (any, error) {
				return decodeRaw[hashicorp.Raw](data, mark, func(v any) error {
					return hashicorp.NewDecoderBytes([]byte(data), new(hashicorp.MsgpackHandle)).Decode(v)
				})
			},
		} {
			_, ours := profileOf(t, name)
			for _, mark := range []byte{0, 1} { // into a variable that has a value, too
				want, err := theirs(mark)
				got, err2 := decodeRaw[msgpack.Raw](data, mark, func(v any) error { return ours.Unmarshal([]byte(data), v) })
				if name == "Ugorji" && data == "\xc0" {
					continue // see the exceptions
				}
				if err != nil || err2 != nil || got != want {
					t.Errorf("%s: % x, %d: got %v, %v, want %v, %v", name, data, mark, got, err2, want, err)
				}
			}
		}
	}
}

// decodeRaw decodes data into a variable with values of a type for encoded values, which already has
// one if mark is not 0. It describes the variable.
func decodeRaw[R ~[]byte](data string, mark byte, decode func(v any) error) (string, error) {
	var all R
	var list []R
	var s struct {
		R R
		P *R
		M map[string]R
	}
	if mark != 0 {
		all, list, s.R = R{mark}, []R{{mark}}, R{mark}
	}
	v := any(&s)
	switch data[0] {
	case 0xc0:
		v = &all
	case 0x91, 0x92:
		v = &list
	}
	err := decode(v)
	text := fmt.Sprintf("%x %v %x %x %v %x", []byte(all), all == nil, list, []byte(s.R), s.R == nil, s.M)
	if s.P != nil {
		text += fmt.Sprintf(" %x", []byte(*s.P))
	}
	for _, r := range append(list, s.M["k"]) {
		text += fmt.Sprint(" ", r == nil)
	}
	return text, err
}
