package layout

import (
	"reflect"
	"unicode/utf16"
	"unicode/utf8"
)

// union reads the variant that a number before it names.
func (r *reader) union(v reflect.Value, s *scope, i, pos int, order string) int {
	f := s.fields[i]
	u := r.Unions[v.Type()]
	in, j := s.mustFind(f.opt.union, i)
	n := in.states[j].number
	if n == nil || !n.IsUint64() {
		fail(ErrVariant, "%s: tag %v", s.name(i), n)
	}
	tag := n.Uint64()
	t := u.Variants[tag]
	if t == nil {
		if u.Unknown == nil {
			fail(ErrVariant, "%s: tag %d", s.name(i), tag)
		}
		end := r.end(s, i, pos)
		unknown := reflect.New(u.Unknown).Elem()
		unknown.FieldByName("Tag").SetUint(tag)
		unknown.FieldByName("Data").SetBytes(append([]byte{}, r.data[pos:end]...))
		v.Set(unknown)
		return end
	}
	variant := reflect.New(t).Elem()
	pos = r.value(variant, s.part(i, parse("", "", t), s.name(i)), 0, pos, order)
	v.Set(variant)
	return pos
}

// user calls the method of a type that finds its own end.
func (r *reader) user(v reflect.Value, s *scope, i, pos int) int {
	end := s.limit(i)
	if o := s.fields[i].opt; o.fixed >= 0 {
		end = pos + len(r.take(s, i, pos, o.fixed))
	}
	n, err := v.Addr().Interface().(decoder).DecodeLayout(append([]byte{}, r.data[pos:end]...))
	if err != nil {
		fail(err, "%s", s.name(i))
	}
	if n < 0 || n > end-pos {
		fail(ErrLength, "%s: DecodeLayout returned %d", s.name(i), n)
	}
	if s.fields[i].opt.fixed >= 0 && pos+n != end {
		fail(ErrLength, "%s: %d bytes left", s.name(i), end-pos-n)
	}
	return pos + n
}

// fromUTF16 decodes code units. A surrogate without its pair is an error.
func fromUTF16(data []byte, order, where string) string {
	if len(data)%2 != 0 {
		fail(ErrLength, "%s: %d bytes of UTF-16", where, len(data))
	}
	var out []byte
	for i := 0; i < len(data); i += 2 {
		c := rune(getFixed(data[i:i+2], order).Uint64())
		if utf16.IsSurrogate(c) {
			var low rune
			if i+4 <= len(data) {
				low = rune(getFixed(data[i+2:i+4], order).Uint64())
			}
			if c = utf16.DecodeRune(c, low); c == utf8.RuneError {
				fail(ErrUTF8, "%s: surrogate without its pair", where)
			}
			i += 2
		}
		out = utf8.AppendRune(out, c)
	}
	return string(out)
}

// toUTF16 is the opposite of fromUTF16.
func toUTF16(text, order, where string) (data []byte) {
	if !utf8.ValidString(text) {
		fail(ErrUTF8, "%s: not UTF-8", where)
	}
	for _, c := range utf16.Encode([]rune(text)) {
		data = append(data, putFixed(numberOf(reflect.ValueOf(c)), 2, order)...)
	}
	return data
}
