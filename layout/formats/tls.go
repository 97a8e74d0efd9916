package formats

import "github.com/octet-go/octet/layout"

// TLS is the records of TLS 1.0 to 1.3 in one direction of a connection. Records of
// handshake messages are decoded down to the extensions of the hellos. A record
// that is encrypted, or that has only a part of a handshake message, is a
// TLSOpaque.
func TLS() Format {
	return Format{"tls", "TLS records of one direction, with plain handshake messages", walkTLS}
}

func walkTLS(w *walk) {
	for off := int64(0); off < w.size() && !w.done; {
		r := new(TLSRecord)
		if n, err := w.be.UnmarshalPrefix(w.data[off:], r); err == nil {
			if !w.emit(w.be, r.name(), off, off+int64(n), r) {
				return
			}
			off += int64(n)
			continue
		}
		var ok bool
		if off, ok = w.at(w.be, "opaque record", off, w.size(), new(TLSOpaque)); !ok {
			return
		}
	}
}

// name says what the record contains.
func (r *TLSRecord) name() string {
	switch b := r.Body.(type) {
	case *TLSChange:
		return "change cipher spec"
	case *TLSAlert:
		return "alert"
	case *TLSHandshakes:
		if len(b.Messages) > 0 && int(b.Messages[0].Type) < len(tlsNames) {
			return "handshake: " + tlsNames[b.Messages[0].Type]
		}
		return "handshake"
	}
	return "application data"
}

var tlsNames = [...]string{
	0: "hello request", 1: "client hello", 2: "server hello", 4: "new session ticket", 11: "certificate", 12: "server key exchange",
	13: "certificate request", 14: "server hello done", 15: "certificate verify", 16: "client key exchange", 20: "finished", 22: "certificate status",
}

// TLSOpaque is a record whose content is only bytes.
type TLSOpaque struct {
	_        struct{} `layout:"be"`
	Type     uint8    `layout:"const=20,const=21,const=22,const=23"`
	Version  uint16   `layout:"const=0x0301,const=0x0300,const=0x0302,const=0x0303"`
	Fragment []byte   `layout:"prefix=u16,max=18432"` // 1<<14 + 2048
}

// TLSRecord is a record that is not encrypted, or application data.
type TLSRecord struct {
	_       struct{} `layout:"be"`
	Type    uint8    // by the type of Body
	Version uint16   `layout:"const=0x0301,const=0x0300,const=0x0302,const=0x0303"`
	Body    TLSBody  `layout:"switch=Type,prefix=u16"`
}

// TLSBody is the content of a record: a pointer to TLSChange, TLSAlert,
// TLSHandshakes or TLSApplicationData.
type TLSBody any

// TLSMessage is a handshake message: a pointer to one of the TLS types.
type TLSMessage any

func tlsUnions() []layout.UnionCoder {
	return []layout.UnionCoder{
		layout.Union[TLSBody](
			layout.VariantOf[*TLSChange](20),
			layout.VariantOf[*TLSAlert](21),
			layout.VariantOf[*TLSHandshakes](22),
			layout.VariantOf[*TLSApplicationData](23),
		),
		layout.Union[TLSMessage](
			layout.VariantOf[*TLSHelloRequest](0),
			layout.VariantOf[*TLSClientHello](1),
			layout.VariantOf[*TLSServerHello](2),
			layout.VariantOf[*TLSNewSessionTicket](4),
			layout.VariantOf[*TLSCertificate](11),
			layout.VariantOf[*TLSServerKeyExchange](12),
			layout.VariantOf[*TLSCertificateRequest](13),
			layout.VariantOf[*TLSServerHelloDone](14),
			layout.VariantOf[*TLSCertificateVerify](15),
			layout.VariantOf[*TLSClientKeyExchange](16),
			layout.VariantOf[*TLSFinished](20),
			layout.VariantOf[*TLSCertificateStatus](22),
		),
		tlsClientExtensions(),
		tlsServerExtensions(),
	}
}

type (
	TLSChange struct {
		One uint8 `layout:"const=1"`
	}
	TLSAlert struct {
		Level       uint8 `layout:"const=1,const=2"` // warning, fatal
		Description uint8
	}
	TLSApplicationData struct{ Data []byte }
	// TLSHandshakes is the handshake messages of one record.
	TLSHandshakes struct{ Messages []TLSHandshake }
	// TLSHandshake is a handshake message.
	TLSHandshake struct {
		Type uint8      // by the type of Body
		Body TLSMessage `layout:"switch=Type,prefix=u24"`
	}
)

// Handshake messages. Those whose form depends on the version or the cipher suite
// are bytes.
type (
	TLSHelloRequest struct{}
	TLSClientHello  struct {
		Version      uint16
		Random       [32]byte
		SessionID    []byte               `layout:"prefix=u8,max=32"`
		CipherSuites []uint16             `layout:"prefix=u16"`
		Compressions []uint8              `layout:"prefix=u8"`
		Extensions   []TLSClientExtension `layout:"prefix=u16,if=more"`
	}
	TLSServerHello struct {
		Version     uint16
		Random      [32]byte
		SessionID   []byte `layout:"prefix=u8,max=32"`
		CipherSuite uint16
		Compression uint8
		Extensions  []TLSServerExtension `layout:"prefix=u16,if=more"`
	}
	TLSNewSessionTicket struct { // of TLS 1.2 and earlier
		Lifetime uint32 // in seconds
		Ticket   []byte `layout:"prefix=u16"`
	}
	TLSCertificate struct { // of TLS 1.2 and earlier
		Chain []TLSDER `layout:"prefix=u24"`
	}
	TLSDER struct {
		DER []byte `layout:"prefix=u24"`
	}
	TLSServerKeyExchange  struct{ Data []byte }
	TLSCertificateRequest struct{ Data []byte }
	TLSServerHelloDone    struct{}
	TLSCertificateVerify  struct{ Data []byte }
	TLSClientKeyExchange  struct{ Data []byte }
	TLSFinished           struct{ Data []byte }
	TLSCertificateStatus  struct {
		Type     uint8  `layout:"const=1"`
		Response []byte `layout:"prefix=u24"` // OCSP
	}
)
