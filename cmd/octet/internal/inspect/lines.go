package inspect

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// longestJSON is how much of a payload an object holds, in bytes.
const longestJSON = 1024

// Fields describes the objects of --json to a person.
const Fields = `octet inspect --json writes a JSON object on a line for each value. Fields that
say nothing about a value are absent from its object.

  offset   of the first byte, from the start of the input
  length   of the whole value in bytes; absent where it is not known yet, as of
           a container with thousands of values inside
  header   bytes of it that are the header
  depth    containers around it
  role     top, element, key or value
  index    of the value in the stream, the element in its array, or the pair in
           its map
  path     such as users[2].name; {n} is the key of pair n
  kind     nil, bool, int, float, str, bin, array, map or ext
  format   as the specification names it, such as "str 8"
  count    elements of an array, pairs of a map
  ext      type of an ext
  meaning  of a known ext, such as "timestamp 32"; one that ends in "?" is a guess
  value    of a bool, int, float or str, and of a known ext; a float that JSON
           lacks is a string, a byte that is not UTF-8 is U+FFFD
  hex      bytes of the value, of a container those of the header
  elided   bytes of a long payload that value and hex leave out
  finding  what is wrong with the content

Where the input is malformed, the last line says so:

  offset, path              of the fault
  fault, expected, found    what it is`

// An object is a line of --json. Names and meanings of its fields are part of
// the tool's interface.
type object struct {
	Offset  int64   `json:"offset"`
	Length  *int64  `json:"length,omitempty"`
	Header  uint8   `json:"header"`
	Depth   int     `json:"depth"`
	Role    string  `json:"role"`
	Index   uint64  `json:"index"`
	Path    string  `json:"path"`
	Kind    string  `json:"kind"`
	Format  string  `json:"format"`
	Count   *uint32 `json:"count,omitempty"`
	Ext     *int8   `json:"ext,omitempty"`
	Meaning string  `json:"meaning,omitempty"`
	Value   any     `json:"value,omitempty"`
	Hex     string  `json:"hex"`
	Elided  int64   `json:"elided,omitempty"`
	Finding string  `json:"finding,omitempty"`
}

var roles = [...]string{scan.Top: "top", scan.Element: "element", scan.Key: "key", scan.Value: "value"}

// lines writes nodes as JSON objects, one a line.
type lines struct{ e *json.Encoder }

func newLines(w io.Writer) *lines {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return &lines{e}
}

func (l *lines) show(n *node) error {
	o := object{
		Offset: n.Offset, Header: n.Size, Depth: n.Depth,
		Role: roles[n.Role], Index: n.Index, Path: n.path,
		Kind: n.Format.Kind().String(), Format: n.Format.String(),
		Hex: hex.EncodeToString(n.bytes), Finding: n.finding,
	}
	if n.length >= 0 {
		o.Length = &n.length
	}
	if n.cut {
		o.Finding = "the input ends here"
		return l.e.Encode(o)
	}
	o.Elided = n.elided()
	switch n.Format.Kind() {
	case wire.KindBool:
		o.Value = n.Format == wire.True
	case wire.KindInt:
		o.Value = n.number()
	case wire.KindFloat:
		o.Value = jsonFloat(n.number())
	case wire.KindStr:
		o.Value = string(wholeRunes(n.payload(), n.elided()))
	case wire.KindArray, wire.KindMap:
		o.Count = &n.Count
	case wire.KindExt:
		o.Ext = &n.Ext
		o.Meaning = n.meaning.title()
		if n.meaning.value != "" {
			o.Value = n.meaning.value
		}
	}
	return l.e.Encode(o)
}

// A faultObject is the last line of --json where the input is malformed.
type faultObject struct {
	Offset   int64  `json:"offset"`
	Path     string `json:"path"`
	Fault    string `json:"fault"`
	Expected string `json:"expected"`
	Found    string `json:"found"`
}

func (l *lines) fault(f *scan.Fault) error {
	return l.e.Encode(faultObject{f.Offset, f.Path, f.Reason(), f.Expected, f.Found})
}

// jsonFloat returns a float as encoding/json can write it, a float32 with no
// more digits than it has.
func jsonFloat(v any) any {
	f, ok := v.(float64)
	if !ok {
		f = float64(v.(float32))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return v
}
