package formats

import (
	"bytes"
	"compress/gzip"
	"debug/elf"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestELF compares headers, sections and symbols with debug/elf.
func TestELF(t *testing.T) {
	list := files(t, goroot(t, "src", "debug", "elf", "testdata"), "")
	orders := map[string]int{}
	n, sections, programs, symbols := 0, 0, 0, 0
	for name, data := range list {
		if strings.HasSuffix(name, ".c") {
			continue
		}
		if strings.HasSuffix(name, ".gz") {
			r, err := gzip.NewReader(bytes.NewReader(data))
			if err == nil {
				data, err = io.ReadAll(r)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		want, err := elf.NewFile(bytes.NewReader(data))
		if err != nil {
			t.Errorf("%s: debug/elf: %v", name, err)
			continue
		}
		got, err := messages(ELF(), data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		n++
		orders[want.Class.String()+" "+want.Data.String()]++
		var s []elf.SectionHeader
		var p []elf.ProgHeader
		var syms []elf.Symbol
		for _, m := range got {
			encodes(t, m)
			switch v := m.Value.(type) {
			case *ELFFile:
				if elf.Class(v.Class) != want.Class || elf.Data(v.Data) != want.Data || elf.OSABI(v.ABI) != want.OSABI {
					t.Errorf("%s: %+v, want %+v", name, v, want.FileHeader)
				}
				switch h := v.Header.(type) {
				case *ELFHeader32:
					if elf.Type(h.Type) != want.Type || elf.Machine(h.Machine) != want.Machine || uint64(h.Entry) != want.Entry {
						t.Errorf("%s: %+v, want %+v", name, h, want.FileHeader)
					}
				case *ELFHeader64:
					if elf.Type(h.Type) != want.Type || elf.Machine(h.Machine) != want.Machine || h.Entry != want.Entry {
						t.Errorf("%s: %+v, want %+v", name, h, want.FileHeader)
					}
				}
			case *ELFSection32:
				s = append(s, elf.SectionHeader{Type: elf.SectionType(v.Type), Flags: elf.SectionFlag(v.Flags), Addr: uint64(v.Address),
					Offset: uint64(v.Offset), FileSize: uint64(v.Size), Link: v.Link, Info: v.Info, Addralign: uint64(v.Align), Entsize: uint64(v.EntrySize)})
			case *ELFSection64:
				s = append(s, elf.SectionHeader{Type: elf.SectionType(v.Type), Flags: elf.SectionFlag(v.Flags), Addr: v.Address,
					Offset: v.Offset, FileSize: v.Size, Link: v.Link, Info: v.Info, Addralign: v.Align, Entsize: v.EntrySize})
			case *ELFProgram32:
				p = append(p, elf.ProgHeader{Type: elf.ProgType(v.Type), Flags: elf.ProgFlag(v.Flags), Off: uint64(v.Offset),
					Vaddr: uint64(v.VirtualAddress), Paddr: uint64(v.PhysicalAddress), Filesz: uint64(v.FileSize), Memsz: uint64(v.MemorySize), Align: uint64(v.Align)})
			case *ELFProgram64:
				p = append(p, elf.ProgHeader{Type: elf.ProgType(v.Type), Flags: elf.ProgFlag(v.Flags), Off: v.Offset,
					Vaddr: v.VirtualAddress, Paddr: v.PhysicalAddress, Filesz: v.FileSize, Memsz: v.MemorySize, Align: v.Align})
			case *ELFSymbol32:
				syms = append(syms, elf.Symbol{Info: v.Bind<<4 | v.Type, Other: v.Other, Section: elf.SectionIndex(v.Section), Value: uint64(v.Value), Size: uint64(v.Size)})
			case *ELFSymbol64:
				syms = append(syms, elf.Symbol{Info: v.Bind<<4 | v.Type, Other: v.Other, Section: elf.SectionIndex(v.Section), Value: v.Value, Size: v.Size})
			}
		}
		if len(s) != len(want.Sections) || len(p) != len(want.Progs) {
			t.Errorf("%s: %d sections and %d programs, want %d and %d", name, len(s), len(p), len(want.Sections), len(want.Progs))
			continue
		}
		for i, w := range want.Sections {
			g, w := s[i], w.SectionHeader
			if g.Flags&elf.SHF_COMPRESSED != 0 {
				// debug/elf has the size and alignment of the content.
				g.Addralign, w.Addralign = 0, 0
			}
			g.Name, g.Size = w.Name, w.Size
			if g != w {
				t.Errorf("%s: section %d: %+v, want %+v", name, i, g, w)
			}
			sections++
		}
		for i, w := range want.Progs {
			if p[i] != w.ProgHeader {
				t.Errorf("%s: program %d: %+v, want %+v", name, i, p[i], w.ProgHeader)
			}
			programs++
		}
		symbols += compareSymbols(t, name, want, syms)
	}
	if want := 25; n < want {
		t.Errorf("%d files, want %d", n, want)
	}
	for _, class := range []string{"ELFCLASS32 ELFDATA2LSB", "ELFCLASS32 ELFDATA2MSB", "ELFCLASS64 ELFDATA2LSB", "ELFCLASS64 ELFDATA2MSB"} {
		if orders[class] == 0 {
			t.Errorf("no file of %s", class)
		}
	}
	t.Logf("%d files, %v; %d sections, %d programs, %d symbols agree; all encode to the same bytes", n, orders, sections, programs, symbols)
	_ = binary.BigEndian
}

// compareSymbols compares the symbols of all tables in the order of the sections.
func compareSymbols(t *testing.T, name string, f *elf.File, got []elf.Symbol) (n int) {
	var want []elf.Symbol
	for _, s := range f.Sections {
		var list []elf.Symbol
		var err error
		switch s.Type {
		case elf.SHT_SYMTAB:
			list, err = f.Symbols()
		case elf.SHT_DYNSYM:
			list, err = f.DynamicSymbols()
		default:
			continue
		}
		if err != nil {
			t.Errorf("%s: debug/elf: %v", name, err)
		}
		want = append(want, elf.Symbol{}) // debug/elf leaves out the first, which is empty
		want = append(want, list...)
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d symbols, want %d", name, len(got), len(want))
		return 0
	}
	for i, w := range want {
		g := got[i]
		if g.Info != w.Info || g.Other != w.Other || g.Section != w.Section || g.Value != w.Value || g.Size != w.Size {
			t.Errorf("%s: symbol %d: %+v, want %+v", name, i, g, w)
		}
		n++
	}
	return n
}

// TestELFManySections has files with more section headers than the header can count. The first of them has the number.
func TestELFManySections(t *testing.T) {
	const sections = 0xff00 + 3
	be, le, err := codecs()
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range []uint8{1, 2} {
		for order, c := range map[uint8]*layout.Codec{ELFBig: be, ELFLittle: le} {
			var header ELFHeaderBody = &ELFHeader32{Version: 1, HeaderSize: 52, SectionSize: 40, SectionOffset: 52, SectionNamesSection: 1}
			var first, names, other any = ELFSection32{Size: sections}, ELFSection32{Type: 3, Offset: 16, Size: 1}, ELFSection32{Type: 8}
			if class == 2 {
				header = &ELFHeader64{Version: 1, HeaderSize: 64, SectionSize: 64, SectionOffset: 64, SectionNamesSection: 1}
				first, names, other = ELFSection64{Size: sections}, ELFSection64{Type: 3, Offset: 16, Size: 1}, ELFSection64{Type: 8}
			}
			data, err := be.Marshal(ELFFile{Class: class, Data: order, Header: header})
			for i := range sections {
				v := other
				if i == 0 {
					v = first
				} else if i == 1 {
					v = names
				}
				if err == nil {
					data, err = c.MarshalAppend(data, v)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			want, err := elf.NewFile(bytes.NewReader(data))
			if err != nil || len(want.Sections) != sections {
				t.Fatalf("class %d: debug/elf: %v", class, err)
			}
			got, err := messages(ELF(), data)
			if err != nil || len(got) != 1+sections {
				t.Errorf("class %d, order %d: %d messages, %v, want %d", class, order, len(got), err, 1+sections)
			}
		}
	}
}

// TestELFFirstSection has files whose header has no number of section headers, with a first section of several types.
// Only one of the type SHT_NULL has the number. As debug/elf refuses the others, no section headers are read.
func TestELFFirstSection(t *testing.T) {
	be, _, err := codecs()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []uint32{0, 1, 3, 0x70000000} {
		for class, header := range map[uint8]ELFHeaderBody{
			1: &ELFHeader32{Version: 1, HeaderSize: 52, SectionSize: 40, SectionOffset: 52, Programs: 0xffff, ProgramSize: 32, ProgramOffset: 52},
			2: &ELFHeader64{Version: 1, HeaderSize: 64, SectionSize: 64, SectionOffset: 64},
		} {
			var first any = ELFSection32{Type: kind, Size: 2, Info: 1}
			if class == 2 {
				first = ELFSection64{Type: kind, Size: 2}
			}
			data, err := be.Marshal(ELFFile{Class: class, Data: ELFBig, Header: header})
			for range 2 {
				if err == nil {
					data, err = be.MarshalAppend(data, first)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := messages(ELF(), data)
			sections := 0
			for _, m := range got {
				if strings.HasPrefix(m.Name, "section header") {
					sections++
				}
			}
			switch {
			case kind == 0 && (sections != 2 || err != nil):
				t.Errorf("class %d: %d section headers, %v, want 2", class, sections, err)
			case kind != 0 && sections != 0:
				t.Errorf("class %d, type %d: %d section headers, want none", class, kind, sections)
			case kind != 0 && class == 1 && err == nil: // 65,535 program headers do not fit
				t.Errorf("class %d, type %d: the number of program headers is that in a section", class, kind)
			}
		}
	}
}
