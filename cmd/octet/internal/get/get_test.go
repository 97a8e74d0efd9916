package get

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

// run prints the values at a path of standard input.
func run(t *testing.T, stdin, path string, format sniff.Format, o Options) (string, error) {
	t.Helper()
	var err error
	if o.Path, err = locate.Parse(path); err != nil {
		t.Fatal(err)
	}
	if o.To == "" {
		o.To = JSON
	}
	c, _, _ := consoletest.New(stdin)
	var out bytes.Buffer
	err = Files(t.Context(), &input.Files{Console: c, Options: input.Options{Format: format}}, &out, &o)
	return out.String(), err
}

func TestFiles(t *testing.T) {
	const packed = "\x81\xa1a\x93\x01\xc4\x01z\xa2hi" // {"a": [1, h'7a', "hi"]}
	for _, c := range []struct {
		name, path string
		o          Options
		want       string
	}{
		{"JSON", "a", Options{}, "[1,\"eg==\",\"hi\"]\n"},
		{"many", "a[]", Options{}, "1\n\"eg==\"\n\"hi\"\n"},
		{"reversible", "a[1]", Options{Reversible: true}, "{\"$bin\":\"eg==\"}\n"},
		{"raw bin", "a[1]", Options{Raw: true}, "z"},
		{"raw str", "a[2]", Options{Raw: true}, "hi\n"},
		{"raw number", "a[0]", Options{Raw: true}, "1\n"},
		{"MessagePack", "a[2]", Options{To: MessagePack}, "\xa2hi"},
		{"notation", "a", Options{To: Diag}, "[1, h'7a', \"hi\"]\n"},
		{"object", "a[2]", Options{JSON: true}, `{"file":"standard input","value":0,"path":"a[2]","offset":8,"length":3,"json":"hi"}` + "\n"},
	} {
		if got, err := run(t, packed, c.path, sniff.MessagePack, c.o); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	// The offset in converted JSON would not be one in the file.
	if got, err := run(t, `{"a":1} {"a":2}`, "a", sniff.JSON, Options{JSON: true}); err != nil ||
		got != `{"file":"standard input","value":0,"path":"a","json":1}`+"\n"+`{"file":"standard input","value":1,"path":"a","json":2}`+"\n" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestMissing requires that the values that are there are printed, and that those that
// are not are counted.
func TestMissing(t *testing.T) {
	for _, c := range []struct{ stdin, path, out, want string }{
		{`{"a":1} {} 3 {"a":4}`, "a", "1\n4\n", "standard input: no value at the path a in value 2 or in 1 other value"},
		{`{}`, "a", "", "standard input: no value at the path a in value 1"},
		{`[]`, "[]", "", ""}, // a path to many values may find none
	} {
		got, err := run(t, c.stdin, c.path, sniff.JSON, Options{})
		if got != c.out || (err == nil) != (c.want == "") || err != nil && (err.Error() != c.want || failure.CodeOf(err) != failure.Finding) {
			t.Errorf("%s: %q, %v, want %s", c.stdin, got, err, c.want)
		}
	}
}

// TestNotJSON requires that the error names the place in the file.
func TestNotJSON(t *testing.T) {
	_, err := run(t, "\xc0\x91\x82\xa1a\x01\xa1a\x02", "[0]", sniff.MessagePack, Options{})
	var f *failure.Error
	if !errors.As(err, &f) || f.Code != failure.Data || !strings.HasPrefix(f.Error(), "standard input: value 2, offset ") || !strings.HasPrefix(f.Detail, "To see all duplicate keys: ") {
		t.Errorf("%v, %+v", err, f)
	}
	_, err = run(t, "\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00", ".", sniff.MessagePack, Options{})
	if !errors.As(err, &f) || f.Detail != "To print values that JSON lacks as objects: --reversible" {
		t.Errorf("%v, %+v", err, f)
	}
}
