package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/octet-go/octet/msgpack"
)

// javaScript returns an expression of TypeScript for a decoded value. ok is false if
// @msgpack/msgpack cannot decode it.
func javaScript(v any) (text string, ok bool) {
	switch v := v.(type) {
	case nil:
		return "null", true
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		text = strconv.FormatInt(v, 10)
		if v < math.MinInt32 || v > math.MaxUint32 {
			text += "n"
		}
		return text, true
	case uint64:
		return strconv.FormatUint(v, 10) + "n", true
	case float64:
		switch {
		case math.IsNaN(v):
			return "NaN", true
		case math.IsInf(v, 0):
			return strings.TrimPrefix(strconv.FormatFloat(v, 'g', -1, 64)[:1]+"Infinity", "+"), true
		}
		return strconv.FormatFloat(v, 'g', -1, 64), true
	case string:
		return jsString(v), utf8.ValidString(v)
	case []byte:
		return bytesOf(v), true
	case msgpack.Ext:
		return fmt.Sprintf("new ExtData(%d, %s)", v.Type, bytesOf(v.Data)), v.Type != -1
	case time.Time:
		const last = 8_640_000_000_000 // seconds that a Date has
		return fmt.Sprintf("new Date(%d * 1e3 + %d / 1e6)", v.Unix(), v.Nanosecond()), max(v.Unix(), -v.Unix()) < last
	case []any:
		var list []string
		for _, e := range v {
			text, ok := javaScript(e)
			if !ok {
				return "", false
			}
			list = append(list, text)
		}
		return "[" + strings.Join(list, ", ") + "]", true
	case map[string]any:
		var list []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			text, ok := javaScript(v[key])
			if !ok || !utf8.ValidString(key) || key == "__proto__" {
				return "", false
			}
			list = append(list, jsString(key)+": "+text)
		}
		return "{" + strings.Join(list, ", ") + "}", true
	case map[any]any:
		return javaScriptKeys(v)
	}
	return "", false
}

// javaScriptKeys returns an object for a map with keys that are not all strings. Those of
// an object are strings or numbers.
func javaScriptKeys(v map[any]any) (string, bool) {
	object := map[string]any{}
	for key, e := range v {
		name, isText := key.(string)
		if n, ok := key.(int64); ok && n >= math.MinInt32 && n <= math.MaxUint32 {
			name, isText = strconv.FormatInt(n, 10), true
		}
		if _, used := object[name]; used || !isText {
			return "", false
		}
		object[name] = e
	}
	return javaScript(object)
}

// jsString returns a string literal.
func jsString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		fmt.Fprintf(&b, "\\u{%x}", r)
	}
	b.WriteByte('"')
	return b.String()
}

func bytesOf(b []byte) string {
	return "new Uint8Array([" + strings.Trim(strings.ReplaceAll(fmt.Sprint(b), " ", ", "), "[]") + "])"
}

// pythonHolds reports whether msgpack.unpackb keeps a decoded value as it is: text is
// UTF-8, times are those of a datetime, and no two keys are equal.
func pythonHolds(v any) bool {
	switch v := v.(type) {
	case string:
		return utf8.ValidString(v)
	case time.Time:
		return v.Nanosecond()%1000 == 0 && v.Year() > 1 && v.Year() < 9999
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !pythonHolds(e) })
	case map[string]any:
		for key, e := range v {
			if !utf8.ValidString(key) || !pythonHolds(e) {
				return false
			}
		}
	case map[any]any:
		numbers := map[float64]bool{}
		for key, e := range v {
			if !pythonHolds(key) || !pythonHolds(e) {
				return false
			}
			n, isNumber := float64(0), true
			switch key := key.(type) {
			case bool:
				n = map[bool]float64{true: 1}[key]
			case int64:
				n = float64(key)
			case uint64:
				n = float64(key)
			case float64:
				n = key
			default:
				isNumber = false
			}
			if isNumber && (numbers[n] || n != n) {
				return false
			}
			numbers[n] = numbers[n] || isNumber
		}
	}
	return true
}
