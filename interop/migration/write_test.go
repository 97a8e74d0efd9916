package migration

import (
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// writeCases lists the values that every peer encodes.
var writeCases = []writeCase{
	{"nil", "nil", nil},
	{"bool", "true", true},
	{"small int", "int(5)", 5},
	{"int of 200", "int(200)", 200},
	{"int below 0", "int(-200)", -200},
	{"int8", "int8(1)", int8(1)},
	{"int8 below 0", "int8(-1)", int8(-1)},
	{"int16", "int16(1)", int16(1)},
	{"int32", "int32(1)", int32(1)},
	{"int64", "int64(1)", int64(1)},
	{"large int64", "int64(1<<40)", int64(1 << 40)},
	{"uint", "uint(1)", uint(1)},
	{"uint8", "uint8(1)", uint8(1)},
	{"uint16", "uint16(1)", uint16(1)},
	{"uint32", "uint32(1)", uint32(1)},
	{"uint64", "uint64(1)", uint64(1)},
	{"named integer", "myInt(200), an int16", myInt(200)},
	{"duration", "time.Second", time.Second},
	{"ints", "[]int64{1, 300}", []int64{1, 300}},
	{"float64", "1.5", 1.5},
	{"float32", "float32(1.5)", float32(1.5)},
	{"complex128", "complex(1, 2)", complex(1, 2)},
	{"string", `"abc"`, "abc"},
	{"long string", `strings.Repeat("x", 40)`, strings.Repeat("x", 40)},
	{"string that is not UTF-8", `"\xff"`, "\xff"},
	{"bytes", "[]byte{1, 2}", []byte{1, 2}},
	{"byte array", "[2]byte{1, 2}", [2]byte{1, 2}},
	{"named bytes", "[]myByte{1, 2}", []myByte{1, 2}},
	{"nil bytes", "[]byte(nil)", []byte(nil)},
	{"empty bytes", "[]byte{}", []byte{}},
	{"nil slice", "[]int(nil)", []int(nil)},
	{"empty slice", "[]int{}", []int{}},
	{"nil map", "map[string]int(nil)", map[string]int(nil)},
	{"empty map", "map[string]int{}", map[string]int{}},
	{"array", "[2]int{1, 2}", [2]int{1, 2}},
	{"array of one map", "[1]map[int]int{{1: 2}}", [1]map[int]int{{1: 2}}},
	{"map by string", `map[string]int{"a": 1}`, map[string]int{"a": 1}},
	{"map by int", "map[int]int{1: 2}", map[int]int{1: 2}},
	{"map by bool", "map[bool]int{true: 2}", map[bool]int{true: 2}},
	{"map by array", "map[[1]int]int{{1}: 2}", map[[1]int]int{{1}: 2}},
	{"map by any", "map[any]any{1: nil}", map[any]any{1: nil}},
	{"pointer", "new(5)", new(5)},
	{"nil pointer", "(*int)(nil)", (*int)(nil)},
	{"struct", "point{1, 2}", point{1, 2}},
	{"json tag", "struct{A int `json:\"a\"`}{1}", jsonTagged{1}},
	{"interface field", "holder{uint8(1)}", holder{uint8(1)}},
	{"non-ASCII field", "struct{Élan int}{1}", accented{1}},
	{"embedded struct", `struct{Base; Name string}{Base{1}, "n"}`, embedder{Base{1}, "n"}},
	{"embedded pointer", `struct{*Base; Name string}{&Base{1}, "n"}`, pointerEmbedder{&Base{1}, "n"}},
	{"embedded nil pointer", `struct{*Base; Name string}{nil, "n"}`, pointerEmbedder{nil, "n"}},
	{"shadowed field", `struct{Base; ID string}{Base{1}, "i"}`, shadower{Base{1}, "i"}},
	{"field left out", "struct{A int `msgpack:\"-\"`; B int}{1, 2}", dashed{1, 2}},
	{"omitempty of zero values", "all fields zero", emptyFields{}},
	{"omitempty of an empty slice", "S: []int{}", emptyFields{S: []int{}, M: map[string]int{}}},
	{"struct without exported fields", "struct{x int}{1}", private{1}},
	{"time of whole seconds", "time.Unix(1, 0)", time.Unix(1, 0)},
	{"time with nanoseconds", "time.Unix(1, 5)", time.Unix(1, 5)},
	{"late time", "time.Unix(1<<34, 0)", time.Unix(1<<34, 0)},
	{"zero time", "time.Time{}", time.Time{}},
	{"text marshaler", "celsius(5)", celsius(5)},
	{"binary marshaler", "octave(5)", octave(5)},
	{"binary and text marshaler", "scale(5)", scale(5)},
	{"net.IP", "net.IPv4(1, 2, 3, 4).To4()", net.IPv4(1, 2, 3, 4).To4()},
	{"netip.Addr", `netip.MustParseAddr("1.2.3.4")`, netip.MustParseAddr("1.2.3.4")},
	{"url.URL", `&url.URL{Host: "h"}`, &url.URL{Host: "h"}},
	{"big.Int", "big.NewInt(5)", big.NewInt(5)},
	{"uintptr", "uintptr(1)", uintptr(1)},
	{"func", "func() {}", func() {}},
	{"channel", "make(chan int)", make(chan int)},
}

// vmihailencoCases lists values with tags and methods that only vmihailenco
// supports.
var vmihailencoCases = []writeCase{
	{"inline option", "struct{B Base `msgpack:\",inline\"`}{Base{1}}", inlined{Base{1}}},
	{"noinline option", "struct{Base `msgpack:\",noinline\"`}{Base{1}}", notInlined{Base{1}}},
	{"alias option", "struct{A int `msgpack:\"a,alias:b\"`}{1}", aliased{1}},
	{"intern option", "struct{S string `msgpack:\"s,intern\"`}{\"abc\"}", interned{"abc"}},
	{"as_array on _msgpack", "struct{_msgpack struct{} `msgpack:\",as_array\"`; A int; B string}{A: 1, B: \"b\"}", foreignArrayForm{A: 1, B: "b"}},
	{"MarshalMsgpack", "a type whose method returns `a4 73 65 6c 66`", selfMarshal{1}},
	{"EncodeMsgpack", "a type whose method calls `EncodeString(\"self\")`", &selfEncoder{1}},
	{"registered ext", "a type registered as ext 6, whose MarshalMsgpack returns `01`", &foreignExt{1}},
}

// ugorjiCases lists values with tags and methods that only ugorji supports.
var ugorjiCases = []writeCase{
	{"codec tag", "struct{A int `codec:\"a\"`}{1}", codecTagged{1}},
	{"CodecEncodeSelf", "a type whose method encodes \"self\"", &selfer{1}},
}
