package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A storage is how the values of a column are stored.
type storage uint8

const (
	storeBool    storage = iota
	storeInt32           // four bytes
	storeInt64           // eight bytes
	storeFloat32         // four bytes
	storeFloat64         // eight bytes
	storeBytes           // a length of four bytes and the bytes
)

// storageOf returns how the values of a node without parts are stored.
func storageOf(n *node) storage {
	switch n.kind {
	case kindBool:
		return storeBool
	case kindInt, kindUint:
		if n.typ.Bits <= 32 {
			return storeInt32
		}
		return storeInt64
	case kindFloat:
		if n.typ.Bits == 32 {
			return storeFloat32
		}
		return storeFloat64
	case kindTime:
		return storeInt64
	}
	return storeBytes
}

// format returns what the format calls s.
func (s storage) format() format.Type {
	return [...]format.Type{format.Boolean, format.Int32, format.Int64, format.Float, format.Double, format.ByteArray}[s]
}

// A datum is a value of a column: text for bytes, otherwise the bits of the number.
type datum struct {
	bits uint64
	text []byte
}

// values are the values of one column in a row group. Values are appended in the encoding
// PLAIN. Texts get numbers in a dictionary later, many at a time. The values become pages
// of about pageSize bytes.
type values struct {
	storage  storage
	unsigned bool // integers are compared as such
	def, rep byte // levels of a value
	repeated bool // there are repetition levels

	// The current page. A bool takes a byte until the page is written.
	defs, reps []byte
	data       []byte
	numbers    []int32     // of texts in the dictionary, which are no longer in data
	dictionary *dictionary // nil if there is none, or no longer

	marked [3]int // lengths of defs, reps and data at the last mark

	chunk    []byte // pages
	total    int64  // values in them
	plain    int64  // bytes of the pages without compression
	nulls    int64
	pages    int
	numbered int         // pages with numbers in a dictionary
	full     *dictionary // of the first pages, after dictionary became nil
	bounds   bounds
	scratch  *scratch
}

// scratch is memory that the columns of a shredder share.
type scratch struct {
	levels, body, packed []byte
	codec                compress.Codec
}

// pageSize is the size of values after which a page ends, and dictionarySize that of a
// dictionary after which the other values are stored as they are.
const (
	pageSize       = 256 << 10
	pageValues     = 128 << 10
	dictionarySize = 1 << 20
)

// begin prepares for the values of n.
func (v *values) begin(n *node, s *scratch) {
	*v = values{storage: storageOf(n), unsigned: n.kind == kindUint, def: byte(n.def), rep: byte(n.rep), repeated: n.rep > 0, scratch: s}
	v.reset()
}

// reset prepares for another row group.
func (v *values) reset() {
	if v.full != nil {
		v.dictionary, v.full = v.full, nil
	}
	if v.storage == storeBytes {
		if v.dictionary == nil {
			v.dictionary = newDictionary()
		}
		v.dictionary.reset()
	}
	v.chunk, v.total, v.plain, v.nulls, v.pages, v.numbered = v.chunk[:0], 0, 0, 0, 0, 0
	v.bounds = bounds{least: v.bounds.least[:0], most: v.bounds.most[:0]}
}

// memory returns the bytes that are kept for another row group.
func (v *values) memory() int {
	n := cap(v.defs) + cap(v.reps) + cap(v.data) + 4*cap(v.numbers) + cap(v.chunk)
	for _, d := range []*dictionary{v.dictionary, v.full} {
		if d != nil {
			n += cap(d.data) + 8*cap(d.texts) + 16*len(d.table)
		}
	}
	return n
}

// mark remembers the current end for undo.
func (v *values) mark() { v.marked = [3]int{len(v.defs), len(v.reps), len(v.data)} }

// undo removes the values since mark.
func (v *values) undo() {
	v.defs, v.reps, v.data = v.defs[:v.marked[0]], v.reps[:v.marked[1]], v.data[:v.marked[2]]
}

// null appends a null. def is the level of the innermost value around it that is there.
func (v *values) null(rep, def int) {
	v.defs = append(v.defs, byte(def))
	if v.repeated {
		v.reps = append(v.reps, byte(rep))
	}
}

// level appends the levels of a value.
func (v *values) level(rep int) {
	v.defs = append(v.defs, v.def)
	if v.repeated {
		v.reps = append(v.reps, byte(rep))
	}
}

// add appends a value.
func (v *values) add(rep int, d datum) {
	v.level(rep)
	switch v.storage {
	case storeBytes:
		v.text(d.text)
	case storeInt64, storeFloat64:
		v.data = binary.LittleEndian.AppendUint64(v.data, d.bits)
	case storeInt32, storeFloat32:
		v.data = binary.LittleEndian.AppendUint32(v.data, uint32(d.bits))
	default:
		v.data = append(v.data, byte(d.bits))
	}
}

// text appends bytes without their levels.
func (v *values) text(text []byte) {
	v.data = append(binary.LittleEndian.AppendUint32(v.data, uint32(len(text))), text...)
}

// number replaces the texts in data by their numbers in the dictionary. If it is full, it
// stores the texts of this page, and those that follow, as they are.
func (v *values) number() {
	n := 0
	if v.numbers, n = v.dictionary.numbers(v.numbers, v.data); n == len(v.data) {
		v.data = v.data[:0]
		return
	}
	var plain []byte
	for _, number := range v.numbers {
		plain = append(plain, v.dictionary.entry(number)...)
	}
	v.data = append(plain, v.data[n:]...)
	v.numbers = v.numbers[:0]
	v.dictionary, v.full = nil, v.dictionary
}

// flush ends the page if it is large enough, or if all is set and it is not empty.
func (v *values) flush(all bool) error {
	count := len(v.defs)
	if v.dictionary != nil {
		v.number()
	}
	if count == 0 || !all && count < pageValues && len(v.data)+4*len(v.numbers) < pageSize {
		return nil
	}
	s := v.scratch
	var err error
	present := v.present()
	header := format.DataPageHeaderV2{NumValues: int32(count), NumNulls: int32(count - present), NumRows: int32(count), Encoding: format.Plain}
	header.IsCompressed = thrift.New(true)
	s.levels = s.levels[:0]
	if v.repeated {
		rows := 0
		for _, rep := range v.reps {
			if rep == 0 {
				rows++
			}
		}
		header.NumRows = int32(rows)
		if s.levels, err = appendLevels(s.levels, &s.packed, v.reps, v.rep); err != nil {
			return err
		}
	}
	header.RepetitionLevelsByteLength = int32(len(s.levels))
	if present == count {
		s.levels = appendRun(s.levels, count, v.def)
	} else if s.levels, err = appendLevels(s.levels, &s.packed, v.defs, v.def); err != nil {
		return err
	}
	header.DefinitionLevelsByteLength = int32(len(s.levels)) - header.RepetitionLevelsByteLength
	body := v.data
	switch {
	case v.dictionary != nil:
		header.Encoding = format.RLEDictionary
		width := max(1, bits.Len(uint(max(v.dictionary.len()-1, 0))))
		if s.packed, err = (&rle.Encoding{BitWidth: width}).EncodeInt32(s.packed[:0], v.numbers); err != nil {
			return err
		}
		s.body = append(append(s.body[:0], byte(width)), s.packed...)
		body = s.body
		v.numbered++
	case v.storage == storeBool:
		s.body = packBools(s.body[:0], v.data)
		body = s.body
	}
	if v.dictionary == nil {
		v.bounds.look(v)
	}
	page := format.PageHeader{Type: format.DataPageV2, DataPageHeaderV2: thrift.New(header)}
	if err := v.page(&page, s.levels, body); err != nil {
		return err
	}
	v.total += int64(count)
	v.nulls += int64(count - present)
	v.pages++
	v.defs, v.reps, v.data, v.numbers = v.defs[:0], v.reps[:0], v.data[:0], v.numbers[:0]
	return nil
}

// present returns the number of values in the page that are not null.
func (v *values) present() int {
	switch {
	case v.dictionary != nil:
		return len(v.numbers)
	case v.storage == storeBool:
		return len(v.data)
	case v.storage == storeInt64, v.storage == storeFloat64:
		return len(v.data) / 8
	case v.storage == storeInt32, v.storage == storeFloat32:
		return len(v.data) / 4
	}
	n := 0
	for _, def := range v.defs {
		if def == v.def {
			n++
		}
	}
	return n
}

// page appends a page to chunk.
func (v *values) page(h *format.PageHeader, levels, body []byte) (err error) {
	if len(levels)+len(body) > math.MaxInt32 {
		return fmt.Errorf("%w: a page has more than %d bytes", ErrLimit, math.MaxInt32)
	}
	s := v.scratch
	if s.packed, err = s.codec.Encode(s.packed[:0], body); err != nil {
		return err
	}
	h.UncompressedPageSize, h.CompressedPageSize = int32(len(levels)+len(body)), int32(len(levels)+len(s.packed))
	text, err := thrift.Marshal(new(thrift.CompactProtocol), h)
	if err != nil {
		return err
	}
	v.plain += int64(len(text) + len(levels) + len(body))
	v.chunk = append(append(append(v.chunk, text...), levels...), s.packed...)
	return nil
}

// appendLevels appends levels up to most in the encoding RLE.
func appendLevels(dst []byte, packed *[]byte, levels []byte, most byte) (_ []byte, err error) {
	*packed, err = (&rle.Encoding{BitWidth: bits.Len8(most)}).EncodeLevels((*packed)[:0], levels)
	return append(dst, *packed...), err
}

// appendRun appends n equal levels in the encoding RLE.
func appendRun(dst []byte, n int, level byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(n)<<1), level)
}

// packBools appends bools as bits, the first one in the lowest.
func packBools(dst, bools []byte) []byte {
	for i, b := range bools {
		if i%8 == 0 {
			dst = append(dst, 0)
		}
		dst[len(dst)-1] |= b << (i % 8)
	}
	return dst
}

// finish ends the last page and returns the description of the column chunk, with offsets
// relative to it. dictionary is the page that stands in front of chunk.
func (v *values) finish() (meta format.ColumnMetaData, dictionary []byte, err error) {
	if err := v.flush(true); err != nil {
		return meta, nil, err
	}
	meta = format.ColumnMetaData{Type: v.storage.format(), Encoding: []format.Encoding{format.RLE}, NumValues: v.total}
	meta.Codec = v.scratch.codec.CompressionCodec()
	if v.numbered < v.pages {
		meta.Encoding = append(meta.Encoding, format.Plain)
		meta.EncodingStats = append(meta.EncodingStats, format.PageEncodingStats{PageType: format.DataPageV2, Encoding: format.Plain, Count: int32(v.pages - v.numbered)})
	}
	if v.numbered > 0 {
		d := v.dictionary
		if d == nil {
			d = v.full
		}
		v.bounds.lookTexts(d.data)
		data := v.chunk
		v.chunk = nil
		header := format.DictionaryPageHeader{NumValues: int32(d.len()), Encoding: format.Plain}
		err = v.page(&format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(header)}, nil, d.data)
		dictionary, v.chunk = v.chunk, data
		meta.Encoding = append(meta.Encoding, format.RLEDictionary)
		if v.numbered == v.pages {
			meta.Encoding = append(meta.Encoding, format.Plain) // of the dictionary
		}
		meta.EncodingStats = append(meta.EncodingStats,
			format.PageEncodingStats{PageType: format.DictionaryPage, Encoding: format.Plain, Count: 1},
			format.PageEncodingStats{PageType: format.DataPageV2, Encoding: format.RLEDictionary, Count: int32(v.numbered)})
		meta.DataPageOffset = int64(len(dictionary))
	}
	meta.TotalUncompressedSize = v.plain
	meta.TotalCompressedSize = int64(len(dictionary) + len(v.chunk))
	meta.Statistics = v.bounds.statistics(v.storage)
	meta.Statistics.NullCount = v.nulls
	return meta, dictionary, err
}
