package formats

import "github.com/octet-go/octet/layout"

// HTTP2 is the frames of RFC 9113 in one direction of a connection, after the
// preface of the client if there is one. Header blocks stay compressed.
func HTTP2() Format {
	return Format{"http2", "HTTP/2 frames of one direction", func(w *walk) {
		off := int64(0)
		if len(w.data) > 0 && w.data[0] == 'P' { // a frame of 5 MB would be too large at the start
			var ok bool
			if off, ok = w.at(w.be, "preface", 0, w.size(), new(HTTP2Preface)); !ok {
				return
			}
		}
		stream(w, w.be, off, func(f *HTTP2Frame) string {
			if f == nil || int(f.Type) >= len(http2Names) {
				return "frame"
			}
			return http2Names[f.Type] + " frame"
		})
	}}
}

var http2Names = [...]string{
	"DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE", "CONTINUATION",
}

// HTTP2Preface is what a client sends first.
type HTTP2Preface struct {
	_ struct{} `layout:"magic=PRI * HTTP/2.0\\x0d\\x0a\\x0d\\x0aSM\\x0d\\x0a\\x0d\\x0a"`
}

// The values of HTTP2Frame.Flags. Which of them have a meaning depends on the type.
const (
	HTTP2Ack         = 0x01 // of SETTINGS and PING
	HTTP2EndStream   = 0x01
	HTTP2EndHeaders  = 0x04
	HTTP2Padded      = 0x08
	HTTP2Prioritized = 0x20
)

// HTTP2Frame is a frame.
type HTTP2Frame struct {
	_        struct{} `layout:"be"`
	Length   uint32   `layout:"u24,len=Payload"`
	Type     uint8    // by the type of Payload
	Flags    uint8
	Reserved bool         `layout:"bits=1"`
	Stream   uint32       `layout:"bits=31"`
	Payload  HTTP2Payload `layout:"switch=Type"`
}

// HTTP2Payload is the content of a frame: a pointer to one of the HTTP2 types, or a
// layout.Unknown.
type HTTP2Payload any

func http2Unions() []layout.UnionCoder {
	return []layout.UnionCoder{layout.Union[HTTP2Payload](
		layout.VariantOf[*HTTP2Data](0),
		layout.VariantOf[*HTTP2Headers](1),
		layout.VariantOf[*HTTP2Priority](2),
		layout.VariantOf[*HTTP2Reset](3),
		layout.VariantOf[*HTTP2Settings](4),
		layout.VariantOf[*HTTP2Promise](5),
		layout.VariantOf[*HTTP2Ping](6),
		layout.VariantOf[*HTTP2GoAway](7),
		layout.VariantOf[*HTTP2Window](8),
		layout.VariantOf[*HTTP2Continuation](9),
		layout.KeepUnknown(),
	)}
}

// The contents of frames, in the order of their types. Flags in the conditions is
// that of the frame.
type (
	HTTP2Data struct {
		PadLength uint8 `layout:"len=Padding,if=Flags&8"`
		Data      []byte
		Padding   []byte `layout:"if=Flags&8"`
	}
	HTTP2Headers struct {
		PadLength uint8          `layout:"len=Padding,if=Flags&8"`
		Priority  *HTTP2Priority `layout:"if=Flags&0x20"`
		Fragment  []byte         // HPACK
		Padding   []byte         `layout:"if=Flags&8"`
	}
	HTTP2Priority struct {
		Exclusive bool   `layout:"bits=1"`
		DependsOn uint32 `layout:"bits=31"`
		Weight    uint8  // minus 1
	}
	HTTP2Reset    struct{ Code uint32 }
	HTTP2Settings struct{ List []HTTP2Setting }
	HTTP2Setting  struct {
		ID    uint16
		Value uint32
	}
	HTTP2Promise struct {
		PadLength uint8  `layout:"len=Padding,if=Flags&8"`
		Reserved  bool   `layout:"bits=1"`
		Stream    uint32 `layout:"bits=31"`
		Fragment  []byte
		Padding   []byte `layout:"if=Flags&8"`
	}
	HTTP2Ping   struct{ Data [8]byte }
	HTTP2GoAway struct {
		Reserved   bool   `layout:"bits=1"`
		LastStream uint32 `layout:"bits=31"`
		Code       uint32
		Debug      []byte
	}
	HTTP2Window struct {
		Reserved  bool   `layout:"bits=1"`
		Increment uint32 `layout:"bits=31"`
	}
	HTTP2Continuation struct{ Fragment []byte }
)
