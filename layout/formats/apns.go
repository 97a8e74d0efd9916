package formats

import "github.com/octet-go/octet/layout"

// APNS is the binary interface of the push notification service of Apple, which was
// retired on 31 March 2021: the commands of a client, or the answers of a
// server.
func APNS() Format {
	return Format{"apns", "APNs binary interface (retired in 2021): commands or answers", func(w *walk) {
		stream(w, w.be, 0, func(c *APNSCommand) string {
			if c != nil && c.Command == 8 {
				return "answer"
			}
			return "notification"
		})
	}}
}

// APNSCommand is what a client or a server writes.
type APNSCommand struct {
	_       struct{} `layout:"be"`
	Command uint8    // by the type of Body
	Body    APNSBody `layout:"switch=Command"`
}

// APNSBody is the content of a command: a pointer to APNSSimple, APNSEnhanced,
// APNSFrame or APNSAnswer.
type APNSBody any

// APNSData is the data of an item of a frame: a pointer to one of the APNS types.
type APNSData any

func apnsUnions() []layout.UnionCoder {
	return []layout.UnionCoder{
		layout.Union[APNSBody](
			layout.VariantOf[*APNSSimple](0),
			layout.VariantOf[*APNSEnhanced](1),
			layout.VariantOf[*APNSFrame](2),
			layout.VariantOf[*APNSAnswer](8),
		),
		layout.Union[APNSData](
			layout.VariantOf[*APNSToken](1),
			layout.VariantOf[*APNSPayload](2),
			layout.VariantOf[*APNSIdentifier](3),
			layout.VariantOf[*APNSExpiration](4),
			layout.VariantOf[*APNSPriority](5),
		),
	}
}

type (
	// APNSSimple is command 0.
	APNSSimple struct {
		Token   []byte `layout:"prefix=u16"`
		Payload []byte `layout:"prefix=u16,max=256"`
	}
	// APNSEnhanced is command 1.
	APNSEnhanced struct {
		Identifier uint32
		Expiration uint32 // Unix seconds; 0: do not store
		Token      []byte `layout:"prefix=u16"`
		Payload    []byte `layout:"prefix=u16,max=256"`
	}
	// APNSFrame is command 2.
	APNSFrame struct {
		Items []APNSItem `layout:"prefix=u32"`
	}
	// APNSItem is an item of a frame.
	APNSItem struct {
		ID   uint8    // by the type of Data
		Data APNSData `layout:"switch=ID,prefix=u16"`
	}
	// APNSAnswer is command 8, the answer to a notification that was not accepted.
	APNSAnswer struct {
		Status     uint8
		Identifier uint32
	}
)

// The data of items, in the order of their identifiers.
type (
	APNSToken struct {
		Token [32]byte
	}
	APNSPayload struct {
		JSON []byte `layout:"max=2048"`
	}
	APNSIdentifier struct{ Identifier uint32 }
	APNSExpiration struct{ Seconds uint32 }
	APNSPriority   struct{ Priority uint8 }
)
