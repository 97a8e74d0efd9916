package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
)

// An object is a JSON object whose members have an order.
type object []member

type member struct {
	name  string
	value any // object, []any, string, bool, int, int64 or uint64
}

// get returns a member, or nil.
func (o object) get(name string) any {
	if i := slices.IndexFunc(o, func(m member) bool { return m.name == name }); i >= 0 {
		return o[i].value
	}
	return nil
}

// append appends the JSON of o.
func (o object) append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(append(appendString(dst, m.name), ':'), m.value)
	}
	return append(dst, '}')
}

func appendValue(dst []byte, v any) []byte {
	switch v := v.(type) {
	case object:
		return v.append(dst)
	case []any:
		dst = append(dst, '[')
		for i, x := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, x)
		}
		return append(dst, ']')
	case string:
		return appendString(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case uint64:
		return strconv.AppendUint(dst, v, 10)
	}
	return append(dst, "null"...)
}

func appendString(dst []byte, s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return append(dst, `""`...) // not reached: a string has a JSON form
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// maxNesting limits the nesting of JSON text.
const maxNesting = 1000

// readJSON returns the object that is all of text. Numbers are of type json.Number.
func readJSON(text []byte) (object, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := readValue(d, maxNesting)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("text after the end of the schema")
	}
	o, ok := v.(object)
	if !ok {
		return nil, errors.New("not a JSON object")
	}
	return o, nil
}

func readValue(d *json.Decoder, depth int) (any, error) {
	if depth == 0 {
		return nil, errors.New("nested too deeply")
	}
	token, err := d.Token()
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := readValue(d, depth-1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	case json.Delim('{'):
		return readObject(d, depth)
	}
	return token, nil
}

func readObject(d *json.Decoder, depth int) (any, error) {
	o, names := object{}, map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		if names[name] {
			return nil, errors.New("duplicate key " + strconv.Quote(name))
		}
		names[name] = true
		v, err := readValue(d, depth-1)
		if err != nil {
			return nil, err
		}
		o = append(o, member{name, v})
	}
	_, err := d.Token()
	return o, err
}
