package query

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// TestNeed requires that programs which decode only parts of a value give the results,
// the errors and the counts of those that decode all of it.
func TestNeed(t *testing.T) {
	programs := strings.Split(`.
.a
.a.b
."7"
.["a"]
.[0]
.[-1].b
.[]
.[]?
.a[]?
.a?, .b?
.a // .b // 5
[.[]?]
{a, b: .a.b, "c"}
{a: .b} | .a
{a: .b, c: .a} | .[]
{a: [.a, .b]} | .a[1].b
{"x": .}
select(.a)
select(.a == .b)
select(.a.b > 1) | .b
select(.a) | {a}
map(.a)
map(select(.a?))
map(.b)[0]
[.a?, .b?] | map(.b?)
[.] | .[0].a
first(.a?, .b?)
first
last?
length
keys
any(.a?)
all(.b?)
type
not
if .a? then .b? elif .b? then . else {a: 1} end
if type == "array" then .[0] else . end
.a and .b
.a | not
try .a.b
try .a.b catch .
"\(.a?) and \(.b?)"
.a? as $x | [$x, .b?]
def f: .a; f?
reduce .[]? as $x (0; . + 1)
[..]
.a.b = 1
.a? + .b?
[limit(1; .[]?)]
objects, arrays, strings | .a?
values | .b?
.[.a?]?
.a[.b?]?
.a[0:1]?
.a, .a.b, .[]?
[.a?, .a.b?]
.a | .b | .a
with_entries(.value |= 1)?
{a: 1} | .a
[1, .a?] | length
$x, ({$x} | .x)
{("a"): .b}
tojson
@json
error(.a?)
.a[1:] | length`, "\n")
	r := rand.New(rand.NewPCG(1, 2))
	for _, text := range programs {
		for _, o := range []Options{{}, {MessagePack: true}, {Reversible: true}, {Reversible: true, MessagePack: true}} {
			o.Variables = map[string]string{"x": "[1]"}
			parts, all := compile(t, text, o), compile(t, text, o)
			all.need = whole
			for range 60 {
				data := random(r, nil, 4)
				parts.e.changed, all.e.changed = transcode.Changed{}, transcode.Changed{}
				parts.e.replaced, all.e.replaced = 0, 0
				parts.last, all.last, parts.hasResult, all.hasResult = nil, nil, false, false
				var got, want bytes.Buffer
				gotErr, wantErr := parts.Run(t.Context(), &got, data), all.Run(t.Context(), &want, data)
				var content *transcode.Error
				if errors.As(wantErr, &content) && gotErr == nil {
					continue // the fault is in a part that the program does not look at
				}
				if (gotErr == nil) != (wantErr == nil) || gotErr != nil && gotErr.Error() != wantErr.Error() || content == nil && got.String() != want.String() {
					t.Fatalf("%s, %+v\n% x\ngot  %q, %v\nwant %q, %v", text, o, data, &got, gotErr, &want, wantErr)
				}
				if content == nil && (parts.Changed() != all.Changed() || parts.Replaced() != all.Replaced() || parts.Truth() != all.Truth()) {
					t.Fatalf("%s, %+v\n% x\ngot  %+v, %v\nwant %+v, %v", text, o, data, parts.Changed(), parts.Truth(), all.Changed(), all.Truth())
				}
			}
		}
	}
	for text, want := range map[string]string{".a.b": "a b", `.["a"]."7"`: "a 7", ".": "", ".a?": "", ".a[]": "", ".a[0]": "", ".a|.b": "", `."\(.a)"`: "", "..": "", ".[]": ""} {
		if got := strings.Join(compile(t, text, Options{}).path, " "); got != want {
			t.Errorf("%s is the path %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]*need{
		".":             passes,
		".a":            {fields: map[string]*need{"a": passes}},
		"select(.a==1)": {fields: map[string]*need{"a": whole}},
		".[].a":         {each: &need{fields: map[string]*need{"a": passes}}},
		"tojson":        whole,
	} {
		if got := compile(t, text, Options{}).need; !got.equal(want) {
			t.Errorf("%s needs %+v, want %+v", text, got, want)
		}
	}
}

func (n *need) equal(m *need) bool {
	if n == nil || m == nil {
		return n == m
	}
	for name, x := range n.fields {
		if !x.equal(m.fields[name]) {
			return false
		}
	}
	return n.all == m.all && len(n.fields) == len(m.fields) && n.each.equal(m.each)
}

// random appends a value with few different keys.
func random(r *rand.Rand, dst []byte, depth int) []byte {
	kind := r.IntN(14)
	if depth == 4 {
		kind = r.IntN(6)
	}
	switch {
	case depth > 0 && kind < 4:
		keys := [][]byte{[]byte("\xa1a"), []byte("\xa1b"), []byte("\xa1c"), {7}, []byte("\xd9\x01x")}
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		n := r.IntN(5)
		dst = wire.AppendMapHeader(dst, uint32(n))
		for i := range n {
			key := keys[i]
			if r.IntN(100) == 0 {
				key = keys[0] // perhaps a duplicate
			}
			dst = random(r, append(dst, key...), depth-1)
		}
		return dst
	case depth > 0 && kind < 6:
		n := r.IntN(4)
		dst = wire.AppendArrayHeader(dst, uint32(n))
		for range n {
			dst = random(r, dst, depth-1)
		}
		return dst
	case kind == 7:
		return wire.AppendTimestamp(dst, 1e9, 0)
	case kind == 8:
		return wire.AppendBin(dst, []byte{1, 2})
	case kind == 9:
		return wire.AppendFloat32(dst, 0.5)
	case kind == 10:
		return wire.AppendNil(dst)
	case kind == 11:
		return wire.AppendBool(dst, r.IntN(2) == 0)
	case kind == 12:
		return wire.AppendString(dst, "a")
	}
	return append(dst, 0xcd, 0, byte(r.IntN(3)))
}
