package query

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/itchyny/gojq"

	"github.com/octet-go/octet/cmd/octet/internal/lost"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// errNumber is returned for an integer that MessagePack cannot hold.
var errNumber = errors.New("an integer of the result does not fit 64 bits")

// An encoder turns the results of a program into MessagePack.
type encoder struct {
	d        *decoder
	sorted   bool              // sort the keys of all maps
	forJSON  bool              // the result is converted to JSON: as in jq, 3.0 becomes 3
	changed  transcode.Changed // values of the results that lost their type
	replaced int64             // strings of the results in which U+FFFD replaced invalid UTF-8
}

// encode appends v as MessagePack.
func (e *encoder) encode(dst []byte, v any, depth int) ([]byte, error) {
	if s, ok := e.unchanged(v); ok {
		return append(dst, s.data...), nil
	}
	if depth > wire.MaxDepth {
		return dst, fmt.Errorf("a result is nested more than %d levels deep", wire.MaxDepth)
	}
	switch v := v.(type) {
	case nil:
		return wire.AppendNil(dst), nil
	case bool:
		return wire.AppendBool(dst, v), nil
	case int:
		return wire.AppendInt(dst, int64(v)), nil
	case *big.Int:
		switch {
		case v.IsInt64():
			return wire.AppendInt(dst, v.Int64()), nil
		case v.IsUint64():
			return wire.AppendUint(dst, v.Uint64()), nil
		}
		return dst, errNumber
	case float64:
		return e.float(dst, v), nil
	case json.Number: // of fromjson
		return e.encode(dst, numbers(v), depth)
	case string:
		return wire.AppendString(dst, e.text(v)), nil
	case []any:
		dst = wire.AppendArrayHeader(dst, uint32(len(v)))
		for _, x := range v {
			var err error
			if dst, err = e.encode(dst, x, depth+1); err != nil {
				return dst, err
			}
		}
		return dst, nil
	case map[string]any:
		return e.object(dst, v, depth)
	}
	return dst, fmt.Errorf("a result has the type %T", v)
}

// unchanged returns the encoded form of an array or map that the program has not made.
func (e *encoder) unchanged(v any) (source, bool) {
	o, ok := originOf(v)
	if !ok {
		return source{}, false
	}
	s, ok := e.d.source(o)
	if ok && e.forJSON && !e.d.o.Reversible {
		lost.Count(&e.changed, s.data)
	}
	return s, ok
}

// text returns a string of a result. JSON cannot hold invalid UTF-8, which a program can
// make.
func (e *encoder) text(s string) string {
	e.changed.Add(e.d.became(s))
	if e.forJSON && !utf8.ValidString(s) {
		e.replaced++
		return strings.ToValidUTF8(s, "\ufffd")
	}
	return s
}

func (e *encoder) object(dst []byte, m map[string]any, depth int) ([]byte, error) {
	names := slices.Sorted(maps.Keys(m))
	// In the reversible form, a key that begins with $ makes an escape object.
	if e.d.o.Reversible && slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "$") }) {
		text, err := gojq.Marshal(m)
		if err != nil {
			return dst, err
		}
		return transcode.AppendMsgpack(dst, text, &e.d.o)
	}
	dst = wire.AppendMapHeader(dst, uint32(len(m)))
	for _, name := range names {
		dst = wire.AppendString(dst, e.text(name))
		var err error
		if dst, err = e.encode(dst, m[name], depth+1); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// maxExact is the largest number below which float64 can represent every integer.
const maxExact = 1 << 53

func (e *encoder) float(dst []byte, f float64) []byte {
	switch {
	case !e.forJSON:
		return wire.AppendFloat64(dst, f)
	case f == math.Trunc(f) && math.Abs(f) < maxExact && (f != 0 || !math.Signbit(f)):
		return wire.AppendInt(dst, int64(f))
	}
	return wire.AppendFloat64(dst, f)
}

// appendJSON appends v as JSON without a newline. data is scratch memory. The error for
// a value that JSON cannot hold is a [*transcode.Error].
func (e *encoder) appendJSON(dst []byte, v any, indent string, data []byte) (text, scratch []byte, err error) {
	changed, replaced := e.changed, e.replaced
	data, err = e.encode(data[:0], v, 0)
	if err == nil {
		o := e.d.o
		o.Indent = indent
		data = e.sort(data)
		text, err = transcode.AppendJSON(dst, data, &o)
	}
	if err != errNumber && !errors.Is(err, transcode.ErrDuplicateKey) {
		return text, data, err
	}
	// JSON can hold what MessagePack cannot: larger integers, and keys that become
	// equal when invalid UTF-8 in them is replaced.
	e.changed, e.replaced = changed, replaced
	line, err := e.appendParts(nil, v)
	if err != nil || indent == "" {
		return append(dst, line...), data, err
	}
	var b bytes.Buffer
	err = json.Indent(&b, line, "", indent)
	return append(dst, b.Bytes()...), data, err
}

// appendParts appends v as JSON. It converts each part that MessagePack can hold on its
// own. v is not nested too deep, because encode has accepted it.
func (e *encoder) appendParts(dst []byte, v any) (_ []byte, err error) {
	if s, ok := e.unchanged(v); ok {
		return transcode.AppendJSON(dst, e.sort(s.data), &e.d.o)
	}
	switch v := v.(type) {
	case *big.Int:
		return v.Append(dst, 10), nil
	case json.Number:
		return e.appendParts(dst, numbers(v))
	case []any:
		dst = append(dst, '[')
		for i, x := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = e.appendParts(dst, x); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case map[string]any:
		dst = append(dst, '{')
		for i, name := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = e.appendParts(dst, name); err != nil {
				return dst, err
			}
			if dst, err = e.appendParts(append(dst, ':'), v[name]); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	}
	data, err := e.encode(nil, v, 0)
	if err != nil {
		return dst, err
	}
	return transcode.AppendJSON(dst, data, &e.d.o)
}
