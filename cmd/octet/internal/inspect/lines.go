package inspect

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/output"
	"github.com/octet-go/octet/msgpack/wire"
)

// longestJSON is the maximum number of payload bytes in an object.
const longestJSON = 1024

// Fields is the help text that describes the objects of --json.
const Fields = `octet inspect --json writes one JSON object per line, one for each value. An
object contains only the fields that apply to its value.

  file     name of the file, if there are several
  offset   position of the first byte in the input
  length   number of bytes of the value, header included; absent if unknown, as
           for a container with thousands of values
  header   number of bytes of the header
  depth    number of containers around the value
  role     top, element, key or value
  index    number of the value in the stream, of the element in its array, or of
           the pair in its map; the first is 0
  path     such as users[2].name; {n} is the key of pair n, and ! enters the
           MessagePack in a bin or ext
  kind     nil, bool, int, float, str, bin, array, map or ext
  format   name of the format in the specification, such as "str 8"
  count    number of elements of an array or pairs of a map
  ext      type of an ext
  meaning  name of a known ext, such as "timestamp 32"; a name that ends in "?"
           is a guess
  value    value of a bool, int, float, str or known ext; a float that JSON
           lacks is a string, and a byte that is not UTF-8 becomes U+FFFD
  hex      bytes of the value; for a container, only its header
  elided   number of payload bytes that value and hex do not show
  finding  error in the content

If the input is malformed, the last line describes the error:

  offset, path              position of the error
  fault, expected, found    description of the error`

// An object is one line of --json. The names and meanings of its fields are
// part of the tool's interface.
type object struct {
	File    string  `json:"file,omitempty"`
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

// lines writes each node as a JSON object on its own line.
type lines struct {
	e    *json.Encoder
	file string
}

func newLines(w io.Writer, file string) *lines {
	e := output.JSONLines(w)
	return &lines{e, file}
}

func (l *lines) show(n *node) error {
	o := object{
		File: l.file, Offset: n.Offset, Header: n.Size, Depth: n.Depth,
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

// A faultObject is the last line of --json if the input is malformed.
type faultObject struct {
	File     string `json:"file,omitempty"`
	Offset   int64  `json:"offset"`
	Path     string `json:"path"`
	Fault    string `json:"fault"`
	Expected string `json:"expected"`
	Found    string `json:"found"`
}

func (l *lines) fault(f *scan.Fault) error {
	return l.e.Encode(faultObject{l.file, f.Offset, f.Path, f.Reason(), f.Expected, f.Found})
}

// jsonFloat returns a float in a form that encoding/json can encode. A float32
// stays a float32, so that it gets no extra digits.
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
