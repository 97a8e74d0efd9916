package view

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack/wire"
)

// TestPauses requires that work pauses inside one value: inside an array, a map that is
// not sorted, and the only element of an array, without and with a difference at the end.
func TestPauses(t *testing.T) {
	const n = 1 << 15
	stops := 6
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
		stops = 2
	}
	array := func(last int64) []byte {
		data := wire.AppendArrayHeader(nil, n)
		for i := range int64(n - 1) {
			data = wire.AppendInt(data, i)
		}
		return wire.AppendInt(data, last)
	}
	object := func(last int64) []byte {
		data := wire.AppendMapHeader(nil, n)
		for i := range int64(n - 1) {
			data = wire.AppendInt(wire.AppendInt(data, i*7919%n), i)
		}
		return wire.AppendInt(wire.AppendInt(data, 1<<20), last)
	}
	inside := func(data []byte) []byte { return append(wire.AppendArrayHeader(nil, 1), data...) }
	stop := errors.New("stop")
	for name, c := range map[string]struct{ data, other []byte }{
		"array":          {array(1), array(2)},
		"map":            {object(1), object(2)},
		"array in array": {inside(array(1)), inside(array(2))},
		"map in array":   {inside(object(1)), inside(object(2))},
		"equal":          {object(1), object(1)},
		"other formats":  {array(1), append([]byte{byte(wire.Array32), 0, 0, 0x80, 0}, array(1)[3:]...)},
	} {
		t.Run(name, func(t *testing.T) {
			for what, work := range map[string]func(s *Session, watch func(done, total int) error) error{
				"fix": func(s *Session, watch func(done, total int) error) error { return s.Fix(watch) },
				"compare": func(s *Session, watch func(done, total int) error) error {
					_, err := s.Compare(c.other, "y", watch)
					return err
				},
			} {
				calls := 0
				most := func(done, total int) error { calls++; return nil }
				if err := work(New("x", c.data), most); err != nil && err.Error() != "the data is already in canonical form" {
					t.Fatal(err)
				}
				if least := len(c.data) / (40 << 10); calls < least {
					t.Errorf("%s of %d bytes pauses only %d times, want %d", what, len(c.data), calls, least)
				}
				// A pause can stop the work.
				for at := 1; at <= calls; at += 1 + calls/stops {
					s, n := New("x", c.data), 0
					err := work(s, func(done, total int) error {
						if n++; n >= at {
							return stop
						}
						return nil
					})
					if !errors.Is(err, stop) || n > at+1 {
						t.Fatalf("%s goes on after pause %d of %d: %d pauses, %v", what, at, calls, n, err)
					}
				}
			}
		})
	}
}

// TestPausesInText requires that work pauses inside one long text, which is read, rewritten,
// hashed and compared.
func TestPausesInText(t *testing.T) {
	long := strings.Repeat("x", 4<<20)
	one := func(last string) []byte {
		data := wire.AppendMapHeader(wire.AppendArrayHeader(nil, 1), 2)
		data = wire.AppendString(wire.AppendString(data, "b"), long+last)
		return wire.AppendInt(wire.AppendString(data, "a"), 1)
	}
	data := one("1")
	sorted := wire.AppendMapHeader(wire.AppendArrayHeader(nil, 1), 2)
	sorted = wire.AppendInt(wire.AppendString(sorted, "a"), 1)
	sorted = wire.AppendString(wire.AppendString(sorted, "b"), long+"1")
	const step = 32 << 10
	for name, c := range map[string]struct {
		other []byte
		work  int // how often the text is read, rewritten, copied, hashed or compared
	}{"equal": {data, 12}, "other order": {sorted, 10}, "difference at the end": {one("2"), 16}} {
		calls := 0
		_, err := New("x", data).Compare(c.other, "y", func(done, total int) error { calls++; return nil })
		if err != nil {
			t.Fatal(err)
		}
		if least := c.work * len(data) / step; calls < least {
			t.Errorf("%s: %d pauses, want %d", name, calls, least)
		}
	}
}
