package main

import (
	"bytes"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack"
)

func containerSections() []section {
	return []section{arraySection(), mapSection(), keySection(), depthSection()}
}

func arraySection() section {
	ones := func(n int) []byte { return bytes.Repeat([]byte{1}, n) }
	array := func(n int) []any {
		list := make([]any, n)
		for i := range list {
			list[i] = 1
		}
		return list
	}
	return section{"Arrays", [][3]any{
		{"empty array", "90", []any{}},
		{"15 elements", join("9f", ones(15)), array(15)},
		{"16 elements", join("dc0010", ones(16)), array(16)},
		{"65535 elements", join("dcffff", ones(65535)), array(65535)},
		{"65536 elements", join("dd00010000", ones(65536)), array(65536)},
		{"1 element as array 16", "dc0001 01", array(1)},
		{"1 element as array 32", "dd00000001 01", array(1)},
		{"one of each type", "99 c0 c3 01 cb3ff8000000000000 a161 c40100 d6ff00000001 90 80",
			[]any{nil, true, 1, 1.5, "a", []byte{0}, time.Unix(1, 0), []any{}, map[string]any{}}},
	}}
}

func mapSection() section {
	// entry n has a key of four hexadecimal digits.
	const digits = "0123456789abcdef"
	key := func(i int) string {
		return string([]byte{digits[i>>12&15], digits[i>>8&15], digits[i>>4&15], digits[i&15]})
	}
	encoded := func(n int) []byte {
		var b []byte
		for i := range n {
			b = append(append(append(b, 0xa5, 'k'), key(i)...), 1)
		}
		return b
	}
	decoded := func(n int) map[string]any {
		m := map[string]any{}
		for i := range n {
			m["k"+key(i)] = 1
		}
		return m
	}
	return section{"Maps", [][3]any{
		{"empty map", "80", map[string]any{}},
		{"15 entries", join("8f", encoded(15)), decoded(15)},
		{"16 entries", join("de0010", encoded(16)), decoded(16)},
		{"65535 entries", join("deffff", encoded(65535)), decoded(65535)},
		{"65536 entries", join("df00010000", encoded(65536)), decoded(65536)},
		{"1 entry as map 16", join("de0001", encoded(1)), decoded(1)},
		{"1 entry as map 32", join("df00000001", encoded(1)), decoded(1)},
	}}
}

func keySection() section {
	type m = map[any]any
	long := strings.Repeat("k", 300)
	return section{"Keys of maps", [][3]any{
		{"key 1", "81 01 c3", m{1: true}},
		{"key -1", "81 ff c3", m{-1: true}},
		{"key 2^64-1", "81 cfffffffffffffffff c3", m{uint64(1<<64 - 1): true}},
		{"key nil", "81 c0 c3", m{nil: true}},
		{"key true", "81 c3 c3", m{true: true}},
		{"key 1.5", "81 cb3ff8000000000000 c3", m{1.5: true}},
		{"key of bin", "81 c40161 c3", entries{{[]byte("a"), true}}},
		{"key of timestamp", "81 d6ff00000001 c3", m{time.Unix(1, 0).UTC(): true}},
		{"key of ext", "81 d40500 c3", entries{{msgpack.Ext{Type: 5, Data: []byte{0}}, true}}},
		{"key of array", "81 9101 c3", entries{{[]any{1}, true}}},
		{"key of map", "81 8101c3 c3", entries{{m{1: true}, true}}},
		{"key of 0 bytes", "81 a0 c3", m{"": true}},
		{"key of 300 bytes", join("81 da012c", []byte(long), []byte{0xc3}), m{long: true}},
		{"keys 1 and \"1\"", "82 01c3 a131c2", m{1: true, "1": false}},
		{"keys 1, 1.0 and true", "83 0101 cb3ff000000000000002 c303", m{1: 1, 1.0: 2, true: 3}},
		{"keys \"b\", \"a\", \"10\", \"9\"", "84 a16201 a16102 a2313003 a13904", m{"b": 1, "a": 2, "10": 3, "9": 4}},
		{"key \"__proto__\"", join("81 a9", []byte("__proto__"), []byte{1}), m{"__proto__": 1}},
		{"key \"constructor\"", join("81 ab", []byte("constructor"), []byte{1}), m{"constructor": 1}},
		{"key not UTF-8", "81 a1ff c3", m{"\xff": true}},
		{"key \"a\" twice, values 1 and 2", "82 a16101 a16102", m{"a": 2}},
		{"key 1 twice, in two forms", "82 0101 cc0102", m{1: 2}},
	}}
}

func depthSection() section {
	s := section{title: "Depth"}
	nested := func(name string, n int) {
		var v any = 1
		for range n {
			v = []any{v}
		}
		s.rows = append(s.rows, [3]any{name, append(bytes.Repeat([]byte{0x91}, n), 1), v})
	}
	nested("64 arrays in each other", 64)
	nested("128 arrays in each other", 128)
	nested("512 arrays in each other", 512)
	nested("513 arrays in each other", 513)
	nested("1025 arrays in each other", 1025)
	for _, n := range []int{64, 512} {
		var v any = 1
		for range n {
			v = map[string]any{"a": v}
		}
		name := map[int]string{64: "64 maps in each other", 512: "512 maps in each other"}[n]
		s.rows = append(s.rows, [3]any{name, append(bytes.Repeat([]byte{0x81, 0xa1, 'a'}, n), 1), v})
	}
	s.rows = append(s.rows, [3]any{"1,000,000 arrays, cut short", bytes.Repeat([]byte{0x91}, 1e6), malformed{}})
	return s
}
