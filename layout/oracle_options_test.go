package layout_test

import (
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/layout"
)

// TestOracleOptions compares with the reference in the other byte order, with values
// that refer to the input, and with a limit that some messages exceed or just reach.
func TestOracleOptions(t *testing.T) {
	c, err := layout.New(layout.Options{
		Order: binary.LittleEndian, AliasInput: true, MaxMessage: 100,
		Unions: []layout.UnionCoder{layout.Union[any](
			layout.VariantOf[*reference.VariantNumber](1),
			layout.VariantOf[reference.VariantBytes](2),
			layout.VariantOf[*reference.VariantBits](3),
			layout.VariantOf[*reference.VariantMode](7),
			layout.KeepUnknown(),
		)},
		Sums: map[string]layout.Sum{"blank": reference.Blank},
	})
	if err != nil {
		t.Fatal(err)
	}
	ref := reference.RandomConfig(reflect.TypeFor[layout.Unknown]())
	ref.Order = "le"
	ref.MaxMessage = 100
	n := uint64(50)
	if testing.Short() {
		n = 20
	}
	for seed := range randtype.Seeds(t, n) {
		if _, err := compare(c, ref, 90000+seed); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			return
		}
	}
}

// TestReadLimit reads messages of exactly the limit and of one byte more, whose last
// field takes the rest or may be absent.
func TestReadLimit(t *testing.T) {
	type rest struct{ A []byte }
	type more struct {
		A [3]byte
		B uint8 `layout:"if=more"`
	}
	c, err := layout.New(layout.Options{MaxMessage: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{"abc", "abcd", "abcde"} {
		for _, v := range []any{new(rest), new(more)} {
			_, ends := v.(*more) // its message ends after four bytes
			fails := len(data) > 4 && !ends
			if err := c.Read(strings.NewReader(data), v); errors.Is(err, layout.ErrLimit) != fails || !fails && err != nil {
				t.Errorf("Read %T from %q: %v", v, data, err)
			}
			if _, err := c.UnmarshalPrefix([]byte(data), v); errors.Is(err, layout.ErrLimit) != fails || !fails && err != nil {
				t.Errorf("UnmarshalPrefix %T from %q: %v", v, data, err)
			}
		}
	}
}
