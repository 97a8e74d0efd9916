package convert

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestMistakeInLiteral checks that a literal that is cut off is not called a trailing
// comma, which FuzzStream found.
func TestMistakeInLiteral(t *testing.T) {
	for _, text := range []string{`[0,nul,]`, `[0,-,]`, `{"a":1e,}`} {
		for name, r := range map[string]io.Reader{"at once": strings.NewReader(text), "in parts": iotest.OneByteReader(strings.NewReader(text))} {
			_, err := Stream(io.Discard, r, Options{From: sniff.JSON, To: sniff.JSON})
			if err == nil || !strings.Contains(err.Error(), "','") {
				t.Errorf("%s %s: %v", text, name, err)
			}
		}
	}
}

// TestMistakeAfterComma checks that the text of an error at a comma does not depend on
// how its input arrives, which FuzzStream found.
func TestMistakeAfterComma(t *testing.T) {
	for text, want := range map[string]string{
		",]00": "trailing comma before ']'", "[1] , ]": "trailing comma before ']'", "1,2": "','", ",": "','",
	} {
		for name, r := range map[string]io.Reader{"at once": strings.NewReader(text), "in parts": iotest.OneByteReader(strings.NewReader(text))} {
			_, err := Stream(io.Discard, r, Options{From: sniff.JSON, To: sniff.JSON})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q %s: %v", text, name, err)
			}
		}
	}
}

// FuzzStream converts any bytes between the formats, at once and byte by byte. What
// is written is valid, and converts to itself.
func FuzzStream(f *testing.F) {
	for _, s := range []string{"", "{\"a\":[1,2.5e3,null]}\n[true]", "\x82\xa1a\xcd\x00\x01\xc0\xc3\x92\x01", "[1,", "\xc1", "[1]\n{\"a\":x}\n[2]", "\xd6\xff\x00\x00\x00\x01"} {
		for mode := range uint8(16) {
			f.Add([]byte(s), mode)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, mode uint8) {
		formats := [2]sniff.Format{sniff.JSON, sniff.MessagePack}
		o := Options{From: formats[mode&1], To: formats[mode>>1&1], Pretty: mode&4 != 0, Reversible: mode&8 != 0, SkipBad: mode&16 != 0, Round: mode&32 != 0}
		var whole, parts bytes.Buffer
		var r Result
		var err error
		used := heaptest.Allocated(func() { r, err = Stream(&whole, bytes.NewReader(data), o) })
		// The buffers of a pipeline, and those of each start after a bad value, whatever lengths the data claims.
		if used > uint64(64*(len(data)+whole.Len())+32<<10*int(r.Skipped)+32<<20) {
			t.Errorf("%+v: %d bytes became %d and took %d bytes", o, len(data), whole.Len(), used)
		}
		again, partsErr := Stream(&parts, iotest.OneByteReader(bytes.NewReader(data)), o)
		if (err == nil) != (partsErr == nil) || err == nil && (!bytes.Equal(whole.Bytes(), parts.Bytes()) || r.Values != again.Values || r.Skipped != again.Skipped) {
			t.Fatalf("%+v: at once %+v, %v, %q; in parts %+v, %v, %q", o, r, err, &whole, again, partsErr, &parts)
		}
		if o.From == sniff.MessagePack && o.To == sniff.JSON && !o.SkipBad {
			var same bytes.Buffer
			if _, sameErr := ToJSON(&same, bytes.NewReader(data), o); (err == nil) != (sameErr == nil) || !bytes.Equal(same.Bytes(), whole.Bytes()) {
				t.Errorf("%+v: ToJSON wrote %q, %v; want %q, %v", o, &same, sameErr, &whole, err)
			}
		}
		if err != nil {
			if partsErr.Error() != err.Error() && !o.SkipBad {
				t.Errorf("%+v: at once %v; in parts %v", o, err, partsErr)
			}
			Remedy(err)
			return
		}
		out := whole.Bytes()
		values := int64(0)
		if o.To == sniff.JSON {
			for d := json.NewDecoder(bytes.NewReader(out)); ; values++ {
				var v json.RawMessage
				if err := d.Decode(&v); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%+v: %q: %v", o, out, err)
				}
			}
		} else {
			for rest := out; len(rest) > 0; values++ {
				n, err := wire.Skip(rest, wire.MaxDepth)
				if err != nil {
					t.Fatalf("%+v: % x: %v", o, out, err)
				}
				rest = rest[n:]
			}
		}
		if values != r.Values {
			t.Errorf("%+v: %d values, but %d were written", o, r.Values, values)
		}
		same := Options{From: o.To, To: o.To, Pretty: o.Pretty}
		var once, twice bytes.Buffer
		if _, err := Stream(&once, bytes.NewReader(out), same); err != nil {
			t.Fatalf("%+v: %q: %v", same, out, err)
		}
		if _, err := Stream(&twice, bytes.NewReader(once.Bytes()), same); err != nil || !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Fatalf("%+v: %q became %q, %v", same, &once, &twice, err)
		}
	})
}
