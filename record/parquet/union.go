package parquet

import (
	"github.com/octet-go/octet/msgpack/wire"
)

// union shreds a value of a union: its tag, and one variant. The other variants are null.
func (s *shredder) union(n *node, rep int) error {
	h, err := s.header()
	if err != nil {
		return err
	}
	start, within := s.pos, n.typ.Discriminator != ""
	var tag []byte
	switch kind := h.Format.Kind(); {
	case within && kind == wire.KindMap:
		s.pos += int(h.Size)
		for i := uint32(0); i < h.Count && tag == nil; i++ {
			key, err := s.skip()
			if err != nil {
				return err
			}
			value, err := s.skip()
			if err != nil {
				return err
			}
			if isText(key, n.typ.Discriminator) {
				tag = value
			}
		}
		s.pos = start
	case !within && kind == wire.KindArray && h.Count == 2:
		s.pos += int(h.Size)
		if tag, err = s.skip(); err != nil {
			return err
		}
	default:
		return s.unfit(n, rep, h)
	}
	found, d := n.variant(tag)
	if found < 0 {
		s.lose(n.path, "tag that the union does not have")
		s.null(n, rep, n.def-1)
		_, err := s.skip()
		return err
	}
	s.add(n.fields[0], rep, d)
	for i, variant := range n.fields[1:] {
		if i != found {
			s.null(variant, rep, n.def)
		}
	}
	return s.value(n.fields[found+1], rep)
}

// variant returns the number of the variant with a tag, and the value of its column. The
// number is negative if there is none.
func (n *node) variant(tag []byte) (found int, d datum) {
	text, _, notText := wire.ConsumeString(tag)
	number, _, notNumber := wire.ConsumeInt(tag)
	for i := range n.typ.Variants {
		switch want := n.typ.Variants[i].Tag.(type) {
		case string:
			if notText == nil && want == string(text) {
				return i, datum{text: text}
			}
		case int64:
			if notNumber == nil && want == number {
				return i, datum{bits: uint64(number)}
			}
		}
	}
	return -1, d
}

// isText reports whether a value is a str, or a bin, with the text.
func isText(value []byte, text string) bool {
	s, _, err := wire.ConsumeString(value)
	if err != nil {
		s, _, err = wire.ConsumeBin(value)
	}
	return err == nil && string(s) == text
}
