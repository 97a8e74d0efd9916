package formats

import (
	"strconv"

	"github.com/octet-go/octet/layout"
)

// PNG is the image format of the specification "Portable Network Graphics". It
// yields the signature and all chunks. Pixels stay compressed.
func PNG() Format {
	return Format{"png", "PNG image: signature, chunks with their checksums", func(w *walk) {
		off, ok := w.at(w.be, "signature", 0, w.size(), new(PNGSignature))
		if ok {
			stream(w, w.be, off, func(c *PNGChunk) string {
				if c == nil {
					return "chunk"
				}
				return c.Type.String() + " chunk"
			})
		}
	}}
}

// PNGSignature is the first 8 bytes of a PNG file.
type PNGSignature struct {
	_ struct{} `layout:"magic=\\x89PNG\\x0d\\x0a\\x1a\\x0a"`
}

// PNGChunk is one chunk of a PNG file.
type PNGChunk struct {
	_      struct{}     `layout:"be"`
	Length uint32       `layout:"len=Body,max=0x7fffffff"`
	Type   PNGChunkType // by the type of Body
	Body   PNGChunkBody `layout:"switch=Type"`
	CRC    uint32       `layout:"crc32=Type..Body"`
}

// PNGChunkType is the four letters of a chunk type as a big-endian number.
type PNGChunkType uint32

// String returns the four letters. If other bytes are among them, it returns all four as
// a quoted string.
func (t PNGChunkType) String() string {
	b := []byte{byte(t >> 24), byte(t >> 16), byte(t >> 8), byte(t)}
	for _, c := range b {
		if c |= 0x20; c < 'a' || c > 'z' {
			return strconv.QuoteToASCII(string(b))
		}
	}
	return string(b)
}

func pngType(name string) PNGChunkType {
	return PNGChunkType(name[0])<<24 | PNGChunkType(name[1])<<16 | PNGChunkType(name[2])<<8 | PNGChunkType(name[3])
}

// PNGChunkBody is the content of a chunk: a pointer to one of the PNG types, or
// a layout.Unknown.
type PNGChunkBody any

func pngUnions() []layout.UnionCoder {
	return []layout.UnionCoder{layout.Union[PNGChunkBody](
		layout.VariantOf[*PNGHeader](pngType("IHDR")),
		layout.VariantOf[*PNGPalette](pngType("PLTE")),
		layout.VariantOf[*PNGData](pngType("IDAT")),
		layout.VariantOf[*PNGEnd](pngType("IEND")),
		layout.VariantOf[*PNGTransparency](pngType("tRNS")),
		layout.VariantOf[*PNGGamma](pngType("gAMA")),
		layout.VariantOf[*PNGChromaticities](pngType("cHRM")),
		layout.VariantOf[*PNGStandardRGB](pngType("sRGB")),
		layout.VariantOf[*PNGProfile](pngType("iCCP")),
		layout.VariantOf[*PNGSignificantBits](pngType("sBIT")),
		layout.VariantOf[*PNGBackground](pngType("bKGD")),
		layout.VariantOf[*PNGHistogram](pngType("hIST")),
		layout.VariantOf[*PNGPhysical](pngType("pHYs")),
		layout.VariantOf[*PNGTime](pngType("tIME")),
		layout.VariantOf[*PNGText](pngType("tEXt")),
		layout.VariantOf[*PNGCompressedText](pngType("zTXt")),
		layout.VariantOf[*PNGInternationalText](pngType("iTXt")),
		layout.VariantOf[*PNGSuggestedPalette8](pngType("sPLT")),
		layout.KeepUnknown(),
	)}
}

// The contents of chunks, in the order of the specification.
type (
	PNGHeader struct {
		Width, Height uint32
		BitDepth      uint8
		ColorType     uint8 // 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGB and alpha
		Compression   uint8 `layout:"const=0"`
		Filter        uint8 `layout:"const=0"`
		Interlace     uint8 // 0 none, 1 Adam7
	}
	PNGPalette struct {
		Colors []PNGColor `layout:"until=end,max=256"`
	}
	PNGColor struct{ R, G, B uint8 }
	PNGData  struct {
		Compressed []byte // part of a zlib stream that all chunks of the type make up
	}
	PNGEnd          struct{}
	PNGTransparency struct {
		Data []byte // two or six bytes of samples, or one byte for each color of the palette
	}
	PNGGamma struct {
		Gamma uint32 // times 100000
	}
	PNGChromaticities struct { // times 100000
		WhiteX, WhiteY, RedX, RedY, GreenX, GreenY, BlueX, BlueY uint32
	}
	PNGStandardRGB struct{ Intent uint8 }
	PNGProfile     struct {
		Name        string `layout:"cstring,max=79"`
		Compression uint8  `layout:"const=0"`
		Compressed  []byte
	}
	PNGSignificantBits struct {
		Bits []uint8 // one for each channel
	}
	PNGBackground struct {
		Data []byte // a palette index, or a sample of two bytes for each channel
	}
	PNGHistogram struct {
		Frequencies []uint16 `layout:"max=256"`
	}
	PNGPhysical struct {
		X, Y uint32 // pixels per unit
		Unit uint8  // 0 unknown, 1 meter
	}
	PNGTime struct {
		Year                             uint16
		Month, Day, Hour, Minute, Second uint8
	}
	PNGText struct {
		Keyword string `layout:"cstring,max=79"`
		Text    string // in Latin-1
	}
	PNGCompressedText struct {
		Keyword     string `layout:"cstring,max=79"`
		Compression uint8  `layout:"const=0"`
		Compressed  []byte
	}
	PNGInternationalText struct {
		Keyword     string `layout:"cstring,max=79"`
		Compressed  bool
		Compression uint8  `layout:"const=0"`
		Language    string `layout:"cstring"`
		Translated  string `layout:"cstring"`
		Text        []byte // UTF-8, a zlib stream of it if Compressed is set
	}
	PNGSuggestedPalette8 struct {
		Name    string `layout:"cstring,max=79"`
		Depth   uint8
		Entries []byte // 6 bytes each if Depth is 8, 10 if it is 16
	}
)
