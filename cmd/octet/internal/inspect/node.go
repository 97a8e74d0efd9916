package inspect

import (
	"fmt"
	"unicode/utf8"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A node is a value with the information to be printed.
type node struct {
	scan.Token
	path    string // only if the walker records paths
	bytes   []byte // the header, then the part of the payload that is kept
	length  int64  // of the whole value in bytes, -1 if unknown
	hidden  bool   // a container whose values are too deep to be shown
	open    bool   // a container whose values are shown
	cut     bool   // the input ends inside the payload
	inner   bool   // a top-level value of the MessagePack in a bin or ext
	omitted int64  // the node stands for so many elements that are not shown
	pairs   bool   // the elements are pairs of a map
	meaning meaning
	finding string // error in the content of a well-formed value
}

// payload returns the part of the payload that is kept.
func (n *node) payload() []byte { return n.bytes[n.Size:] }

// elided returns the number of payload bytes that are not kept.
func (n *node) elided() int64 { return int64(n.Payload) - int64(len(n.payload())) }

// number returns an integer as int64 or uint64, a float as float32 or float64.
func (n *node) number() any {
	if n.Format == wire.Float32 {
		v, _, _ := wire.ConsumeFloat32(n.bytes)
		return v
	}
	if n.Format == wire.Float64 {
		v, _, _ := wire.ConsumeFloat64(n.bytes)
		return v
	}
	if v, _, err := wire.ConsumeInt(n.bytes); err == nil {
		return v
	}
	v, _, _ := wire.ConsumeUint(n.bytes)
	return v
}

// text checks whether a str is valid UTF-8. The str arrives in parts.
type text struct {
	partial [utf8.UTFMax]byte // the bytes of a character that is split between two parts
	held    int
	passed  int64 // number of bytes found to be valid
	invalid bool
}

// write checks the next part.
func (t *text) write(part []byte) {
	for !t.invalid && t.held > 0 && len(part) > 0 {
		t.partial[t.held] = part[0]
		t.held++
		part = part[1:]
		if !utf8.FullRune(t.partial[:t.held]) {
			continue
		}
		if r, size := utf8.DecodeRune(t.partial[:t.held]); r == utf8.RuneError && size <= 1 {
			t.invalid = true
			return
		}
		t.passed += int64(t.held)
		t.held = 0
	}
	for !t.invalid && len(part) > 0 {
		r, size := utf8.DecodeRune(part)
		if r != utf8.RuneError || size > 1 {
			part = part[size:]
			t.passed += int64(size)
			continue
		}
		if utf8.FullRune(part) {
			t.invalid = true
			return
		}
		t.held = copy(t.partial[:], part)
		return
	}
}

// finding returns the error in the str, or "", after the last part.
func (t *text) finding() string {
	if t.invalid || t.held > 0 {
		return fmt.Sprintf("invalid UTF-8 at byte %d of the str", t.passed)
	}
	return ""
}
