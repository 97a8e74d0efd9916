package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// A fieldSet is what [fieldSet.decode] needs to know of the fields of a struct,
// the two halves of a map entry, or a value that stands alone.
type fieldSet struct {
	fields   []getField   // in declared order, then noField
	decoders []decodeFunc // by field
	values   uint64       // that the ledger counts for each: 2 with keys, otherwise 1
	keys     keyTable
	unknown  func(d *decoder, key int, p mem.Ptr) error // see structDecoder.unknown
	lenient  bool                                       // a key that is not found by its words is skipped with its value
}

// makeFieldSet returns the set of fields without keys.
func makeFieldSet(fields ...getField) fieldSet {
	return fieldSet{fields: append(fields, noField), values: 1}
}

// field returns the field of an index.
func (s *fieldSet) field(i int) *getField {
	return mem.At[getField](mem.PtrTo(&s.fields[0]).Add(uintptr(i) * uintptr(mem.SizeOf[getField]())))
}

// index returns which of the fields f is.
func (s *fieldSet) index(f *getField) int {
	return mem.Distance(mem.PtrTo(&s.fields[0]), mem.PtrTo(f)) / mem.SizeOf[getField]()
}

// find passes the next key and returns its field, nil if there is none.
func (s *fieldSet) find(d *decoder) (*getField, error) {
	h, err := d.header("field name")
	if err != nil {
		return nil, err
	}
	if k := h.Format.Kind(); k != wire.KindStr && k != wire.KindBin {
		return nil, d.skip()
	}
	key, err := d.payload(h, "field name")
	if err != nil {
		return nil, err
	}
	if i, ok := s.keys.names[string(key)]; ok {
		return &s.fields[i], nil
	}
	return nil, nil
}

// A structDecoder decodes one struct type from a map or an array.
//
// Encoders write fields in the order of their declaration, so the key that
// follows is expected to be that of the next field: it is compared as two
// words, its header included. Another key is looked up by its hash.
type structDecoder struct {
	typ      reflect.Type
	want     string
	fields   []structField
	byKey    fieldSet
	byIndex  fieldSet // for the array form
	least    [2]int   // bytes that a map and an array take without the contents of strings
	strings  int      // fields that are strings which are copied
	numbers  bool     // there are slices of numbers
	rest     *rest    // an inline map, nil if there is none
	reject   bool     // keys without a field are errors
	exact    bool     // arrays have as many elements as there are fields
	required []int    // fields
}

// A structField is what makeStructDecoder is told of a field.
type structField struct {
	name   string // wire name
	path   string // for errors
	get    getOp
	offset uintptr
	decode decodeFunc
}

// structFields returns the fields of s.
func (k *compiler) structFields(s typeplan.Struct) []structField {
	fields := make([]structField, len(s.Fields))
	for i := range s.Fields {
		f := &s.Fields[i]
		p := k.fieldPlan(f)
		fields[i] = structField{f.Name, f.GoName, p.get, f.Offset, p.linked().decode}
		if len(f.Hops) > 0 {
			fields[i].get, fields[i].offset = getCall, 0
			fields[i].decode = makeDecodeThrough(f.Hops, f.Offset, p.linked().decode)
		}
	}
	return fields
}

// makeStructDecoder returns the decoder of s. Keys of which s knows nothing may
// come before its fields: those of extra.
func (k *compiler) makeStructDecoder(s typeplan.Struct, extra ...structField) *structDecoder {
	d := &structDecoder{
		typ: s.Type, want: s.Type.String(), fields: append(extra, k.structFields(s)...),
		reject: k.plans.RejectUnknown, exact: k.plans.ExactArrays,
	}
	if s.Rest != nil {
		d.rest = k.makeRest(s)
	}
	d.byKey, d.byIndex = fieldSet{values: 2, unknown: d.unknown}, fieldSet{values: 1}
	for i := range s.Fields {
		f := &s.Fields[i]
		d.numbers = d.numbers || k.fieldPlan(f).numbers
		if f.Options.Has(optionRequired) {
			d.required = append(d.required, len(extra)+i)
		}
	}
	names := make([]string, len(d.fields))
	d.byKey.fields = make([]getField, 0, len(d.fields)+1)
	d.byKey.decoders = make([]decodeFunc, 0, len(d.fields))
	d.byIndex.fields = make([]getField, 0, len(d.fields)+1)
	for i, f := range d.fields {
		key := makeGetField(f.name, f.offset, f.get)
		d.byKey.fields = append(d.byKey.fields, key)
		d.byKey.decoders = append(d.byKey.decoders, f.decode)
		d.byIndex.fields = append(d.byIndex.fields, unnamed(f.offset, f.get))
		if f.get == getString {
			d.strings++
		}
		d.least[0] += int(key.size) + f.get.least()
		d.least[1] += f.get.least()
		names[i] = f.name
	}
	d.byKey.keys = makeKeyTable(names, d.byKey.fields)
	d.byKey.lenient = !d.reject && d.rest == nil && d.byKey.keys.hasWords()
	d.byKey.fields = append(d.byKey.fields, noField)
	d.byIndex.fields = append(d.byIndex.fields, noField)
	d.byIndex.decoders = d.byKey.decoders
	for i, field := range d.required {
		f := &d.byKey.fields[field]
		f.word, f.check = uint16(i/64), 1<<(i%64)
	}
	return d
}

// decoder returns the function that decodes the struct. In a copy of it made by
// inlining, what it calls would not be inlined any more.
//
//go:noinline
func (s *structDecoder) decoder() decodeFunc {
	return func(d *decoder, p mem.Ptr) error {
		size := 1
		count, ok := d.fixCount(wire.FixMap)
		if !ok {
			var err error
			if count, size, err = s.decodeOther(d, p); size == 0 {
				return err
			}
		}
		start, owed := d.pos, d.owed
		if !d.enter(2*uint64(count), size) {
			return d.refuse(2*uint64(count), size, s.want)
		}
		if s.wantsChunk(d, s.least[0]) {
			s.expectStrings(d, s.least[0])
		}
		if len(s.required) > 0 {
			return s.decodeChecked(d, p, count, owed, start)
		}
		f, n, at := &s.byKey.fields[0], int(count), stopBeforeKey
		if fast {
			f, n, at = s.byKey.fast(d, f, n, p)
		}
		if n > 0 {
			if err := s.decodeFields(&s.byKey, d, f, n, at, owed, p); err != nil {
				return err
			}
		}
		d.close(owed)
		return nil
	}
}

// decodeOther decodes what does not begin with a fixmap, but for longer maps, of
// which it returns the count and the size of the header. The size is 0 otherwise.
func (s *structDecoder) decodeOther(d *decoder, p mem.Ptr) (count uint32, size int, err error) {
	if n, ok := d.fixCount(wire.FixArray); ok {
		return 0, 0, s.decodeArray(d, p, n, 1)
	}
	h, err := d.header(s.want)
	if err != nil {
		return 0, 0, err
	}
	switch h.Format.Kind() {
	case wire.KindMap:
		return h.Count, int(h.Size), nil
	case wire.KindArray:
		return 0, 0, s.decodeArray(d, p, h.Count, int(h.Size))
	case wire.KindNil:
		d.pos++
		mem.Value(s.typ, p).SetZero()
		return 0, 0, nil
	}
	return 0, 0, d.mismatch(s.want)
}

// decodeFields decodes the n fields that are left where fast has stopped, and
// names the one whose value was wrong.
func (s *structDecoder) decodeFields(set *fieldSet, d *decoder, f *getField, n int, at stop, owed uint64, p mem.Ptr) error {
	f, err := set.decode(d, f, n, at, owed, p)
	if err != nil && f != nil {
		err = under(s.fields[set.index(f)].path, err)
	}
	return err
}

// decodeChecked decodes the fields of an open map that began at start, and
// reports the first required one that is not there.
func (s *structDecoder) decodeChecked(d *decoder, p mem.Ptr, count uint32, owed uint64, start int) (err error) {
	var few [4]uint64
	seen := few[:]
	if len(s.required) > 64*len(few) {
		seen = make([]uint64, (len(s.required)+63)/64)
	}
	outer := d.seen
	d.seen = mem.Hide(mem.PtrTo(&seen[0]))
	f, n, at := &s.byKey.fields[0], int(count), stopBeforeKey
	if fast {
		f, n, at = s.byKey.fast(d, f, n, p)
	}
	if n > 0 {
		err = s.decodeFields(&s.byKey, d, f, n, at, owed, p)
	}
	d.seen = outer
	if err != nil {
		return err
	}
	for i, field := range s.required {
		if seen[i/64]>>(i%64)&1 == 0 {
			return s.missing(d, start, field)
		}
	}
	d.close(owed)
	return nil
}

// wantsChunk reports whether the strings of the struct should share a chunk, of
// which there is none yet. least is what the message takes without the contents of
// strings. A single short string is better off with memory of its own.
func (s *structDecoder) wantsChunk(d *decoder, least int) bool {
	return s.strings > 0 && d.chunk == nil && (s.strings > 1 || d.left()-least >= minChunk)
}

// expectStrings makes the first chunk of a message before there is a string to
// put into it.
func (s *structDecoder) expectStrings(d *decoder, least int) {
	most := d.left() - least
	if s.numbers {
		most = d.left() + d.left()/4 // since a number of one byte becomes up to eight
	}
	if most > 0 {
		d.newChunk(most)
	}
}

// decodeArray takes the fields in order. Elements beyond the last field are
// skipped, unless the Config wants as many as there are fields, and missing ones
// leave their fields as they are.
func (s *structDecoder) decodeArray(d *decoder, p mem.Ptr, count uint32, size int) error {
	start, owed := d.pos, d.owed
	if s.exact && uint64(count) != uint64(len(s.fields)) {
		return d.fail(ErrLength, s.want)
	}
	for _, field := range s.required {
		if uint64(field) >= uint64(count) {
			return s.missing(d, start, field)
		}
	}
	if !d.enter(uint64(count), size) {
		return d.refuse(uint64(count), size, s.want)
	}
	if s.wantsChunk(d, s.least[1]) {
		s.expectStrings(d, s.least[1])
	}
	n := min(int(count), len(s.fields))
	beyond := int(count) - n
	f, left, at := &s.byIndex.fields[0], n, stopAtValue
	if fast {
		f, left, at = s.byIndex.fast(d, f, left, p)
	}
	if left > 0 {
		if err := s.decodeFields(&s.byIndex, d, f, left, at, owed+uint64(beyond), p); err != nil {
			return err
		}
	}
	for i := range beyond {
		d.owed = owed + uint64(beyond-i-1)
		if err := d.skip(); err != nil {
			return underIndex(n+i, err)
		}
	}
	d.close(owed)
	return nil
}

// unknown is for the key at offset key, which has just been passed and has no
// field. The ledger counts what is expected behind its value.
func (s *structDecoder) unknown(d *decoder, key int, p mem.Ptr) error {
	switch {
	case s.rest != nil:
		d.pos = key
		d.owed++
		return s.rest.decode(d, p)
	case s.reject:
		step := syntax.KeyStep(d.data[key:d.pos])
		d.pos = key
		return under(step, d.fail(ErrUnknownField, s.want))
	}
	if err := d.skip(); err != nil {
		return under("[unknown field]", err)
	}
	return nil
}

// missing reports which field the map or array at offset start lacks.
func (s *structDecoder) missing(d *decoder, start, field int) error {
	d.pos = start
	return under(s.fields[field].path, d.fail(ErrMissingField, s.want))
}

// makeDecodeThrough decodes a field that embedded pointers lead to, setting those
// that are nil. A nil for the field of a struct that is not there needs none.
func makeDecodeThrough(hops []typeplan.Hop, offset uintptr, decode decodeFunc) decodeFunc {
	return func(d *decoder, p mem.Ptr) error {
		if _, there := through(hops, p); !there && d.isNil() {
			return nil
		}
		p, err := d.hops(hops, p)
		if err != nil {
			return err
		}
		return decode(d, p.Add(offset))
	}
}

// hops follows embedded pointers, setting those that are nil.
func (d *decoder) hops(hops []typeplan.Hop, p mem.Ptr) (mem.Ptr, error) {
	for i := range hops {
		hop := &hops[i]
		at := p.Add(hop.Offset)
		if at.Deref().IsNil() {
			if !hop.Exported {
				return p, d.fail(ErrUnsupported, "field of a struct behind a nil pointer to unexported "+hop.Type.String())
			}
			at.SetPtr(mem.New(hop.Type))
		}
		p = at.Deref()
	}
	return p, nil
}
