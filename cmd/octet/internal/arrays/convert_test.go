package arrays

import (
	"io"
	"testing"
)

// TestConvertElements checks that an element gets another type only if the type represents it
// exactly: every part of a complex number, too.
func TestConvertElements(t *testing.T) {
	for _, c := range []struct{ from, text, to, want string }{ // an empty want is an error
		{"float64", "0.1", "float32", ""},
		{"float64", "0.5", "float32", "0.5"},
		{"float64", "NaN", "float32", "NaN"},
		{"float64", "-Inf", "complex64", "-Inf+0i"},
		{"float64", "NaN", "complex64", "NaN+0i"},
		{"float64", "0.1", "complex64", ""},
		{"float64", "0.1", "complex128", "0.1+0i"},
		{"float32", "0.1", "float64", "0.10000000149011612"},
		{"float32", "0.1", "complex64", "0.1+0i"},
		{"float32", "0.1", "complex128", "0.10000000149011612+0i"},
		{"float64", "3", "int8", "3"},
		{"float64", "3.5", "int8", ""},
		{"float64", "-0", "int8", "0"},
		{"float64", "-0", "uint8", "0"},
		{"float32", "-0", "bool", "false"},
		{"float32", "-0", "float64", "-0"},
		{"float32", "-0", "complex128", "-0+0i"},
		{"int64", "9007199254740993", "float64", ""},
		{"int64", "9007199254740993", "complex128", ""},
		{"int64", "9007199254740992", "complex64", "9.007199e+15+0i"},
		{"int32", "16777217", "complex64", ""},
		{"bool", "true", "complex64", "1+0i"},
		{"complex64", "0.1-0.1i", "complex128", "0.10000000149011612-0.10000000149011612i"},
		{"complex64", "0.1-0.1i", "complex64", "0.1-0.1i"},
		{"complex64", "NaN+Infi", "complex128", "NaN+Infi"},
		{"complex128", "0.5-2i", "complex64", "0.5-2i"},
		{"complex128", "0.1+1i", "complex64", ""},
		{"complex128", "1+0.1i", "complex64", ""},
		{"complex128", "NaN+0.1i", "complex64", ""},
		{"complex128", "1e300+1i", "complex64", ""},
		{"complex128", "1+1i", "float64", ""},
	} {
		from, to := Named(c.from), Named(c.to)
		source := from.empty()
		if err := source.parse(c.text); err != nil {
			t.Fatal(err)
		}
		p, err := convert(func() (part, error) { return source, io.EOF }, from, to)()
		got := ""
		if err == io.EOF {
			got = string(p.text(nil, 0))
		}
		if got != c.want {
			t.Errorf("%s %s as %s is %q, %v, want %q", c.from, c.text, c.to, got, err, c.want)
		}
	}
}
