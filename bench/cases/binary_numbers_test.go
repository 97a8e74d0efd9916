package cases_test

import (
	"bufio"
	stdbinary "encoding/binary"
	"fmt"
	"io"
	"testing"

	"github.com/octet-go/octet/binary"
)

// counter is a writer of an unknown type. It reads its input, so that the caches are used as by a real writer.
type counter struct{ n int }

func (c *counter) Write(b []byte) (int, error) { c.n += len(b); return len(b), nil }

type celsius float32

// BenchmarkBinaryAppendSlice compares the conversion of numbers to the swapped byte order with a copy of the same
// number of bytes.
func BenchmarkBinaryAppendSlice(b *testing.B) {
	for _, size := range []int{8 << 10, 8 << 20, 256 << 20} {
		name := fmt.Sprintf("%dKiB", size>>10)
		src, dst := make([]byte, size), make([]byte, size)
		for i := range src {
			src[i], dst[i] = byte(i), 1
		}
		run := func(kind string, f func()) {
			b.Run(name+"/"+kind, func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("copy", func() { copy(dst, src) })
		appendNumbers[uint64](run, dst, src, "uint64")
		appendNumbers[uint32](run, dst, src, "uint32")
		appendNumbers[uint16](run, dst, src, "uint16")
		appendNumbers[float32](run, dst, src, "float32")
		appendNumbers[celsius](run, dst, src, "celsius")
		if numbers, ok := binary.View[uint64](src, binary.NativeEndian); ok {
			if size <= 8<<20 {
				run("std", func() { dst, _ = stdbinary.Append(dst[:0], stdbinary.BigEndian, numbers) })
			}
		}
	}
}

func appendNumbers[T binary.Number](run func(string, func()), dst, src []byte, kind string) {
	numbers, ok := binary.View[T](src, binary.NativeEndian)
	if !ok {
		return
	}
	run(kind+" big", func() { dst = binary.AppendSlice(dst[:0], binary.BigEndian, numbers) })
	run(kind+" little", func() { dst = binary.AppendSlice(dst[:0], binary.LittleEndian, numbers) })
	run(kind+" get big", func() { _, _ = binary.GetSlice(dst, binary.BigEndian, numbers) })
}

// BenchmarkBinaryWriteSlice writes 8 MiB of numbers to a counter.
func BenchmarkBinaryWriteSlice(b *testing.B) {
	for _, size := range []int{8 << 10, 8 << 20} {
		numbers := make([]uint64, size/8)
		named := make([]celsius, size/4)
		var c counter
		for _, order := range []stdbinary.ByteOrder{stdbinary.BigEndian, stdbinary.LittleEndian} {
			run := func(kind string, f func()) {
				b.Run(fmt.Sprintf("%dKiB/%v/%s", size>>10, order, kind), func(b *testing.B) {
					b.SetBytes(int64(size))
					b.ReportAllocs()
					for b.Loop() {
						f()
					}
				})
			}
			run("std", func() { _ = stdbinary.Write(&c, order, numbers) })
			run("one by one", func() { oneByOne(&c, order, numbers) })
			run("bufio", func() {
				w := bufio.NewWriter(&c)
				oneByOne(w, order, numbers)
				w.Flush()
			})
			run("octet Write", func() { _ = binary.Write(&c, order, numbers) })
			run("octet WriteSlice", func() { _ = binary.WriteSlice(&c, order, numbers) })
			run("octet WriteSlice named", func() { _ = binary.WriteSlice(&c, order, named) })
		}
	}
}

func oneByOne(w io.Writer, order stdbinary.ByteOrder, numbers []uint64) {
	var b [8]byte
	for _, x := range numbers {
		order.PutUint64(b[:], x)
		_, _ = w.Write(b[:])
	}
}
