package cases_test

import (
	stdbinary "encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/octet-go/octet/binary"
)

// BenchmarkBinaryFile writes 100 million numbers to a new file in the temporary directory, and the same bytes with one
// Write. It reports the median of the ratios of all rounds, and the number of bytes allocated. The order changes in
// each round, because memory that was released by one file may be slower for the next.
func BenchmarkBinaryFile(b *testing.B) {
	const count = 100_000_000
	raw := make([]byte, 8*count)
	numbers, ok := binary.View[uint64](raw, binary.NativeEndian)
	if !ok {
		b.Skip("large slices are not aligned on this system")
	}
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	for _, c := range []struct {
		name  string
		write func(f *os.File) error
	}{
		{"octet little", func(f *os.File) error { return binary.WriteSlice(f, binary.LittleEndian, numbers) }},
		{"octet big", func(f *os.File) error { return binary.WriteSlice(f, binary.BigEndian, numbers) }},
		{"octet Write big", func(f *os.File) error { return binary.Write(f, binary.BigEndian, numbers) }},
		{"std big", func(f *os.File) error { return stdbinary.Write(f, stdbinary.BigEndian, numbers) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "numbers")
			var ratios []float64
			var allocated uint64
			for b.Loop() {
				var whole, pieces time.Duration
				var bytes uint64
				turns := []func(){
					func() {
						whole, _ = writeFile(b, path, func(f *os.File) error { _, err := f.Write(raw); return err })
					},
					func() { pieces, bytes = writeFile(b, path, c.write) },
				}
				first := len(ratios) % 2
				turns[first]()
				turns[1-first]()
				ratios = append(ratios, pieces.Seconds()/whole.Seconds())
				allocated = max(allocated, bytes)
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "/raw")
			b.ReportMetric(float64(allocated), "allocated-B")
		})
	}
}

// writeFile returns how long write takes and how many bytes it allocates.
func writeFile(b *testing.B, path string, write func(f *os.File) error) (time.Duration, uint64) {
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	err = write(f)
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if err := errors.Join(err, f.Close(), os.Remove(path)); err != nil {
		b.Fatal(err)
	}
	return took, after.TotalAlloc - before.TotalAlloc
}
