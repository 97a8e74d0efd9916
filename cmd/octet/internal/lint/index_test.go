package lint

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// both checks data in memory and as a stream, and requires the same findings and counts.
func both(t *testing.T, data []byte, o Options) []string {
	t.Helper()
	var stream, memory []string
	want, wantErr := Run(scan.New(bytes.NewReader(data), 0), o, collect(&stream))
	x, err := index.New(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, gotErr := RunIndex(x, o, nil, collect(&memory))
	if len(data) < 300 || wantErr == nil { // the stream reports the header of a long str that is cut off
		if !reflect.DeepEqual(memory, stream) || got.Values != want.Values || fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
			t.Fatalf("the findings in % x are\n%s\n%v %v, want\n%s\n%v %v", data[:min(len(data), 300)], strings.Join(memory, "\n"), got, gotErr, strings.Join(stream, "\n"), want, wantErr)
		}
	}
	return memory
}

// TestIndexSame checks maps that share keys with others, in the same and in another order,
// with duplicates at every place.
func TestIndexSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found := map[string]bool{}
	rounds := 300
	if testing.Short() {
		rounds = 75
	}
	for range rounds {
		var data []byte
		var value func(depth int)
		value = func(depth int) {
			switch n := r.IntN(9); {
			case n < 4 && depth < 3:
				count, first := r.IntN(6), r.IntN(2)
				data = wire.AppendMapHeader(data, uint32(count))
				for i := range count {
					switch key := first + i; r.IntN(30) {
					case 0:
						data = wire.AppendString(data, "k1")
					case 1:
						data = append(data, "\xd9\x02k2"...)
					case 2:
						value(depth + 1)
					default:
						data = wire.AppendString(data, fmt.Sprint("k", key))
					}
					value(depth + 1)
				}
			case n < 5 && depth < 3:
				count := r.IntN(5)
				data = wire.AppendArrayHeader(data, uint32(count))
				for range count {
					value(depth + 1)
				}
			case n < 6:
				data = append(data, "\xd1\x01\x00\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00\xa2\xff\xfe\xc7\x01\xff\x00\xd9\x01a"...)
			default:
				data = wire.AppendString(data, "é and more")
			}
		}
		for range 40 {
			value(0)
		}
		for _, canonical := range []bool{false, true} {
			for _, line := range both(t, data, Options{Canonical: canonical}) {
				found[line[strings.Index(line, " [")+2:][:5]] = true
			}
		}
	}
	if len(found) < 5 {
		t.Errorf("only findings of the rules %v", found)
	}
}

// TestIndexManyKeys requires that a map with more keys than a shape keeps is compared.
func TestIndexManyKeys(t *testing.T) {
	one := wire.AppendMapHeader(nil, 1001)
	for i := range 1000 {
		one = append(wire.AppendInt(one, int64(i)), 0xc0)
	}
	one = append(wire.AppendInt(one, 300), 0xc0)
	if list := both(t, one, Options{}); len(list) != 1 || !strings.Contains(list[0], "duplicate key 300") {
		t.Errorf("the findings are %v", list)
	}
}

// TestIndexStops ends at an error of watch.
func TestIndexStops(t *testing.T) {
	data := append(wire.AppendArrayHeader(nil, 1<<20), make([]byte, 1<<20)...)
	x, err := index.New(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	stop, calls := errors.New("stop"), 0
	_, err = RunIndex(x, Options{}, func(done, total int) error {
		if calls++; calls == 3 {
			return stop
		}
		return nil
	}, func(Finding) error { return nil })
	if err != stop || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

// FuzzIndex compares the findings in memory with those in a stream.
func FuzzIndex(f *testing.F) {
	for _, s := range []string{
		"", "\xc0\xc3", "\x82\xa1a\x01\xa1a\x02\x82\xa1a\x01\xa1b\x02", "\x93\x01", "\xdd\xff\xff\xff\xff", "\xa1\xff\xd9\x01a\xd1\x00\x01", "\x82\x81\x01\x02\x03\x81\x01\x02\x04", "\xc1",
		"\xc7\x03\xff123\xd6\xff\x00\x00\x00\x01", "\x82\xca\x3f\x80\x00\x00\xc0\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00\xc0",
	} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, canonical bool) {
		if len(data) > 300 {
			return
		}
		heaptest.AtMost(t, 2000*len(data)+2<<20, func() { both(t, data, Options{Canonical: canonical}) })
	})
}
