package inspect

import (
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
	omitted int64  // number of elements that are not shown, if the node takes their place
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
