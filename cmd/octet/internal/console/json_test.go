package console

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
)

// TestJSONPainter paints text in one piece and byte by byte.
func TestJSONPainter(t *testing.T) {
	const text = "{\"a\\\"\":1.5e+3,\"b\":[\"c\",-2,null,{\"d\":true}],\"e\":{}}\n\"f\"\n7\n"
	const want = "{<K>\"a\\\"\"</>:<N>1.5e+3</>,<K>\"b\"</>:[<S>\"c\"</>,<N>-2</>,<L>null</>,{<K>\"d\"</>:<L>true</>}],<K>\"e\"</>:{}}\n<S>\"f\"</>\n<N>7</>\n"
	p := NewPalette(true)
	mark := func(name string, paint Paint) *strings.Replacer {
		return strings.NewReplacer(strings.Split(paint("x"), "x")[0], name)
	}
	var whole, parts bytes.Buffer
	if n, err := NewJSONPainter(&whole, p).Write([]byte(text)); n != len(text) || err != nil {
		t.Errorf("wrote %d bytes, %v", n, err)
	}
	w := NewJSONPainter(&parts, p)
	b := make([]byte, 1)
	for r := iotest.OneByteReader(strings.NewReader(text)); ; {
		if n, _ := r.Read(b); n == 0 {
			break
		}
		w.Write(b)
	}
	if whole.String() != parts.String() {
		t.Errorf("whole %q\nparts %q", &whole, &parts)
	}
	got := whole.String()
	for name, paint := range map[string]Paint{"<K>": p.Key, "<S>": p.Text, "<N>": p.Number, "<L>": p.Nothing} {
		got = mark(name, paint).Replace(got)
	}
	if got = strings.ReplaceAll(got, "\x1b[0m", "</>"); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if bare := regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(whole.String(), ""); bare != text {
		t.Errorf("without colors %q", bare)
	}
}
