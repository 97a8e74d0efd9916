package program

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"regexp"
	"slices"
	"strings"
)

// A Part is what one package adds to a program, or what is not code.
type Part struct {
	Name  string
	Bytes int
}

var errWasm = errors.New("malformed WebAssembly")

// The sections of WebAssembly that [Sizes] reads.
const (
	customSection = 0
	importSection = 2
	codeSection   = 10
)

// Sizes returns the parts of WebAssembly that Go compiled with names, largest first: the
// code of each package, and the sections that are not code.
func Sizes(wasm []byte) ([]Part, error) {
	if !bytes.HasPrefix(wasm, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, errWasm
	}
	sizes := map[string]int{}
	var code []int // sizes of the functions
	imported := 0
	var names map[int]string
	for rest := wasm[8:]; len(rest) > 0; {
		kind := rest[0]
		section, after, err := block(rest[1:])
		if err != nil {
			return nil, err
		}
		rest = after
		switch kind {
		case codeSection:
			if code, err = functions(section); err != nil {
				return nil, err
			}
		case customSection:
			name, content, err := block(section)
			if err != nil {
				return nil, err
			}
			if string(name) == "name" {
				if names, err = functionNames(content); err != nil {
					return nil, err
				}
			}
		case importSection:
			n, size := binary.Uvarint(section)
			if size <= 0 {
				return nil, errWasm
			}
			imported = int(n)
			sizes["(imports)"] += len(section)
		default:
			sizes["(data, tables and types)"] += len(section)
		}
	}
	for i, n := range code {
		sizes[packageOf(names[imported+i])] += n
	}
	var parts []Part
	for name, n := range sizes {
		parts = append(parts, Part{name, n})
	}
	slices.SortFunc(parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Name, b.Name))
	})
	return parts, nil
}

// block returns bytes that follow their length, and the bytes after them.
func block(b []byte) (content, after []byte, err error) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return nil, nil, errWasm
	}
	return b[size:][:n], b[size:][n:], nil
}

// functions returns the sizes of the functions in a code section.
func functions(b []byte) ([]int, error) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)) {
		return nil, errWasm
	}
	list := make([]int, n)
	b = b[size:]
	for i := range list {
		body, after, err := block(b)
		if err != nil {
			return nil, err
		}
		list[i], b = len(body), after
	}
	return list, nil
}

// functionNames returns the names of functions by number, from the content of the section
// "name".
func functionNames(b []byte) (map[int]string, error) {
	names := map[int]string{}
	for len(b) > 0 {
		kind := b[0]
		list, after, err := block(b[1:])
		if err != nil {
			return nil, err
		}
		if b = after; kind != 1 { // names of functions
			continue
		}
		n, size := binary.Uvarint(list)
		if size <= 0 {
			return nil, errWasm
		}
		for list = list[size:]; n > 0; n-- {
			number, size := binary.Uvarint(list)
			if size <= 0 || number > 1<<32 {
				return nil, errWasm
			}
			name, after, err := block(list[size:])
			if err != nil {
				return nil, err
			}
			names[int(number)], list = string(name), after
		}
	}
	return names, nil
}

// qualified matches the name of a function with its package. In WebAssembly, other characters
// than letters, digits and dots are underscores; a dot is also in the name of a host.
var qualified = regexp.MustCompile(`^((?:[a-z]+\.com_)?[^.]+)\.`)

// packageOf returns the package of a function.
func packageOf(name string) string {
	if m := qualified.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return "(other code)"
}
