package formats

import "github.com/octet-go/octet/layout"

// DNS is the messages of RFC 1035 as TCP carries them, each after its length. Names
// must not be compressed: a pointer is an error. So is a record of a known type without
// data, as updates have (RFC 2136).
func DNS() Format {
	return Format{"dns", "DNS messages in a TCP stream, without compressed names", func(w *walk) {
		stream(w, w.be, 0, func(m *DNSFrame) string {
			if m != nil && m.Message.Response {
				return "response"
			}
			return "query"
		})
	}}
}

// DNSFrame is a message with its length, as TCP carries it.
type DNSFrame struct {
	_       struct{}   `layout:"be"`
	Message DNSMessage `layout:"prefix=u16"`
}

// DNSMessage is a query or a response.
type DNSMessage struct {
	_                  struct{} `layout:"be"`
	ID                 uint16
	Response           bool   `layout:"bits=1"`
	Opcode             uint8  `layout:"bits=4"`
	Authoritative      bool   `layout:"bits=1"`
	Truncated          bool   `layout:"bits=1"`
	RecursionDesired   bool   `layout:"bits=1"`
	RecursionAvailable bool   `layout:"bits=1"`
	Reserved           bool   `layout:"bits=1"`
	AuthenticData      bool   `layout:"bits=1"`
	CheckingDisabled   bool   `layout:"bits=1"`
	Code               uint8  `layout:"bits=4"`
	QuestionCount      uint16 `layout:"count=Questions"`
	AnswerCount        uint16 `layout:"count=Answers"`
	AuthorityCount     uint16 `layout:"count=Authorities"`
	AdditionalCount    uint16 `layout:"count=Additionals"`
	Questions          []DNSQuestion
	Answers            []DNSRecord
	Authorities        []DNSRecord
	Additionals        []DNSRecord
}

// DNSName is a domain name: its labels, of which the empty one ends it.
type DNSName struct {
	Labels []DNSLabel `layout:"until=zero,max=127"`
}

// DNSLabel is a part of a name. A length above 63 would be a pointer.
type DNSLabel struct {
	Text string `layout:"prefix=u8,max=63"`
}

type (
	DNSQuestion struct {
		Name        DNSName
		Type, Class uint16
	}
	DNSRecord struct {
		Name  DNSName
		Type  uint16 // by the type of Data
		Class uint16
		TTL   uint32
		Data  DNSData `layout:"switch=Type,prefix=u16"`
	}
)

// DNSData is the data of a record: a pointer to one of the DNS types, or a
// layout.Unknown.
type DNSData any

func dnsUnions() []layout.UnionCoder {
	return []layout.UnionCoder{layout.Union[DNSData](
		layout.VariantOf[*DNSA](1),
		layout.VariantOf[*DNSNS](2),
		layout.VariantOf[*DNSCNAME](5),
		layout.VariantOf[*DNSSOA](6),
		layout.VariantOf[*DNSPTR](12),
		layout.VariantOf[*DNSMX](15),
		layout.VariantOf[*DNSTXT](16),
		layout.VariantOf[*DNSAAAA](28),
		layout.VariantOf[*DNSSRV](33),
		layout.VariantOf[*DNSOPT](41),
		layout.KeepUnknown(),
	)}
}

// The data of records.
type (
	DNSA     struct{ Address [4]byte }
	DNSAAAA  struct{ Address [16]byte }
	DNSNS    struct{ Host DNSName }
	DNSCNAME struct{ Target DNSName }
	DNSPTR   struct{ Target DNSName }
	DNSSOA   struct {
		Primary, Mailbox                        DNSName
		Serial, Refresh, Retry, Expire, Minimum uint32
	}
	DNSMX struct {
		Preference uint16
		Host       DNSName
	}
	DNSTXT  struct{ Strings []DNSText }
	DNSText struct {
		Text string `layout:"prefix=u8"`
	}
	DNSSRV struct {
		Priority, Weight, Port uint16
		Target                 DNSName
	}
	DNSOPT    struct{ Options []DNSOption }
	DNSOption struct {
		Code uint16
		Data []byte `layout:"prefix=u16"`
	}
)
