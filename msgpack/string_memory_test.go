package msgpack_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
)

// TestStringMemory decodes structs with few strings of one length. They may take little
// more memory than if each had its own: a chunk that is too short for the second string
// of a message would be wasted.
func TestStringMemory(t *testing.T) {
	skipIfInstrumented(t)
	type two struct{ A, B string }
	type pointers struct{ A, B, C *string }
	type mixed struct {
		A string
		B *string
		N int
		C []string
	}
	const runs = 100
	for n := 1; n <= 400; n++ {
		s := strings.Repeat("s", n)
		for _, c := range []struct {
			v       any
			strings int
			other   int // bytes, besides those of the strings
			decode  func(data []byte) error
		}{
			{two{s, s}, 2, 32, func(data []byte) error { return msgpack.Unmarshal(data, new(two)) }},
			{pointers{&s, &s, &s}, 3, 24 + 48, func(data []byte) error { return msgpack.Unmarshal(data, new(pointers)) }},
			{mixed{s, &s, 1, []string{s, s}}, 4, 64 + 16 + 32, func(data []byte) error { return msgpack.Unmarshal(data, new(mixed)) }},
		} {
			data, err := msgpack.Marshal(c.v)
			if err != nil {
				t.Fatal(err)
			}
			used := heaptest.Allocated(func() {
				for range runs {
					err = c.decode(data)
				}
			}) / runs
			if err != nil {
				t.Fatal(err)
			}
			// The allocator rounds up by an eighth, and by 16 bytes at least.
			if most := c.other + c.strings*(n+n/8+16) + 16; used > uint64(most) {
				t.Errorf("%s of %d bytes: %d bytes, want at most %d", fmt.Sprintf("%T", c.v), n, used, most)
			}
		}
	}
}
