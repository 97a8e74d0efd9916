package parquet_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record/parquet"
	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

type sample struct {
	Flag   bool    `msgpack:"flag"`
	Small  int16   `msgpack:"small"`
	Signed int64   `msgpack:"signed"`
	Large  uint64  `msgpack:"large"`
	Single float32 `msgpack:"single"`
	Double float64 `msgpack:"double"`
	Text   string  `msgpack:"text"`
	Bytes  []byte  `msgpack:"bytes"`
}

// samples returns the messages of n samples. Of 120,000, the texts of the first 80,000
// repeat. The others are different, and so long that they do not fit in a dictionary.
func samples(n int) (stream []byte) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		s := sample{r.IntN(2) == 0, int16(r.Int()), r.Int64() - 1<<62, r.Uint64(), r.Float32() - 0.5, r.NormFloat64(), fmt.Sprintf("sample %030d", i), nil}
		if k := i % 120_000; k < 80_000 {
			s.Text = fmt.Sprintf("sample %d", k%10_000)
		}
		switch i % 5 {
		case 0:
			s.Double, s.Single = math.NaN(), float32(math.NaN())
		case 1:
			s.Bytes = []byte{byte(i), byte(i >> 8)}
		}
		stream, _ = msgpack.MarshalAppend(stream, s)
	}
	return stream
}

// open exports samples and opens the file.
func open(t *testing.T, stream []byte, size int) (*parquetgo.File, []byte) {
	t.Helper()
	var out bytes.Buffer
	o := &parquet.Options{Format: parquet.MessagePack, Schema: schemaOf[sample](t), RowGroup: size}
	if _, err := parquet.Export(&out, bytes.NewReader(stream), o); err != nil {
		t.Fatal(err)
	}
	f, err := parquetgo.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f, out.Bytes()
}

// TestLargeDictionary reads back columns that have more texts than a dictionary, in two
// row groups.
func TestLargeDictionary(t *testing.T) {
	stream := samples(240_000)
	f, data := open(t, stream, len(stream)/2)
	var encodings []format.Encoding
	for _, s := range f.Metadata().RowGroups[1].Columns[6].MetaData.EncodingStats {
		encodings = append(encodings, s.Encoding)
	}
	if want := []format.Encoding{format.Plain, format.Plain, format.RLEDictionary}; fmt.Sprint(encodings) != fmt.Sprint(want) {
		t.Errorf("encodings %v, want pages of both kinds: %v", encodings, want)
	}
	rows, _ := readBack(t, data)
	i := 0
	for d := msgpack.NewDecoder(bytes.NewReader(stream)); d.More(); i++ {
		var want sample
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if got := rows[i]; got[6] != want.Text || got[3] != want.Large || !equal(got[7], any(nilIfEmpty(want.Bytes))) {
			t.Fatalf("row %d: %v, want %v", i, got, want)
		}
	}
	if i != len(rows) {
		t.Errorf("%d rows, want %d", len(rows), i)
	}
}

func nilIfEmpty(b []byte) any {
	if len(b) == 0 {
		return nil
	}
	return b
}

// numbers returns the samples in stream that have no NaN.
func numbers(t *testing.T, stream []byte) (rest []byte) {
	for v, err := range msgpack.Values[sample](msgpack.NewDecoder(bytes.NewReader(stream))) {
		if err != nil {
			t.Fatal(err)
		}
		if v.Double == v.Double {
			rest, _ = msgpack.MarshalAppend(rest, v)
		}
	}
	return rest
}

// TestBounds compares the bounds of columns with the values. Where a NaN is, there are none.
func TestBounds(t *testing.T) {
	for name, stream := range map[string][]byte{"random": samples(9_000), "one": samples(2)[len(samples(1)):], "NaN": samples(1), "zeros": zeros(t), "numbers": numbers(t, samples(9_000))} {
		t.Run(name, func(t *testing.T) {
			f, _ := open(t, stream, 1<<20)
			for _, g := range f.RowGroups() {
				for i, c := range g.ColumnChunks() {
					var least, most parquetgo.Value
					nan := false
					pages := c.Pages()
					for page, err := pages.ReadPage(); err == nil; page, err = pages.ReadPage() {
						values := make([]parquetgo.Value, page.NumValues())
						n, _ := page.Values().ReadValues(values)
						for _, v := range values[:n] {
							if v.IsNull() {
								continue
							}
							if v.Kind() == parquetgo.Double && v.Double() != v.Double() || v.Kind() == parquetgo.Float && v.Float() != v.Float() {
								nan = true
								continue
							}
							if least.IsNull() || c.Type().Compare(v, least) < 0 {
								least = v.Clone()
							}
							if most.IsNull() || c.Type().Compare(v, most) > 0 {
								most = v.Clone()
							}
						}
					}
					pages.Close()
					low, high, ok := c.(*parquetgo.FileColumnChunk).Bounds()
					if ok == (nan || least.IsNull()) || ok && (c.Type().Compare(low, least) != 0 || c.Type().Compare(high, most) != 0) {
						t.Errorf("column %d: %v to %v (%v), want %v to %v", i, low, high, ok, least, most)
					}
					if name == "zeros" && c.Type().Kind() == parquetgo.Double && (!math.Signbit(low.Double()) || math.Signbit(high.Double())) {
						t.Errorf("column %d: %v to %v, want both zeros", i, low, high)
					}
				}
			}
		})
	}
}

func zeros(t *testing.T) []byte {
	data, err := msgpack.Marshal(sample{})
	if err != nil {
		t.Fatal(err)
	}
	return data
}
