package convert

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

func layout(pretty bool) Options {
	return Options{From: sniff.JSON, To: sniff.JSON, Pretty: pretty}
}

func TestLayout(t *testing.T) {
	for _, c := range []struct{ name, input, compact, pretty string }{
		{"numbers keep their digits", "[1.10, 1E400 , -0, 123456789012345678901234567890]",
			"[1.10,1E400,-0,123456789012345678901234567890]\n",
			"[\n  1.10,\n  1E400,\n  -0,\n  123456789012345678901234567890\n]\n"},
		{"order of names", `{"b": 1, "a": {}, "": [ ]}`,
			`{"b":1,"a":{},"":[]}` + "\n",
			"{\n  \"b\": 1,\n  \"a\": {},\n  \"\": []\n}\n"},
		{"values one after another", "{}{}[]\n\n 1 true\r\n\"é\\u00e9\\n\"",
			"{}\n{}\n[]\n1\ntrue\n\"éé\\n\"\n",
			"{}\n{}\n[]\n1\ntrue\n\"éé\\n\"\n"},
		{"byte order mark", "\ufeff[1]", "[1]\n", "[\n  1\n]\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for pretty, want := range map[bool]string{false: c.compact, true: c.pretty} {
				var out bytes.Buffer
				n, err := Stream(&out, iotest.OneByteReader(strings.NewReader(c.input)), layout(pretty))
				if err != nil || out.String() != want {
					t.Errorf("pretty %v: %d values, %v\ngot  %q\nwant %q", pretty, n.Values, err, out.String(), want)
				}
				out.Reset()
				if again, err := Stream(&out, strings.NewReader(want), layout(pretty)); err != nil || again.Values != n.Values || out.String() != want {
					t.Errorf("pretty %v, again: %d values, %v, %q", pretty, again.Values, err, out.String())
				}
			}
		})
	}
}

// TestLayoutFaults checks that both JSON to JSON and JSON to MessagePack report
// the same error for the same input.
func TestLayoutFaults(t *testing.T) {
	for _, c := range []struct {
		name, input, place string
		err                error
	}{
		{"no value", `{"a": }`, "line 1, column 7 (a): ", transcode.ErrSyntax},
		{"end of the input", `{"a": [1, {"b": 2`, "line 1, column 18 (a[1]): ", wire.ErrTruncated},
		{"end within a string", `["ab`, "line 1, column 5 ([0]): ", wire.ErrTruncated},
		{"missing comma", `[1, [2 3]]`, "line 1, column 8 ([1][1]): ", transcode.ErrSyntax},
		{"second value", "{}\n]", "value 2, line 2, column 1: ", transcode.ErrSyntax},
		{"after a byte order mark", "\ufeff[x]", "line 1, column 2 ([0]): ", transcode.ErrSyntax},
		{"duplicate name", `{"a": 1, "a": 2}`, "line 1, column 10: ", transcode.ErrDuplicateKey},
		{"on a later line", "[1, \"é\",\n\"日\" 3]", "line 2, column 5 ([3]): ", transcode.ErrSyntax},
		{"trailing comma", "{}\n[1,\n2,\n]", "value 2, line 3, column 2 ([2]): invalid JSON: trailing comma before ']'", transcode.ErrSyntax},
		{"leading zero", "[]\n01", "value 2, line 2, column 2: invalid JSON: expected white space after a number or literal, found '1'", transcode.ErrSyntax},
		{"date", "2026-11-21", "line 1, column 5: invalid JSON: expected white space after a number or literal, found '-'", transcode.ErrSyntax},
		{"literals without white space", "truefalse", "line 1, column 5: invalid JSON: expected white space after a number or literal, found 'f'", transcode.ErrSyntax},
		{"quote after a number", "1'a'", "line 1, column 2: invalid JSON: expected white space after a number or literal, found '\\''", transcode.ErrSyntax},
		{"character after a literal", "nullé", "line 1, column 5: invalid JSON: expected white space after a number or literal, found 'é'", transcode.ErrSyntax},
		{"too deep", strings.Repeat("[", 513), "line 1, column 513 (" + strings.Repeat("[0]", 13) + "[ … ]" + strings.Repeat("[0]", 13) + "): ", wire.ErrDepth},
		{"too deep in objects", strings.Repeat(`{"a":`, 513) + "1", "line 1, column 2561 (a", wire.ErrDepth},
	} {
		t.Run(c.name, func(t *testing.T) {
			for to, o := range map[string]Options{"json": layout(false), "msgpack": {From: sniff.JSON, To: sniff.MessagePack}} {
				_, err := Stream(io.Discard, strings.NewReader(c.input), o)
				if _, slow := Stream(io.Discard, iotest.OneByteReader(strings.NewReader(c.input)), o); slow == nil || err == nil || slow.Error() != err.Error() {
					t.Errorf("to %s: %v, byte by byte %v", to, err, slow)
				}
				if !errors.Is(err, c.err) || !strings.HasPrefix(input.Brief(err).Error(), c.place) {
					t.Errorf("to %s: %v, want %s%v", to, input.Brief(err), c.place, c.err)
				}
			}
		})
	}
	deep := strings.Repeat("[", 512) + strings.Repeat("]", 512)
	if _, err := Stream(io.Discard, strings.NewReader(deep), layout(true)); err != nil {
		t.Errorf("512 arrays: %v", err)
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name, input, want string
		o                 Options
	}{
		{"pretty", "\x91\x01", "[\n  1\n]\n", Options{From: sniff.MessagePack, To: sniff.JSON, Pretty: true}},
		{"reversible", "\xc4\x01\xff", `{"$bin":"/w=="}` + "\n", Options{From: sniff.MessagePack, To: sniff.JSON, Reversible: true}},
		{"reversible, back", `{"$bin":"/w=="}`, "\xc4\x01\xff", Options{From: sniff.JSON, To: sniff.MessagePack, Reversible: true}},
		{"round", "1e-999", "\xcb\x00\x00\x00\x00\x00\x00\x00\x00", Options{From: sniff.JSON, To: sniff.MessagePack, Round: true}},
	} {
		var out strings.Builder
		if n, err := Stream(&out, strings.NewReader(c.input), c.o); n.Values != 1 || err != nil || out.String() != c.want {
			t.Errorf("%s: %d values, %v, %q, want %q", c.name, n.Values, err, out.String(), c.want)
		}
	}
}

// TestWrongCharacter names the same character when its bytes arrive one by one.
func TestWrongCharacter(t *testing.T) {
	for _, text := range []string{"Ū", "[日]", "[1] 😀", "{\"a\": é}"} {
		_, want := relayout(io.Discard, strings.NewReader(text), false, nil)
		_, got := relayout(io.Discard, iotest.OneByteReader(strings.NewReader(text)), false, nil)
		if want == nil || got == nil || got.Error() != want.Error() {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
