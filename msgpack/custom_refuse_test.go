package msgpack_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

func TestNewRefusesCustomTypes(t *testing.T) {
	type (
		exts      = []msgpack.ExtCoder
		overrides = []msgpack.TypeOverride
		unions    = []msgpack.UnionCoder
	)
	ext := extOf(1, celsiusText, celsiusFrom)
	text := overrideOf(celsiusText, celsiusFrom)
	for name, test := range map[string]struct {
		config msgpack.Config
		want   string
	}{
		"ext: zero":                   {msgpack.Config{Ext: exts{{}}}, "Ext[0]"},
		"ext: timestamp":              {msgpack.Config{Ext: exts{ext, extOf(-1, labelText, labelFrom)}}, "Ext[1] has id -1"},
		"ext: id twice":               {msgpack.Config{Ext: exts{ext, extOf(1, labelText, labelFrom)}}, "Ext[1] has id 1"},
		"ext: id of complex":          {msgpack.Config{Ext: exts{ext}, ComplexExt: 1}, "Ext[0] has id 1, as Config.ComplexExt"},
		"ext: type twice":             {msgpack.Config{Ext: exts{ext, extOf(2, celsiusText, celsiusFrom)}}, "Ext[1] is for msgpack_test.celsius, as Config.Ext[0]"},
		"ext: type and pointer":       {msgpack.Config{Ext: exts{nilExt[shared](1, true, true), nilExt[*shared](2, true, true)}}, "Ext[1] is for msgpack_test.shared, as Config.Ext[0]"},
		"ext: nil append":             {msgpack.Config{Ext: exts{nilExt[pixel](1, false, true)}}, "Ext[0] is for msgpack_test.pixel: its append"},
		"ext: nil parse":              {msgpack.Config{Ext: exts{nilExt[pixel](1, true, false)}}, "Ext[0] is for msgpack_test.pixel: its parse"},
		"ext: any":                    {msgpack.Config{Ext: exts{nilExt[any](1, true, true)}}, "Ext[0] is for interface {}"},
		"ext: interface":              {msgpack.Config{Ext: exts{nilExt[error](1, true, true)}}, "Ext[0] is for error"},
		"ext: predeclared":            {msgpack.Config{Ext: exts{nilExt[string](1, true, true)}}, "Ext[0] is for string"},
		"ext: pointer to predeclared": {msgpack.Config{Ext: exts{nilExt[*int](1, true, true)}}, "Ext[0] is for *int"},
		"ext: pointer to pointer":     {msgpack.Config{Ext: exts{nilExt[**pixel](1, true, true)}}, "Ext[0] is for **msgpack_test.pixel"},
		"ext: pointer to interface":   {msgpack.Config{Ext: exts{nilExt[*error](1, true, true)}}, "Ext[0] is for *error"},
		"ext: Raw":                    {msgpack.Config{Ext: exts{nilExt[msgpack.Raw](1, true, true)}}, "Ext[0] is for msgpack.Raw"},
		"ext: Ext":                    {msgpack.Config{Ext: exts{nilExt[*msgpack.Ext](1, true, true)}}, "Ext[0] is for *msgpack.Ext"},
		"ext: Number":                 {msgpack.Config{Ext: exts{nilExt[msgpack.Number](1, true, true)}}, "Ext[0] is for msgpack.Number"},
		"ext: Pairs":                  {msgpack.Config{Ext: exts{nilExt[msgpack.Pairs](1, true, true)}}, "Ext[0] is for msgpack.Pairs"},
		"ext: slice of any":           {msgpack.Config{Ext: exts{nilExt[[]any](1, true, true)}}, "Ext[0] is for []interface {}"},
		"ext: map of any":             {msgpack.Config{Ext: exts{nilExt[map[string]any](1, true, true)}}, "Ext[0] is for map[string]interface {}"},
		"ext: map by any":             {msgpack.Config{Ext: exts{nilExt[*map[any]any](1, true, true)}}, "Ext[0] is for *map[interface {}]interface {}"},
		"ext: function":               {msgpack.Config{Ext: exts{nilExt[callback](1, true, true)}}, "Ext[0] is for msgpack_test.callback"},
		"ext: function inside":        {msgpack.Config{Ext: exts{nilExt[struct{ f [1]func() }](1, true, true)}}, "Ext[0] is for struct { f [1]func() }"},
		"override: zero":              {msgpack.Config{Overrides: overrides{{}}}, "Overrides[0]"},
		"override: type twice":        {msgpack.Config{Overrides: overrides{text, text}}, "Overrides[1] is for msgpack_test.celsius, as Config.Overrides[0]"},
		"override: type of an ext":    {msgpack.Config{Ext: exts{ext}, Overrides: overrides{text}}, "Overrides[0] is for msgpack_test.celsius, as Config.Ext[0]"},
		"override: any":               {msgpack.Config{Overrides: overrides{overrideOf(func(any) string { return "" }, nil)}}, "Overrides[0] is for interface {}"},
		"override: float64":           {msgpack.Config{Overrides: overrides{overrideOf(func(float64) string { return "" }, nil)}}, "Overrides[0] is for float64"},
		"override: nil append":        {msgpack.Config{Overrides: overrides{msgpack.Override[pixel](nil, func([]byte) (p pixel, err error) { return })}}, "its append"},
		"override: nil parse":         {msgpack.Config{Overrides: overrides{msgpack.Override[pixel](func(b []byte, _ pixel) ([]byte, error) { return b, nil }, nil)}}, "its parse"},
		"union: zero":                 {msgpack.Config{Unions: unions{{}}}, "Unions[0]"},
		"union: no interface":         {msgpack.Config{Unions: unions{msgpack.Union[circle]("", msgpack.VariantOf[circle](1))}}, "Unions[0] is for msgpack_test.circle"},
		"union: any":                  {msgpack.Config{Unions: unions{msgpack.Union[any]("", msgpack.VariantOf[circle](1))}}, "Unions[0] is for any"},
		"union: no variants":          {msgpack.Config{Unions: unions{msgpack.Union[shape]("")}}, "Unions[0] has no variants"},
		"union: zero variant":         {msgpack.Config{Unions: unions{msgpack.Union[shape]("", msgpack.Variant{})}}, "Unions[0] has a variant that is not"},
		"union: interface":            {msgpack.Config{Unions: unions{msgpack.Union[shape]("", msgpack.VariantOf[shape](1))}}, "an interface"},
		"union: no variant of it":     {msgpack.Config{Unions: unions{msgpack.Union[shape]("", msgpack.VariantOf[pixel](1))}}, "has the variant msgpack_test.pixel, which is no"},
		"union: variant twice":        {msgpack.Config{Unions: unions{msgpack.Union[shape]("", msgpack.VariantOf[circle](1), msgpack.VariantOf[circle](2))}}, "msgpack_test.circle twice"},
		"union: name twice":           {msgpack.Config{Unions: unions{msgpack.Union[shape]("", msgpack.VariantOf[circle]("a"), msgpack.VariantOf[*square]("a"))}}, `tag "a" twice`},
		"union: number twice":         {msgpack.Config{Unions: unions{msgpack.Union[shape]("", msgpack.VariantOf[circle](1), msgpack.VariantOf[*square](uint8(1)))}}, "tag 1 twice"},
		"union: twice":                {msgpack.Config{Unions: unions{shapes(""), shapes("type")}}, "Unions[1] is for msgpack_test.shape, as Config.Unions[0]"},
		"union: overridden, too":      {msgpack.Config{Unions: unions{shapes("")}, Overrides: overrides{overrideOf(func(shape) string { return "" }, func(string) (shape, error) { return nil, nil })}}, "Unions[0] is for msgpack_test.shape, as Config.Overrides[0]"},
		"union: field of that name":   {msgpack.Config{Unions: unions{msgpack.Union[shape]("R", msgpack.VariantOf[circle](1))}}, `msgpack_test.circle, a variant of msgpack_test.shape that has a field named "R"`},
		"union: no fields":            {msgpack.Config{Unions: unions{msgpack.Union[shape]("type", msgpack.VariantOf[*hiddenShape](1))}}, "*msgpack_test.hiddenShape, a variant of msgpack_test.shape that has no exported fields"},
		"union: array form":           {msgpack.Config{Unions: unions{msgpack.Union[shape]("type", msgpack.VariantOf[flatShape](1))}}, "msgpack_test.flatShape, a variant of msgpack_test.shape that is in array form"},
		"union: no struct":            {msgpack.Config{Unions: unions{msgpack.Union[shape]("type", msgpack.VariantOf[length](1))}}, "msgpack_test.length, a variant of msgpack_test.shape that is no struct"},
		"union: methods":              {msgpack.Config{Unions: unions{msgpack.Union[fmt.Stringer]("type", msgpack.VariantOf[*big.Int](1))}}, "*big.Int, a variant of fmt.Stringer that is no struct"},
		"union: time":                 {msgpack.Config{Unions: unions{msgpack.Union[fmt.Stringer]("type", msgpack.VariantOf[time.Time](1))}}, "time.Time, a variant of fmt.Stringer that is no struct"},
		"union: ext":                  {msgpack.Config{Ext: exts{nilExt[circle](1, true, true)}, Unions: unions{shapes("type")}}, "msgpack_test.circle, a variant of msgpack_test.shape that is no struct"},
		"union: wrong tag":            {msgpack.Config{Unions: unions{msgpack.Union[shape]("type", msgpack.VariantOf[wrongTag](1))}}, "wrongTag (unknown option"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := msgpack.New(test.config)
			if c != nil || err == nil || !strings.HasPrefix(err.Error(), "msgpack: Config.") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v, want an error that names %s", c, err, test.want)
			}
		})
	}
}

// nilExt is an ext whose functions may be missing.
func nilExt[T any](id int8, withAppend, withParse bool) msgpack.ExtCoder {
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

// TestConfigIsCopied changes what New was given.
func TestConfigIsCopied(t *testing.T) {
	variants := []msgpack.Variant{msgpack.VariantOf[circle]("c")}
	config := msgpack.Config{
		Ext:       []msgpack.ExtCoder{extOf(1, celsiusText, celsiusFrom)},
		Overrides: []msgpack.TypeOverride{overrideOf(labelText, labelFrom)},
		Unions:    []msgpack.UnionCoder{msgpack.Union[shape]("", variants...)},
	}
	c := newCodec(t, config)
	config.Ext[0], config.Overrides[0], config.Unions[0], variants[0] = msgpack.ExtCoder{}, msgpack.TypeOverride{}, msgpack.UnionCoder{}, msgpack.Variant{}
	v := struct {
		C celsius
		L label
		S shape
	}{1, "a", circle{2}}
	checkCodec(t, c, v, []byte("\x83\xa1C\xd4\x011\xa1L\xa1A\xa1S\x92\xa1c\x81\xa1R\x02"))
}
