package query

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// A decoder turns encoded values into the values of a program: nil, bool, int,
// *big.Int, float64, string, []any and map[string]any.
type decoder struct {
	o       transcode.Options
	origins map[origin]source
	texts   map[string]transcode.Changed // the texts that values became because JSON lacks their type
	scratch []byte                       // memory for JSON

	variables *decoder // of the global variables, which reset does not forget, or nil
}

// An origin identifies an array or map that the decoder has made.
type origin struct {
	pointer uintptr
	length  int
}

// A source is the encoded form of an array or map. value keeps the memory of the
// array or map in use, so that no other one gets its address.
type source struct {
	value any
	data  []byte
}

func originOf(v any) (origin, bool) {
	switch v := v.(type) {
	case []any:
		// All empty slices may have the same address.
		return origin{reflect.ValueOf(v).Pointer(), len(v)}, len(v) > 0
	case map[string]any:
		return origin{reflect.ValueOf(v).Pointer(), len(v)}, v != nil
	}
	return origin{}, false
}

// reset prepares d for another value. The arrays and maps made so far no longer
// have an encoded form.
func (d *decoder) reset() {
	clear(d.origins)
	clear(d.texts)
}

// decode returns the value of data, which is one complete value and must not
// change while the program runs. Parts that the program does not need are substitutes.
// An error is a [*transcode.Error].
func (d *decoder) decode(data []byte, n *need) (any, error) {
	v, _, err := d.part(data, n)
	if err == nil {
		return v, nil
	}
	// value was called with parts of data. Only an error for all of data has the
	// right offset and path.
	if _, located := transcode.AppendJSON(nil, data, &d.o); located != nil {
		err = located
	}
	return nil, err
}

func newDecoder(reversible bool) decoder {
	return decoder{o: transcode.Options{Reversible: reversible}, origins: map[origin]source{}, texts: map[string]transcode.Changed{}}
}

// value decodes the value at the start of src and returns the rest of src.
func (d *decoder) value(src []byte) (v any, rest []byte, err error) {
	h, n, err := wire.ConsumeHeader(src)
	if err != nil {
		return nil, src, err
	}
	whole := src[:n+int(h.Payload)]
	payload, rest := whole[n:], src[len(whole):]
	switch h.Format.Kind() {
	case wire.KindNil:
		return nil, rest, nil
	case wire.KindBool:
		return h.Format == wire.True, rest, nil
	case wire.KindInt:
		return integer(whole), rest, nil
	case wire.KindFloat:
		// In the reversible form, a float 32, a NaN and an infinity are escape objects.
		if h.Format == wire.Float64 || !d.o.Reversible {
			f, _, _ := wire.ConsumeFloat64(whole)
			if !d.o.Reversible || !math.IsNaN(f) && !math.IsInf(f, 0) {
				return f, rest, nil
			}
		}
	case wire.KindStr:
		if utf8.Valid(payload) {
			return string(payload), rest, nil
		}
	case wire.KindArray:
		return d.array(src, rest, h.Count)
	case wire.KindMap:
		if v, rest, err := d.object(src, rest, h.Count); err != nil || v != nil {
			return v, rest, err
		}
		size := canonical.End(src)
		whole, rest = src[:size], src[size:]
	}
	if v, err = d.fromItsJSON(whole); err != nil {
		return nil, src, err
	}
	if text, isText := v.(string); isText {
		became := transcode.Changed{Timestamps: 1}
		if h.Format.Kind() == wire.KindBin {
			became = transcode.Changed{Bins: 1}
		}
		d.lost(text, became)
	}
	d.remember(v, whole) // an escape object becomes the same value again
	return v, rest, nil
}

func (d *decoder) array(src, rest []byte, n uint32) (any, []byte, error) {
	list := make([]any, 0, min(int(n), len(rest)))
	for range n {
		v, after, err := d.value(rest)
		if err != nil {
			return nil, rest, err
		}
		list, rest = append(list, v), after
	}
	d.remember(list, src[:len(src)-len(rest)])
	return list, rest, nil
}

// object decodes a map. It returns nil for a map that is an escape object in the
// reversible form.
func (d *decoder) object(src, rest []byte, n uint32) (any, []byte, error) {
	m := make(map[string]any, min(int(n), len(rest)/2))
	for range n {
		name, size, err := wire.ConsumeString(rest)
		isText := err == nil && utf8.Valid(name)
		key := string(name)
		if d.o.Reversible && (!isText || strings.HasPrefix(key, "$")) {
			return nil, src, nil
		}
		if !isText {
			if key, size, err = d.name(rest); err != nil {
				return nil, src, err
			}
		}
		if _, exists := m[key]; exists {
			return nil, src, fmt.Errorf("%w %q", wire.ErrDuplicateKey, key)
		}
		v, after, err := d.value(rest[size:])
		if err != nil {
			return nil, src, err
		}
		m[key], rest = v, after
	}
	d.remember(m, src[:len(src)-len(rest)])
	return m, rest, nil
}

// name returns the name that the key at the start of src has in JSON.
func (d *decoder) name(src []byte) (name string, size int, err error) {
	size = canonical.End(src)
	// Only package transcode knows the name, so it converts a map with this key.
	object := wire.AppendNil(append(wire.AppendMapHeader(nil, 1), src[:size]...))
	v, err := d.fromItsJSON(object)
	if err != nil {
		return "", 0, err
	}
	for name = range v.(map[string]any) {
		d.lost(name, transcode.Changed{Keys: 1})
	}
	return name, size, nil
}

// remember stores the encoded form of an array or map.
func (d *decoder) remember(v any, data []byte) {
	if o, ok := originOf(v); ok {
		d.origins[o] = source{v, data}
	}
}

// source returns the encoded form of an array or map that the decoder has made.
func (d *decoder) source(o origin) (source, bool) {
	s, ok := d.origins[o]
	if !ok && d.variables != nil {
		s, ok = d.variables.origins[o]
	}
	return s, ok
}

// lost counts a value that became text.
func (d *decoder) lost(text string, became transcode.Changed) { d.texts[text] = became }

// became returns what lost has counted for a text.
func (d *decoder) became(text string) transcode.Changed {
	c, ok := d.texts[text]
	if !ok && d.variables != nil {
		c = d.variables.texts[text]
	}
	return c
}

// fromItsJSON decodes a value from the JSON that package transcode writes for it.
func (d *decoder) fromItsJSON(data []byte) (any, error) {
	var err error
	if d.scratch, err = transcode.AppendJSON(d.scratch[:0], data, &d.o); err != nil {
		return nil, err
	}
	return fromJSON(d.scratch)
}

// fromJSON returns the value of a JSON text.
func fromJSON(text []byte) (any, error) {
	j := json.NewDecoder(bytes.NewReader(text))
	j.UseNumber()
	var v any
	if err := j.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := j.Token(); err != io.EOF {
		return nil, errors.New("more than one value")
	}
	return numbers(v), nil
}

// numbers replaces each json.Number.
func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if !strings.ContainsAny(string(v), ".eE") {
			if i, ok := new(big.Int).SetString(string(v), 10); ok {
				return shorter(i)
			}
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

// integer returns an encoded integer as int if it fits, otherwise as *big.Int.
func integer(data []byte) any {
	if i, _, err := wire.ConsumeInt(data); err == nil {
		if int64(int(i)) == i {
			return int(i)
		}
		return big.NewInt(i)
	}
	u, _, _ := wire.ConsumeUint(data)
	return new(big.Int).SetUint64(u)
}

func shorter(i *big.Int) any {
	if i.IsInt64() && int64(int(i.Int64())) == i.Int64() {
		return int(i.Int64())
	}
	return i
}
