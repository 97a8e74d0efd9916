// Package lint finds errors and unnecessary bytes in well-formed values: formats that
// are longer than necessary, duplicate keys, text that is not UTF-8, malformed
// timestamps, and keys that are not in canonical order. Maps that are inside a key
// are not checked for duplicate keys and order.
//
// The time is linear in the input. Memory is constant, except for the hashes of
// the keys of open maps: up to 64 bytes each, for at most [MaxKeys] keys.
package lint

// A Rule is a kind of finding. Its text is part of the tool's interface.
type Rule string

// The rules.
const (
	Shortest  Rule = "shortest"  // a format that is longer than necessary
	Duplicate Rule = "duplicate" // a key that the map already has
	UTF8      Rule = "utf8"      // a str that is not valid UTF-8
	Timestamp Rule = "timestamp" // an ext of type -1 that is not a timestamp
	Trailing  Rule = "trailing"  // data after the only value that is expected
	Order     Rule = "order"     // keys that are not in canonical order
	Canonical Rule = "canonical" // a format that is as short as the canonical one, but another
	Number    Rule = "number"    // a JSON number that MessagePack cannot hold
	Malformed Rule = "malformed" // not a value
)

// Rules lists the rules that can be ignored.
var Rules = []string{string(Shortest), string(Duplicate), string(UTF8), string(Timestamp), string(Trailing), string(Order), string(Canonical), string(Number)}

// A Finding is one finding with its place.
type Finding struct {
	Offset  int64  // in the input, in bytes
	Line    int64  // of it in JSON, counted from 1; 0 in MessagePack
	Column  int64  // the same, in characters
	Value   int64  // number of the top-level value, from 0
	Path    string // in that value
	Rule    Rule
	Message string
}

// Options select rules.
type Options struct {
	Canonical bool // check the rules Order and Canonical
	Single    bool // the input must be one value: check the rule Trailing
	Ignore    map[Rule]bool
}

// MaxKeys is the maximum number of keys of open maps that are compared. Further
// keys are counted as unchecked.
const MaxKeys = 1 << 20

// A Summary counts what was checked.
type Summary struct {
	Values    int64 // complete top-level values
	Unchecked int64 // keys that were not compared because maps have too many
}
