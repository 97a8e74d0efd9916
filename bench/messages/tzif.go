package messages

import (
	"bytes"
	"math/rand/v2"
	"strings"
)

// tzifFile is a file of a time zone: RFC 8536, section 3. A file of version 2 or later has its data twice, with times of
// 32 and 64 bits, and a rule for later times.
type tzifFile struct {
	_       struct{} `layout:"be"`
	Magic   [4]byte  `layout:"magic=TZif"`
	Version uint8    `layout:"const=0,const=0x32,const=0x33,const=0x34"`
	_       struct{} `layout:"skip=15"`
	Data32  tzifData32
	Second  *tzifSecond `layout:"if=Version"`
}

type tzifSecond struct {
	Magic   [4]byte  `layout:"magic=TZif"`
	Version uint8    `layout:"const=0x32,const=0x33,const=0x34"`
	_       struct{} `layout:"skip=15"`
	Data64  tzifData64
	Newline uint8  `layout:"const=10"`
	Rule    string `layout:"until=0x0a"`
}

type tzifData32 struct {
	UTFlags      uint32 `layout:"count=UT"`
	WallFlags    uint32 `layout:"count=Standard"`
	LeapCount    uint32 `layout:"count=Leaps"`
	Transitions  uint32 `layout:"count=Times,count=Indexes"`
	TypeCount    uint32 `layout:"count=Types"`
	Letters      uint32 `layout:"count=Designations"`
	Times        []int32
	Indexes      []byte
	Types        []tzifType
	Designations []byte
	Leaps        []tzifLeap32
	Standard     []bool
	UT           []bool
}

type tzifData64 struct {
	UTFlags      uint32 `layout:"count=UT"`
	WallFlags    uint32 `layout:"count=Standard"`
	LeapCount    uint32 `layout:"count=Leaps"`
	Transitions  uint32 `layout:"count=Times,count=Indexes"`
	TypeCount    uint32 `layout:"count=Types"`
	Letters      uint32 `layout:"count=Designations"`
	Times        []int64
	Indexes      []byte
	Types        []tzifType
	Designations []byte
	Leaps        []tzifLeap64
	Standard     []bool
	UT           []bool
}

type tzifType struct {
	Offset   int32
	Daylight bool
	Name     uint8
}

type (
	tzifLeap32 struct{ Time, Correction int32 }
	tzifLeap64 struct {
		Time       int64
		Correction int32
	}
)

func appendTZif(dst []byte, m *tzifFile) ([]byte, error) {
	if !isMagic(m.Magic, "TZif") || m.Version != 0 && (m.Version < '2' || m.Version > '4') {
		return dst, errConstant
	}
	d := &m.Data32
	if len(d.Indexes) != len(d.Times) || (m.Second != nil) != (m.Version != 0) {
		return dst, errRange
	}
	b := appendTZifHead(dst, m.Version, len(d.UT), len(d.Standard), len(d.Leaps), len(d.Times), len(d.Types), len(d.Designations))
	for _, t := range d.Times {
		b = be.AppendUint32(b, uint32(t))
	}
	b = append(b, d.Indexes...)
	b = appendTZifTypes(b, d.Types)
	b = append(b, d.Designations...)
	for _, l := range d.Leaps {
		b = be.AppendUint32(be.AppendUint32(b, uint32(l.Time)), uint32(l.Correction))
	}
	b = appendBools(appendBools(b, d.Standard), d.UT)
	if m.Second == nil {
		return b, nil
	}
	s := m.Second
	version := s.Version
	if version == 0 {
		version = '2'
	}
	if !isMagic(s.Magic, "TZif") || version < '2' || version > '4' || s.Newline != 0 && s.Newline != '\n' {
		return dst, errConstant
	}
	e := &s.Data64
	if len(e.Indexes) != len(e.Times) || strings.IndexByte(s.Rule, '\n') >= 0 {
		return dst, errRange
	}
	b = appendTZifHead(b, version, len(e.UT), len(e.Standard), len(e.Leaps), len(e.Times), len(e.Types), len(e.Designations))
	for _, t := range e.Times {
		b = be.AppendUint64(b, uint64(t))
	}
	b = append(b, e.Indexes...)
	b = appendTZifTypes(b, e.Types)
	b = append(b, e.Designations...)
	for _, l := range e.Leaps {
		b = be.AppendUint32(be.AppendUint64(b, uint64(l.Time)), uint32(l.Correction))
	}
	b = appendBools(appendBools(b, e.Standard), e.UT)
	b = append(b, '\n')
	b = append(b, s.Rule...)
	return append(b, '\n'), nil
}

const tzifHeadSize = 44

func appendTZifHead(b []byte, version byte, counts ...int) []byte {
	n := len(b)
	b = extend(b, tzifHeadSize)
	h := (*[tzifHeadSize]byte)(b[n:])
	copy(h[:4], "TZif")
	h[4] = version
	clear(h[5:20])
	for i, c := range counts {
		be.PutUint32(h[20+4*i:], uint32(c))
	}
	return b
}

func appendTZifTypes(b []byte, types []tzifType) []byte {
	for i := range types {
		b = append(be.AppendUint32(b, uint32(types[i].Offset)), bit(types[i].Daylight, 0), types[i].Name)
	}
	return b
}

func appendBools(b []byte, list []bool) []byte {
	for _, v := range list {
		b = append(b, bit(v, 0))
	}
	return b
}

func decodeTZif(data []byte, m *tzifFile, alias bool) error {
	version, counts, parts, rest, err := cutTZif(data, 4)
	if err != nil {
		return err
	}
	if version != 0 && (version < '2' || version > '4') {
		return errConstant
	}
	m.Magic, m.Version = [4]byte(data), version
	d := &m.Data32
	d.UTFlags, d.WallFlags, d.LeapCount, d.Transitions, d.TypeCount, d.Letters = counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]
	d.Times = sized(d.Times, int(d.Transitions))
	for i := range d.Times {
		d.Times[i] = int32(be.Uint32(parts[0][4*i:]))
	}
	d.Leaps = sized(d.Leaps, int(d.LeapCount))
	for i := range d.Leaps {
		e := parts[4][8*i : 8*i+8]
		d.Leaps[i] = tzifLeap32{int32(be.Uint32(e)), int32(be.Uint32(e[4:]))}
	}
	d.Indexes, d.Designations = own(parts[1], alias), own(parts[3], alias)
	var ok [3]bool
	d.Types, ok[0] = decodeTZifTypes(d.Types, parts[2])
	d.Standard, ok[1] = decodeBools(d.Standard, parts[5])
	d.UT, ok[2] = decodeBools(d.UT, parts[6])
	if ok != [3]bool{true, true, true} {
		return errRange
	}
	m.Second = nil
	if version == 0 {
		if len(rest) > 0 {
			return errTrailing
		}
		return nil
	}
	m.Second = new(tzifSecond)
	return m.Second.decode(rest, alias)
}

func (s *tzifSecond) decode(data []byte, alias bool) error {
	version, counts, parts, rest, err := cutTZif(data, 8)
	if err != nil {
		return err
	}
	if version < '2' || version > '4' {
		return errConstant
	}
	s.Magic, s.Version, s.Newline = [4]byte(data), version, '\n'
	d := &s.Data64
	d.UTFlags, d.WallFlags, d.LeapCount, d.Transitions, d.TypeCount, d.Letters = counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]
	d.Times = make([]int64, d.Transitions)
	for i := range d.Times {
		d.Times[i] = int64(be.Uint64(parts[0][8*i:]))
	}
	d.Leaps = make([]tzifLeap64, d.LeapCount)
	for i := range d.Leaps {
		e := parts[4][12*i : 12*i+12]
		d.Leaps[i] = tzifLeap64{int64(be.Uint64(e)), int32(be.Uint32(e[8:]))}
	}
	d.Indexes, d.Designations = own(parts[1], alias), own(parts[3], alias)
	var ok [3]bool
	d.Types, ok[0] = decodeTZifTypes(nil, parts[2])
	d.Standard, ok[1] = decodeBools(nil, parts[5])
	d.UT, ok[2] = decodeBools(nil, parts[6])
	if ok != [3]bool{true, true, true} {
		return errRange
	}
	if len(rest) < 2 {
		return errShort
	}
	if rest[0] != '\n' {
		return errConstant
	}
	end := bytes.IndexByte(rest[1:], '\n')
	if end < 0 {
		return errShort
	}
	if len(rest) > end+2 {
		return errTrailing
	}
	s.Rule = string(rest[1 : 1+end])
	return nil
}

// cutTZif returns the counts of a header and the parts of the data that follows it, in their order in the file. The
// times have the given width.
func cutTZif(data []byte, width uint64) (version byte, counts [6]uint32, parts [7][]byte, rest []byte, err error) {
	if len(data) < tzifHeadSize {
		return 0, counts, parts, nil, errShort
	}
	if string(data[:4]) != "TZif" {
		return 0, counts, parts, nil, errConstant
	}
	for i := range counts {
		counts[i] = be.Uint32(data[20+4*i:])
	}
	rest = data[tzifHeadSize:]
	ut, standard, leaps, times, types, letters := counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]
	for i, size := range [7]uint64{
		width * uint64(times), uint64(times), 6 * uint64(types), uint64(letters), (width + 4) * uint64(leaps), uint64(standard), uint64(ut),
	} {
		if size > uint64(len(rest)) {
			return 0, counts, parts, nil, errShort
		}
		parts[i], rest = rest[:size], rest[size:]
	}
	return data[4], counts, parts, rest, nil
}

func decodeTZifTypes(list []tzifType, data []byte) ([]tzifType, bool) {
	list = sized(list, len(data)/6)
	for i := range list {
		e := data[6*i : 6*i+6]
		if e[4] > 1 {
			return list, false
		}
		list[i] = tzifType{int32(be.Uint32(e)), e[4] == 1, e[5]}
	}
	return list, true
}

func decodeBools(list []bool, data []byte) ([]bool, bool) {
	list = sized(list, len(data))
	for i, c := range data {
		if c > 1 {
			return list, false
		}
		list[i] = c == 1
	}
	return list, true
}

func randomTZif(r *rand.Rand) *tzifFile {
	types := []tzifType{{-18000, false, 0}, {-14400, true, 4}, {-17762, false, 8}}[:between(r, 1, 3)]
	m := &tzifFile{Version: '2', Second: &tzifSecond{Version: '2', Rule: []string{"EST5EDT,M3.2.0,M11.1.0", "CET-1CEST,M3.5.0,M10.5.0/3", "JST-9", "<+03>-3"}[r.IntN(4)]}}
	m.Data32.Types, m.Data32.Designations = []tzifType{{}}, []byte{0}
	d := &m.Second.Data64
	d.Types, d.Designations = types, []byte("EST\x00EDT\x00LMT\x00")
	at := int64(-2_717_650_800)
	d.Times = some(r, 0, 180, func() int64 { at += 1 + r.Int64N(30_000_000); return at })
	for range d.Times {
		d.Indexes = append(d.Indexes, byte(r.IntN(len(types))))
	}
	if chance(r, 8) {
		d.Standard, d.UT = make([]bool, len(types)), make([]bool, len(types))
	}
	if chance(r, 8) {
		d.Leaps = []tzifLeap64{{78_796_800, 1}, {94_694_401, 2}}
	}
	return m
}
