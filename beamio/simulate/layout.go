package main

import (
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"sort"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"

	"github.com/octet-go/octet/beamio/internal/split"
	"github.com/octet-go/octet/record"
)

// A layout is an object without its contents: where its blocks are, and the ranges into
// which beamio divides it.
type layout struct {
	size   int64
	file   *record.File
	index  int64 // bytes after the last block
	blocks []record.Block
	ranges []offsetrange.Restriction
}

// newLayout writes a record file of about size bytes, and divides it. Its blocks have
// blockSize bytes on average, from half to one and a half times as many.
func newLayout(size, blockSize, splitSize int64, seed uint64) (layout, error) {
	file := &sparse{}
	w, err := record.NewWriter(file, &record.Options{BlockSize: 1 << 10})
	if err != nil {
		return layout{}, err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	zeros := make([]byte, 2*blockSize)
	for n := int64(0); n < size; {
		b := zeros[:blockSize/2+r.Int64N(blockSize)]
		if err := w.Write(b); err != nil {
			return layout{}, err
		}
		n += int64(len(b))
	}
	if err := w.Close(); err != nil {
		return layout{}, err
	}
	f, err := record.NewFile(file, file.size, nil)
	if err != nil {
		return layout{}, err
	}
	l := layout{size: file.size, file: f}
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			return layout{}, err
		}
		l.blocks = append(l.blocks, b)
	}
	if len(l.blocks) == 0 {
		return layout{}, fmt.Errorf("a file of %d bytes has no blocks", size)
	}
	l.index = file.size - end(l.blocks[len(l.blocks)-1])
	l.ranges = restrictions(split.File(f, file.size, splitSize))
	return l, nil
}

// restrictions returns the ranges as the source gives them to the runner.
func restrictions(ranges []record.Range) (list []offsetrange.Restriction) {
	for _, r := range ranges {
		list = append(list, offsetrange.Restriction{Start: r.Start, End: r.End})
	}
	return list
}

// end returns the offset after a block.
func end(b record.Block) int64 { return b.Range().End }

// from returns the blocks that begin at an offset or later.
func (l *layout) from(start int64) iter.Seq2[record.Block, error] {
	first := sort.Search(len(l.blocks), func(i int) bool { return l.blocks[i].Offset >= start })
	return func(yield func(record.Block, error) bool) {
		for _, b := range l.blocks[first:] {
			if !yield(b, nil) {
				return
			}
		}
	}
}

const sectorSize = 64

// A sparse file keeps only the sectors that are not zero.
type sparse struct {
	size    int64
	numbers []int64 // of the sectors, in order
	sectors [][sectorSize]byte
	last    [sectorSize]byte // the part of a sector at the end
}

func (s *sparse) Write(b []byte) (int, error) {
	written := len(b)
	for len(b) > 0 {
		n := copy(s.last[s.size%sectorSize:], b)
		b = b[n:]
		s.size += int64(n)
		if s.size%sectorSize == 0 {
			if s.last != ([sectorSize]byte{}) {
				s.numbers, s.sectors = append(s.numbers, s.size/sectorSize-1), append(s.sectors, s.last)
			}
			s.last = [sectorSize]byte{}
		}
	}
	return written, nil
}

func (s *sparse) ReadAt(b []byte, offset int64) (n int, err error) {
	for n < len(b) && offset+int64(n) < s.size {
		at := offset + int64(n)
		n += copy(b[n:min(int64(len(b)), s.size-offset)], s.sector(at / sectorSize)[at%sectorSize:])
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (s *sparse) sector(number int64) []byte {
	if number == s.size/sectorSize {
		return s.last[:]
	}
	i := sort.Search(len(s.numbers), func(i int) bool { return s.numbers[i] >= number })
	if i < len(s.numbers) && s.numbers[i] == number {
		return s.sectors[i][:]
	}
	return make([]byte, sectorSize)
}
