package formats

// TZIF is the format of time zones of RFC 9636. The whole file is one message.
func TZIF() Format {
	return Format{"tzif", "TZif time zone: the whole file is one message", func(w *walk) {
		off, ok := w.at(w.be, "time zone", 0, w.size(), new(TZIFFile))
		if ok && off < w.size() {
			w.fail("time zone: it ends at offset %d of %d", off, w.size())
		}
	}}
}

// TZIFFile is a time zone. From version 2 on it has all data twice, and the rule
// for the time after the last transition.
type TZIFFile struct {
	_       struct{} `layout:"be"`
	_       struct{} `layout:"magic=TZif"`
	Version uint8    `layout:"const=0,const=0x32,const=0x33,const=0x34"` // 0 or a digit
	_       struct{} `layout:"skip=15"`
	Data32  TZIFData32
	Second  *TZIFSecond `layout:"if=Version"`
}

// TZIFSecond is what version 2 added.
type TZIFSecond struct {
	_       struct{} `layout:"magic=TZif"`
	Version uint8
	_       struct{} `layout:"skip=15"`
	Data64  TZIFData64
	_       struct{} `layout:"magic=\\x0a"`
	Rule    string   `layout:"until=0x0a"` // in the form of the variable TZ
}

// TZIFCounts is the numbers of elements of the slices of TZIFData32 and TZIFData64.
type TZIFCounts struct {
	UTFlags     uint32 `layout:"count=UT"`
	WallFlags   uint32 `layout:"count=Standard"`
	LeapSeconds uint32 `layout:"count=Leaps"`
	Transitions uint32 `layout:"count=Times,count=Indexes"`
	LocalTypes  uint32 `layout:"count=Types"`
	Letters     uint32 `layout:"count=Designations"`
}

// TZIFData32 has times of 32 bits.
type TZIFData32 struct {
	TZIFCounts
	Times        []int32 // of transitions, in Unix seconds
	Indexes      []uint8 // into Types, for each transition
	Types        []TZIFType
	Designations []byte // strings that end with NULs
	Leaps        []TZIFLeap32
	Standard     []bool // whether the transitions of a type were given in standard time
	UT           []bool // whether they were given in UT
}

// TZIFData64 is the same with times of 64 bits.
type TZIFData64 struct {
	TZIFCounts
	Times        []int64
	Indexes      []uint8
	Types        []TZIFType
	Designations []byte
	Leaps        []TZIFLeap64
	Standard     []bool
	UT           []bool
}

// TZIFType is a local time: seconds east of UT, and its name.
type TZIFType struct {
	Offset   int32
	Daylight bool
	Name     uint8 // index of its first letter in Designations
}

type (
	// TZIFLeap32 is a leap second and the sum of all up to it.
	TZIFLeap32 struct{ Time, Correction int32 }
	// TZIFLeap64 is the same with a time of 64 bits.
	TZIFLeap64 struct {
		Time       int64
		Correction int32
	}
)
