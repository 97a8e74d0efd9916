package layout

import (
	"math/big"
	"reflect"
	"strings"
)

// bytes appends a string, a []byte or a magic.
func (w *writer) bytes(v reflect.Value, s *scope, i int, order string) {
	o := s.fields[i].opt
	content := o.magic
	if s.fields[i].name != "_" {
		content = bytesOf(v)
	}
	if o.magic != "" && v.IsZero() {
		content = o.magic
	}
	w.check(o.magic == "" || content == o.magic, ErrConst, "%s: %q", s.name(i), content)
	w.check(o.max == nil || orZero(o.max).Cmp(big.NewInt(int64(len(content)))) >= 0, ErrLimit, "%s: %d bytes", s.name(i), len(content))
	s.states[i].elements = len(content)
	if o.utf16 {
		content = string(toUTF16(content, order, s.name(i)))
	}
	unit := 1
	if o.utf16 {
		unit = 2
	}
	switch {
	case o.count != "":
		w.integer(o.count, order, big.NewInt(int64(len(content))), s.name(i), ErrLength)
	case o.cstring || o.until >= 0:
		stop := strings.Repeat(string([]byte{byte(max(o.until, 0))}), unit)
		for j := 0; j+unit <= len(content); j += unit {
			w.check(content[j:j+unit] != stop, ErrRange, "%s: contains its terminator", s.name(i))
		}
		content += stop
	case o.fixed >= 0:
		w.check(len(content) <= o.fixed, ErrLength, "%s: %d bytes, more than %d", s.name(i), len(content), o.fixed)
		pads := o.fillByte >= 0 || v.Kind() == reflect.String
		w.check(pads || len(content) == o.fixed, ErrLength, "%s: %d bytes, want %d", s.name(i), len(content), o.fixed)
		if n := len(content); pads && n >= unit && n <= o.fixed {
			w.check(!allFill([]byte(content[n-unit:]), o), ErrRange, "%s: ends in the fill byte", s.name(i))
		}
		for len(content) < o.fixed {
			content += string([]byte{byte(max(o.fillByte, 0))})
		}
	}
	w.out = append(w.out, content...)
}

func bytesOf(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return v.String()
	}
	b := make([]byte, v.Len())
	reflect.Copy(reflect.ValueOf(b), v)
	return string(b)
}

func (w *writer) slice(v reflect.Value, s *scope, i int, order string) {
	o := s.fields[i].opt
	n := v.Len()
	s.states[i].elements = n
	w.check(o.max == nil || orZero(o.max).Cmp(big.NewInt(int64(n))) >= 0, ErrLimit, "%s: %d elements", s.name(i), n)
	w.check(v.Kind() == reflect.Array || o.fixed < 0 || n == o.fixed, ErrLength, "%s: %d elements, want %d", s.name(i), n, o.fixed)
	if o.count != "" {
		w.integer(o.count, order, big.NewInt(int64(n)), s.name(i), ErrLength)
	}
	var elements []int // where they begin
	for j := range n {
		elements = append(elements, len(w.out))
		w.check(!o.untilZero || !isZero(v.Index(j)), ErrRange, "%s: element %d is zero", s.name(i), j)
		w.element(v.Index(j), s, i, j, order)
	}
	if o.untilZero {
		elements = append(elements, len(w.out))
		outer := w.ending
		w.ending = true
		w.element(reflect.New(v.Type().Elem()).Elem(), s, i, n, order)
		w.ending = outer
		for j := range n { // a number that is computed can be zero, whatever the variable is
			w.check(string(w.out[elements[j]:elements[j+1]]) != string(w.out[elements[n]:]), ErrRange, "%s: element %d is written as zero", s.name(i), j)
		}
	}
}

func (w *writer) element(v reflect.Value, s *scope, i, j int, order string) {
	part := s.part(i, elementOptions(s.fields[i].opt), element(s.name(i), j))
	before := len(w.out)
	w.value(v, part, 0, order)
	w.check(len(w.out) > before || s.fields[i].typ.Kind() == reflect.Array, ErrLength, "%s: element without bytes", part.path)
}

// union appends a variant. Its tag is for the pass after this one.
func (w *writer) union(v reflect.Value, s *scope, i int, order string) {
	f := s.fields[i]
	if v.IsNil() {
		w.check(false, ErrVariant, "%s: nil", s.name(i))
		return
	}
	u := w.Unions[v.Type()]
	variant := v.Elem()
	in, j := s.mustFind(f.opt.union, i)
	tag, ok := u.tagOf(variant)
	unknown := !ok && u.Unknown == variant.Type()
	if unknown {
		tag = variant.FieldByName("Tag").Uint()
		w.check(u.Variants[tag] == nil, ErrVariant, "%s: tag %d is known", s.name(i), tag)
	} else if !ok {
		fail(ErrVariant, "%s: %v", s.name(i), variant.Type())
	}
	n := new(big.Int).SetUint64(tag)
	w.check(in.states[j].present || tag == 0, ErrVariant, "%s: tag %d, but its number is absent", s.name(i), tag)
	other := w.tags[in.name(j)]
	w.check(other == nil || other.Cmp(n) == 0, ErrVariant, "%s: tags %v and %v", s.name(i), other, n)
	w.tags[in.name(j)] = n
	if unknown {
		w.out = append(w.out, variant.FieldByName("Data").Bytes()...)
		return
	}
	w.value(variant, s.part(i, parse("", "", variant.Type()), s.name(i)), 0, order)
}

// checksums fills in the checksums, each after those in its range.
func (w *writer) checksums() {
	left := w.sums
	for len(left) > 0 {
		var wait []place
		for _, p := range left {
			if w.waits(p, left) {
				wait = append(wait, p)
				continue
			}
			f, st := p.field(), p.state()
			in, first, last := p.s.findSpan(f.opt.of, p.i)
			data, at, n := sumData(w.out, in, first, last, st)
			sum := w.checksum(f.opt, data, at, n, f.where)
			var out []byte
			if f.opt.base > 0 {
				out = appendDigits(nil, f.opt, sum, p.name())
			} else {
				out = appendNumber(nil, wireOf(f.typ, f.opt), p.s.orderFor(p.i), sum, p.name(), ErrRange)
			}
			copy(w.out[st.start:], out)
		}
		if len(wait) == len(left) {
			fail(ErrTag, "%s: its checksum depends on itself", wait[0].name())
		}
		left = wait
	}
}

// waits reports whether the range of p contains another checksum of left.
func (w *writer) waits(p place, left []place) bool {
	in, first, last := p.s.findSpan(p.field().opt.of, p.i)
	start, end := in.states[first].start, in.states[last].end
	for _, other := range left {
		st := other.state()
		if (other.s != p.s || other.i != p.i) && start < st.end && st.start < end {
			return true
		}
	}
	return false
}
