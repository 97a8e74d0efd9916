package notation

import (
	"bytes"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
)

func files(stdin string, format sniff.Format) *input.Files {
	c, _, _ := consoletest.New(stdin)
	return &input.Files{Console: c, Options: input.Options{Format: format}}
}

func TestWrite(t *testing.T) {
	const packed = "\x92\x01\xc4\x01z\xcd\x00\x05" // [1, h'7a'] 5_u16
	for _, c := range []struct {
		name   string
		stdin  string
		format sniff.Format
		o      Options
		want   string
	}{
		{"lines", packed, sniff.MessagePack, Options{}, "[1, h'7a']\n5_u16\n"},
		{"pretty", packed, sniff.MessagePack, Options{Pretty: true}, "[\n  1,\n  h'7a'\n]\n5_u16\n"},
		{"objects", packed, sniff.MessagePack, Options{JSON: true},
			`{"value":0,"offset":0,"length":5,"diag":"[1, h'7a']"}` + "\n" + `{"value":1,"offset":5,"length":3,"diag":"5_u16"}` + "\n"},
		{"objects of JSON", "7 <", sniff.JSON, Options{JSON: true}, `{"value":0,"diag":"7"}` + "\n"},
	} {
		var out bytes.Buffer
		err := c.o.Write(t.Context(), files(c.stdin, c.format), &out)
		if bad := strings.HasSuffix(c.stdin, "<"); (err != nil) != bad || out.String() != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, out.String(), err, c.want)
		}
	}
}

func TestEncode(t *testing.T) {
	var out bytes.Buffer
	if err := Encode(t.Context(), files("[1, h'7a'] # comment\n5_u16", sniff.Unknown), &out); err != nil || out.String() != "\x92\x01\xc4\x01z\xcd\x00\x05" {
		t.Errorf("% x, %v", out.Bytes(), err)
	}
	for text, want := range map[string]string{"[1,": "standard input: line 1, ", "1\nx": "standard input: value 2, line 2, "} {
		if err := Encode(t.Context(), files(text, sniff.Unknown), &out); failure.CodeOf(err) != failure.Data || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestIsNamed(t *testing.T) {
	for name, want := range map[string]bool{"a.diag": true, "A.DIAG": true, "a.json": false, "diag": false} {
		if IsNamed(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// TestBegin requires the beginning of a long value, without the work for all of it.
func TestBegin(t *testing.T) {
	b := wire.AppendArrayHeader(nil, 1000)
	for range 1000 {
		b = wire.AppendString(b, "some text")
	}
	if got := Begin(b, 20); len(got) < 20 || len(got) > 1000 || !strings.HasPrefix(got, `["some text", "some text"`) {
		t.Errorf("%d bytes: %.40s", len(got), got)
	}
	if got := Begin([]byte{0xc3}, 20); got != "true" {
		t.Errorf("%s, want true", got)
	}
}
