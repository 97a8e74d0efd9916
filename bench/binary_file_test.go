package main_test

import (
	stdbinary "encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/octet-go/octet/binary"
)

// BenchmarkBinaryFile writes 100 million numbers to a file, as one write of the
// same bytes does. Beside the time it reports how many bytes were allocated.
func BenchmarkBinaryFile(b *testing.B) {
	const count = 100_000_000
	raw := make([]byte, 8*count)
	numbers, ok := binary.View[uint64](raw, binary.NativeEndian)
	if !ok {
		b.Skip("large slices are not aligned on this machine")
	}
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	for _, c := range []struct {
		name  string
		write func(f *os.File) error
	}{
		{"raw", func(f *os.File) error { _, err := f.Write(raw); return err }},
		{"octet little", func(f *os.File) error { return binary.WriteSlice(f, binary.LittleEndian, numbers) }},
		{"octet big", func(f *os.File) error { return binary.WriteSlice(f, binary.BigEndian, numbers) }},
		{"octet Write big", func(f *os.File) error { return binary.Write(f, binary.BigEndian, numbers) }},
		{"std big", func(f *os.File) error { return stdbinary.Write(f, stdbinary.BigEndian, numbers) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(8 * count)
			path := filepath.Join(b.TempDir(), "numbers")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				f, err := os.Create(path)
				if err != nil {
					b.Fatal(err)
				}
				if err := c.write(f); err != nil {
					b.Fatal(err)
				}
				if err := f.Close(); err != nil {
					b.Fatal(err)
				}
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N), "allocated-B/op")
		})
	}
}
