package cases

import (
	"bufio"
	stdbinary "encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/binary"
)

func isNumpy(name string) bool { return strings.HasPrefix(name, "numpy") }

// largeNames returns the ways of a task in the order of the tables.
func largeNames(task string) []string {
	if task == engine.TaskSum {
		return []string{
			"slice in memory", "array Slice", "array Slice, Populate", "array Chunks", "array Chunks, not mapped", "array All", "ReadFile, then sum",
			"numpy load, mmap", "numpy load",
		}
	}
	names := []string{
		"os.File.Write", "binary.WriteSlice", "array Append", "array WriteAt", "array Slice", "numpy tofile", "numpy save", "numpy memmap",
		"binary.WriteSlice, swapped", "array Append, swapped", "numpy tofile, swapped",
		"bufio, one by one", "encoding/binary.Write",
	}
	if task == engine.TaskWrite {
		names = append(names, "encoding/binary, one by one")
	}
	return names
}

// Writing all numbers one by one takes minutes. Only n/oneByOneShare numbers are
// written one by one, and the time is multiplied by oneByOneShare.
const oneByOneShare = 100

// prepare makes the array of a way and returns the work to measure. The time of
// the work is multiplied by share.
func prepare(name, task, path string, n int) (work func() error, share float64, err error) {
	if task == engine.TaskSum {
		work, err = prepareSum(name, path, n)
		return work, 1, err
	}
	raw := make([]byte, 8*n)
	// The numbers and the bytes share their memory, so that the array is in memory once.
	numbers, ok := binary.View[uint64](raw, binary.NativeEndian)
	if !ok {
		return nil, 0, errors.New("large slices are not aligned on this system")
	}
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	sync := task == engine.TaskSync
	file := func(write func(f *os.File) error) func() error {
		return func() error {
			f, err := os.Create(path)
			if err != nil {
				return err
			}
			err = write(f)
			if err == nil && sync {
				err = f.Sync()
			}
			return errors.Join(err, f.Close())
		}
	}
	arrayOf := func(n int, format array.Format, write func(f *array.File[uint64]) error) func() error {
		return func() error {
			f, err := array.Create[uint64](path, n, format)
			if err != nil {
				return err
			}
			err = write(f)
			if err == nil && sync {
				err = f.Sync()
			}
			return errors.Join(err, f.Close())
		}
	}
	little, big := array.NPY.WithOrder(binary.LittleEndian), array.NPY.WithOrder(binary.BigEndian)
	switch name {
	case "os.File.Write":
		return file(func(f *os.File) error { _, err := f.Write(raw); return err }), 1, nil
	case "binary.WriteSlice":
		return file(func(f *os.File) error { return binary.WriteSlice(f, binary.LittleEndian, numbers) }), 1, nil
	case "binary.WriteSlice, swapped":
		return file(func(f *os.File) error { return binary.WriteSlice(f, binary.BigEndian, numbers) }), 1, nil
	case "array Append":
		return arrayOf(0, little, func(f *array.File[uint64]) error { return f.Append(numbers...) }), 1, nil
	case "array Append, swapped":
		return arrayOf(0, big, func(f *array.File[uint64]) error { return f.Append(numbers...) }), 1, nil
	case "array WriteAt":
		return arrayOf(n, little, func(f *array.File[uint64]) error { _, err := f.WriteAt(numbers, 0); return err }), 1, nil
	case "array Slice":
		return arrayOf(n, little, func(f *array.File[uint64]) error {
			s, err := f.Slice()
			copy(s, numbers)
			return err
		}), 1, nil
	case "bufio, one by one":
		return file(func(f *os.File) error {
			w := bufio.NewWriter(f)
			for _, x := range numbers {
				if _, err := w.Write(stdbinary.LittleEndian.AppendUint64(w.AvailableBuffer(), x)); err != nil {
					return err
				}
			}
			return w.Flush()
		}), 1, nil
	case "encoding/binary.Write":
		return file(func(f *os.File) error { return stdbinary.Write(f, stdbinary.LittleEndian, numbers) }), 1, nil
	case "encoding/binary, one by one":
		return file(func(f *os.File) error {
			for _, x := range numbers[:max(1, n/oneByOneShare)] {
				if err := stdbinary.Write(f, stdbinary.LittleEndian, x); err != nil {
					return err
				}
			}
			return nil
		}), oneByOneShare, nil
	}
	return nil, 0, fmt.Errorf("bench: no way %q", name)
}

func prepareSum(name, path string, n int) (func() error, error) {
	want := uint64(n) * uint64(n-1) / 2
	if n%2 == 0 {
		want = uint64(n) / 2 * uint64(n-1)
	}
	check := func(got uint64) error {
		if got != want {
			return fmt.Errorf("the sum is %d, want %d", got, want)
		}
		return nil
	}
	opened := func(o array.Options, add func(f *array.File[uint64]) (uint64, error)) func() error {
		return func() error {
			o.ReadOnly = true
			f, err := array.Open[uint64](path, &o)
			if err != nil {
				return err
			}
			got, err := add(f)
			if err == nil {
				err = check(got)
			}
			return errors.Join(err, f.Close())
		}
	}
	slice := func(f *array.File[uint64]) (uint64, error) {
		s, err := f.Slice()
		return sum(s), err
	}
	chunks := func(f *array.File[uint64]) (total uint64, err error) {
		for part := range f.Chunks(32 << 10) {
			total += sum(part)
		}
		return total, nil
	}
	switch name {
	case "slice in memory":
		s := make([]uint64, n)
		for i := range s {
			s[i] = uint64(i)
		}
		return func() error { return check(sum(s)) }, nil
	case "array Slice":
		return opened(array.Options{}, slice), nil
	case "array Slice, Populate":
		return opened(array.Options{Populate: true}, slice), nil
	case "array Chunks":
		return opened(array.Options{}, chunks), nil
	case "array Chunks, not mapped":
		return opened(array.Options{NoMmap: true}, chunks), nil
	case "array All":
		return opened(array.Options{}, func(f *array.File[uint64]) (total uint64, err error) {
			for _, v := range f.All() {
				total += v
			}
			return total, nil
		}), nil
	case "ReadFile, then sum":
		return func() error {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			s, ok := binary.View[uint64](b[len(b)-8*n:], binary.LittleEndian)
			if !ok {
				return errors.New("the file is not aligned")
			}
			return check(sum(s))
		}, nil
	}
	return nil, fmt.Errorf("bench: no way %q", name)
}

// sum uses four variables, so that additions do not wait for each other and the speed
// of the memory is the limit.
func sum(s []uint64) uint64 {
	var a, b, c, d uint64
	for ; len(s) >= 4; s = s[4:] {
		a, b, c, d = a+s[0], b+s[1], c+s[2], d+s[3]
	}
	for _, v := range s {
		a += v
	}
	return a + b + c + d
}
