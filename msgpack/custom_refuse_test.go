package msgpack_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// TestNewRefusesCustomTypes checks that New refuses invalid elements of
// Options.Types with an error that names them.
func TestNewRefusesCustomTypes(t *testing.T) {
	type types = []msgpack.TypeCoder
	ext := extOf(1, celsiusText, celsiusFrom)
	text := overrideOf(celsiusText, celsiusFrom)
	for name, test := range map[string]struct {
		types types
		want  string
	}{
		"ext: zero":                   {types{{}}, "Types[0]: zero TypeCoder"},
		"ext: timestamp":              {types{ext, extOf(-1, labelText, labelFrom)}, "Types[1]: ext type -1 is reserved for timestamps"},
		"ext: id twice":               {types{ext, extOf(1, labelText, labelFrom)}, "Options.Types[0] and Options.Types[1] both register ext type 1"},
		"ext: type twice":             {types{ext, extOf(2, celsiusText, celsiusFrom)}, "Options.Types[0] and Options.Types[1] both register msgpack_test.celsius"},
		"ext: type and pointer":       {types{nilExt[shared](1, true, true), nilExt[*shared](2, true, true)}, "Options.Types[0] and Options.Types[1] both register msgpack_test.shared"},
		"ext: nil append":             {types{nilExt[pixel](1, false, true)}, "Types[0]: msgpack_test.pixel: append is nil"},
		"ext: nil parse":              {types{nilExt[pixel](1, true, false)}, "Types[0]: msgpack_test.pixel: parse is nil"},
		"ext: any":                    {types{nilExt[any](1, true, true)}, "Types[0]: type interface {} of ExtType is an interface"},
		"ext: interface":              {types{nilExt[error](1, true, true)}, "Types[0]: type error of ExtType is an interface"},
		"ext: predeclared":            {types{nilExt[string](1, true, true)}, "Types[0]: string: the encoding of this type cannot be changed"},
		"ext: pointer to predeclared": {types{nilExt[*int](1, true, true)}, "Types[0]: *int: the encoding of this type cannot be changed"},
		"ext: pointer to pointer":     {types{nilExt[**pixel](1, true, true)}, "Types[0]: **msgpack_test.pixel: pointer to ptr"},
		"ext: pointer to interface":   {types{nilExt[*error](1, true, true)}, "Types[0]: *error: pointer to interface"},
		"ext: Raw":                    {types{nilExt[msgpack.Raw](1, true, true)}, "Types[0]: msgpack.Raw: the encoding of this type"},
		"ext: Ext":                    {types{nilExt[*msgpack.Ext](1, true, true)}, "Types[0]: *msgpack.Ext: the encoding of this type"},
		"ext: Number":                 {types{nilExt[msgpack.Number](1, true, true)}, "Types[0]: msgpack.Number: the encoding of this type"},
		"ext: Pairs":                  {types{nilExt[msgpack.Pairs](1, true, true)}, "Types[0]: msgpack.Pairs: the encoding of this type"},
		"ext: slice of any":           {types{nilExt[[]any](1, true, true)}, "Types[0]: []interface {}: the encoding of this type"},
		"ext: map of any":             {types{nilExt[map[string]any](1, true, true)}, "Types[0]: map[string]interface {}: the encoding of this type"},
		"ext: map by any":             {types{nilExt[*map[any]any](1, true, true)}, "Types[0]: *map[interface {}]interface {}: the encoding of this type"},
		"ext: function":               {types{nilExt[callback](1, true, true)}, "Types[0]: msgpack_test.callback: functions"},
		"ext: function inside":        {types{nilExt[struct{ f [1]func() }](1, true, true)}, "Types[0]: struct { f [1]func() }: functions"},
		"override: type twice":        {types{text, text}, "Options.Types[0] and Options.Types[1] both register msgpack_test.celsius"},
		"override: type of an ext":    {types{ext, text}, "Options.Types[0] and Options.Types[1] both register msgpack_test.celsius"},
		"override: any":               {types{overrideOf(func(any) string { return "" }, nil)}, "Types[0]: interface {}: the encoding of this type"},
		"override: float64":           {types{overrideOf(func(float64) string { return "" }, nil)}, "Types[0]: float64: the encoding of this type"},
		"override: nil append":        {types{msgpack.Override[pixel](nil, func([]byte) (p pixel, err error) { return })}, "append is nil"},
		"override: nil parse":         {types{msgpack.Override[pixel](func(b []byte, _ pixel) ([]byte, error) { return b, nil }, nil)}, "parse is nil"},
		"union: no interface":         {types{msgpack.Union[circle]("", msgpack.VariantOf[circle](1))}, "Types[0]: type msgpack_test.circle of Union is not an interface"},
		"union: any":                  {types{msgpack.Union[any]("", msgpack.VariantOf[circle](1))}, "Types[0]: Union cannot have type any"},
		"union: no variants":          {types{msgpack.Union[shape]("")}, "Types[0]: Union of msgpack_test.shape has no variants"},
		"union: zero variant":         {types{msgpack.Union[shape]("", msgpack.Variant{})}, "Types[0]: zero Variant"},
		"union: interface":            {types{msgpack.Union[shape]("", msgpack.VariantOf[shape](1))}, "variant msgpack_test.shape is an interface"},
		"union: no variant of it":     {types{msgpack.Union[shape]("", msgpack.VariantOf[pixel](1))}, "variant msgpack_test.pixel does not implement msgpack_test.shape"},
		"union: variant twice":        {types{msgpack.Union[shape]("", msgpack.VariantOf[circle](1), msgpack.VariantOf[circle](2))}, "variant msgpack_test.circle appears twice"},
		"union: name twice":           {types{msgpack.Union[shape]("", msgpack.VariantOf[circle]("a"), msgpack.VariantOf[*square]("a"))}, `tag "a" appears twice`},
		"union: number twice":         {types{msgpack.Union[shape]("", msgpack.VariantOf[circle](1), msgpack.VariantOf[*square](uint8(1)))}, "tag 1 appears twice"},
		"union: negative twice":       {types{msgpack.Union[shape]("", msgpack.VariantOf[circle](-120), msgpack.VariantOf[*square](int8(-120)))}, "tag -120 appears twice"},
		"union: twice":                {types{shapes(""), shapes("type")}, "Options.Types[0] and Options.Types[1] both register msgpack_test.shape"},
		"union: overridden, too":      {types{shapes(""), overrideOf(func(shape) string { return "" }, func(string) (shape, error) { return nil, nil })}, "Options.Types[0] and Options.Types[1] both register msgpack_test.shape"},
		"union: field of that name":   {types{msgpack.Union[shape]("R", msgpack.VariantOf[circle](1))}, `Types[0]: variant msgpack_test.circle of msgpack_test.shape has a field named "R"`},
		"union: no fields":            {types{msgpack.Union[shape]("type", msgpack.VariantOf[*hiddenShape](1))}, "variant *msgpack_test.hiddenShape of msgpack_test.shape has no exported fields"},
		"union: array form":           {types{msgpack.Union[shape]("type", msgpack.VariantOf[flatShape](1))}, "variant msgpack_test.flatShape of msgpack_test.shape is encoded as an array"},
		"union: no struct":            {types{msgpack.Union[shape]("type", msgpack.VariantOf[length](1))}, "variant msgpack_test.length of msgpack_test.shape is not a struct"},
		"union: methods":              {types{msgpack.Union[fmt.Stringer]("type", msgpack.VariantOf[*big.Int](1))}, "variant *big.Int of fmt.Stringer is not a struct"},
		"union: time":                 {types{msgpack.Union[fmt.Stringer]("type", msgpack.VariantOf[time.Time](1))}, "variant time.Time of fmt.Stringer is not a struct"},
		"union: ext":                  {types{nilExt[circle](1, true, true), shapes("type")}, "Types[1]: variant msgpack_test.circle of msgpack_test.shape is not a struct"},
		"union: wrong tag":            {types{msgpack.Union[shape]("type", msgpack.VariantOf[wrongTag](1))}, "wrongTag (unknown option"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := msgpack.New(msgpack.Options{Types: test.types})
			if c != nil || err == nil || !strings.HasPrefix(err.Error(), "msgpack: invalid option: Options.Types[") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v, want an error that names %s", c, err, test.want)
			}
		})
	}
}

// nilExt returns an ext type whose functions can be nil.
func nilExt[T any](id int8, withAppend, withParse bool) msgpack.TypeCoder {
	var appendTo func([]byte, T) ([]byte, error)
	var parse func([]byte) (T, error)
	if withAppend {
		appendTo = func(dst []byte, _ T) ([]byte, error) { return dst, nil }
	}
	if withParse {
		parse = func([]byte) (v T, err error) { return v, nil }
	}
	return msgpack.ExtType(id, appendTo, parse)
}

// TestTypesAreCopied modifies the types of the Options after New.
func TestTypesAreCopied(t *testing.T) {
	variants := []msgpack.Variant{msgpack.VariantOf[circle]("c")}
	types := []msgpack.TypeCoder{
		extOf(1, celsiusText, celsiusFrom), overrideOf(labelText, labelFrom), msgpack.Union[shape]("", variants...),
	}
	c := newCodec(t, msgpack.Options{Types: types})
	clear(types)
	clear(variants)
	v := struct {
		C celsius
		L label
		S shape
	}{1, "a", circle{2}}
	checkCodec(t, c, v, []byte("\x83\xa1C\xd4\x011\xa1L\xa1A\xa1S\x92\xa1c\x81\xa1R\x02"))
}
