package formats

import (
	"bytes"
	"encoding/binary"

	"github.com/octet-go/octet/layout"
)

// ZIP is the archive format of PKWARE's APPNOTE.TXT. It yields the end record,
// with its 64-bit form if there is one, then for each file the header in the
// central directory and the one before the content: as a ZIPRawEntry or ZIPRawLocal if
// its extra field is not a list of the known fields.
func ZIP() Format {
	return Format{"zip", "ZIP archive: end records, central directory, local headers", walkZIP}
}

const (
	zipEndSize     = 22
	zipLocatorSize = 20
)

func walkZIP(w *walk) {
	// The end record is the last thing in the file, but its comment can have any
	// length, and other bytes can precede the archive.
	var end ZIPEnd
	at := int64(-1)
	for tail := w.data; at < 0; {
		i := bytes.LastIndex(tail, []byte("PK\x05\x06"))
		if i < 0 {
			w.fail("no end record of a ZIP archive")
			return
		}
		if n, err := w.le.UnmarshalPrefix(w.data[i:], &end); err == nil && n >= zipEndSize {
			at = int64(i)
		}
		tail = tail[:i]
		if len(w.data)-i > zipEndSize+1<<16 && at < 0 {
			w.fail("no end record of a ZIP archive in the last 64 KiB")
			return
		}
	}
	if _, ok := w.at(w.le, "end of central directory", at, w.size(), new(ZIPEnd)); !ok {
		return
	}
	directory := zipDirectory{int64(end.Entries), int64(end.DirectorySize), int64(end.DirectoryOffset)}
	start := at // where the directory should end
	if l := at - zipLocatorSize; l >= 0 && string(w.data[l:l+4]) == "PK\x06\x07" {
		var ok bool
		if directory, start, ok = zip64(w, l, directory); !ok {
			return
		}
	}
	base := start - directory.size - directory.offset
	if base < 0 || directory.size < 0 || directory.offset < 0 {
		base = 0
	}
	// Bytes before the archive move all its offsets, unless they count them.
	if at := directory.offset; at >= 0 && at <= w.size()-4 && string(w.data[at:at+4]) == "PK\x01\x02" {
		base = 0
	}
	off := base + directory.offset
	for range directory.entries {
		var entry any
		var ok bool
		if entry, off, ok = w.either(w.le, "central directory", off, new(ZIPEntry), new(ZIPRawEntry)); !ok {
			return
		}
		local := base + localOffset(w, entry)
		if _, _, ok = w.either(w.le, "local header", local, new(ZIPLocal), new(ZIPRawLocal)); !ok {
			return
		}
	}
}

// localOffset returns the offset of the local header of an entry of either type.
func localOffset(w *walk, entry any) int64 {
	raw, ok := entry.(*ZIPRawEntry)
	if !ok {
		return entry.(*ZIPEntry).localOffset()
	}
	e := ZIPEntry{Size: raw.Size, Compressed: raw.Compressed, LocalOffset: raw.LocalOffset}
	for b := raw.Extra; ; {
		var x struct {
			ID   uint16
			Data []byte `layout:"prefix=u16"`
		}
		n, err := w.le.UnmarshalPrefix(b, &x)
		if err != nil {
			return e.localOffset()
		}
		if x.ID == 1 {
			numbers := make([]uint64, len(x.Data)/8)
			for i := range numbers {
				numbers[i] = binary.LittleEndian.Uint64(x.Data[8*i:])
			}
			e.Extra = append(e.Extra, ZIPExtra{Body: &ZIPExtra64{numbers}})
		}
		b = b[n:]
	}
}

type zipDirectory struct{ entries, size, offset int64 }

// zip64 reads the 64-bit end record that the locator at l refers to.
func zip64(w *walk, l int64, d zipDirectory) (zipDirectory, int64, bool) {
	locator, end := new(ZIPLocator64), new(ZIPEnd64)
	if _, ok := w.at(w.le, "locator of the 64-bit end", l, w.size(), locator); !ok {
		return d, 0, false
	}
	at := int64(locator.Offset)
	if at < 0 || at > l-4 || string(w.data[at:at+4]) != "PK\x06\x06" {
		at = l - 56 // bytes were added before the archive
	}
	if _, ok := w.at(w.le, "64-bit end of central directory", at, w.size(), end); !ok {
		return d, 0, false
	}
	return zipDirectory{int64(end.Entries), int64(end.DirectorySize), int64(end.DirectoryOffset)}, at, true
}

// localOffset returns the offset of the local header.
func (e *ZIPEntry) localOffset() int64 {
	if e.LocalOffset != 0xffffffff {
		return int64(e.LocalOffset)
	}
	for _, x := range e.Extra {
		b, ok := x.Body.(*ZIPExtra64)
		if !ok {
			continue
		}
		// The field has only those numbers that are -1 in the header.
		skip := 0
		for _, n := range []uint32{e.Size, e.Compressed} {
			if n == 0xffffffff {
				skip++
			}
		}
		if skip < len(b.Numbers) {
			return int64(b.Numbers[skip])
		}
	}
	return int64(e.LocalOffset)
}

// ZIPEnd is the end of central directory record.
type ZIPEnd struct {
	_               struct{} `layout:"le"`
	_               struct{} `layout:"magic=PK\\x05\\x06"`
	Disk            uint16
	DirectoryDisk   uint16
	DiskEntries     uint16
	Entries         uint16 // 0xffff: see ZIPEnd64
	DirectorySize   uint32
	DirectoryOffset uint32
	CommentLength   uint16 `layout:"len=Comment"`
	Comment         string
}

// ZIPEnd64 is the end of central directory record with 64-bit numbers.
type ZIPEnd64 struct {
	_               struct{} `layout:"le"`
	_               struct{} `layout:"magic=PK\\x06\\x06"`
	Size            uint64   `layout:"len=MadeBy..Data"`
	MadeBy          uint16
	Needs           uint16
	Disk            uint32
	DirectoryDisk   uint32
	DiskEntries     uint64
	Entries         uint64
	DirectorySize   uint64
	DirectoryOffset uint64
	Data            []byte
}

// ZIPLocator64 says where the ZIPEnd64 is.
type ZIPLocator64 struct {
	_      struct{} `layout:"le"`
	_      struct{} `layout:"magic=PK\\x06\\x07"`
	Disk   uint32
	Offset uint64
	Disks  uint32
}

// ZIPTime is a time of MS-DOS in two seconds and its date.
type ZIPTime struct {
	_      struct{} `layout:"le"`
	Second uint8    `layout:"bits=5"` // divided by 2
	Minute uint8    `layout:"bits=6"`
	Hour   uint8    `layout:"bits=5,end"`
	Day    uint8    `layout:"bits=5"`
	Month  uint8    `layout:"bits=4"`
	Year   uint16   `layout:"bits=7"` // since 1980
}

// ZIPFlags is the general purpose bits of a file.
type ZIPFlags struct {
	_           struct{} `layout:"le"`
	Encrypted   bool     `layout:"bits=1"`
	Compression uint8    `layout:"bits=2"` // depends on the method
	Descriptor  bool     `layout:"bits=1"` // sizes and checksum follow the content
	Enhanced    bool     `layout:"bits=1"`
	Patched     bool     `layout:"bits=1"`
	Strong      bool     `layout:"bits=1"`
	Unused      uint8    `layout:"bits=4"`
	UTF8        bool     `layout:"bits=1"`
	Reserved    uint8    `layout:"bits=4"`
}

// ZIPLocal is the header before the content of a file.
type ZIPLocal struct {
	_           struct{} `layout:"le"`
	_           struct{} `layout:"magic=PK\\x03\\x04"`
	Needs       uint16
	Flags       ZIPFlags
	Method      uint16 // 0 stored, 8 deflate
	Modified    ZIPTime
	CRC         uint32
	Compressed  uint32
	Size        uint32
	NameLength  uint16 `layout:"len=Name"`
	ExtraLength uint16 `layout:"len=Extra"`
	Name        string
	Extra       []ZIPExtra
}

// ZIPEntry is a header in the central directory.
type ZIPEntry struct {
	_             struct{} `layout:"le"`
	_             struct{} `layout:"magic=PK\\x01\\x02"`
	MadeBy        uint8
	System        uint8 // 0 MS-DOS, 3 Unix
	Needs         uint16
	Flags         ZIPFlags
	Method        uint16
	Modified      ZIPTime
	CRC           uint32
	Compressed    uint32
	Size          uint32
	NameLength    uint16 `layout:"len=Name"`
	ExtraLength   uint16 `layout:"len=Extra"`
	CommentLength uint16 `layout:"len=Comment"`
	Disk          uint16
	Internal      uint16
	External      uint32
	LocalOffset   uint32
	Name          string
	Extra         []ZIPExtra
	Comment       string
}

// ZIPRawLocal is a ZIPLocal whose extra field is only bytes. Tools that align the contents of
// files write such headers: they add zeros to the extra field.
type ZIPRawLocal struct {
	_           struct{} `layout:"le"`
	_           struct{} `layout:"magic=PK\\x03\\x04"`
	Needs       uint16
	Flags       ZIPFlags
	Method      uint16 // 0 stored, 8 deflate
	Modified    ZIPTime
	CRC         uint32
	Compressed  uint32
	Size        uint32
	NameLength  uint16 `layout:"len=Name"`
	ExtraLength uint16 `layout:"len=Extra"`
	Name        string
	Extra       []byte
}

// ZIPRawEntry is a ZIPEntry whose extra field is only bytes.
type ZIPRawEntry struct {
	_             struct{} `layout:"le"`
	_             struct{} `layout:"magic=PK\\x01\\x02"`
	MadeBy        uint8
	System        uint8 // 0 MS-DOS, 3 Unix
	Needs         uint16
	Flags         ZIPFlags
	Method        uint16
	Modified      ZIPTime
	CRC           uint32
	Compressed    uint32
	Size          uint32
	NameLength    uint16 `layout:"len=Name"`
	ExtraLength   uint16 `layout:"len=Extra"`
	CommentLength uint16 `layout:"len=Comment"`
	Disk          uint16
	Internal      uint16
	External      uint32
	LocalOffset   uint32
	Name          string
	Extra         []byte
	Comment       string
}

// ZIPExtra is an extra field of a header.
type ZIPExtra struct {
	_    struct{}     `layout:"le"`
	ID   uint16       // by the type of Body
	Body ZIPExtraBody `layout:"switch=ID,prefix=u16"`
}

// ZIPExtraBody is the content of an extra field: a pointer to one of the ZIPExtra
// types, or a layout.Unknown.
type ZIPExtraBody any

func zipUnions() []layout.UnionCoder {
	return []layout.UnionCoder{layout.Union[ZIPExtraBody](
		layout.VariantOf[*ZIPExtra64](0x0001),
		layout.VariantOf[*ZIPExtraNTFS](0x000a),
		layout.VariantOf[*ZIPExtraTime](0x5455),
		layout.VariantOf[*ZIPExtraUnix](0x7875),
		layout.KeepUnknown(),
	)}
}

// The extra fields of APPNOTE.TXT and of Info-ZIP.
type (
	ZIPExtra64 struct { // the numbers that are -1 in the header
		Numbers []uint64
	}
	ZIPExtraNTFS struct {
		Reserved   uint32
		Attributes []ZIPExtraNTFSAttribute
	}
	ZIPExtraNTFSAttribute struct {
		Tag  uint16
		Data []byte `layout:"prefix=u16"` // for tag 1 the three times, in 100 ns since 1601
	}
	ZIPExtraTime struct {
		Flags uint8   // 1 modified, 2 accessed, 4 created
		Times []int32 // Unix seconds; in the central directory only the first
	}
	ZIPExtraUnix struct {
		Version  uint8  `layout:"const=1"`
		UID, GID []byte `layout:"prefix=u8"` // little-endian numbers of any size
	}
)
