package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// faultOf returns what an error says about the input.
func faultOf(err error) string {
	e, ok := errors.AsType[*msgpack.Error](err)
	if !ok {
		return fmt.Sprint(err)
	}
	return fmt.Sprintf("%d %q %q %v %+v", e.Offset, e.Path, e.Found, e.Err, e.Header)
}

// TestDecoderLikeValid decodes damaged messages that arrive in various ways. The errors
// say the same as those of Valid.
func TestDecoderLikeValid(t *testing.T) {
	inputs := [][]byte{[]byte("\x85\xc10000"), []byte("\x92\x93\xc1"), []byte("\xdd\xff\xff\xff\xff\xc1"), []byte("\x83\xd6\xff"), []byte("\x93\xd4\xff\x00")}
	seeds := uint64(1200)
	if reduced() {
		seeds = 400
	}
	for seed := range randtype.Seeds(t, seeds) {
		r := randtype.FromSeed(seed)
		data, err := msgpack.Marshal(r.Value(r.Type()).Interface())
		if err != nil || len(data) == 0 || len(data) > 1000 {
			continue
		}
		for range 20 {
			changed := bytes.Clone(data[:1+r.Below(len(data))])
			for range 1 + r.Below(3) {
				changed[r.Below(len(changed))] = byte(r.Bits())
			}
			if r.Below(2) == 0 {
				changed[r.Below(len(changed))] = 0xc1
			}
			inputs = append(inputs, changed)
		}
	}
	count := 0
	for _, data := range inputs {
		want := msgpack.Valid(data)
		if want == nil || errors.Is(want, msgpack.ErrTrailing) {
			continue
		}
		count++
		for name, r := range map[string]io.Reader{
			"bytes": bytes.NewReader(data), "with io.EOF": iotest.DataErrReader(onlyReader{bytes.NewReader(data)}), "in pieces": iotest.OneByteReader(bytes.NewReader(data)),
		} {
			d := msgpack.NewDecoder(r)
			for call, f := range map[string]func() error{
				"Decode": func() error { var v any; return d.Decode(&v) },
				"Raw":    func() error { var raw msgpack.Raw; return d.Decode(&raw) },
			} {
				if err := f(); faultOf(err) != faultOf(want) {
					t.Errorf("% x: %s, %s\ngot  %s\nwant %s", data, name, call, faultOf(err), faultOf(want))
				}
				r = bytes.NewReader(data)
				d.Reset(r)
			}
		}
		if t.Failed() && count > 50 {
			t.FailNow()
		}
	}
	t.Logf("%d inputs", count)
}

// An onlyReader hides how many bytes a reader has.
type onlyReader struct{ io.Reader }
