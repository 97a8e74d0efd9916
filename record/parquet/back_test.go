package parquet_test

import (
	"bytes"
	"io"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/transcode"
	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// Values that the tests read back: a row is a group, a pair is an entry of a MAP.
type (
	row      []any
	entries  []pair
	pair     struct{ key, value any }
	jsonText string
)

// An assembler makes values from the levels of columns, by the rules of the format.
type assembler struct {
	values [][]parquetgo.Value // of each column of one record, what is left
	column int                 // of the next leaf of the tree
}

// readBack returns the rows of a Parquet file and the names of its columns.
func readBack(t testing.TB, data []byte) (rows []row, names []string) {
	t.Helper()
	f, err := parquetgo.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range f.Schema().Fields() {
		names = append(names, f.Name())
	}
	for _, g := range f.RowGroups() {
		r := g.Rows()
		buf := make([]parquetgo.Row, 10)
		for {
			n, err := r.ReadRows(buf)
			for _, record := range buf[:n] {
				a := assembler{values: make([][]parquetgo.Value, len(f.Schema().Columns()))}
				for _, v := range record {
					a.values[v.Column()] = append(a.values[v.Column()], v.Clone())
				}
				rows = append(rows, a.fields(f.Schema(), 0, 0))
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		r.Close()
	}
	return rows, names
}

// leaves returns the number of columns of n.
func leaves(n parquetgo.Node) int {
	if n.Leaf() {
		return 1
	}
	count := 0
	for _, f := range n.Fields() {
		count += leaves(f)
	}
	return count
}

// node returns the next value of n. def and rep are the levels around it.
func (a *assembler) node(n parquetgo.Node, def, rep int) any {
	if n.Optional() {
		def++
		if a.values[a.column][0].DefinitionLevel() < def {
			a.drop(n)
			return nil
		}
	}
	if n.Leaf() {
		v := a.values[a.column][0]
		a.drop(n)
		return goValue(n.Type(), v)
	}
	logical := n.Type().LogicalType()
	if logical != nil {
		inner := n.Fields()[0]
		switch logical.Value.(type) {
		case *format.ListType:
			list := []any{}
			a.repeat(inner, def, rep, func() { list = append(list, a.node(inner.Fields()[0], def+1, rep+1)) })
			return list
		case *format.MapType:
			list := entries{}
			a.repeat(inner, def, rep, func() {
				start := a.column
				key := a.node(inner.Fields()[0], def+1, rep+1)
				list = append(list, pair{key, a.node(inner.Fields()[1], def+1, rep+1)})
				a.column = start
			})
			a.column += leaves(inner) - leaves(inner.Fields()[0])
			return list
		}
	}
	return a.fields(n, def, rep)
}

// repeat calls f for each element, and leaves column behind the first field of inner.
func (a *assembler) repeat(inner parquetgo.Node, def, rep int, f func()) {
	start, next := a.column, a.column+leaves(inner.Fields()[0])
	if a.values[start][0].DefinitionLevel() == def {
		a.drop(inner)
		a.column = next
		return
	}
	for first := true; first || len(a.values[start]) > 0 && a.values[start][0].RepetitionLevel() == rep+1; first = false {
		a.column = start
		f()
	}
	a.column = next
}

func (a *assembler) fields(n parquetgo.Node, def, rep int) row {
	r := row{}
	for _, f := range n.Fields() {
		r = append(r, a.node(f, def, rep))
	}
	return r
}

// drop removes one value of all columns of n.
func (a *assembler) drop(n parquetgo.Node) {
	for range leaves(n) {
		a.values[a.column] = a.values[a.column][1:]
		a.column++
	}
}

func goValue(t parquetgo.Type, v parquetgo.Value) any {
	if logical := t.LogicalType(); logical != nil {
		switch l := logical.Value.(type) {
		case *format.StringType:
			return string(v.ByteArray())
		case *format.JsonType:
			return jsonText(v.ByteArray())
		case *format.TimestampType:
			return time.Unix(0, v.Int64())
		case *format.IntType:
			switch {
			case !l.IsSigned && l.BitWidth <= 32:
				return uint64(v.Uint32())
			case !l.IsSigned:
				return v.Uint64()
			case l.BitWidth <= 32:
				return int64(v.Int32())
			}
			return v.Int64()
		}
	}
	switch t.Kind() {
	case parquetgo.Boolean:
		return v.Boolean()
	case parquetgo.Float:
		return float64(v.Float())
	case parquetgo.Double:
		return v.Double()
	}
	return append([]byte{}, v.ByteArray()...)
}

// same reports whether got, which was read back, is the value of the message want. If
// lossy is set, null is the same as everything.
func same(v schema.Value, want, got any, lossy bool) bool {
	if got == nil && (want == nil || lossy) {
		return true
	}
	switch got := got.(type) {
	case jsonText:
		raw, err := transcode.AppendMsgpack(nil, []byte(got), &transcode.Options{Reversible: true})
		var back any
		return err == nil && msgpack.Unmarshal(raw, &back) == nil && equal(want, back)
	case []any:
		list := reflect.ValueOf(want)
		if list.Kind() != reflect.Slice || list.Len() != len(got) {
			return false
		}
		for i, e := range got {
			if !same(v.Type.Elem, list.Index(i).Interface(), e, lossy) {
				return false
			}
		}
		return true
	case entries:
		m := reflect.ValueOf(want)
		if m.Kind() != reflect.Map || m.Len() != len(got) && !lossy {
			return false
		}
		for _, e := range got {
			found := false
			for it := m.MapRange(); it.Next() && !found; {
				found = same(v.Type.Key, it.Key().Interface(), e.key, false) && same(v.Type.Elem, it.Value().Interface(), e.value, lossy)
			}
			if !found {
				return false
			}
		}
		return true
	case row:
		if v.Type.Kind == msgpack.FormExt {
			x, ok := want.(msgpack.Ext)
			return ok && equal(x.Type, got[0]) && bytes.Equal(x.Data, got[1].([]byte))
		}
		if v.Type.Kind == msgpack.FormUnion {
			return sameUnion(v.Type, want, got, lossy)
		}
		for i, f := range v.Type.Fields {
			if !same(f.Value, member(v.Type, want, i), got[i], lossy) {
				return false
			}
		}
		return true
	}
	if text, ok := want.(string); ok {
		if t, isTime := got.(time.Time); isTime {
			parsed, err := time.Parse(time.RFC3339Nano, text)
			return err == nil && parsed.Equal(t)
		}
	}
	return equal(want, got)
}

// sameUnion is [same] for a union, whose group has the tag and one field for each variant.
func sameUnion(t *schema.Type, want any, got row, lossy bool) bool {
	tag, value := any(nil), want
	if list, ok := want.([]any); ok && t.Discriminator == "" && len(list) == 2 {
		tag, value = list[0], list[1]
	} else if m, ok := want.(map[string]any); ok && t.Discriminator != "" {
		tag = m[t.Discriminator]
	}
	if !equal(tag, got[0]) {
		return false
	}
	for i, v := range t.Variants {
		if !equal(tag, v.Tag) {
			if got[i+1] != nil {
				return false
			}
		} else if !same(v.Value, value, got[i+1], lossy) {
			return false
		}
	}
	return true
}

// member returns field i of a struct.
func member(t *schema.Type, want any, i int) any {
	name := t.Fields[i].Name
	switch want := want.(type) {
	case []any:
		if i < len(want) {
			return want[i]
		}
	case map[string]any:
		return want[name]
	case map[any]any:
		for k, v := range want {
			if text, err := msgpack.Marshal(k); err == nil {
				if key, err := transcode.AppendJSON(nil, text, nil); err == nil && string(key) == name {
					return v
				}
			}
		}
		return want[name]
	}
	return nil
}

// equal compares values whatever their Go types are.
func equal(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if !x.IsValid() || !y.IsValid() {
		return x.IsValid() == y.IsValid()
	}
	if t, ok := a.(time.Time); ok {
		u, ok := b.(time.Time)
		return ok && t.Equal(u)
	}
	switch {
	case isText(x) && isText(y):
		return text(x) == text(y)
	case x.Kind() == reflect.Slice && y.Kind() == reflect.Slice:
		if x.Len() != y.Len() {
			return false
		}
		for i := range x.Len() {
			if !equal(x.Index(i).Interface(), y.Index(i).Interface()) {
				return false
			}
		}
		return true
	case x.Kind() == reflect.Map && y.Kind() == reflect.Map:
		if x.Len() != y.Len() {
			return false
		}
		for i := x.MapRange(); i.Next(); {
			found := false
			for j := y.MapRange(); j.Next() && !found; {
				found = equal(i.Key().Interface(), j.Key().Interface()) && equal(i.Value().Interface(), j.Value().Interface())
			}
			if !found {
				return false
			}
		}
		return true
	case isNumber(x) && isNumber(y):
		if x.CanFloat() || y.CanFloat() {
			f, g := toFloat(x), toFloat(y)
			return f == g && math.Signbit(f) == math.Signbit(g) || f != f && g != g
		}
		return toInt(x) == toInt(y)
	}
	return reflect.DeepEqual(a, b)
}

func isText(v reflect.Value) bool {
	return v.Kind() == reflect.String || v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8
}

func text(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return v.String()
	}
	return string(v.Bytes())
}

func isNumber(v reflect.Value) bool { return v.CanInt() || v.CanUint() || v.CanFloat() }

func toFloat(v reflect.Value) float64 {
	if v.CanFloat() {
		return v.Float()
	}
	if v.CanInt() {
		return float64(v.Int())
	}
	return float64(v.Uint())
}

// toInt returns a sign and a magnitude.
func toInt(v reflect.Value) [2]uint64 {
	if v.CanInt() && v.Int() < 0 {
		return [2]uint64{1, uint64(-v.Int())}
	}
	if v.CanInt() {
		return [2]uint64{0, uint64(v.Int())}
	}
	return [2]uint64{0, v.Uint()}
}
