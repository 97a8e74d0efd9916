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

	"github.com/itchyny/gojq"

	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// errNumber is returned for an integer that MessagePack cannot hold.
var errNumber = errors.New("an integer of the result does not fit 64 bits")

// An encoder turns the results of a program into MessagePack.
type encoder struct {
	d       *decoder
	forJSON bool  // the result is converted to JSON: as in jq, 3.0 becomes 3 and NaN becomes null
	made    int64 // number of values that are not unchanged parts of the input
}

// encode appends v as MessagePack.
func (e *encoder) encode(dst []byte, v any, depth int) ([]byte, error) {
	// An unchanged array or map is copied, unless it may contain a NaN that must
	// become null.
	if o, ok := originOf(v); ok && !(e.forJSON && e.d.nan) {
		if s, ok := e.d.origins[o]; ok {
			return append(dst, s.data...), nil
		}
	}
	if depth > wire.MaxDepth {
		return dst, fmt.Errorf("a result is nested more than %d levels deep", wire.MaxDepth)
	}
	e.made++
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
	case string:
		if e.forJSON {
			v = strings.ToValidUTF8(v, "\ufffd")
		}
		return wire.AppendString(dst, v), nil
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
		key := name
		if e.forJSON {
			key = strings.ToValidUTF8(name, "\ufffd")
		}
		dst = wire.AppendString(dst, key)
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
	case math.IsNaN(f):
		return wire.AppendNil(dst)
	case math.IsInf(f, 0): // jq prints the largest finite number
		return wire.AppendFloat64(dst, math.Copysign(math.MaxFloat64, f))
	case f == math.Trunc(f) && math.Abs(f) < maxExact && (f != 0 || !math.Signbit(f)):
		return wire.AppendInt(dst, int64(f))
	}
	return wire.AppendFloat64(dst, f)
}

// appendJSON appends v as JSON without a newline. data is scratch memory.
func (e *encoder) appendJSON(dst []byte, v any, indent string, data []byte) (text, scratch []byte, err error) {
	data, err = e.encode(data[:0], v, 0)
	if err == nil {
		o := e.d.o
		o.Indent = indent
		text, err = transcode.AppendJSON(dst, data, &o)
		if err == nil {
			return text, data, nil
		}
	}
	var content *transcode.Error
	if err != errNumber && !errors.As(err, &content) {
		return dst, data, err
	}
	// JSON can hold what MessagePack cannot: larger integers, and keys that become
	// equal when invalid UTF-8 in them is replaced.
	line, err := gojq.Marshal(v)
	if err != nil || indent == "" {
		return append(dst, line...), data, err
	}
	var b bytes.Buffer
	err = json.Indent(&b, line, "", indent)
	return append(dst, b.Bytes()...), data, err
}
