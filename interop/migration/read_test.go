package migration

import (
	"time"
)

func fresh[T any]() any { return new(T) }

// holding returns a function that returns a pointer to a variable with the
// value v.
func holding[T any](v T) func() any {
	return func() any { w := v; return &w }
}

// readCases lists the messages that every peer decodes.
var readCases = []readCase{
	{"fixint into any", "05", "any", fresh[any]},
	{"negative fixint into any", "ff", "any", fresh[any]},
	{"uint 8 into any", "cc c8", "any", fresh[any]},
	{"int 64 into any", "d3 00 00 00 00 00 00 00 05", "any", fresh[any]},
	{"greatest uint 64 into any", "cf ff ff ff ff ff ff ff ff", "any", fresh[any]},
	{"float 32 into any", "ca 3f c0 00 00", "any", fresh[any]},
	{"float 64 into any", "cb 3f f8 00 00 00 00 00 00", "any", fresh[any]},
	{"str into any", "a1 61", "any", fresh[any]},
	{"bin into any", "c4 01 61", "any", fresh[any]},
	{"array into any", "92 c3 a1 61", "any", fresh[any]},
	{"map into any", "81 a1 61 c3", "any", fresh[any]},
	{"map by int into any", "81 05 c3", "any", fresh[any]},
	{"map by bin into any", "81 c4 01 61 c3", "any", fresh[any]},
	{"map by nil into any", "81 c0 c3", "any", fresh[any]},
	{"map by array into any", "81 91 05 c3", "any", fresh[any]},
	{"equal keys into any", "82 a1 61 91 05 a1 61 80", "any", fresh[any]},
	{"unknown ext into any", "d4 05 61", "any", fresh[any]},
	{"timestamp into any", "d6 ff 00 00 00 01", "any", fresh[any]},
	{"into any that holds a value", "a1 61", "any(5)", func() any { v := any(5); return &v }},
	{"nil into any that holds a value", "c0", "any(5)", func() any { v := any(5); return &v }},

	{"int above uint8", "cd 01 00", "uint8", fresh[uint8]},
	{"int below 0 into uint64", "ff", "uint64", fresh[uint64]},
	{"int above int64", "cf ff ff ff ff ff ff ff ff", "int64", fresh[int64]},
	{"float with a fraction into int", "cb 3f f8 00 00 00 00 00 00", "int", fresh[int]},
	{"integral float into int", "cb 40 00 00 00 00 00 00 00", "int", fresh[int]},
	{"int into float64", "05", "float64", fresh[float64]},
	{"large int into float64", "cf 00 20 00 00 00 00 00 01", "float64", fresh[float64]},
	{"float 64 into float32", "cb 3f f8 00 00 00 00 00 00", "float32", fresh[float32]},
	{"int into bool", "01", "bool", fresh[bool]},
	{"bool into int", "c3", "int", fresh[int]},
	{"str into int", "a1 35", "int", fresh[int]},
	{"str into bytes", "a1 61", "[]byte", fresh[[]byte]},
	{"bin into bytes", "c4 01 61", "[]byte", fresh[[]byte]},
	{"ints into bytes", "91 61", "[]byte", fresh[[]byte]},
	{"bin into string", "c4 01 61", "string", fresh[string]},
	{"str that is not UTF-8", "a1 ff", "string", fresh[string]},
	{"str into []int", "a1 61", "[]int", fresh[[]int]},
	{"str into [2]int", "a2 61 62", "[2]int", fresh[[2]int]},
	{"map into []int", "81 01 02", "[]int", fresh[[]int]},

	{"nil into int", "c0", "int(7)", holding(7)},
	{"nil into slice", "c0", "[]int{7}", holding([]int{7})},
	{"nil into map", "c0", `map[string]int{"k": 7}`, func() any { v := map[string]int{"k": 7}; return &v }},
	{"nil into pointer", "c0", "new(7)", func() any { v := new(7); return &v }},
	{"nil into struct", "c0", "point{7, 7}", holding(point{7, 7})},
	{"shorter array", "91 05", "[2]int{7, 7}", holding([2]int{7, 7})},
	{"longer array", "93 05 06 07", "[2]int", fresh[[2]int]},
	{"into a map that holds a value", "81 a1 61 05", `map[string]int{"k": 7}`, func() any { v := map[string]int{"k": 7}; return &v }},
	{"nil into strings that were there", "c0", `[]string{"a"}`, func() any { v := []string{"a"}; return &v }},
	{"into elements that were there", "91 81 a1 58 05", "[]point{{7, 7}}", func() any { v := []point{{7, 7}}; return &v }},

	{"field", "81 a1 58 05", "point{7, 7}", holding(point{7, 7})},
	{"unknown field", "82 a1 5a 91 05 a1 58 05", "point", fresh[point]},
	{"field in another case", "81 a1 78 05", "point", fresh[point]},
	{"field by bin", "81 c4 01 58 05", "point", fresh[point]},
	{"field by int", "81 05 05", "point", fresh[point]},
	{"equal fields", "82 a1 58 05 a1 58 06", "point", fresh[point]},
	{"equal keys", "82 a1 58 05 a1 58 06", "map[string]int", fresh[map[string]int]},
	{"array into struct", "92 05 06", "point", fresh[point]},
	{"shorter array into struct", "91 05", "point{7, 7}", holding(point{7, 7})},
	{"longer array into struct", "93 05 06 07", "point", fresh[point]},

	{"timestamp", "d6 ff 00 00 00 01", "time.Time", fresh[time.Time]},
	{"too many nanoseconds", "d7 ff ff ff ff fc 00 00 00 01", "time.Time", fresh[time.Time]},
	{"array into time", "92 01 02", "time.Time", fresh[time.Time]},
	{"text into time", "b4 31 39 37 30 2d 30 31 2d 30 31 54 30 30 3a 30 30 3a 30 31 5a", "time.Time", fresh[time.Time]},
	{"int into time", "05", "time.Time", fresh[time.Time]},
	{"str into text unmarshaler", "a1 35", "celsius", fresh[celsius]},
	{"bin into text unmarshaler", "c4 01 35", "celsius", fresh[celsius]},
	{"int into text unmarshaler", "05", "celsius", fresh[celsius]},

	{"trailing bytes", "05 06", "int", fresh[int]},
	{"empty input", "", "int", fresh[int]},
	{"reserved byte", "c1", "any", fresh[any]},
	{"half a message", "92 05", "[]int", fresh[[]int]},
	{"half a str", "a3 61", "string", fresh[string]},
	{"half an ext", "c7", "any", fresh[any]},
}
