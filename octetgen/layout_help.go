package octetgen

import (
	"maps"
	"slices"
	"strings"
)

// helpers are functions that the printed code of package layout can need.
var helpers = map[string]string{
	"octetBit": `// octetBit returns 1 if b is set, and 0 otherwise.
func octetBit(b bool) byte {
	if b {
		return 1
	}
	return 0
}
`,
	"octetSetVarint": `// octetSetVarint writes v over the byte at at of b. What follows moves.
func octetSetVarint(b []byte, at int, v uint64) []byte {
	if v < 0x80 {
		b[at] = byte(v)
		return b
	}
	var text [BINARY.MaxVarintLen64]byte
	return SLICES.Replace(b, at, at+1, text[:BINARY.PutUvarint(text[:], v)]...)
}
`,
	"octetResize": `// octetResize returns a slice of n elements, in the memory of s if that is long enough.
func octetResize[S ~[]E, E any](s S, n int) S {
	if s == nil || cap(s) < n {
		return make(S, n)
	}
	return s[:n]
}
`,
	"octetNext": `// octetNext returns s with one more element, in the memory of s if that is long enough.
func octetNext[S ~[]E, E any](s S) S {
	if len(s) < cap(s) {
		return s[:len(s)+1]
	}
	var zero E
	return append(s, zero)
}
`,
	"octetCastagnoli": `var octetCastagnoli = CRC.MakeTable(CRC.Castagnoli)
`,
	"octetCRC": `// octetCRC returns the checksum of data, of which n bytes at at count as zero.
func octetCRC(t *CRC.Table, data []byte, at, n int) uint32 {
	var zeros [8]byte
	sum := CRC.Update(CRC.Update(0, t, data[:at]), t, zeros[:n])
	return CRC.Update(sum, t, data[at+n:])
}
`,
	"octetZeroed": `// octetZeroed returns a copy of data in which n bytes at at are zero.
func octetZeroed(data []byte, at, n int) []byte {
	data = SLICES.Clone(data)
	clear(data[at : at+n])
	return data
}
`,
	"octetInet": `// octetInet returns the Internet checksum of RFC 1071. The two bytes at at, if it is not negative, count as zero.
func octetInet(data []byte, at int) uint16 {
	if at > 0 && at%2 == 1 {
		data = SLICES.Clone(data)
		data[at], data[at+1] = 0, 0
	}
	var sum uint64
	for i := 0; i+1 < len(data); i += 2 {
		if i != at {
			sum += uint64(data[i])<<8 | uint64(data[i+1])
		}
	}
	if len(data)%2 == 1 {
		sum += uint64(data[len(data)-1]) << 8
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}
`,
	"octetSum8": `// octetSum8 returns the sum of the bytes.
func octetSum8(data []byte) (sum byte) {
	for _, b := range data {
		sum += b
	}
	return sum
}
`,
	"octetXor8": `// octetXor8 returns the exclusive or of the bytes.
func octetXor8(data []byte) (sum byte) {
	for _, b := range data {
		sum ^= b
	}
	return sum
}
`,
}

// help returns the name of a helper, which will be printed.
func (p *printer) help(name string) string {
	p.helpers[name] = true
	return name
}

// printHelpers prints the helpers that the printed functions call.
func (p *printer) printHelpers() {
	for _, name := range slices.Sorted(maps.Keys(p.helpers)) {
		text := helpers[name]
		for word, of := range map[string]string{"CRC.": "hash/crc32", "SLICES.": "slices", "BINARY.": "encoding/binary"} {
			if strings.Contains(text, word) {
				text = strings.ReplaceAll(text, word, p.use(of)+".")
			}
		}
		p.printf("%s\n", text)
	}
}
