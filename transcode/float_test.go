package transcode

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAppendFloat compares numbers with those of package json, which have no point if
// they are integers.
func TestAppendFloat(t *testing.T) {
	check := func(got string, number any) {
		t.Helper()
		want, err := json.Marshal(number)
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSuffix(got, ".0") != string(want) || !strings.ContainsAny(got, ".e") {
			t.Errorf("%s, want %s", got, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	numbers := []float64{0, math.Copysign(0, -1), 1, -1.5, 1e20, 1e21, -1e21, 1e22, 1e-6, 1e-7, 1.5e-9, 1e-10, 1e-300, math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxFloat32, math.SmallestNonzeroFloat32, 123456789, 1 << 60}
	for _, f := range []float64{1e-6, 1e21} {
		numbers = append(numbers, math.Nextafter(f, 0), math.Nextafter(f, math.Inf(1)), float64(math.Nextafter32(float32(f), 0)), float64(float32(f)))
	}
	for range 5000 {
		numbers = append(numbers, math.Float64frombits(r.Uint64()), float64(math.Float32frombits(r.Uint32())))
	}
	for _, f := range numbers {
		if !math.IsNaN(f) && !math.IsInf(f, 0) {
			check(string(appendFloat(nil, f, 64)), f)
		}
		if f32 := float32(f); f32 == f32 && !math.IsInf(float64(f32), 0) {
			check(string(appendFloat(nil, float64(f32), 32)), f32)
		}
	}
}
