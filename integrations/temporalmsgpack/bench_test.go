package temporalmsgpack_test

import (
	"reflect"
	"testing"

	"github.com/octet-go/octet/integrations/temporalmsgpack"
	"go.temporal.io/sdk/converter"
)

// BenchmarkConverter converts one value to a payload and back.
func BenchmarkConverter(b *testing.B) {
	for _, c := range []struct {
		name string
		converter.DataConverter
	}{{"octet", temporalmsgpack.NewDataConverter(nil)}, {"json", converter.GetDefaultDataConverter()}} {
		b.Run(c.name, func(b *testing.B) {
			want := order(12)
			exchange := func() (got Order) {
				payloads, err := c.ToPayloads(want)
				if err == nil {
					err = c.FromPayloads(payloads, &got)
				}
				if err != nil {
					b.Fatal(err)
				}
				return got
			}
			if got := exchange(); !reflect.DeepEqual(got, want) {
				b.Fatalf("got %v", got)
			}
			b.ReportAllocs()
			for b.Loop() {
				exchange()
			}
		})
	}
}
