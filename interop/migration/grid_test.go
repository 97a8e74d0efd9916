package migration

import (
	"fmt"
	"net"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
)

// gridMessages has each format, with the values at which decoders decide, and damaged ones.
var gridMessages = []struct{ name, data string }{
	{"nil", "\xc0"}, {"false", "\xc2"}, {"true", "\xc3"}, {"0", "\x00"}, {"1", "\x01"}, {"5", "\x05"}, {"-1", "\xff"}, {"-32", "\xe0"},
	{"u8 1", "\xcc\x01"}, {"u8 200", "\xcc\xc8"}, {"u16", "\xcd\x01\x02"}, {"u32", "\xce\xff\xff\xff\xff"}, {"u64", "\xcf\x00\x00\x00\x00\x00\x00\x00\x07"}, {"u64 max", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff"},
	{"i8", "\xd0\x05"}, {"i8 -", "\xd0\x80"}, {"i16", "\xd1\x80\x00"}, {"i32", "\xd2\x80\x00\x00\x00"}, {"i64", "\xd3\x80\x00\x00\x00\x00\x00\x00\x00"}, {"i64 5", "\xd3\x00\x00\x00\x00\x00\x00\x00\x05"},
	{"f32 1.5", "\xca\x3f\xc0\x00\x00"}, {"f32 2", "\xca\x40\x00\x00\x00"}, {"f32 nan", "\xca\x7f\xc0\x00\x00"}, {"f64 1.5", "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"}, {"f64 2", "\xcb\x40\x00\x00\x00\x00\x00\x00\x00"}, {"f64 1e300", "\xcb\x7e\x37\xe4\x3c\x88\x00\x75\x9c"}, {"f64 0.1", "\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a"},
	{"str empty", "\xa0"}, {"str a", "\xa1a"}, {"str 5", "\xa15"}, {"str8", "\xd9\x02ab"}, {"str16", "\xda\x00\x02ab"}, {"str32", "\xdb\x00\x00\x00\x02ab"}, {"str 4 bytes", "\xa4\x00\x00\x00\x01"}, {"str 12", "\xac\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"},
	{"bin empty", "\xc4\x00"}, {"bin", "\xc4\x02ab"}, {"bin16", "\xc5\x00\x02ab"}, {"bin32", "\xc6\x00\x00\x00\x02ab"}, {"bin 4", "\xc4\x04\x00\x00\x00\x01"},
	{"[]", "\x90"}, {"[1]", "\x91\x01"}, {"[1 2]", "\x92\x01\x02"}, {"[1 2 3]", "\x93\x01\x02\x03"}, {"arr16", "\xdc\x00\x02\x01\x02"}, {"arr32", "\xdd\x00\x00\x00\x02\x01\x02"}, {"[nil nil]", "\x92\xc0\xc0"}, {"[a b]", "\x92\xa1a\xa1b"}, {"[[1]]", "\x91\x91\x01"}, {"[{}]", "\x91\x80"},
	{"{}", "\x80"}, {"{X:1}", "\x81\xa1X\x01"}, {"{X:nil}", "\x81\xa1X\xc0"}, {"{a:b}", "\x81\xa1a\xa1b"}, {"{1:2}", "\x81\x01\x02"}, {"{nil:1}", "\x81\xc0\x01"}, {"{true:1}", "\x81\xc3\x01"}, {"{bin:1}", "\x81\xc4\x01X\x01"}, {"{1.5:1}", "\x81\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00\x01"}, {"{[]:1}", "\x81\x90\x01"}, {"map16", "\xde\x00\x01\xa1X\x01"}, {"map32", "\xdf\x00\x00\x00\x01\xa1X\x01"}, {"{X:1 X:2}", "\x82\xa1X\x01\xa1X\x02"}, {"{a:1 a:2}", "\x82\xa1a\x01\xa1a\x02"}, {"{a:nil}", "\x81\xa1a\xc0"},
	{"ext5", "\xd4\x05a"}, {"ext8", "\xc7\x02\x05ab"}, {"ts32", "\xd6\xff\x00\x00\x00\x01"}, {"ts64", "\xd7\xff\x00\x00\x00\x04\x00\x00\x00\x01"}, {"ts96", "\xc7\x0c\xff\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01"}, {"ts bad len", "\xd5\xff\x00\x01"}, {"ts nil len", "\xc7\x00\xff"},
	{"reserved", "\xc1"}, {"empty", ""}, {"cut u16", "\xcd\x01"}, {"cut str", "\xa2a"}, {"cut array", "\x92\x01"}, {"cut map", "\x81\xa1X"}, {"cut ext", "\xd6\xff\x00"},
}

type (
	gridText    string
	gridNumber  int16
	gridPointed struct {
		X *int
		Y []int
	}
)

func used[T any](v T) func() any { return func() any { w := v; return &w } }

// gridTargets has variables of many types, new ones and such as hold a value.
var gridTargets = []func() any{
	fresh[bool], fresh[int], fresh[int8], fresh[int16], fresh[int64], fresh[uint], fresh[uint8], fresh[uint32], fresh[uint64], fresh[float32], fresh[float64], fresh[string],
	fresh[[]byte], fresh[[2]byte], fresh[any], fresh[[]int], fresh[[]string], fresh[[]any], fresh[[2]int], fresh[[3]string], fresh[[]uint16], fresh[[]float64], fresh[[]bool], fresh[[]point], fresh[[][]int],
	fresh[map[string]int], fresh[map[string]string], fresh[map[string]any], fresh[map[any]any], fresh[map[int]int], fresh[map[bool]int], fresh[map[float64]int], fresh[map[gridText]gridNumber],
	fresh[time.Time], fresh[time.Duration], fresh[*time.Time], fresh[[]time.Time], fresh[net.IP], fresh[point], fresh[gridPointed], fresh[*int], fresh[*string], fresh[*point], fresh[gridText], fresh[gridNumber],
	used(true), used(5), used("old"), used([]byte("old")), used([]int{7, 8, 9}), used(map[string]int{"k": 1}), used(map[string]any{"k": 1}), used(point{7, 8}), used([2]int{7, 8}), used(3.5), used(time.Unix(7, 0)), used([]string{"o"}),
}

// gridExceptions are the differences of what the library accepts, with the places that document
// them: the beginning of an exception of the profile, or a case in the tables of the migration
// guides.
var gridExceptions = []struct {
	profiles, target, message string
	about                     string
}{
	{"Vmihailenco", `\[\]string used`, `^nil$`, "nil sets a slice of strings"},
	{"Vmihailenco$", `interface`, `nil:1`, "map by nil into any"},
	{"VmihailencoV4", `interface`, `^\{[1tn]|^ts`, "In variables of type any, a time is a time.Time"},
	{"Shamaton", `int|uint|Duration|Number`, `^f`, "A float with a fraction"},
	{"Shamaton", `map\[int\]int`, `1\.5`, "A float with a fraction"},
	{"Shamaton", `\[\d\]`, `.`, "An array that is shorter"},
	{"Shamaton", `used`, `^nil$`, "nil sets a slice, map"},
	{"ShamatonV2", `int|uint|Duration|Number`, `^-|^[iu]\d`, "An integer out of range"},
	{"Shamaton", `Time`, `^\[|^\{|^arr|^map`, "Structs without exported fields"},
	{"Vmihailenco", `Time`, `^\[`, "array into time"},
	{"Shamaton UgorjiExt VmihailencoV4", `net\.IP`, `str`, "its bytes (text is also decoded)"},
	{"Ugorji Hashicorp", `int|Number|Duration|float`, `u64 max`, "An integer above the range"},
	{"Ugorji Hashicorp", `bool`, `.`, "A bool cannot be decoded"},
	{"Ugorji Hashicorp", `\[\]|\[\d\]|net\.IP`, `\{|map`, "A bool cannot be decoded"},
	{"Ugorji Hashicorp", `\[\d\]`, `.`, "A bool cannot be decoded"},
	{"Ugorji Hashicorp", `string|Text`, `\[|arr`, "A bool cannot be decoded"},
	{"Ugorji Hashicorp", `interface`, `^ext`, "unknown ext into any"},
}

// TestGrid decodes each message into each variable with all libraries. What a library accepts,
// Octet accepts with the same value, except for what the documentation of its profile and the
// migration guides list.
func TestGrid(t *testing.T) {
	usedRules := map[int]bool{}
	for _, p := range profiles() {
		_, ours := profileOf(t, p.name)
		same := 0
		for _, target := range gridTargets {
			name := fmt.Sprint(reflect.TypeOf(target()).Elem())
			if !reflect.ValueOf(target()).Elem().IsZero() {
				name += " used"
			}
			for _, m := range gridMessages {
				theirs, got := target(), target()
				_, err := catch(func() ([]byte, error) { return nil, p.unmarshal([]byte(m.data), theirs) })
				if err != nil {
					continue // the tables list what Octet accepts beyond that
				}
				err = ours.Unmarshal([]byte(m.data), got)
				if err == nil && randtype.Diff(reflect.ValueOf(theirs).Elem().Interface(), reflect.ValueOf(got).Elem().Interface()) == "" {
					same++
					continue
				}
				excepted := false
				for i, e := range gridExceptions {
					if named(p.name, e.profiles) && regexp.MustCompile(e.target).MatchString(name) && regexp.MustCompile(e.message).MatchString(m.name) {
						excepted, usedRules[i] = true, true
						break
					}
				}
				if !excepted {
					t.Errorf("%s: %s into %s: octet has %s, %v, the library %s", p.name, m.name, name, text(got), err, text(theirs))
				}
			}
		}
		if same < 600 {
			t.Errorf("%s: only %d results are the same", p.name, same)
		}
		t.Logf("%s: %d results are the same", p.name, same)
	}
	var pages strings.Builder
	for _, path := range []string{"../../msgpack/profile/profile.go", "../../msgpack/doc.go", "../../docs/migrating-from-ugorji.md", "../../docs/migrating-from-vmihailenco.md"} {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pages.Write(page)
	}
	for i, e := range gridExceptions {
		if !usedRules[i] {
			t.Errorf("%s: no difference %q", e.profiles, e.about)
		}
		if !strings.Contains(pages.String(), e.about) {
			t.Errorf("%s: no page says %q", e.profiles, e.about)
		}
	}
}
