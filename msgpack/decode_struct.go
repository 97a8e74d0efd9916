package msgpack

import (
	"reflect"
	"sync/atomic"

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
	byKey    fieldSet                      // for the map form
	byIndex  fieldSet                      // for the array form
	least    [2]int                        // minimum length of a map and an array, without the contents of strings
	header   uint16                        // of an array of all fields, if that is one byte; otherwise more than a byte
	strings  int                           // number of string fields that are copied
	expected expected                      // numbers of pointers to scalars
	shares   bool                          // there are strings, or pointers as in expected
	numbers  bool                          // there are slices of numbers
	calls    bool                          // there are fields whose values take a call, and could hold more strings
	single   bool                          // there is one string, and no such field
	inline   *inlineMap                    // the inline map, or nil
	reject   bool                          // keys without a field are errors
	exact    bool                          // an array must have as many elements as there are fields
	required []int                         // indexes of required fields
	aliases  []fieldAlias                  // further keys
	integers bool                          // the keys are integers
	used     bool                          // the variable may not be zero, and fields that do not occur are cleared
	hidden   []structField                 // if used: what is not decoded
	over     atomic.Pointer[structDecoder] // the same for used variables, or nil: see reuse
}

// A structField describes a field for makeStructDecoder.
type structField struct {
	name   string // the key
	path   string // for errors
	get    getOp
	offset uintptr
	decode decodeFunc
	plan   *plan // nil if the field is not at the offset, or is not one of the struct
}

// A fieldAlias is a further key of a field.
type fieldAlias struct {
	name  string
	field int // index
}

// structFields returns the fields of s.
func (k *compiler) structFields(s *typeplan.Struct) []structField {
	fields := make([]structField, len(s.Fields))
	for i := range s.Fields {
		f := &s.Fields[i]
		p := k.fieldPlan(f)
		fields[i] = structField{f.Name, f.GoName, p.get, f.Offset, p.linked().decode, p}
		if len(f.Hops) > 0 { // the field is behind embedded pointers, not at an offset
			fields[i].get, fields[i].offset, fields[i].plan = getCall, 0, nil
			fields[i].decode = makeDecodeThrough(f.Hops, f.Offset, p.linked().decode)
		}
	}
	return fields
}

// makeStructDecoder returns the decoder of s. extra lists further keys that are not
// fields of s, such as the discriminator of a union.
func (k *compiler) makeStructDecoder(s *typeplan.Struct, extra ...structField) *structDecoder {
	d := &structDecoder{
		typ: s.Type, want: s.Type.String(), fields: append(extra, k.structFields(s)...),
		reject: k.plans.RejectUnknown, exact: k.plans.ExactArrays, integers: s.IntegerKeys(),
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
		for _, name := range f.Aliases {
			d.aliases = append(d.aliases, fieldAlias{name, len(extra) + i})
		}
	}
	d.makeSets()
	return d
}

// makeSets makes the field sets of s.
func (s *structDecoder) makeSets() {
	names, calls := make([]string, len(s.fields)), s.inline != nil
	for i := range s.fields {
		names[i] = s.fields[i].name
	}
	for _, a := range s.aliases {
		names = append(names, a.name)
	}
	s.byKey.initKeys(names, s.integers)
	s.byKey.unknown, s.byKey.lenient = s.unknown, !s.reject && s.inline == nil
	s.byIndex.init(len(s.fields))
	s.byKey.decoders = make([]decodeFunc, len(names))
	s.byIndex.decoders = s.byKey.decoders
	if s.used {
		s.byIndex.decoders = make([]decodeFunc, len(s.fields))
	}
	for i, f := range s.fields {
		key, element := &s.byKey.fields[i], &s.byIndex.fields[i]
		key.offset, key.get = f.offset, f.get
		element.offset, element.get = f.offset, f.get
		s.byKey.decoders[i] = f.decode
		switch f.get {
		case getString:
			s.strings++
		case getCall, getNil, getList:
			calls = true
			if f.plan != nil {
				s.expected.add(f.plan)
			}
		}
		if s.used {
			key.number = uint32(i + 1)
		}
		s.least[0] += int(key.size) + f.get.least()
		s.least[1] += f.get.least()
	}
	s.single, s.calls = s.strings == 1 && !calls, calls
	s.shares = s.strings > 0 || s.expected != (expected{})
	s.expected.share = uint16(min(1<<16/max(len(s.fields), 1), 1<<16-1))
	if s.header = noHeader; len(s.fields) < 16 {
		s.header = uint16(wire.FixArray) | uint16(len(s.fields))
	}
	for _, field := range s.required {
		s.byKey.fields[field].number = uint32(field + 1)
	}
	s.copyToAliases()
}

// add counts a field of type p.
func (e *expected) add(p *plan) {
	if p.typ.Kind() != reflect.Pointer || p.elem == nil {
		return
	}
	switch get := p.elem.get; {
	case get == getString && e.texts < maxTexts:
		e.texts++
	case get.isNumber() && e.numbers < maxNumbers:
		e.numbers++
	}
}

// copyToAliases makes the aliases decode the fields that they are for.
func (s *structDecoder) copyToAliases() {
	for i, a := range s.aliases {
		to, from := &s.byKey.fields[len(s.fields)+i], &s.byKey.fields[a.field]
		to.offset, to.get, to.number = from.offset, from.get, from.number
		s.byKey.decoders[len(s.fields)+i] = s.byKey.decoders[a.field]
	}
}

// callAll makes each value a call of the decoder of its field, for tests.
func (s *structDecoder) callAll() {
	for i := range s.fields {
		s.byKey.fields[i].get, s.byIndex.fields[i].get = getCall, getCall
	}
}

// decode decodes the struct at p.
func (s *structDecoder) decode(d *decoder, p mem.Ptr) error {
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
	if s.shares && d.chunk == nil {
		s.expect(d, int(count), s.least[0])
	}
	if len(s.required) > 0 || s.used {
		return s.decodeChecked(d, p, count, owed, start)
	}
	if f, err := s.byKey.decode(d, s.byKey.sentinel, int(count), owed, p); err != nil {
		return s.under(&s.byKey, f, err)
	}
	d.close(owed)
	return nil
}

// decodeList decodes the elements of an open array of n structs, which are size bytes
// apart, from element i on, and closes the array. It is for structs without required
// fields. Most elements are short maps, which take no call but that of the loop over
// their fields.
func (s *structDecoder) decodeList(d *decoder, data mem.Ptr, i, n int, size uintptr, owed uint64) (err error) {
	for ; i < n; i++ {
		d.owed = owed + uint64(n-i-1)
		at := data.Add(uintptr(i) * size)
		count, ok := d.fixCount(wire.FixMap)
		if !ok && d.pos < len(d.data) && uint16(d.data[d.pos]) == s.header && d.enter(uint64(len(s.fields)), 1) {
			err = s.decodeShort(d, at)
			d.depth++
		} else if !ok || s.strings > 0 && d.chunk == nil || !d.enter(2*uint64(count), 1) {
			err = s.decode(d, at)
		} else {
			var f *getField
			if f, err = s.byKey.decode(d, s.byKey.sentinel, int(count), d.owed, at); err != nil {
				err = s.under(&s.byKey, f, err)
			}
			d.depth++
		}
		if err != nil {
			return underIndex(i, err)
		}
	}
	d.close(owed)
	return nil
}

// decodeOther handles input that does not begin with a fixmap. For a longer map it
// returns the count and the size of the header. It decodes all other values and
// returns a size of 0.
func (s *structDecoder) decodeOther(d *decoder, p mem.Ptr) (count uint32, size int, err error) {
	// Both forms are accepted, whatever the Options select.
	if owed := d.owed; d.left() > 0 && uint16(d.data[d.pos]) == s.header && d.enter(uint64(len(s.fields)), 1) {
		err := s.decodeShort(d, p)
		d.close(owed)
		return 0, 0, err
	}
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

// under adds the name of f, a field of set, to an error. f is nil if a key was wrong.
func (s *structDecoder) under(set *fieldSet, f *getField, err error) error {
	if f == nil {
		return err
	}
	i := set.index(f)
	if i >= len(s.fields) {
		i = s.aliases[i-len(s.fields)].field
	}
	return under(s.fields[i].path, err)
}

// decodeChecked decodes the fields of an open map that began at start. It records
// which fields occur, and returns an error for the first required one that does not. It
// is a function of its own so that other structs do not pay for the record.
func (s *structDecoder) decodeChecked(d *decoder, p mem.Ptr, count uint32, owed uint64, start int) error {
	var few [4]uint64 // on the stack, for up to 256 fields
	seen := few[:]
	// A struct with more fields is rare enough for an allocation.
	if len(s.fields) > 64*len(few) {
		seen = make([]uint64, (len(s.fields)+63)/64)
	}
	outer := d.seen // of the struct around this one
	d.seen = mem.Hide(mem.PtrTo(&seen[0]))
	f, err := s.byKey.decode(d, s.byKey.sentinel, int(count), owed, p)
	d.seen = outer
	if err != nil {
		return s.under(&s.byKey, f, err)
	}
	for _, field := range s.required {
		if seen[field/64]>>(field%64)&1 == 0 {
			return s.missing(d, start, field)
		}
	}
	if s.used {
		s.clearOthers(seen, p)
	}
	d.close(owed)
	return nil
}

// expect prepares d for the strings, and the pointers to scalars, of a struct that has n of
// the fields. It has no effect on what is expected of a struct around it. least is as in
// leastOf.
func (s *structDecoder) expect(d *decoder, n, least int) {
	if d.expected.texts|d.expected.numbers == 0 {
		d.expected = s.expected.among(n)
	}
	if s.strings > 0 {
		s.expectStrings(d, n, least)
	}
}

// expectStrings makes the first chunk of a message for the strings of the struct, unless
// there is only one string in the message, or a single short one, or the strings are
// long: to allocate these on their own takes less time and memory. n and least are as in
// leastOf. The length of the chunk is an estimate of the length of all strings.
func (s *structDecoder) expectStrings(d *decoder, n, least int) {
	most := d.left() - s.leastOf(n, least)
	if s.strings == 1 && (s.single && d.owed == 0 && !d.stream || most < minChunk) || most >= ownMemory*s.strings && !s.calls {
		return
	}
	// Slices of numbers use the chunk too, and a number of one byte takes up to
	// eight.
	if s.numbers {
		most = d.left() + d.left()/4
	}
	if most > 0 {
		d.newChunk(0, most)
	}
}

// leastOf returns the minimum length of n of the fields without the contents of strings,
// if that of all fields is least.
func (s *structDecoder) leastOf(n, least int) int {
	if n >= len(s.fields) {
		return least
	}
	// Those that occur may be short, and a chunk that is too short would be wasted.
	return int(int64(least) * int64(n) * int64(s.expected.share) >> 17)
}

// noHeader is greater than every byte.
const noHeader = 1 << 8

// decodeShort decodes the elements of an open array that has one for each field, so that
// none is missing and none left over. The caller closes the array.
func (s *structDecoder) decodeShort(d *decoder, p mem.Ptr) error {
	if s.shares && d.chunk == nil {
		s.expect(d, len(s.fields), s.least[1])
	}
	if f, err := s.byIndex.decode(d, s.byIndex.sentinel, len(s.fields), d.owed, p); err != nil {
		return s.under(&s.byIndex, f, err)
	}
	return nil
}

// decodeArray decodes the array form: the fields in declared order. Surplus elements
// are skipped and fields of missing elements are unchanged, unless the Options
// requires the exact number.
func (s *structDecoder) decodeArray(d *decoder, p mem.Ptr, count uint32, size int) error {
	start, owed := d.pos, d.owed
	if s.exact && uint64(count) != uint64(len(s.fields)) {
		if count > 0 || d.plans.Compat.Arrays == ArraysExact {
			return d.fail(ErrLength, s.want)
		}
		mem.Value(s.typ, p).SetZero()
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
	if s.shares && d.chunk == nil {
		s.expect(d, int(count), s.least[1])
	}
	// The surplus elements are owed after those that have a field.
	n := min(int(count), len(s.fields))
	beyond := int(count) - n
	if f, err := s.byIndex.decode(d, s.byIndex.sentinel, n, owed+uint64(beyond), p); err != nil {
		return s.under(&s.byIndex, f, err)
	}
	for i := range beyond {
		d.owed = owed + uint64(beyond-i-1)
		if err := d.skip(); err != nil {
			return underIndex(n+i, err)
		}
	}
	for i := n; s.used && i < len(s.fields); i++ {
		s.fields[i].clear(p)
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
//
//go:noinline
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
