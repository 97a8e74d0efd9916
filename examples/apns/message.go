package apns

import (
	"time"

	"github.com/octet-go/octet/layout"
)

// Limits of the protocol, in bytes.
const (
	MaxPayload      = 2048 // payload of command 2
	MaxShortPayload = 256  // payload of commands 0 and 1
)

// Token is the address of an app on a device.
type Token [32]byte

// Priority says when a device receives a notification.
type Priority uint8

// The priorities of the protocol.
const (
	Immediately Priority = 10
	SavePower   Priority = 5
)

// Notification is one push notification. Commands 0 and 1 have no priority, and command 0 has no identifier and no expiry.
type Notification struct {
	Token      Token
	Payload    []byte // JSON; not checked here
	Identifier uint32 // repeated in the answer if the server refuses the notification
	Expiry     uint32 // Unix seconds; 0 means that the server does not store the notification
	Priority   Priority
}

// Simple is the message of command 0. The server cannot say which one it refused: it has no identifier.
type Simple struct {
	_       struct{} `layout:"be"`
	Command uint8    `layout:"const=0"`
	Token   []byte   `layout:"prefix=u16"`
	Payload []byte   `layout:"prefix=u16"`
}

// Enhanced is the message of command 1.
type Enhanced struct {
	_          struct{} `layout:"be"`
	Command    uint8    `layout:"const=1"`
	Identifier uint32
	Expiry     uint32
	Token      []byte `layout:"prefix=u16"`
	Payload    []byte `layout:"prefix=u16"`
}

// Frame is the message of command 2. The items may come in any order.
type Frame struct {
	_       struct{} `layout:"be"`
	Command uint8    `layout:"const=2"`
	Items   []Item   `layout:"prefix=u32"`
}

// Item is one part of a Frame. Its data is not decoded, so that a server can answer a frame with an invalid item,
// with the identifier that is in another item.
type Item struct {
	ID   uint8
	Data []byte `layout:"prefix=u16"`
}

// The items of a Frame.
const (
	TokenItem      = 1 // 32 bytes
	PayloadItem    = 2 // at most MaxPayload bytes
	IdentifierItem = 3 // u32
	ExpiryItem     = 4 // u32
	PriorityItem   = 5 // u8
)

// frame is a Frame with the five items in the order in which Client sends them. The order is fixed, so that all of the
// message except the payload has a fixed place.
type frame struct {
	_            struct{} `layout:"be"`
	Command      uint8    `layout:"const=2"`
	Length       uint32   `layout:"len=TokenID..Priority"`
	TokenID      uint8    `layout:"const=1"`
	TokenLength  uint16   `layout:"len=Token"`
	Token        Token
	PayloadID    uint8  `layout:"const=2"`
	Payload      []byte `layout:"prefix=u16,max=2048"`
	IdentifierID uint8  `layout:"const=3"`
	_            uint16 `layout:"const=4"`
	Identifier   uint32
	ExpiryID     uint8  `layout:"const=4"`
	_            uint16 `layout:"const=4"`
	Expiry       uint32
	PriorityID   uint8  `layout:"const=5"`
	_            uint16 `layout:"const=1"`
	Priority     Priority
}

// Response is the answer of the server to a notification that it refuses, or its announcement that it shuts down.
type Response struct {
	_          struct{} `layout:"be"`
	Command    uint8    `layout:"const=8"`
	Status     Status
	Identifier uint32 // of the notification; with Shutdown, of the last one that was accepted
}

// Feedback says that a device no longer has the app.
type Feedback struct {
	_     struct{} `layout:"be"`
	Time  uint32   // Unix seconds at which the server noticed it
	Token []byte   `layout:"prefix=u16,max=1024"`
}

// When returns the time of f.
func (f Feedback) When() time.Time { return time.Unix(int64(f.Time), 0) }

// Append appends the message of command 2 that sends n.
// The error is a *layout.Error if the payload is too long.
func Append(dst []byte, n *Notification) ([]byte, error) {
	return layout.MarshalAppend(dst, &frame{
		Token:      n.Token,
		Payload:    n.Payload,
		Identifier: n.Identifier,
		Expiry:     n.Expiry,
		Priority:   n.Priority,
	})
}
