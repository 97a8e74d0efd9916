package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/syntax"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A structDecoder decodes one struct type from a map or an array.
//
// Most encoders keep the order of their fields, so each key is first compared with
// that of the field that is expected next. Only if they differ, the key is looked up
// in a table.
type structDecoder struct {
	typ      reflect.Type
	want     string
	fields   []structField
	byKey    fieldSet   // for the map form
	byIndex  fieldSet   // for the array form
	least    [2]int     // minimum length of a map and an array, without the contents of strings
	strings  int        // number of string fields that are copied
	numbers  bool       // there are slices of numbers
	single   bool       // there is one string, and no field whose value takes a call could hold more
	inline   *inlineMap // the inline map, or nil
	reject   bool       // keys without a field are errors
	exact    bool       // an array must have as many elements as there are fields
	required []int      // indexes of required fields
}

// A structField describes a field for makeStructDecoder.
type structField struct {
	name   string // the key
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
		if len(f.Hops) > 0 { // the field is behind embedded pointers, not at an offset
			fields[i].get, fields[i].offset = getCall, 0
			fields[i].decode = makeDecodeThrough(f.Hops, f.Offset, p.linked().decode)
		}
	}
	return fields
}

// makeStructDecoder returns the decoder of s. extra lists further keys that are not
// fields of s, such as the discriminator of a union.
func (k *compiler) makeStructDecoder(s typeplan.Struct, extra ...structField) *structDecoder {
	d := &structDecoder{
		typ: s.Type, want: s.Type.String(), fields: append(extra, k.structFields(s)...),
		reject: k.plans.RejectUnknown, exact: k.plans.ExactArrays,
	}
	// Keys without a field go to the inline map, so they are not unknown.
	if s.Rest != nil {
		d.inline = k.makeInlineMap(s)
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		d.numbers = d.numbers || k.fieldPlan(f).numbers
		if f.Options.Has(optionRequired) {
			d.required = append(d.required, len(extra)+i)
		}
	}
	names, calls := make([]string, len(d.fields)), d.inline != nil
	for i := range d.fields {
		names[i] = d.fields[i].name
	}
	d.byKey.initKeys(names)
	d.byKey.unknown, d.byKey.lenient = d.unknown, !d.reject && d.inline == nil
	d.byIndex.init(len(names))
	d.byKey.decoders = make([]decodeFunc, len(names))
	d.byIndex.decoders = d.byKey.decoders
	for i, f := range d.fields {
		key, element := &d.byKey.fields[i], &d.byIndex.fields[i]
		key.offset, key.get = f.offset, f.get
		element.offset, element.get = f.offset, f.get
		d.byKey.decoders[i] = f.decode
		switch f.get {
		case getString:
			d.strings++
		case getCall, getNil, getList:
			calls = true
		}
		d.least[0] += int(key.size) + f.get.least()
		d.least[1] += f.get.least()
	}
	d.single = d.strings == 1 && !calls
	for i, field := range d.required {
		d.byKey.fields[field].required = uint32(i + 1)
	}
	return d
}

// decoder returns the function that decodes the struct. It is not inlined: in a
// copy, the compiler would not inline what the function calls.
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
		// Inlined, unlike open, which would return an error that is nearly always nil.
		if !d.enter(2*uint64(count), size) {
			return d.refuse(2*uint64(count), size, s.want)
		}
		// fast copies strings into a chunk, but does not make one.
		if s.wantsChunk(d, s.least[0]) {
			s.expectStrings(d, s.least[0])
		}
		if len(s.required) > 0 {
			return s.decodeChecked(d, p, count, owed, start)
		}
		f, n, at := s.byKey.sentinel, int(count), stopBeforeKey
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

// decodeOther handles input that does not begin with a fixmap. For a longer map it
// returns the count and the size of the header. It decodes all other values and
// returns a size of 0.
func (s *structDecoder) decodeOther(d *decoder, p mem.Ptr) (count uint32, size int, err error) {
	// Both forms are accepted, whatever the Options select.
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
		mem.Value(s.typ, p).SetZero() // by reflect, because the struct can contain pointers
		return 0, 0, nil
	}
	return 0, 0, d.mismatch(s.want)
}

// decodeFields decodes the remaining n fields after fast has stopped, and adds the
// name of the field to an error.
func (s *structDecoder) decodeFields(set *fieldSet, d *decoder, f *getField, n int, at stop, owed uint64, p mem.Ptr) error {
	f, err := set.decode(d, f, n, at, owed, p)
	if err != nil && f != nil {
		err = under(s.fields[set.index(f)].path, err)
	}
	return err
}

// decodeChecked decodes the fields of an open map that began at start. It records
// which required fields occur, and returns an error for the first that does not. It is
// a function of its own so that other structs do not pay for the record.
func (s *structDecoder) decodeChecked(d *decoder, p mem.Ptr, count uint32, owed uint64, start int) (err error) {
	var few [4]uint64 // on the stack, for up to 256 required fields
	seen := few[:]
	// A struct with more required fields is rare enough for an allocation.
	if len(s.required) > 64*len(few) {
		seen = make([]uint64, (len(s.required)+63)/64)
	}
	outer := d.seen // of the struct around this one
	d.seen = mem.Hide(mem.PtrTo(&seen[0]))
	f, n, at := s.byKey.sentinel, int(count), stopBeforeKey
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

// wantsChunk reports whether to make the first chunk for the strings of the struct.
// least is the minimum length of the input without the contents of strings. The only
// string of a message, or a single short one, is allocated on its own, which takes
// less time and memory than a chunk.
func (s *structDecoder) wantsChunk(d *decoder, least int) bool {
	return s.strings > 0 && d.chunk == nil && (s.strings > 1 || (!s.single || d.owed > 0 || d.stream) && d.left()-least >= minChunk)
}

// expectStrings makes the first chunk of a message. Its length is an estimate of the
// length of all strings.
func (s *structDecoder) expectStrings(d *decoder, least int) {
	most := d.left() - least
	// Slices of numbers use the chunk too, and a number of one byte takes up to
	// eight.
	if s.numbers {
		most = d.left() + d.left()/4
	}
	if most > 0 {
		d.newChunk(most)
	}
}

// decodeArray decodes the array form: the fields in declared order. Surplus elements
// are skipped and fields of missing elements are unchanged, unless the Options
// requires the exact number.
func (s *structDecoder) decodeArray(d *decoder, p mem.Ptr, count uint32, size int) error {
	start, owed := d.pos, d.owed
	if s.exact && uint64(count) != uint64(len(s.fields)) {
		return d.fail(ErrLength, s.want)
	}
	// Before the first element is decoded, so that the error is that of the array.
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
	// The surplus elements are owed after those that have a field.
	n := min(int(count), len(s.fields))
	beyond := int(count) - n
	f, left, at := s.byIndex.sentinel, n, stopBeforeKey
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

// unknown handles the value of a key without a field. key is the offset of the key,
// which has been skipped. d.owed counts the values after the value of the key.
func (s *structDecoder) unknown(d *decoder, key int, p mem.Ptr) error {
	switch {
	case s.inline != nil:
		d.pos = key // the inline map decodes the key too, so its value is owed again
		d.owed++
		return s.inline.decode(d, p)
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

// missing returns the error for a required field that the map or array at offset
// start does not contain.
func (s *structDecoder) missing(d *decoder, start, field int) error {
	d.pos = start
	return under(s.fields[field].path, d.fail(ErrMissingField, s.want))
}

// makeDecodeThrough returns the decoder of a field that is reached through embedded
// pointers. It allocates structs for those that are nil, unless the value is nil,
// because a field of a nil struct is encoded as nil.
func makeDecodeThrough(hops []typeplan.Hop, offset uintptr, decode decodeFunc) decodeFunc {
	return func(d *decoder, p mem.Ptr) error {
		if _, there := followHops(hops, p); !there && d.isNil() {
			return nil
		}
		p, err := d.allocateHops(hops, p)
		if err != nil {
			return err
		}
		return decode(d, p.Add(offset))
	}
}

// allocateHops follows embedded pointers and allocates structs for those that are nil.
func (d *decoder) allocateHops(hops []typeplan.Hop, p mem.Ptr) (mem.Ptr, error) {
	for i := range hops {
		hop := &hops[i]
		at := p.Add(hop.Offset)
		if at.Deref().IsNil() {
			if !hop.Exported { // reflect cannot set such a field, as in encoding/json
				return p, d.fail(ErrUnsupported, "non-nil pointer to unexported "+hop.Type.String())
			}
			at.SetPtr(mem.New(hop.Type))
		}
		p = at.Deref()
	}
	return p, nil
}
