package msgpack_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// TestRetainedMemory keeps one small value of each of many decoded messages. The
// value must not keep much of the other memory of its message in use.
func TestRetainedMemory(t *testing.T) {
	skipIfInstrumented(t)
	oneProcessor(t) // the garbage collector runs often
	text := func(n int) string { return "\xda" + string([]byte{byte(n >> 8), byte(n)}) + strings.Repeat("a", n) }
	large := text(60000)
	for name, c := range map[string]struct {
		element string
		count   int
		others  string // between the elements
	}{
		"short strings":                   {text(5), 4000, ""},
		"strings":                         {text(100), 1000, ""},
		"strings that barely share":       {text(191), 600, ""},
		"strings with bytes of their own": {text(192), 600, ""},
		"strings with shared headers":     {text(511), 200, ""},
		"strings that share nothing":      {text(512), 200, ""},
		"strings among long ones":         {text(20), 5, large},
		"headers among long ones":         {text(300), 5, large},
		"numbers":                         {"\xcd\x12\x34", 20000, ""},
		"numbers among long strings":      {"\xcb\x3f\xf8\x00\x00\x00\x00\x00\x01", 5, large},
		"small slices":                    {"\x91\xcd\x12\x34", 10000, ""},
		"small slices among long strings": {"\x91\xcd\x12\x34", 5, large},
	} {
		data := []byte(strings.Repeat(c.element+c.others, c.count))
		n := c.count
		if c.others != "" {
			n *= 2
		}
		data = append([]byte{0xdd, 0, 0, byte(n >> 8), byte(n)}, data...)
		const messages = 10
		kept := make([]any, messages)
		keep := func() {
			for i := range kept {
				var v any
				if err := msgpack.Unmarshal(data, &v); err != nil {
					t.Fatal(err)
				}
				kept[i] = v.([]any)[n/4*2]
			}
		}
		keep() // fill pools and caches before measuring
		clear(kept)
		before := heap()
		keep()
		used := (heap() - before) / int64(messages)
		runtime.KeepAlive(kept)
		if bound := 2048 + 128 + int64(len(c.element)); used > bound {
			t.Errorf("%s: each value keeps %d bytes in use, more than %d", name, used, bound)
		}
	}
}

// heap returns the number of bytes in use on the heap.
func heap() int64 {
	runtime.GC()
	runtime.GC() // empties the pools as well
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestRetainedPointer keeps one pointer to a number or string of each of many decoded
// messages.
func TestRetainedPointer(t *testing.T) {
	skipIfInstrumented(t)
	oneProcessor(t)
	long := "\xda\xea\x60" + strings.Repeat("a", 60000)
	testRetainedPointer[int](t, "numbers", []string{"\xcd\x12\x34"}, 2000)
	testRetainedPointer[string](t, "short strings", []string{"\xa3abc"}, 2000)
	testRetainedPointer[string](t, "strings", []string{"\xd9\x64" + strings.Repeat("a", 100)}, 2000)
	testRetainedPointer[string](t, "strings among long ones", []string{"\xa3abc", long}, 10)
}

// testRetainedPointer decodes the elements count times in a message.
func testRetainedPointer[T any](t *testing.T, name string, elements []string, count int) {
	const messages = 100
	n := count * len(elements)
	data := []byte("\xdd\x00\x00" + string([]byte{byte(n >> 8), byte(n)}) + strings.Repeat(strings.Join(elements, ""), count))
	kept := make([]*T, messages)
	keep := func() {
		for i := range kept {
			var v []*T
			if err := msgpack.Unmarshal(data, &v); err != nil {
				t.Fatal(name, len(v), err)
			}
			kept[i] = v[len(v)/4*2]
		}
	}
	keep()
	clear(kept)
	before := heap()
	keep()
	used := (heap() - before) / messages
	runtime.KeepAlive(kept)
	if used > 2048+128 {
		t.Errorf("%s: each pointer keeps %d bytes in use", name, used)
	}
}
