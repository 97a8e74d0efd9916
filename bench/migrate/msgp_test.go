package migrate

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/tinylib/msgp/msgp"
)

// msgpMarshal calls what msgp generated for the type that v points to.
func msgpMarshal(v any) ([]byte, error) { return v.(msgp.Marshaler).MarshalMsg(nil) }

func msgpUnmarshal(data []byte, v any) error {
	_, err := v.(msgp.Unmarshaler).UnmarshalMsg(data)
	return err
}

// timeExt makes times the ext that generated code writes without newtime.
var timeExt = msgpack.ExtType(5, func(dst []byte, t time.Time) ([]byte, error) {
	dst = binary.BigEndian.AppendUint64(dst, uint64(t.Unix()))
	return binary.BigEndian.AppendUint32(dst, uint32(t.Nanosecond())), nil
}, func(data []byte) (time.Time, error) {
	if len(data) != 12 {
		return time.Time{}, errors.New("not 12 bytes")
	}
	return time.Unix(int64(binary.BigEndian.Uint64(data)), int64(binary.BigEndian.Uint32(data[8:]))), nil
})

var msgpTwins = []twin{
	{"Types: ExtType(5, …)", msgpack.Config{Types: []msgpack.TypeCoder{timeExt}}, []string{"time of whole seconds", "zero time", "time in ext 5"}},
	{`TagKeys: []string{"msg", "msgpack"}`, msgpack.Config{TagKeys: []string{"msg", "msgpack"}}, []string{"msg tag"}},
	{"Types: ExtType(4, …)", msgpack.Config{Types: []msgpack.TypeCoder{complexExt(4)}}, []string{"complex128"}},
	{"NilSliceAsEmpty: true", msgpack.Config{NilSliceAsEmpty: true}, []string{"nil slice", "nil bytes"}},
	{"NilMapAsEmpty: true", msgpack.Config{NilMapAsEmpty: true}, []string{"nil map"}},
	{"StructAsArray: true", msgpack.Config{StructAsArray: true}, []string{"tuple"}},
	{"ExactArrays: true", msgpack.Config{ExactArrays: true}, []string{"shorter array into tuple", "longer array into tuple"}},
	{"OmitZero: true", msgpack.Config{OmitZero: true}, []string{"omitempty of zero values"}},
	{"AllowTrailing: true", msgpack.Config{AllowTrailing: true}, []string{"trailing bytes"}},
	{"Zone: time.Local", msgpack.Config{Zone: time.FixedZone("local", 3600)}, []string{"timestamp"}},
	{"RejectUnknown: true", msgpack.Config{RejectUnknown: true}, []string{"field by int"}},
}

var msgpWriteCases = []writeCase{
	{"small integers", "1 in all widths", &generatedNumbers{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
	{"int64 of 200", "int64(200)", &generatedInt64{200}},
	{"int64 of 70000", "int64(70000)", &generatedInt64{70000}},
	{"int64 below 0", "int64(-200)", &generatedInt64{-200}},
	{"uint of 200", "uint(200)", &generatedUint{200}},
	{"float64", "1.5", &generatedFloat{1.5}},
	{"float32", "float32(1.5)", &generatedFloat32{1.5}},
	{"complex128", "complex(1, 2)", &generatedComplex{complex(1, 2)}},
	{"string", `"abc"`, &generatedString{"abc"}},
	{"bytes", "[]byte{1, 2}", &generatedBytes{[]byte{1, 2}}},
	{"byte array", "[2]byte{1, 2}", &generatedOctets{[2]byte{1, 2}}},
	{"nil bytes", "[]byte(nil)", &generatedBytes{}},
	{"nil slice", "[]int(nil)", &generatedInts{}},
	{"empty slice", "[]int{}", &generatedInts{[]int{}}},
	{"nil slice with allownil", "[]int(nil)", &generatedAllow{}},
	{"nil map", "map[string]int(nil)", &generatedMap{}},
	{"empty map", "map[string]int{}", &generatedMap{map[string]int{}}},
	{"array", "[2]int{1, 2}", &generatedPair{[2]int{1, 2}}},
	{"map", `map[string]int{"a": 1}`, &generatedMap{map[string]int{"a": 1}}},
	{"nil pointer", "(*int)(nil)", &generatedPointer{}},
	{"pointer", "new(5)", &generatedPointer{new(5)}},
	{"nil in an interface", "any(nil)", &generatedAny{}},
	{"uint8 in an interface", "any(uint8(200))", &generatedAny{uint8(200)}},
	{"struct in an interface", "any(point{1, 2})", &generatedAny{point{1, 2}}},
	{"struct", "point{1, 2}", &generatedPoint{1, 2}},
	{"tuple", `tuple{1, "b"}`, &generatedTuple{1, "b"}},
	{"msg tag", "struct{A int `msg:\"m\" msgpack:\"a\"`}{1}", &generatedTagged{1}},
	{"msgpack tag", "struct{A int `msgpack:\"a\"`}{1}", &generatedFallback{1}},
	{"embedded struct", `struct{GeneratedBase; Name string}{GeneratedBase{1}, "n"}`, &generatedEmbedder{GeneratedBase{1}, "n"}},
	{"embedded struct with flatten", `struct{GeneratedBase; Name string}{GeneratedBase{1}, "n"}`, &generatedFlat{GeneratedBase{1}, "n"}},
	{"omitempty of zero values", "all fields zero", &generatedOptional{}},
	{"omitempty of an empty slice", "S: []int{}", &generatedOptional{S: []int{}, M: map[string]int{}}},
	{"time of whole seconds", "time.Unix(1, 0)", &generatedTime{time.Unix(1, 0)}},
	{"zero time", "time.Time{}", &generatedTime{}},
	{"time of whole seconds with newtime", "time.Unix(1, 0)", &generatedNewTime{time.Unix(1, 0)}},
	{"time with nanoseconds with newtime", "time.Unix(1, 5)", &generatedNewTime{time.Unix(1, 5)}},
	{"late time with newtime", "time.Unix(1<<34, 0)", &generatedNewTime{time.Unix(1<<34, 0)}},
}

var msgpReadCases = []readCase{
	{"fixint into any", "81 a1 56 05", "any", fresh[generatedAny]},
	{"uint 8 into any", "81 a1 56 cc c8", "any", fresh[generatedAny]},
	{"int 64 into any", "81 a1 56 d3 00 00 00 00 00 00 00 05", "any", fresh[generatedAny]},
	{"float 32 into any", "81 a1 56 ca 3f c0 00 00", "any", fresh[generatedAny]},
	{"str into any", "81 a1 56 a1 61", "any", fresh[generatedAny]},
	{"bin into any", "81 a1 56 c4 01 61", "any", fresh[generatedAny]},
	{"array into any", "81 a1 56 92 c3 a1 61", "any", fresh[generatedAny]},
	{"map into any", "81 a1 56 81 a1 61 c3", "any", fresh[generatedAny]},
	{"map by int into any", "81 a1 56 81 05 c3", "any", fresh[generatedAny]},
	{"unknown ext into any", "81 a1 56 d4 05 61", "any", fresh[generatedAny]},
	{"timestamp into any", "81 a1 56 d6 ff 00 00 00 01", "any", fresh[generatedAny]},

	{"int above uint8", "81 a1 56 cd 01 00", "uint8", fresh[generatedUint8]},
	{"int below 0 into uint", "81 a1 56 ff", "uint", fresh[generatedUint]},
	{"int above int64", "81 a1 56 cf ff ff ff ff ff ff ff ff", "int64", fresh[generatedInt64]},
	{"integral float into int64", "81 a1 56 cb 40 00 00 00 00 00 00 00", "int64", fresh[generatedInt64]},
	{"int into float64", "81 a1 56 05", "float64", fresh[generatedFloat]},
	{"float 64 into float32", "81 a1 56 cb 3f f8 00 00 00 00 00 00", "float32", fresh[generatedFloat32]},
	{"str into bytes", "81 a1 56 a1 61", "[]byte", fresh[generatedBytes]},
	{"bin into string", "81 a1 56 c4 01 61", "string", fresh[generatedString]},
	{"str that is not UTF-8", "81 a1 56 a1 ff", "string", fresh[generatedString]},
	{"short bin into array", "81 a1 56 c4 01 61", "[2]byte", fresh[generatedOctets]},
	{"bin array cut short", "81 a1 56 c4 02 61", "[2]byte", fresh[generatedOctets]},

	{"empty array", "81 a1 56 90", "[]int", fresh[generatedInts]},
	{"nil into int64", "81 a1 56 c0", "int64(7)", holding(generatedInt64{7})},
	{"nil into slice", "81 a1 56 c0", "[]int{7}", holding(generatedInts{[]int{7}})},
	{"nil into map", "81 a1 56 c0", `map[string]int{"k": 7}`, func() any { return &generatedMap{map[string]int{"k": 7}} }},
	{"nil into pointer", "81 a1 56 c0", "new(7)", func() any { return &generatedPointer{new(7)} }},
	{"nil for a whole struct", "c0", "point{7, 7}", holding(generatedPoint{7, 7})},
	{"shorter array", "81 a1 56 91 05", "[2]int", fresh[generatedPair]},
	{"into a map that holds a value", "81 a1 56 81 a1 61 05", `map[string]int{"k": 7}`, func() any { return &generatedMap{map[string]int{"k": 7}} }},
	{"into elements that were there", "81 a1 56 91 81 a1 58 05", "[]point{{7, 7}}", func() any { return &generatedPoints{[]generatedPoint{{7, 7}}} }},

	{"unknown field", "82 a1 5a 91 05 a1 58 05", "point", fresh[generatedPoint]},
	{"field in another case", "81 a1 78 05", "point", fresh[generatedPoint]},
	{"field by bin", "81 c4 01 58 05", "point", fresh[generatedPoint]},
	{"field by int", "81 05 05", "point", fresh[generatedPoint]},
	{"equal fields", "82 a1 58 05 a1 58 06", "point", fresh[generatedPoint]},
	{"array into struct", "92 05 06", "point", fresh[generatedPoint]},
	{"map into tuple", "82 a1 41 05 a1 42 a1 61", "tuple", fresh[generatedTuple]},
	{"shorter array into tuple", "91 05", "tuple", fresh[generatedTuple]},
	{"longer array into tuple", "93 05 a1 61 c0", "tuple", fresh[generatedTuple]},

	{"timestamp", "81 a1 56 d6 ff 00 00 00 01", "time.Time", fresh[generatedTime]},
	{"too many nanoseconds", "81 a1 56 d7 ff ff ff ff fc 00 00 00 01", "time.Time", fresh[generatedTime]},
	{"time in ext 5", "81 a1 56 c7 0c 05 00 00 00 00 00 00 00 01 00 00 00 00", "time.Time", fresh[generatedTime]},
	{"trailing bytes", "82 a1 58 05 a1 59 06 07", "point", fresh[generatedPoint]},
	{"half a message", "82 a1 58 05", "point", fresh[generatedPoint]},
	{"reserved byte", "81 a1 56 c1", "any", fresh[generatedAny]},
}
