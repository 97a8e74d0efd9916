package msgpack_test

import (
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// The keys of an ordered take one, two or three machine words in comparisons. Some
// share their first or last word.
type ordered struct {
	A                         int    `msgpack:"a"`
	Name                      string `msgpack:"name,required"`
	Measurement               uint16 `msgpack:"measurement"`
	MeasuredAt                int64  `msgpack:"measured_at"`
	CorrectedMeasurement      []int  `msgpack:"corrected_measurement"`
	CorrelatedMeasurement     string `msgpack:"correlated_measurement"`
	Score                     float64
	Ok                        bool
	CorrelatedMeasurementUnit *string `msgpack:"correlated_measurement_unit"`
}

// TestOrderOfKeys decodes messages on several goroutines at once. Their keys are in
// changing orders, some fields are missing, and some keys are unknown, so that the
// order that the codec has learned changes all the time, until the codec gives it
// up. The results must be correct throughout.
func TestOrderOfKeys(t *testing.T) {
	codec, err := msgpack.New(msgpack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	unit := "µV"
	want := ordered{-5, "some name", 3, 1 << 40, []int{1, 2}, "x", 1.5, true, &unit}
	var pairs [][]byte
	v := reflect.ValueOf(want)
	for i := range v.NumField() {
		key := v.Type().Field(i).Name
		if tag := v.Type().Field(i).Tag.Get("msgpack"); tag != "" {
			key = tag
		}
		if key == "name,required" {
			key = "name"
		}
		value, err := msgpack.Marshal(v.Field(i).Interface())
		if err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, append(wire.AppendString(nil, key), value...))
	}
	unknown := []string{"\xa1b\x05", "\xacmeasurement2\xa1b", "\xacmeasurements\x93\x01\x81\x02\x03\xc0", "\xa0\xc0", "\xb5correctly_measurement\x07"}
	var group sync.WaitGroup
	for seed := range uint64(4) {
		group.Go(func() {
			r := rand.New(rand.NewPCG(seed, 1))
			order := r.Perm(len(pairs))
			for round := range 2000 {
				if round%int(1+seed*7) == 0 {
					order = r.Perm(len(pairs))
				}
				expected, n := want, 0
				var data []byte
				for _, i := range order {
					if i != 1 && r.IntN(9) == 0 { // the field is missing
						reflect.ValueOf(&expected).Elem().Field(i).SetZero()
						continue
					}
					data = append(data, pairs[i]...)
					n++
					if r.IntN(9) == 0 {
						data = append(data, unknown[r.IntN(len(unknown))]...)
						n++
					}
				}
				data = append(wire.AppendMapHeader(nil, uint32(n)), data...)
				var got ordered
				if err := codec.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, expected) {
					t.Errorf("% x:\n%+v, %v\nwant %+v", data, got, err, expected)
					return
				}
			}
		})
	}
	group.Wait()
}
