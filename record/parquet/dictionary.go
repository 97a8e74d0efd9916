package parquet

import (
	"encoding/binary"
	"hash/maphash"
)

// A dictionary gives numbers to texts, in the order in which they occur first.
type dictionary struct {
	data  []byte  // the texts in the encoding PLAIN
	texts []place // in data
	table []slot  // a hash table with open addressing; its length is a power of two
	seed  maphash.Seed

	touched byte // only makes the processor read
}

// A slot is empty if next is 0. It repeats the place of the text, so that a look into the
// table shows whether the text may be the same, and where it is.
type slot struct {
	hash uint32
	next uint32 // number of the text, plus one
	place
}

// A place is where a text is in data, without its length.
type place struct{ start, end uint32 }

func newDictionary() *dictionary {
	return &dictionary{table: make([]slot, 256), seed: maphash.MakeSeed()}
}

// reset removes all texts.
func (d *dictionary) reset() {
	if len(d.texts) > 0 {
		d.data, d.texts = d.data[:0], d.texts[:0]
		clear(d.table)
	}
}

func (d *dictionary) len() int { return len(d.texts) }

// entry returns a text in the encoding PLAIN.
func (d *dictionary) entry(number int32) []byte {
	p := d.texts[number]
	return d.data[p.start-4 : p.end]
}

// numbers appends the numbers of the texts in plain, which are in the encoding PLAIN, and
// adds texts that are new. It returns the length of the part of plain that it has taken,
// which is not all if the dictionary would become too large.
func (d *dictionary) numbers(dst []int32, plain []byte) (numbers []int32, n int) {
	// The table and the texts are usually not in the cache of the processor. Each loop
	// reads all that it needs before something depends on it, so that the processor
	// waits once for many texts.
	const ahead = 32
	var texts [ahead][]byte
	var hashes [ahead]uint32
	for n < len(plain) {
		count := 0
		mask := uint32(len(d.table) - 1)
		for end := n; count < ahead && end < len(plain); count++ {
			start := end + 4
			end = start + int(binary.LittleEndian.Uint32(plain[end:]))
			texts[count] = plain[start:end]
			hashes[count] = uint32(maphash.Bytes(d.seed, texts[count]))
		}
		var places [ahead]place
		for i := range count {
			places[i] = d.table[hashes[i]&mask].place
		}
		for _, p := range places[:count] {
			if p.end > p.start {
				d.touched ^= d.data[p.start]
			}
		}
		for i, text := range texts[:count] {
			number, ok := d.number(text, hashes[i])
			if !ok {
				return dst, n
			}
			dst = append(dst, number)
			n += 4 + len(text)
		}
	}
	return dst, n
}

// number returns the number of text, which it adds if the dictionary does not become too
// large.
func (d *dictionary) number(text []byte, hash uint32) (number int32, ok bool) {
	mask := uint32(len(d.table) - 1)
	i := hash & mask
	for ; d.table[i].next != 0; i = (i + 1) & mask {
		if s := &d.table[i]; s.hash == hash && string(d.data[s.start:s.end]) == string(text) {
			return int32(s.next - 1), true
		}
	}
	if len(d.data)+4+len(text) > dictionarySize {
		return 0, false
	}
	d.data = append(binary.LittleEndian.AppendUint32(d.data, uint32(len(text))), text...)
	p := place{uint32(len(d.data) - len(text)), uint32(len(d.data))}
	d.texts = append(d.texts, p)
	d.table[i] = slot{hash, uint32(len(d.texts)), p}
	if len(d.texts)*2 > len(d.table) {
		d.grow()
	}
	return int32(len(d.texts) - 1), true
}

// grow doubles the table.
func (d *dictionary) grow() {
	old := d.table
	d.table = make([]slot, 2*len(old))
	mask := uint32(len(d.table) - 1)
	for _, s := range old {
		if s.next == 0 {
			continue
		}
		i := s.hash & mask
		for d.table[i].next != 0 {
			i = (i + 1) & mask
		}
		d.table[i] = s
	}
}
