package cases

import "path"

// aboutOf returns a short description of the value of a contest, for tables and charts.
func aboutOf(shape string) string {
	if text, ok := abouts[shape]; ok {
		return text
	}
	return abouts[path.Dir(shape)]
}

// abouts maps a shape, or the part of its name that distinguishes it within its family, to its description.
var abouts = map[string]string{
	"struct/report":   "nine fields: numbers, text, slice, map, struct",
	"struct/account":  "six fields, flat: three numbers, two strings, a bool",
	"struct/event":    "two strings, time, int, bool, float64; many values",
	"struct/reading":  "six fields, flat: one short string; many values",
	"struct/optional": "pointers, slice, map and struct; many values",
	"struct/customer": "a user with an address, roles and five items",
	"struct/metric":   "maps and slices inside each other",
	"array/report":    "the values of struct/report without their names",

	"single/int64":  "one integer; many values",
	"single/string": "one of 4 to 15 bytes; many values",
	"single/map":    "map[string]string of one entry; many values",
	"single/counts": "map[string]int of one entry; many values",

	"foreign/reversed": "struct/reading, last key first",
	"foreign/sorted":   "struct/reading, keys sorted",
	"foreign/random":   "struct/reading, keys in random order",
	"foreign/unknown":  "struct/reading with three unknown keys",
	"foreign/long":     "struct/reading with a string of 60 bytes",
	"foreign/float32":  "struct/reading, its float64 as float32",
	"foreign/integer":  "struct/reading, its float64 as integer",

	"slice/accounts":   "1,000 of struct/account",
	"slice/ints":       "10,000 of up to 31 bits, a quarter negative",
	"slice/int64s":     "10,000 of up to 63 bits, a quarter negative",
	"slice/floats":     "10,000 float64 with all their digits",
	"map/accounts":     "1,000 of struct/account, string keys",
	"map/measurements": "1,000 float64, int64 keys",

	"document/canada_geometry": "a polygon, nearly all of it numbers",
	"document/citm_catalog":    "maps with number keys, and integers",
	"document/golang_source":   "a deep tree of files",
	"document/string_escaped":  "text in many scripts",
	"document/string_unicode":  "text in many scripts",
	"document/synthea_fhir":    "a medical record",
	"document/twitter_status":  "wide maps of short strings",
	"typed":                    "the document as structs",

	"reading": "struct/reading, one after another",
	"stream":  "struct/reading, a call for each key and field",
	"slice":   "struct/reading, a call for each key and field",

	"readings": "files of struct/reading",
	"articles": "files of documents of 1 kB",

	"quote":  "64 bytes, eight numbers of 64 bits",
	"packet": "64 bytes, eight fields of different kinds",
	"number": "a uint32, passed by value and by pointer",
	"quotes": "a slice of quote",
	"apns":   "frame: token, payload and three numbers",

	"notification": "command 2: token of 32 bytes, payload of 23, three numbers",
	"fixed":        "fixed/quote: 64 bytes, eight numbers of 64 bits",
	"bits":         "an IPv4 header: 20 bytes, seven bit fields",

	"bytes": "uint64, big-endian, memory to memory",
	"file":  "uint64, big-endian, the same file repeatedly",

	"once":         "n bytes with one Write",
	"pieces":       "n bytes, eight per Write",
	"chain/small":  "three integers",
	"chain/medium": "eleven values, two of them slices of bytes",
	"chain/long":   "chain/medium, a hundred times",

	"structs":     "a slice of small structs",
	"counts":      "a map[string]int",
	"int64s":      "integers of up to 63 bits",
	"string":      "words of ASCII",
	"float32s":    "numbers with all their digits",
	"float64s":    "numbers with all their digits",
	"labels":      "a map[string]string",
	"names":       "a map[int]string",
	"alternating": "as structs, between slices of one element",
	"untyped":     "as any: lists of maps",
	"profile":     "twelve fields, Marshal and Unmarshal",

	"goroutines": "1,000 of struct/account in each goroutine",
}
