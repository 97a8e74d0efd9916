package layout

import (
	"math"
	"math/big"
	"reflect"
	"strings"
)

// end returns the end of a field of bytes without a terminator.
func (r *reader) end(s *scope, i, pos int) int {
	o := s.fields[i].opt
	end := 0
	if o.fixed >= 0 {
		end = pos + o.fixed
	} else if n, counted := s.counts[i]; counted && !hasBound(s, i) {
		end = pos + n
	} else {
		end = s.rest(i)
	}
	limit := s.limit(i)
	if end < pos {
		fail(ErrLength, "%s: ends at %d, before it begins at %d", s.name(i), end, pos)
	}
	if end > limit {
		fail(ErrTruncated, "%s: ends at %d, but its frame at %d", s.name(i), end, limit)
	}
	return end
}

func hasBound(s *scope, i int) bool {
	for _, b := range s.bounds {
		if b.first == i && b.last == i {
			return true
		}
	}
	return false
}

func (r *reader) bytes(v reflect.Value, s *scope, i, pos int, order string) int {
	o := s.fields[i].opt
	unit := 1
	if o.utf16 {
		unit = 2
	}
	end, next := 0, 0
	switch {
	case o.magic != "":
		end = pos + len(r.take(s, i, pos, len(o.magic)))
		next = end
	case o.cstring || o.until >= 0:
		stop := strings.Repeat(string([]byte{byte(max(o.until, 0))}), unit)
		for end = pos; string(r.take(s, i, end, unit)) != stop; {
			end += unit
		}
		next = end + unit
	default:
		count, counted := s.counts[i]
		if o.count != "" {
			n, size := readNumber(r.data[pos:s.limit(i)], o.count, order, s.name(i))
			pos += size
			if n.Cmp(big.NewInt(int64(len(r.data)))) > 0 {
				fail(ErrLength, "%s: count %v", s.name(i), n)
			}
			count, counted = int(n.Int64()), true
			r.take(s, i, pos, count)
			end = pos + count
		} else {
			end = r.end(s, i, pos)
		}
		if counted && !o.utf16 && end-pos != count {
			fail(ErrLength, "%s: %d bytes, count says %d", s.name(i), end-pos, count)
		}
		next = end
	}
	content := append([]byte{}, r.data[pos:end]...)
	if o.magic != "" && string(content) != o.magic {
		fail(ErrConst, "%s: %q", s.name(i), content)
	}
	trims := o.fixed >= 0 && (o.fillByte >= 0 || v.Kind() == reflect.String)
	for trims && len(content) >= unit && allFill(content[len(content)-unit:], o) {
		content = content[:len(content)-unit]
	}
	if o.utf16 {
		content = []byte(fromUTF16(content, order, s.name(i)))
	}
	s.states[i].elements = len(content)
	if o.max != nil && o.max.Cmp(big.NewInt(int64(len(content)))) < 0 {
		fail(ErrLimit, "%s: %d bytes", s.name(i), len(content))
	}
	if s.fields[i].name == "_" {
		return next
	}
	setBytes(v, content)
	return next
}

func allFill(b []byte, o options) bool {
	for _, c := range b {
		if int(c) != max(o.fillByte, 0) {
			return false
		}
	}
	return true
}

func setBytes(v reflect.Value, b []byte) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(string(b))
	case reflect.Slice:
		v.SetBytes(b)
	case reflect.Array:
		reflect.Copy(v, reflect.ValueOf(b))
	}
}

// element reads element j of the slice or array at the field i.
func (r *reader) element(v reflect.Value, s *scope, i, j, pos int, order string) int {
	part := s.part(i, elementOptions(s.fields[i].opt), element(s.name(i), j))
	part.element = true
	return r.value(v, part, 0, pos, order)
}

func (r *reader) slice(v reflect.Value, s *scope, i, pos int, order string) int {
	o := s.fields[i].opt
	list := reflect.MakeSlice(v.Type(), 0, 0)
	grow := func() {
		item := reflect.New(v.Type().Elem()).Elem()
		next := r.element(item, s, i, list.Len(), pos, order)
		if next == pos {
			fail(ErrLength, "%s: element without bytes", s.name(i))
		}
		pos = next
		list = reflect.Append(list, item)
	}
	count, counted := s.counts[i]
	if o.fixed >= 0 {
		count, counted = o.fixed, true
	}
	if o.count != "" {
		n, size := readNumber(r.data[pos:s.limit(i)], o.count, order, s.name(i))
		pos += size
		if n.Cmp(big.NewInt(int64(s.limit(i)-pos))) > 0 {
			fail(ErrLength, "%s: count %v", s.name(i), n)
		}
		count, counted = int(n.Int64()), true
	}
	switch {
	case o.untilZero:
		for {
			grow()
			if last := list.Len() - 1; isZero(list.Index(last)) {
				list = list.Slice(0, last)
				break
			}
		}
	case counted:
		for list.Len() < count {
			grow()
		}
	default:
		for end := r.end(s, i, pos); pos < end; {
			grow()
			if pos > end {
				fail(ErrLength, "%s: the last element goes past the end", s.name(i))
			}
		}
	}
	s.states[i].elements = list.Len()
	if o.max != nil && o.max.Cmp(big.NewInt(int64(list.Len()))) < 0 {
		fail(ErrLimit, "%s: %d elements", s.name(i), list.Len())
	}
	v.Set(list)
	return pos
}

// isZero reports whether v is the zero value or has only empty slices besides.
func isZero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice:
		return v.Len() == 0
	case reflect.Pointer:
		return v.IsNil() || isZero(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if !isZero(v.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		for i := range v.Len() {
			if !isZero(v.Index(i)) {
				return false
			}
		}
		return true
	}
	return isUnset(v)
}

// isUnset reports whether all of v is zero. A negative zero is not.
func isUnset(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(v.Float()) == 0
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "_" && !isUnset(v.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		for i := range v.Len() {
			if !isUnset(v.Index(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}
