package layout_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/layout"
)

// oracle returns a Codec and the reference for random types.
func oracle(t testing.TB) (*layout.Codec, reference.Config) {
	c, err := layout.New(layout.Options{
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
	return c, reference.RandomConfig(reflect.TypeFor[layout.Unknown]())
}

// TestOracle compares with the reference on random types, values and broken
// messages. A run whose number of types the environment gives goes on after a
// failure and counts the failures.
func TestOracle(t *testing.T) {
	c, ref := oracle(t)
	n := uint64(150)
	if testing.Short() {
		n = 60
	}
	n = randtype.Count(t, n)
	first := randtype.First(t, 0)
	values, failures, messages := 0, 0, 0
	for seed := first; seed < first+n; seed++ {
		compared, err := compare(c, ref, seed)
		if messages += compared; compared > 0 {
			values++
		}
		if err != nil {
			t.Error(err)
			if failures++; os.Getenv(randtype.TypesVariable) == "" {
				return
			}
		}
	}
	t.Logf("seeds from %d: %d types, %d values, %d messages, %d failures", first, n, values, messages, failures)
	if values < int(n)*9/10 {
		t.Errorf("only %d of %d types had a value", values, n)
	}
}

// compare returns how many messages of the random type of a seed it compared, which is 0 if
// there is no value of the type, and the first difference.
func compare(c *layout.Codec, ref reference.Config, seed uint64) (messages int, difference error) {
	r := rand.New(rand.NewPCG(seed, 2))
	typ := reference.RandomType(r)
	v, ok := ref.RandomValue(r, typ)
	if !ok {
		return 0, compareUnwritable(c, ref, seed, r, typ, v)
	}
	want, err := ref.Marshal(v.Interface())
	if err != nil {
		return 0, fmt.Errorf("seed %d: %v: reference: %w", seed, typ, err)
	}
	pointer := reflect.New(typ)
	pointer.Elem().Set(v)
	got, err := c.Marshal(pointer.Interface())
	if err != nil || !bytes.Equal(got, want) {
		return messages, fmt.Errorf("seed %d: %v\nvalue %+v\ngot  % x, %v\nwant % x", seed, typ, v, got, err, want)
	}
	sizes := rand.New(rand.NewPCG(seed, 3))
	for range 8 {
		if err := appendWithRoom(c, pointer.Interface(), want, sizes.IntN(len(want)+12)); err != nil {
			return messages, fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return compareDecoding(c, ref, seed, r, typ, want)
}

// compareUnwritable compares on a type of which the reference can write no value, such as
// v, and on random bytes.
func compareUnwritable(c *layout.Codec, ref reference.Config, seed uint64, r *rand.Rand, typ reflect.Type, v reflect.Value) error {
	_, want := ref.Marshal(v.Interface())
	pointer := reflect.New(typ)
	pointer.Elem().Set(v)
	b, err := c.Marshal(pointer.Interface())
	if strings.Contains(want.Error(), "when decoded") {
		return nil // the reference also decodes what it has written, with fields that are left out at its end
	}
	if err == nil || !sameReason(err, want) {
		return fmt.Errorf("seed %d: %v\nvalue %+v\ngot  % x, %v\nwant %v", seed, typ, v, b, err, want)
	}
	data := make([]byte, r.IntN(60))
	for i := range data {
		data[i] = byte(r.IntN(256)) >> r.IntN(8)
	}
	_, err = compareDecoding(c, ref, seed, r, typ, data)
	return err
}

// compareDecoding returns how many messages of the type it compared: the message want, then
// others that are cut off or changed.
func compareDecoding(c *layout.Codec, ref reference.Config, seed uint64, r *rand.Rand, typ reflect.Type, want []byte) (messages int, difference error) {
	used := reflect.New(typ) // by all messages, so that there is memory for elements
	for k := range 30 {
		messages++
		data := bytes.Clone(want)
		switch {
		case k == 0:
		case k%3 == 1:
			data = data[:r.IntN(len(data)+1)]
		case len(data) > 0:
			data[r.IntN(len(data))] = byte(r.IntN(256)) >> r.IntN(8)
			if k%3 == 2 {
				data = append(data, make([]byte, r.IntN(4))...)
			}
		}
		mine, theirs := reflect.New(typ), reflect.New(typ)
		gotN, gotErr := c.UnmarshalPrefix(data, mine.Interface())
		wantN, wantErr := ref.UnmarshalPrefix(data, theirs.Interface())
		if errors.Is(wantErr, reference.ErrVariant) && strings.Contains(wantErr.Error(), "tag -") {
			continue // the reference stops at unknown variants with negative tags, which the decoder keeps
		}
		if (gotErr == nil) != (wantErr == nil) || gotErr == nil && (gotN != wantN || !same(mine, theirs)) {
			return messages, fmt.Errorf("seed %d: %v\ndata % x\ngot  %d %v %+v\nwant %d %v %+v", seed, typ, data, gotN, gotErr, mine.Elem(), wantN, wantErr, theirs.Elem())
		}
		if n, err := c.UnmarshalPrefix(data, used.Interface()); n != gotN || fmt.Sprint(err) != fmt.Sprint(gotErr) || err == nil && !same(used, mine) {
			return messages, fmt.Errorf("seed %d: %v\ndata % x\ngot  %d %v %+v\nused %d %v %+v", seed, typ, data, gotN, gotErr, mine.Elem(), n, err, used.Elem())
		}
		if gotErr != nil && !sameReason(gotErr, wantErr) {
			return messages, fmt.Errorf("seed %d: %v\ndata % x\ngot  %v\nwant %v", seed, typ, data, gotErr, wantErr)
		}
		plain := reflect.New(typ)
		if n, err := layout.DecodePlain(c, data, plain.Interface()); n != gotN || fmt.Sprint(err) != fmt.Sprint(gotErr) || err == nil && !same(plain, mine) {
			return messages, fmt.Errorf("seed %d: %v\ndata % x\ngot   %d %v %+v\nplain %d %v %+v", seed, typ, data, gotN, gotErr, mine.Elem(), n, err, plain.Elem())
		}
		read := reflect.New(typ)
		err := c.Read(bytes.NewReader(data), read.Interface())
		if errors.Is(err, layout.ErrUnsupported) && strings.Contains(typ.String(), "UserText") {
			continue // Read refuses types that decode themselves and have no frame
		}
		if errors.Is(err, layout.ErrTrailing) {
			continue // a field with if=more takes no bytes, and Read has read one to know whether there are some
		}
		if plainErr := layout.ReadPlain(c, data, reflect.New(typ).Interface()); fmt.Sprint(err) != fmt.Sprint(plainErr) {
			return messages, fmt.Errorf("seed %d: %v\ndata % x\nRead  %v\nplain %v", seed, typ, data, err, plainErr)
		}
		if (err == nil) != (gotErr == nil) || err == nil && !same(read, mine) {
			return messages, fmt.Errorf("seed %d: %v\ndata % x\nRead   %v %+v\nDecode %v %+v", seed, typ, data, err, read.Elem(), gotErr, mine.Elem())
		}
	}
	return messages, nil
}

// same reports whether the values are equal. NaNs are equal.
func same(a, b reflect.Value) bool {
	return reflect.DeepEqual(a.Interface(), b.Interface()) || bytes.Equal([]byte(dump(a)), []byte(dump(b)))
}

// sameReason reports whether the reasons of both packages match. If a message has
// several faults, the packages may find different ones first, often that the message
// is too short. Therefore ErrLimit, ErrChecksum and reasons that are not in the list
// match any other.
func sameReason(got, want error) bool {
	pairs := []struct{ mine, theirs error }{
		{layout.ErrRange, reference.ErrRange}, {layout.ErrConst, reference.ErrConst}, {layout.ErrVariant, reference.ErrVariant}, {layout.ErrUTF8, reference.ErrUTF8},
		{layout.ErrLimit, reference.ErrLimit}, {layout.ErrChecksum, reference.ErrChecksum},
	}
	mine, theirs := -1, -1
	for i, p := range pairs {
		if errors.Is(got, p.mine) {
			mine = i
		}
		if errors.Is(want, p.theirs) {
			theirs = i
		}
	}
	return mine < 0 || theirs < 0 || mine == theirs || mine >= len(pairs)-2
}

// FuzzOracle compares on the random type and value of a seed.
func FuzzOracle(f *testing.F) {
	for seed := range uint64(5) {
		f.Add(1000000 + seed)
	}
	c, ref := oracle(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		if _, err := compare(c, ref, seed); err != nil {
			t.Error(err)
		}
	})
}
