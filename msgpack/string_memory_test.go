package msgpack_test

import (
	"fmt"
	"math"
	"slices"
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
			// The allocator rounds up by an eighth, and by 16 bytes at least.
			most, used := c.other+c.strings*(n+n/8+16)+16, uint64(math.MaxUint64)
			for range 3 { // a collection during the first one empties pools
				if used > uint64(most) {
					used = heaptest.Allocated(func() {
						for range runs {
							err = c.decode(data)
						}
					}) / runs
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if used > uint64(most) {
				t.Errorf("%s of %d bytes: %d bytes, want at most %d", fmt.Sprintf("%T", c.v), n, used, most)
			}
		}
	}
}

// TestLearnedMemory decodes nested structs, whose keys are most of a message. Only what
// earlier messages needed tells how little memory their strings take.
func TestLearnedMemory(t *testing.T) {
	skipIfInstrumented(t)
	type part struct {
		Identification string   `msgpack:"identification of the part"`
		Count          int      `msgpack:"number of such parts in stock"`
		Names          []string `msgpack:"names in other languages"`
	}
	type whole struct {
		Part  part  `msgpack:"the part that is described"`
		Other *part `msgpack:"the part that takes its place"`
	}
	p := part{"0123456789", 1, []string{"a", "b"}}
	data, err := msgpack.Marshal(whole{p, &p})
	if err != nil {
		t.Fatal(err)
	}
	const (
		runs      = 100
		variables = 112 + 48 + 2*32 // of whole, part, and the strings of Names
		strings   = 2 * 12
	)
	decode := func() {
		if err := msgpack.Unmarshal(data, new(whole)); err != nil {
			t.Fatal(err)
		}
	}
	decode()
	used := heaptest.Allocated(func() {
		for range runs {
			decode()
		}
	}) / runs
	if used > variables+strings+16 {
		t.Errorf("%d bytes, of which strings take %d and variables %d", used, strings, variables)
	}
}

// TestLearnsAgain decodes messages that become longer and shorter, and some of each length
// after that. All strings of a message are in one chunk from the second message on.
func TestLearnsAgain(t *testing.T) {
	skipIfInstrumented(t)
	if !msgpack.Fast {
		t.Skip("skipped: only the fast paths share the variables")
	}
	type texts struct{ A, B, C *string }
	for _, n := range []int{8, 25, 31, 10, 63, 5, 40} {
		s := strings.Repeat("s", n)
		data, err := msgpack.Marshal(texts{&s, &s, &s})
		if err != nil {
			t.Fatal(err)
		}
		allocs := testing.AllocsPerRun(100, func() { // after one call that is not counted
			if err := msgpack.Unmarshal(data, new(texts)); err != nil {
				t.Fatal(err)
			}
		})
		if allocs != 2 { // the chunk, and the variables of the strings
			t.Errorf("strings of %d bytes: %v allocations", n, allocs)
		}
	}
}

// TestNestedStringsShare decodes a struct with few strings and a long list of structs with
// strings, which share memory although the message is long for so few strings.
func TestNestedStringsShare(t *testing.T) {
	skipIfInstrumented(t)
	type info struct {
		Code    int
		Message string
	}
	type response struct {
		Errors []info
		Status string
	}
	data, err := msgpack.Marshal(response{slices.Repeat([]info{{404, "not found"}}, 12), "failed"})
	if err != nil {
		t.Fatal(err)
	}
	allocs := testing.AllocsPerRun(100, func() {
		if err := msgpack.Unmarshal(data, new(response)); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 3 { // the slice and its strings, in one chunk or two
		t.Errorf("%v allocations", allocs)
	}
}
