package convert

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/transcode"
)

func skipping(from, to sniff.Format) Options { return Options{From: from, To: to, SkipBad: true} }

// TestSkipJSON converts lines of which some are bad, whole and byte by byte, to
// both formats. The good values must stay, and nothing else.
func TestSkipJSON(t *testing.T) {
	for _, c := range []struct {
		name, input, want string
		skipped           int64
		first             string
	}{
		{"nothing bad", "{\"a\":1}\n[2]\n", "{\"a\":1}\n[2]\n", 0, ""},
		{"cut line", "{\"a\":1}\n{\"a\":\n{\"a\":3}\n", "{\"a\":1}\n{\"a\":3}\n", 1, "value 2, line 4, column 1: "},
		{"cut string", "[\"a\n[1]\n", "[1]\n", 1, "line 1, column 4 ([0]): "},
		{"cut at the end", "[1]\n[2, 3", "[1]\n", 1, "value 2, line 2, column 6 ([2]): "},
		{"unclosed bracket before a good line", "[1]\n[2,[\n{\"a\":3}\n", "[1]\n{\"a\":3}\n", 1, "value 2, "},
		{"text", "hello there\n[1]\nbye", "[1]\n", 2, "line 1, column 1: "},
		{"indented value", "{\n  \"a\": x,\n  \"b\": [\n    1\n  ]\n}\n[1]\n", "[1]\n", 1, "line 2, column 8 (a): "},
		{"trailing comma", "[1,]\n[2]\n", "[2]\n", 1, "line 1, column 3 ([1]): invalid JSON: trailing comma"},
		{"duplicate key, then a value on the same line", "{\"a\":1,\"a\":2} [3]\n", "[3]\n", 1, "line 1, column 8: duplicate key"},
		{"invalid UTF-8", "[\"\xff\"] [1]\n[2]", "[1]\n[2]\n", 1, "line 1, column 3 ([0]): invalid UTF-8"},
		{"numbers", "1\n2 x\n-\n345", "1\n2\n345\n", 2, ""},
		{"empty lines", "\n\n[1]\n\n]\n\n[2]\n", "[1]\n[2]\n", 1, "value 2, line 5, column 1: "},
		{"only bad", "x\ny\n", "", 2, ""},
	} {
		for _, to := range []sniff.Format{sniff.JSON, sniff.MessagePack} {
			t.Run(c.name+" to "+to.String(), func(t *testing.T) {
				var whole, parts bytes.Buffer
				r, err := Stream(&whole, strings.NewReader(c.input), skipping(sniff.JSON, to))
				again, err2 := Stream(&parts, iotest.OneByteReader(strings.NewReader(c.input)), skipping(sniff.JSON, to))
				if err != nil || err2 != nil || fmt.Sprint(r) != fmt.Sprint(again) || whole.String() != parts.String() {
					t.Errorf("whole: %v, %v, %q\nparts: %v, %v, %q", r, err, &whole, again, err2, &parts)
				}
				got := whole.Bytes()
				if to == sniff.MessagePack {
					got, _ = transcode.AppendJSONValues(nil, got, nil)
				}
				if string(got) != c.want || r.Skipped != c.skipped || r.Values != int64(strings.Count(c.want, "\n")) {
					t.Errorf("%+v, %q; want %q without %d", r, got, c.want, c.skipped)
				}
				if r.First != nil && !strings.HasPrefix(input.Brief(r.First).Error(), c.first) {
					t.Errorf("first: %v, want %s", input.Brief(r.First), c.first)
				}
			})
		}
	}
}

// TestSkipMsgpack does the same with MessagePack.
func TestSkipMsgpack(t *testing.T) {
	for _, c := range []struct {
		name, input, json, msgpack string
		skipped                    [2]int64 // to JSON, to MessagePack
	}{
		{"nothing bad", "\x91\x01\x02", "[1]\n2\n", "\x91\x01\x02", [2]int64{}},
		{"reserved byte in an array", "\x01\x93\xc1\x02\x03\x04", "1\n4\n", "\x01\x04", [2]int64{1, 1}},
		{"reserved byte between values", "\x01\xc1\x04", "1\n4\n", "\x01\x04", [2]int64{1, 1}},
		{"NaN", "\xca\x7f\xc0\x00\x00\x04", "4\n", "\xca\x7f\xc0\x00\x00\x04", [2]int64{1, 0}},
		{"invalid UTF-8", "\x92\xa1\xff\x01\x04", "4\n", "\x92\xa1\xff\x01\x04", [2]int64{1, 0}},
		{"duplicate key", "\x82\xa1a\x01\xa1a\x02\x04", "4\n", "\x82\xa1a\x01\xa1a\x02\x04", [2]int64{1, 0}},
		{"cut at the end", "\x04\x93\x01", "4\n", "\x04", [2]int64{1, 1}},
		{"claimed length", "\x04\xc6\xff\xff\xff\xffabc", "4\n", "\x04", [2]int64{1, 1}},
		{"claimed count", "\x04\xdd\xff\xff\xff\xffabc", "4\n", "\x04", [2]int64{1, 1}},
	} {
		for i, to := range []sniff.Format{sniff.JSON, sniff.MessagePack} {
			t.Run(c.name+" to "+to.String(), func(t *testing.T) {
				var whole, parts bytes.Buffer
				r, err := Stream(&whole, strings.NewReader(c.input), skipping(sniff.MessagePack, to))
				again, err2 := Stream(&parts, iotest.OneByteReader(strings.NewReader(c.input)), skipping(sniff.MessagePack, to))
				if err != nil || err2 != nil || r.Values != again.Values || r.Skipped != again.Skipped || whole.String() != parts.String() {
					t.Errorf("whole: %v, %v, %q\nparts: %v, %v, %q", r, err, &whole, again, err2, &parts)
				}
				if want := []string{c.json, c.msgpack}[i]; whole.String() != want || r.Skipped != c.skipped[i] {
					t.Errorf("%+v, %q; want %q", r, &whole, want)
				}
			})
		}
	}
}

// TestSkipLong converts several windows with a bad line in each hundred.
func TestSkipLong(t *testing.T) {
	var in strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&in, "{\"id\":%d,\"text\":\"%s\"}\n", i, strings.Repeat("x", i%200))
		if i%100 == 0 {
			in.WriteString("{\"id\":\n")
		}
	}
	var out strings.Builder
	r, err := Stream(&out, strings.NewReader(in.String()), skipping(sniff.JSON, sniff.MessagePack))
	if err != nil || r.Values != 40_000 || r.Skipped != 400 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestSkipNumbers copies numbers that only MessagePack cannot hold.
func TestSkipNumbers(t *testing.T) {
	var out strings.Builder
	r, err := Stream(&out, strings.NewReader("[1]\n1e999\n[1e999,]\n[2]\n"), skipping(sniff.JSON, sniff.JSON))
	if err != nil || r.Values != 3 || r.Skipped != 1 || out.String() != "[1]\n1e999\n[2]\n" {
		t.Errorf("%+v, %v, %q", r, err, out.String())
	}
	out.Reset()
	r, err = Stream(&out, strings.NewReader("[1]\n1e999\n[2]\n"), skipping(sniff.JSON, sniff.MessagePack))
	if err != nil || r.Values != 2 || r.Skipped != 1 || out.String() != "\x91\x01\x91\x02" {
		t.Errorf("%+v, %v, %q", r, err, out.String())
	}
}

// FuzzSkip converts arbitrary input, whole and byte by byte. Both must end
// without an error and with the same output.
func FuzzSkip(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n{\"a\":\n[1,\n 2]\n x\n"))
	f.Add([]byte("\x01\x92\xc1\x02\xa1\xff\x81\xa1a\xc0\xc6\x00\x00\x00\x09ab"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, from := range []sniff.Format{sniff.JSON, sniff.MessagePack} {
			for _, to := range []sniff.Format{sniff.JSON, sniff.MessagePack} {
				var whole, parts bytes.Buffer
				r, err := Stream(&whole, bytes.NewReader(data), skipping(from, to))
				again, err2 := Stream(&parts, iotest.OneByteReader(bytes.NewReader(data)), skipping(from, to))
				if err != nil || err2 != nil || !bytes.Equal(whole.Bytes(), parts.Bytes()) || r.Values != again.Values {
					t.Errorf("%q from %v to %v\nwhole: %+v, %v, %q\nparts: %+v, %v, %q", data, from, to, r, err, &whole, again, err2, &parts)
				}
			}
		}
	})
}

// TestUnclosedIsLinear skips lines each of which begins a value that does not end. Three times
// the lines take three times the memory: the end is not searched for each of them, through all
// levels of nesting.
func TestUnclosedIsLinear(t *testing.T) {
	o := Options{From: sniff.JSON, To: sniff.MessagePack}
	used := func(lines int) uint64 {
		input := strings.Repeat("{\"a\":\n", lines)
		return heaptest.Allocated(func() {
			if result, err := skipBad(io.Discard, strings.NewReader(input), o); err != nil || result.Values != 0 || result.Skipped != int64(lines) {
				t.Errorf("%+v, %v", result, err)
			}
		})
	}
	few, many := used(3000), used(9000)
	if many > 5*few {
		t.Errorf("%d bytes for 3000 lines, %d for 9000", few, many)
	}
}
