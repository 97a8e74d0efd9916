package transcode

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// appendRandom appends a random value in the shortest formats. It uses every
// kind of value.
func appendRandom(dst []byte, rng *rand.Rand, depth int) []byte {
	data := func(most int) []byte {
		b := make([]byte, rng.IntN(most))
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return b
	}
	count := func() int {
		if rng.IntN(20) == 0 {
			return 14 + rng.IntN(6) // near the largest fixarray and fixmap
		}
		return rng.IntN(4)
	}
	kinds := 12
	if depth == 0 {
		kinds = 10
	}
	switch rng.IntN(kinds) {
	case 0:
		return wire.AppendNil(dst)
	case 1:
		return wire.AppendBool(dst, rng.IntN(2) == 0)
	case 2:
		return wire.AppendUint(dst, rng.Uint64()>>rng.IntN(64))
	case 3:
		return wire.AppendInt(dst, int64(rng.Uint64())>>rng.IntN(64))
	case 4:
		return wire.AppendFloat32(dst, math.Float32frombits(rng.Uint32()))
	case 5:
		if rng.IntN(2) == 0 {
			return wire.AppendFloat64(dst, float64(rng.IntN(100)-50)/4)
		}
		return wire.AppendFloat64(dst, math.Float64frombits(rng.Uint64()))
	case 6:
		return wire.AppendString(dst, string(data(40)))
	case 7:
		words := []string{"", "a", "$", "$$", "$bin", "$map", "$$ext", "1", "é", "\x00\n\"\\", "日本", strings.Repeat("long ", 60)}
		return wire.AppendString(dst, words[rng.IntN(len(words))])
	case 8:
		return wire.AppendBin(dst, data(300))
	case 9:
		switch rng.IntN(3) {
		case 0:
			return wire.AppendExt(dst, int8(rng.IntN(255)-127), append(data(20), 1, 2, 3, 4, 5))
		case 1:
			return wire.AppendTimestamp(dst, int64(rng.Uint64())>>rng.IntN(64), 0)
		}
		return wire.AppendTimestamp(dst, int64(rng.Uint64())>>rng.IntN(64), uint32(rng.IntN(1e9)))
	case 10:
		n := count()
		dst = wire.AppendArrayHeader(dst, uint32(n))
		for range n {
			dst = appendRandom(dst, rng, depth-1)
		}
		return dst
	default:
		var keys [][]byte
		seen := map[string]bool{}
		for range count() {
			key := wire.AppendString(nil, string(rune('a'+len(keys))))
			if rng.IntN(4) == 0 {
				key = appendRandom(nil, rng, depth-1)
			}
			if !seen[string(key)] {
				seen[string(key)] = true
				keys = append(keys, key)
			}
		}
		dst = wire.AppendMapHeader(dst, uint32(len(keys)))
		for _, key := range keys {
			dst = append(dst, key...)
			dst = appendRandom(dst, rng, depth-1)
		}
		return dst
	}
}

// messages returns n random messages of several values each.
func messages(n int) (list [][]byte) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range n {
		var m []byte
		for range 1 + rng.IntN(3) {
			m = appendRandom(m, rng, 5)
		}
		list = append(list, m)
	}
	return list
}

// TestReversibleIdentity checks that reversible JSON converts back to the same
// MessagePack.
func TestReversibleIdentity(t *testing.T) {
	for _, m := range messages(20000) {
		for _, o := range []Options{reversible, {Reversible: true, Indent: "  "}} {
			json, err := AppendJSONValues(nil, m, &o)
			if err != nil {
				t.Fatalf("%x: %v", m, err)
			}
			back, err := AppendMsgpackValues(nil, json, &o)
			if err != nil || !bytes.Equal(back, m) {
				t.Fatalf("%x\nbecame %s\nand then %x, %v", m, json, back, err)
			}
		}
	}
}

// TestPlainIsStable checks that the default form produces valid JSON, and that
// further round trips do not change it.
func TestPlainIsStable(t *testing.T) {
	accepted := 0
	for _, m := range messages(5000) {
		json, err := AppendJSONValues(nil, m, nil)
		if err != nil {
			continue
		}
		accepted++
		checkLines(t, json)
		plain, err := AppendMsgpackValues(nil, json, nil)
		if err != nil {
			t.Fatalf("%x\nbecame %s\nand then %v", m, json, err)
		}
		again, err := AppendJSONValues(nil, plain, nil)
		if err != nil || !bytes.Equal(again, json) {
			t.Fatalf("%s\nbecame %x\nand then %s, %v", json, plain, again, err)
		}
	}
	if accepted < 1000 {
		t.Errorf("only %d of 5000 messages can be converted", accepted)
	}
}

// checkLines checks that every line contains one JSON value.
func checkLines(t *testing.T, json []byte) {
	t.Helper()
	for line := range bytes.Lines(json) {
		if !jsontext.Value(line).IsValid() || line[len(line)-1] != '\n' {
			t.Fatalf("not a line of JSON: %q", line)
		}
	}
}

// TestTruncatedMsgpack checks that every prefix of a message that ends inside a
// value is truncated input, with the offset of the incomplete value.
func TestTruncatedMsgpack(t *testing.T) {
	for _, m := range messages(300) {
		for n := range m {
			at, owed := 0, uint64(0)
			for at < n {
				h, size, err := wire.ConsumeHeader(m[at:])
				if err != nil {
					t.Fatal(err)
				}
				if at+size+int(h.Payload) > n {
					owed = 1 // at least this value itself
					break
				}
				owed = max(owed, 1) - 1 + h.Values()
				at += size + int(h.Payload)
			}
			_, err := AppendJSONValues(nil, m[:n], &reversible)
			if owed == 0 {
				if err != nil {
					t.Fatalf("%x: %v", m[:n], err)
				}
				continue
			}
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Err != ErrTruncated || e.Offset != int64(at) {
				t.Fatalf("%x: %v, want truncated at %d", m[:n], err, at)
			}
		}
	}
}

// TestTruncatedJSON checks the same for prefixes of JSON text.
func TestTruncatedJSON(t *testing.T) {
	for _, m := range messages(100) {
		json, err := AppendJSONValues(nil, m, &reversible)
		if err != nil {
			t.Fatal(err)
		}
		for n := range json {
			if mayContinue(json[:n]) && jsontext.Value(json[bytes.LastIndexByte(json[:n], '\n')+1:n]).IsValid() {
				continue // a truncated number may still be a valid number
			}
			_, err := AppendMsgpackValues(nil, json[:n], &reversible)
			if last := bytes.TrimRight(json[:n], "\n"); len(last) < n || n == 0 || n+1 == len(json) || json[n] == '\n' {
				if err != nil {
					t.Fatalf("%q: %v", json[:n], err)
				}
				continue
			}
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Err != ErrTruncated || e.Offset != int64(n) {
				t.Fatalf("%q: %v, want truncated at %d", json[:n], err, n)
			}
		}
	}
}

// TestMutations changes each byte of many messages. No change may cause a
// panic, and everything that is accepted must be stable.
func TestMutations(t *testing.T) {
	list := messages(250)
	if heaptest.Race {
		list = list[:50] // the converters share no data, so races are unlikely
	} else if os.Getenv("OCTET_LONG") == "" {
		list = list[:100]
	}
	for _, m := range list {
		if len(m) > 80 {
			continue
		}
		json, err := AppendJSONValues(nil, m, &reversible)
		if err != nil {
			t.Fatal(err)
		}
		b := bytes.Clone(m)
		for i := range b {
			for _, c := range []byte{0, 1, 0x7f, 0x80, 0x81, 0x91, 0xa1, 0xc0, 0xc1, 0xc4, 0xc6, 0xc7, 0xca, 0xd4, 0xd9, 0xdb, 0xdd, 0xdf, 0xff, b[i] + 1} {
				b[i] = c
				checkMsgpack(t, b)
			}
			b[i] = m[i]
		}
		b = bytes.Clone(json[:min(len(json), 100)])
		for i := range b {
			for _, c := range []byte("\x00\n \"\\,:{}[]-.0e$x\xff") {
				old := b[i]
				b[i] = c
				checkJSON(t, b)
				b[i] = old
			}
		}
	}
}

// TestAllocationBound checks that the memory allocated for malicious input is
// limited to a multiple of the input size.
func TestAllocationBound(t *testing.T) {
	many := func(head, s string) []byte { return []byte(head + strings.Repeat(s, 64<<10/len(s))) }
	nested := func(s string) []byte { return []byte(strings.Repeat(s, 511)) }
	for _, tt := range []struct {
		name string
		conversion
		data []byte
	}{
		{"array of 2^32", msgpackToJSON, []byte("\xdd\xff\xff\xff\xff")},
		{"map of 2^32", msgpackToJSON, []byte("\xdf\xff\xff\xff\xff")},
		{"bin of 4 GiB", msgpackToJSON, []byte("\xc6\xff\xff\xff\xff")},
		{"arrays with false counts", msgpackToJSON, many("", "\xdc\xff\xff")},
		{"nested arrays", msgpackToJSON, many("", "\x91")},
		{"empty maps", msgpackToJSON, many("\xdc\x80\x00", "\x80")},
		{"empty exts", msgpackToJSON, many("", "\xc7\x00\x05")},
		{"keys", msgpackToJSON, many("\xde\x40\x00", "\xa1\x01\x00\x00")},
		{"array keys", msgpackToJSON, many("", "\x81\x91\xa4\"\\\"\\\x00")},
		{"nested brackets", jsonToMsgpack, many("", "[")},
		{"nested objects", jsonToMsgpack, many("", `{"":`)},
		{"empty arrays", jsonToMsgpack, many("[0", ",[]")},
		{"large arrays", jsonToMsgpack, many("[0", ",[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]")},
		{"small names", jsonToMsgpack, many("[0", `,{"":0}`)},
		{"equal names", jsonToMsgpack, many(`{"":0`, `,"":0`)},
		{"pairs", jsonToMsgpack, many(`{"$map":[[0,0]`, `,[0,0]`)},
		{"floats", jsonToMsgpack, many(`[0`, `,.1`)},
		// Short inputs in which every byte opens a container, with errors at the end of long paths.
		{"arrays that end", msgpackToJSON, nested("\x91")},
		{"maps that end", msgpackToJSON, nested("\x81\xa0")},
		{"maps with other keys that end", msgpackToJSON, nested("\x81\x01")},
		{"maps with a reserved byte", msgpackToJSON, append(nested("\x81\xa1a"), 0xc1)},
		{"array keys that end", msgpackToJSON, nested("\x81\x91")},
		{"maps with long keys", msgpackToJSON, nested("\x81\xd9\x50" + strings.Repeat("k", 80))},
		{"brackets that end", jsonToMsgpack, nested("[")},
		{"objects that end", jsonToMsgpack, nested(`{"":`)},
		{"objects with a fault", jsonToMsgpack, append(nested(`{"a":`), '!')},
		{"pairs that end", jsonToMsgpack, nested(`{"$map":[[`)},
	} {
		for _, o := range []Options{{}, reversible} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			out, _ := tt.slice(nil, tt.data, &o)
			runtime.ReadMemStats(&after)
			if got, most := after.TotalAlloc-before.TotalAlloc, uint64(128*len(tt.data)+64<<10); got > most {
				t.Errorf("%s, %+v: %d bytes allocated for %d of input and %d of output, want at most %d", tt.name, o, got, len(tt.data), len(out), most)
			}
		}
	}
}

// TestAllocations checks that typical values are converted without allocation
// if dst is large enough.
func TestAllocations(t *testing.T) {
	json, msgpack := records(t, 10)
	dst := make([]byte, 0, 4*len(json))
	for name, do := range map[string]func() error{
		"AppendMsgpackValues": func() error { _, err := AppendMsgpackValues(dst, json, nil); return err },
		"AppendJSONValues":    func() error { _, err := AppendJSONValues(dst, msgpack, nil); return err },
		"AppendJSONValues, reversible": func() error {
			_, err := AppendJSONValues(dst, msgpack, &reversible)
			return err
		},
		"AppendMsgpackValues, reversible": func() error {
			_, err := AppendMsgpackValues(dst, json, &reversible)
			return err
		},
	} {
		var err error
		// Under the race detector, sync.Pool drops some values at random, which
		// causes a few allocations.
		if got := testing.AllocsPerRun(100, func() { err = do() }); got > 0 && !heaptest.Race || err != nil {
			t.Errorf("%s: %v allocations, %v", name, got, err)
		}
	}
}
