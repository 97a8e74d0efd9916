package formats

import (
	"fmt"

	"github.com/octet-go/octet/layout"
)

// ELF is the format of programs and libraries of Unix systems, of both classes and
// both byte orders. It yields the header, the program headers, the section
// headers and the symbol tables.
func ELF() Format {
	return Format{"elf", "ELF file: header, program and section headers, symbols", walkELF}
}

func walkELF(w *walk) {
	file := new(ELFFile)
	if _, ok := w.at(w.be, "header", 0, w.size(), file); !ok {
		return
	}
	c := w.be
	if file.Data == ELFLittle {
		c = w.le
	}
	var sections []elfSection
	switch h := file.Header.(type) {
	case *ELFHeader32:
		first := elfFirst[ELFSection32](w, c, int64(h.SectionOffset))
		programs, count := elfCounts(h.Programs, h.Sections, first.Type, first.Info, uint64(first.Size))
		elfTable[ELFProgram32](w, c, "program header", int64(h.ProgramOffset), programs)
		elfTable(w, c, "section header", int64(h.SectionOffset), count, func(s *ELFSection32) {
			sections = append(sections, elfSection{s.Type, int64(s.Offset), int64(s.Size)})
		})
		for i, s := range sections {
			if s.isSymbols() {
				elfTable[ELFSymbol32](w, c, fmt.Sprintf("section %d symbol", i), s.offset, s.size/16)
			}
		}
	case *ELFHeader64:
		first := elfFirst[ELFSection64](w, c, int64(h.SectionOffset))
		programs, count := elfCounts(h.Programs, h.Sections, first.Type, first.Info, first.Size)
		elfTable[ELFProgram64](w, c, "program header", int64(h.ProgramOffset), programs)
		elfTable(w, c, "section header", int64(h.SectionOffset), count, func(s *ELFSection64) {
			sections = append(sections, elfSection{s.Type, int64(s.Offset), int64(s.Size)})
		})
		for i, s := range sections {
			if s.isSymbols() {
				elfTable[ELFSymbol64](w, c, fmt.Sprintf("section %d symbol", i), s.offset, s.size/24)
			}
		}
	}
}

type elfSection struct {
	kind         uint32
	offset, size int64
}

func (s elfSection) isSymbols() bool { return s.kind == 2 || s.kind == 11 }

// elfFirst returns the first section header, or a zero value if there is none.
func elfFirst[T any](w *walk, c *layout.Codec, off int64) *T {
	first := new(T)
	if off > 0 {
		if _, err := c.At(w.data, off, first); err == nil {
			return first
		}
	}
	return new(T)
}

// elfCounts returns how many program headers and section headers there are. Numbers that
// are too large for the header are in the first section header, if its type is SHT_NULL, 0.
func elfCounts(programs, sections uint16, kind, info uint32, size uint64) (int64, int64) {
	p, s := int64(programs), int64(sections)
	if kind != 0 {
		return p, s
	}
	if p == 0xffff {
		p = int64(info)
	}
	if s == 0 {
		s = int64(size)
	}
	return p, s
}

// elfTable decodes n entries at an offset.
func elfTable[T any](w *walk, c *layout.Codec, name string, off, n int64, each ...func(*T)) {
	for i := int64(0); i < n; i++ {
		v := new(T)
		next, ok := w.at(c, fmt.Sprintf("%s %d", name, i), off, w.size(), v)
		if !ok {
			return
		}
		off = next
		for _, f := range each {
			f(v)
		}
	}
}

// The values of ELFFile.Data.
const (
	ELFLittle = 1
	ELFBig    = 2
)

// ELFFile is the start of an ELF file. UnmarshalPrefix reads only this.
type ELFFile struct {
	_          struct{} `layout:"magic=\\x7fELF"`
	Class      uint8    `layout:"const=1,const=2"` // by the type of Header
	Data       uint8    `layout:"const=1|le,const=2|be"`
	Version    uint8    `layout:"const=1"`
	ABI        uint8
	ABIVersion uint8
	_          struct{}      `layout:"skip=7"`
	Header     ELFHeaderBody `layout:"switch=Class,order=Data"`
}

// ELFHeaderBody is the rest of the header: a pointer to ELFHeader32 or
// ELFHeader64.
type ELFHeaderBody any

func elfUnions() []layout.UnionCoder {
	return []layout.UnionCoder{layout.Union[ELFHeaderBody](
		layout.VariantOf[*ELFHeader32](1),
		layout.VariantOf[*ELFHeader64](2),
	)}
}

// The structures of the System V ABI. Their byte order is that of the file.
type (
	ELFHeader32 struct {
		Type, Machine                              uint16
		Version                                    uint32
		Entry, ProgramOffset, SectionOffset        uint32
		Flags                                      uint32
		HeaderSize, ProgramSize, Programs          uint16
		SectionSize, Sections, SectionNamesSection uint16
	}
	ELFHeader64 struct {
		Type, Machine                              uint16
		Version                                    uint32
		Entry, ProgramOffset, SectionOffset        uint64
		Flags                                      uint32
		HeaderSize, ProgramSize, Programs          uint16
		SectionSize, Sections, SectionNamesSection uint16
	}
	ELFProgram32 struct {
		Type, Offset, VirtualAddress, PhysicalAddress, FileSize, MemorySize, Flags, Align uint32
	}
	ELFProgram64 struct {
		Type, Flags                                                          uint32
		Offset, VirtualAddress, PhysicalAddress, FileSize, MemorySize, Align uint64
	}
	ELFSection32 struct {
		Name, Type, Flags, Address, Offset, Size, Link, Info, Align, EntrySize uint32
	}
	ELFSection64 struct {
		Name, Type                   uint32
		Flags, Address, Offset, Size uint64
		Link, Info                   uint32
		Align, EntrySize             uint64
	}
	ELFSymbol32 struct {
		Name, Value, Size uint32
		ELFSymbolInfo
	}
	ELFSymbol64 struct {
		Name uint32
		ELFSymbolInfo
		Value, Size uint64
	}
	ELFSymbolInfo struct {
		Bind    uint8 `layout:"bits=4,msb"`
		Type    uint8 `layout:"bits=4,end"`
		Other   uint8
		Section uint16
	}
)
