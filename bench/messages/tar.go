package messages

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"strings"
)

// tarHeader is the header of a file in a tar archive: POSIX.1-2017, pax, section "ustar Interchange Format".
type tarHeader struct {
	Name     string `layout:"fixed=100"`
	Mode     uint32 `layout:"oct=8"`
	UID      uint32 `layout:"oct=8"`
	GID      uint32 `layout:"oct=8"`
	Size     uint64 `layout:"oct=12"`
	Modified uint64 `layout:"oct=12"`
	Checksum uint32 `layout:"oct=7,sum=tar:Name..Unused"`
	Blank    uint8  `layout:"const=32"`
	Type     uint8
	Link     string  `layout:"fixed=100"`
	Magic    [8]byte `layout:"magic=ustar\\x0000"`
	User     string  `layout:"fixed=32"`
	Group    string  `layout:"fixed=32"`
	Major    uint32  `layout:"oct=8"`
	Minor    uint32  `layout:"oct=8"`
	Prefix   string  `layout:"fixed=155"`
	Unused   [12]byte
}

const (
	tarSize  = 512
	tarMagic = "ustar\x0000"
)

func appendTAR(dst []byte, m *tarHeader) ([]byte, error) {
	if m.Blank != 0 && m.Blank != ' ' || m.Magic != [8]byte{} && string(m.Magic[:]) != tarMagic {
		return dst, errConstant
	}
	n := len(dst)
	dst = extend(dst, tarSize)
	b := (*[tarSize]byte)(dst[n:])
	ok := putTARText(b[0:100], m.Name) && putOctal(b[100:108], uint64(m.Mode)) && putOctal(b[108:116], uint64(m.UID)) &&
		putOctal(b[116:124], uint64(m.GID)) && putOctal(b[124:136], m.Size) && putOctal(b[136:148], m.Modified) && putTARText(b[157:257], m.Link) &&
		putTARText(b[265:297], m.User) && putTARText(b[297:329], m.Group) && putOctal(b[329:337], uint64(m.Major)) &&
		putOctal(b[337:345], uint64(m.Minor)) && putTARText(b[345:500], m.Prefix)
	if !ok {
		return dst[:n], errRange
	}
	b[155], b[156] = ' ', m.Type
	copy(b[257:265], tarMagic)
	copy(b[500:512], m.Unused[:])
	putOctal(b[148:155], uint64(tarChecksum(b)))
	return dst, nil
}

// putTARText stores s and fills the rest of b with zeros. It reports whether s can be read again.
func putTARText(b []byte, s string) bool {
	if len(s) > len(b) || strings.HasSuffix(s, "\x00") {
		return false
	}
	clear(b[copy(b, s):])
	return true
}

// putOctal stores v as octal digits and a NUL, or without the NUL if v needs its byte. It reports whether the digits
// suffice.
func putOctal(b []byte, v uint64) bool {
	last := len(b) - 1
	if v>>(3*last) == 0 {
		b[last] = 0
		b = b[:last]
	}
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = '0' + byte(v&7)
		v >>= 3
	}
	return v == 0
}

// tarChecksum returns the sum of all bytes of a header. The checksum itself and the byte after it count as spaces.
func tarChecksum(b *[tarSize]byte) uint32 {
	sum := uint32(8 * ' ')
	for _, c := range b[:148] {
		sum += uint32(c)
	}
	for _, c := range b[156:] {
		sum += uint32(c)
	}
	return sum
}

func decodeTAR(data []byte, m *tarHeader) error {
	if len(data) != tarSize {
		return sizeError(len(data), tarSize)
	}
	b := (*[tarSize]byte)(data)
	if b[155] != ' ' || string(b[257:265]) != tarMagic {
		return errConstant
	}
	var numbers [8]uint64
	for i, at := range [8]struct{ from, to, bits int }{
		{100, 108, 32}, {108, 116, 32}, {116, 124, 32}, {124, 136, 64}, {136, 148, 64}, {148, 155, 32}, {329, 337, 32}, {337, 345, 32},
	} {
		v, ok := octal(b[at.from:at.to])
		if !ok || bits.Len64(v) > at.bits {
			return errRange
		}
		numbers[i] = v
	}
	if uint32(numbers[5]) != tarChecksum(b) {
		return errChecksum
	}
	m.Name, m.Link, m.User, m.Group, m.Prefix = tarText(b[0:100]), tarText(b[157:257]), tarText(b[265:297]), tarText(b[297:329]), tarText(b[345:500])
	m.Mode, m.UID, m.GID, m.Size, m.Modified = uint32(numbers[0]), uint32(numbers[1]), uint32(numbers[2]), numbers[3], numbers[4]
	m.Checksum, m.Major, m.Minor = uint32(numbers[5]), uint32(numbers[6]), uint32(numbers[7])
	m.Blank, m.Type, m.Magic, m.Unused = ' ', b[156], [8]byte(b[257:]), [12]byte(b[500:])
	return nil
}

func tarText(b []byte) string { return string(bytes.TrimRight(b, "\x00")) }

// octal reads spaces, then octal digits up to a NUL, a space or the end.
func octal(b []byte) (v uint64, ok bool) {
	b = bytes.TrimLeft(b, " ")
	for _, c := range b {
		if c == 0 || c == ' ' {
			break
		}
		if c -= '0'; c > 7 {
			return 0, false
		}
		v = v<<3 | uint64(c)
	}
	return v, true
}

func randomTAR(r *rand.Rand) *tarHeader {
	m := &tarHeader{
		Name: "project/" + randomText(r, 3, 20) + "/" + randomText(r, 3, 30) + ".go", Mode: 0o644, UID: 1000, GID: 1000, Size: r.Uint64N(1 << 20),
		Modified: 1_763_000_000 + r.Uint64N(1<<24), Type: '0', User: randomText(r, 3, 8), Group: randomText(r, 3, 8),
	}
	if chance(r, 8) {
		m.Type, m.Link, m.Size = '2', randomText(r, 10, 40), 0
	}
	if chance(r, 8) {
		m.Prefix = randomText(r, 20, 100)
	}
	return m
}

// tarSum is the checksum of a header, for package layout.
func tarSum(data []byte, at, n int) uint64 {
	sum := uint64(0)
	for i, c := range data {
		if at <= i && i <= at+n {
			c = ' '
		}
		sum += uint64(c)
	}
	return sum
}
