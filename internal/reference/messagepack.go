package reference

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
)

// MessagePack holds the types and limits of package msgpack, which this package
// cannot import.
type MessagePack struct {
	Raw      reflect.Type // a byte slice type for encoded values; nil: none
	Ext      reflect.Type // a struct type with the fields Type int8 and Data []byte; nil: none
	MaxDepth int          // maximum number of nested containers; 0: 512
}

// Marshal encodes v.
func (m MessagePack) Marshal(v any) ([]byte, error) {
	b, err := m.encode(nil, reflect.ValueOf(v), 0, false)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Unmarshal decodes the single value in data into the target of v.
func (m MessagePack) Unmarshal(data []byte, v any) error {
	target := reflect.ValueOf(v)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return fmt.Errorf("%w: %T", ErrTarget, v)
	}
	tree, err := m.parseAll(data)
	if err != nil {
		return err
	}
	return m.decode(tree, target.Elem(), 0)
}

// Valid checks that data is exactly one value and not nested too deeply.
func (m MessagePack) Valid(data []byte) error {
	_, err := m.parseAll(data)
	return err
}

// SortMaps returns the value in data with the entries of every map sorted by
// their encoded bytes. Because Go maps have no order, two encodings of one
// value can only be compared after SortMaps.
func (m MessagePack) SortMaps(data []byte) ([]byte, error) {
	tree, err := m.parseAll(data)
	if err != nil {
		return nil, err
	}
	return sortMaps(tree), nil
}

func sortMaps(v value) []byte {
	if !v.sortable {
		return v.encoded
	}
	var parts [][]byte
	for _, e := range v.elements {
		parts = append(parts, sortMaps(e))
	}
	if v.kind == mapKind {
		var pairs [][]byte
		for pair := range slices.Chunk(parts, 2) {
			pairs = append(pairs, slices.Concat(pair...))
		}
		slices.SortFunc(pairs, bytes.Compare)
		parts = pairs
	}
	return slices.Concat(v.header, slices.Concat(parts...))
}

func (m MessagePack) maxDepth() int {
	if m.MaxDepth == 0 {
		return 512
	}
	return m.MaxDepth
}

// enter checks that a container may be opened inside depth others.
func (m MessagePack) enter(depth int) error {
	if depth >= m.maxDepth() {
		return ErrDepth
	}
	return nil
}

// checkDepth checks the depth of a value that is not decoded further.
func (m MessagePack) checkDepth(v value, depth int) error {
	if depth+v.nesting > m.maxDepth() {
		return ErrDepth
	}
	return nil
}
