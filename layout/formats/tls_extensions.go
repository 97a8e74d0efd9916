package formats

import "github.com/octet-go/octet/layout"

// TLSClientExtension is an extension of a client hello.
type TLSClientExtension struct {
	Type uint16        // by the type of Body
	Body TLSClientBody `layout:"switch=Type,prefix=u16"`
}

// TLSServerExtension is an extension of a server hello. The same types have other
// contents here.
type TLSServerExtension struct {
	Type uint16
	Body TLSServerBody `layout:"switch=Type,prefix=u16"`
}

// TLSClientBody is the content of an extension: a pointer to one of the TLS types,
// or a layout.Unknown.
type TLSClientBody any

// TLSServerBody is the same in a server hello.
type TLSServerBody any

func tlsClientExtensions() layout.UnionCoder {
	return layout.Union[TLSClientBody](
		layout.VariantOf[*TLSServerNames](0),
		layout.VariantOf[*TLSStatusRequest](5),
		layout.VariantOf[*TLSGroups](10),
		layout.VariantOf[*TLSPointFormats](11),
		layout.VariantOf[*TLSSignatures](13),
		layout.VariantOf[*TLSProtocols](16),
		layout.VariantOf[*TLSTimestamps](18),
		layout.VariantOf[*TLSMasterSecret](23),
		layout.VariantOf[*TLSTicket](35),
		layout.VariantOf[*TLSVersions](43),
		layout.VariantOf[*TLSCookie](44),
		layout.VariantOf[*TLSKeyModes](45),
		layout.VariantOf[*TLSCertificateSignatures](50),
		layout.VariantOf[*TLSKeyShares](51),
		layout.VariantOf[*TLSRenegotiation](0xff01),
		layout.KeepUnknown(),
	)
}

func tlsServerExtensions() layout.UnionCoder {
	return layout.Union[TLSServerBody](
		layout.VariantOf[*TLSPointFormats](11),
		layout.VariantOf[*TLSProtocols](16),
		layout.VariantOf[*TLSMasterSecret](23),
		layout.VariantOf[*TLSVersion](43),
		layout.VariantOf[*TLSCookie](44),
		layout.VariantOf[*TLSServerKeyShare](51),
		layout.VariantOf[*TLSRenegotiation](0xff01),
		layout.KeepUnknown(),
	)
}

// The contents of extensions.
type (
	TLSServerNames struct {
		Names []TLSServerName `layout:"prefix=u16"`
	}
	TLSServerName struct {
		Type uint8  `layout:"const=0"`
		Host string `layout:"prefix=u16"`
	}
	TLSStatusRequest struct {
		Type       uint8  `layout:"const=1"`
		Responders []byte `layout:"prefix=u16"`
		Extensions []byte `layout:"prefix=u16"`
	}
	TLSGroups struct {
		Groups []uint16 `layout:"prefix=u16"`
	}
	TLSPointFormats struct {
		Formats []uint8 `layout:"prefix=u8"`
	}
	TLSSignatures struct {
		Schemes []uint16 `layout:"prefix=u16"`
	}
	TLSCertificateSignatures struct {
		Schemes []uint16 `layout:"prefix=u16"`
	}
	TLSProtocols struct {
		Names []TLSProtocol `layout:"prefix=u16"`
	}
	TLSProtocol struct {
		Name string `layout:"prefix=u8"`
	}
	TLSTimestamps   struct{}
	TLSMasterSecret struct{}
	TLSTicket       struct{ Ticket []byte }
	TLSVersions     struct {
		Versions []uint16 `layout:"prefix=u8"`
	}
	TLSVersion struct{ Version uint16 }
	TLSCookie  struct {
		Cookie []byte `layout:"prefix=u16"`
	}
	TLSKeyModes struct {
		Modes []uint8 `layout:"prefix=u8"`
	}
	TLSKeyShares struct {
		Shares []TLSKeyShare `layout:"prefix=u16"`
	}
	TLSKeyShare struct {
		Group uint16
		Key   []byte `layout:"prefix=u16"`
	}
	// TLSServerKeyShare has no key when the server asks for another group.
	TLSServerKeyShare struct {
		Group uint16
		Key   []byte `layout:"prefix=u16,if=more"`
	}
	TLSRenegotiation struct {
		Data []byte `layout:"prefix=u8"`
	}
)
