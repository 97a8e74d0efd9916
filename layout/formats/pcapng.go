package formats

import (
	"fmt"

	"github.com/octet-go/octet/layout"
)

// PCAPNG is the format of captured packets of draft-ietf-opsawg-pcapng, in both byte
// orders, which can differ between the sections of a file. It yields all
// blocks, and a PCAPNGRaw for each block whose content is malformed.
func PCAPNG() Format {
	return Format{"pcapng", "pcapng capture: blocks with their options", walkPCAPNG}
}

func walkPCAPNG(w *walk) {
	c := w.be
	for off := int64(0); off < w.size() && !w.done; {
		var start PCAPNGStart
		if w.size()-off >= 12 && string(w.data[off:off+4]) == "\x0a\x0d\x0d\x0a" {
			if _, ok := w.try(w.be, "section", off, w.size(), &start); !ok {
				return
			}
			if c = w.be; start.Magic == 0x4d3c2b1a {
				c = w.le
			}
		} else if off == 0 {
			w.fail("a capture begins with a section header block")
			return
		}
		b := new(PCAPNGBlock)
		if n, err := c.UnmarshalPrefix(w.data[off:], b); err == nil {
			if !w.emit(c, b.name(), off, off+int64(n), b) {
				return
			}
			off += int64(n)
			continue
		}
		// Some writers leave other bytes after the options.
		var ok bool
		if off, ok = w.at(c, "malformed block", off, w.size(), new(PCAPNGRaw)); !ok {
			return
		}
	}
}

// name says what the block is.
func (b *PCAPNGBlock) name() string {
	switch b.Body.(type) {
	case *PCAPNGSection:
		return "section header"
	case *PCAPNGInterface:
		return "interface description"
	case *PCAPNGPacket:
		return "packet"
	case *PCAPNGOldPacket:
		return "obsolete packet"
	case *PCAPNGSimplePacket:
		return "simple packet"
	case *PCAPNGNames:
		return "name resolution"
	case *PCAPNGStatistics:
		return "interface statistics"
	case *PCAPNGSecrets:
		return "decryption secrets"
	}
	return fmt.Sprintf("block of type %#x", b.Type)
}

// PCAPNGStart is the first 12 bytes of a section. The magic shows the byte order.
type PCAPNGStart struct {
	_      struct{} `layout:"be"`
	Type   uint32   `layout:"const=0x0a0d0d0a"`
	Length [4]byte
	Magic  uint32 `layout:"const=0x1a2b3c4d|be,const=0x4d3c2b1a|le"`
}

// PCAPNGBlock is a block. Its byte order is that of its section. The length is at
// both ends.
type PCAPNGBlock struct {
	Type   uint32     // by the type of Body
	Length uint32     `layout:"len=Type..Copy"`
	Body   PCAPNGBody `layout:"switch=Type"`
	Copy   uint32     `layout:"len=Type..Copy"`
}

// PCAPNGRaw is a block whose content is not valid for its type.
type PCAPNGRaw struct {
	Type   uint32
	Length uint32 `layout:"len=Type..Copy"`
	Data   []byte
	Copy   uint32 `layout:"len=Type..Copy"`
}

// PCAPNGBody is the content of a block: a pointer to one of the PCAPNG types, or a
// layout.Unknown.
type PCAPNGBody any

// PCAPNGValue is the value of an option: a layout.Unknown, or a PCAPNGComment.
type PCAPNGValue any

func pcapngUnions() []layout.UnionCoder {
	return []layout.UnionCoder{
		layout.Union[PCAPNGBody](
			layout.VariantOf[*PCAPNGSection](0x0a0d0d0a),
			layout.VariantOf[*PCAPNGInterface](1),
			layout.VariantOf[*PCAPNGOldPacket](2),
			layout.VariantOf[*PCAPNGSimplePacket](3),
			layout.VariantOf[*PCAPNGNames](4),
			layout.VariantOf[*PCAPNGStatistics](5),
			layout.VariantOf[*PCAPNGPacket](6),
			layout.VariantOf[*PCAPNGSecrets](10),
			layout.KeepUnknown(),
		),
		layout.Union[PCAPNGValue](
			layout.VariantOf[*PCAPNGOptionEnd](0),
			layout.VariantOf[*PCAPNGComment](1),
			layout.KeepUnknown(),
		),
	}
}

type (
	// PCAPNGOption is an option of a block. The codes from 2 on depend on the block.
	// The last option is often a PCAPNGOptionEnd.
	PCAPNGOption struct {
		Code   uint16      // by the type of Value
		Length uint16      `layout:"len=Value"`
		Value  PCAPNGValue `layout:"switch=Code"`
		_      struct{}    `layout:"align=4"`
	}
	PCAPNGOptionEnd struct{}
	PCAPNGComment   struct{ Text string }

	PCAPNGSection struct {
		Magic        uint32 `layout:"const=0x1a2b3c4d"` // in the byte order of the section
		Major, Minor uint16
		Length       int64 // of the section after this block; -1: not known
		Options      []PCAPNGOption
	}
	PCAPNGInterface struct {
		LinkType uint16
		Reserved uint16
		SnapLen  uint32 // 0: no limit
		Options  []PCAPNGOption
	}
	PCAPNGPacket struct {
		Interface uint32
		High, Low uint32 // timestamp in the units of the interface
		Captured  uint32 `layout:"len=Data"`
		Original  uint32 // length on the wire
		Data      []byte
		_         struct{} `layout:"align=4"`
		Options   []PCAPNGOption
	}
	PCAPNGOldPacket struct {
		Interface uint16
		Drops     uint16
		High, Low uint32
		Captured  uint32 `layout:"len=Data"`
		Original  uint32
		Data      []byte
		_         struct{} `layout:"align=4"`
		Options   []PCAPNGOption
	}
	PCAPNGSimplePacket struct {
		Original uint32
		Data     []byte // with the padding to 4 bytes
	}
	PCAPNGNames struct {
		Records []PCAPNGName `layout:"until=zero"`
		Options []PCAPNGOption
	}
	PCAPNGName struct {
		Type   uint16   // 1 IPv4, 2 IPv6
		Length uint16   `layout:"len=Value"`
		Value  []byte   // an address and its names, which end with NULs
		_      struct{} `layout:"align=4"`
	}
	PCAPNGStatistics struct {
		Interface uint32
		High, Low uint32
		Options   []PCAPNGOption
	}
	PCAPNGSecrets struct {
		Type    uint32
		Length  uint32 `layout:"len=Data"`
		Data    []byte
		_       struct{} `layout:"align=4"`
		Options []PCAPNGOption
	}
)
