package array_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
)

// scratch returns the path of a file that does not exist.
func scratch() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "array")
	if err != nil {
		panic(err)
	}
	return filepath.Join(dir, "a.npy"), func() { os.RemoveAll(dir) }
}

// numbers returns an open file with the numbers 10, 20, 30 and 40.
func numbers() (f *array.File[uint32], remove func()) {
	f, _, remove = numbersFile()
	return f, remove
}

// numbersFile is like numbers and also returns the path of the file.
func numbersFile() (f *array.File[uint32], path string, remove func()) {
	path, removeDir := scratch()
	f, err := array.Create[uint32](path, 0, array.NPY.WithOrder(binary.LittleEndian))
	if err != nil {
		panic(err)
	}
	if err := f.Append(10, 20, 30, 40); err != nil {
		panic(err)
	}
	return f, path, func() { f.Close(); removeDir() }
}

func ExampleCreate() {
	path, remove := scratch()
	defer remove()
	f, err := array.Create[float64](path, 1000, array.NPY)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	fmt.Println(f.Len(), f.At(999))
	_, err = array.Create[float64](path, 1, array.NPY)
	fmt.Println(errors.Is(err, fs.ErrExist))
	// Output:
	// 1000 0
	// true
}

func ExampleOpen() {
	path, remove := scratch()
	defer remove()
	if err := os.WriteFile(path, []byte{0, 1, 0, 2, 0, 3}, 0o666); err != nil {
		fmt.Println(err)
		return
	}
	f, err := array.Open[uint16](path, &array.Options{Format: array.Raw(binary.BigEndian), ReadOnly: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	fmt.Println(f.Len(), f.At(2))
	// Output: 3 3
}

func ExampleRaw() {
	var b bytes.Buffer
	err := array.Write(&b, []uint16{1, 2}, array.Raw(binary.BigEndian))
	fmt.Printf("% x %v\n", b.Bytes(), err)
	// Output: 00 01 00 02 <nil>
}

func ExampleFormat_WithOrder() {
	var b bytes.Buffer
	err := array.Write(&b, []uint16{1, 2}, array.NPY.WithOrder(binary.BigEndian))
	fmt.Printf("%q % x %v\n", b.Bytes()[10:67], b.Bytes()[128:], err)
	// Output: "{'descr': '>u2', 'fortran_order': False, 'shape': (2,), }" 00 01 00 02 <nil>
}

func ExampleFormat_WithShape() {
	var b bytes.Buffer
	err := array.Write(&b, []float32{1, 2, 3, 4, 5, 6}, array.NPY.WithShape(2, 3))
	_, info, err2 := array.Read[float32](&b)
	fmt.Println(info.Shape, err, err2)
	// Output: [2 3] <nil> <nil>
}

func ExampleFormat_WithFortranOrder() {
	var b bytes.Buffer
	err := array.Write(&b, []float32{1, 4, 2, 5, 3, 6}, array.NPY.WithShape(2, 3).WithFortranOrder())
	_, info, err2 := array.Read[float32](&b)
	fmt.Println(info.Shape, info.Fortran, err, err2)
	// Output: [2 3] true <nil> <nil>
}

func ExampleFormat_String() {
	fmt.Println(array.NPY, array.Raw(binary.BigEndian))
	// Output: npy raw
}

func ExampleStat() {
	_, path, remove := numbersFile()
	defer remove()
	info, err := array.Stat(path)
	fmt.Println(info, info.Len, info.Offset, err)
	// Output: uint32[4] npy 1.0, little-endian 4 128 <nil>
}

func ExampleInfo_String() {
	fmt.Println(array.Info{Format: array.Raw(binary.BigEndian), Kind: 10, Shape: []int{3}, Order: binary.BigEndian})
	// Output: uint32[3] raw, big-endian
}

func ExampleInfo_ElementSize() {
	f, remove := numbers()
	defer remove()
	fmt.Println(f.Info().ElementSize())
	// Output: 4
}

func ExampleFile_Info() {
	f, remove := numbers()
	defer remove()
	fmt.Println(f.Info().Kind, f.Info().Order)
	// Output: uint32 LittleEndian
}

func ExampleFile_Len() {
	f, remove := numbers()
	defer remove()
	fmt.Println(f.Len())
	// Output: 4
}

func ExampleFile_Index() {
	path, remove := scratch()
	defer remove()
	f, err := array.Create[int16](path, 6, array.NPY.WithShape(2, 3))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	_, err = f.WriteAt([]int16{42}, f.Index(1, 2))
	fmt.Println(f.At(5), err)
	// Output: 42 <nil>
}

func ExampleFile_At() {
	f, remove := numbers()
	defer remove()
	fmt.Println(f.At(0), f.At(3))
	// Output: 10 40
}

func ExampleFile_Slice() {
	f, remove := numbers()
	defer remove()
	s, err := f.Slice()
	if errors.Is(err, array.ErrNoSlice) { // the file is not mapped on this system
		s = make([]uint32, f.Len())
		if _, err := f.ReadAt(s, 0); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(s)
	// Output: [10 20 30 40]
}

func ExampleFile_ReadAt() {
	f, remove := numbers()
	defer remove()
	dst := make([]uint32, 3)
	n, err := f.ReadAt(dst, 2)
	fmt.Println(dst[:n], err)
	// Output: [30 40] EOF
}

func ExampleFile_WriteAt() {
	f, remove := numbers()
	defer remove()
	n, err := f.WriteAt([]uint32{1, 2}, 1)
	fmt.Println(n, err, f.At(1), f.At(2))
	_, err = f.WriteAt([]uint32{1, 2}, 3)
	fmt.Println(errors.Is(err, array.ErrRange))
	// Output:
	// 2 <nil> 1 2
	// true
}

func ExampleFile_Append() {
	f, remove := numbers()
	defer remove()
	err := f.Append(50, 60)
	fmt.Println(f.Len(), f.At(5), err)
	// Output: 6 60 <nil>
}

func ExampleFile_Grow() {
	f, remove := numbers()
	defer remove()
	err := f.Grow(2)
	fmt.Println(f.Len(), f.At(5), err)
	// Output: 6 0 <nil>
}

func ExampleFile_Sync() {
	f, remove := numbers()
	defer remove()
	if err := f.Sync(); err != nil {
		fmt.Println("the file must be written again:", err)
	}
	// Output:
}

func ExampleFile_Close() {
	f, remove := numbers()
	defer remove()
	err := f.Close()
	fmt.Println(err, errors.Is(f.Append(1), array.ErrClosed))
	// Output: <nil> true
}

func ExampleFile_All() {
	f, remove := numbers()
	defer remove()
	sum := uint32(0)
	for _, v := range f.All() {
		sum += v
	}
	fmt.Println(sum)
	// Output: 100
}

func ExampleFile_Chunks() {
	f, remove := numbers()
	defer remove()
	for chunk := range f.Chunks(3) {
		fmt.Println(chunk)
	}
	// Output:
	// [10 20 30]
	// [40]
}

func ExampleFile_Guard() {
	_, path, remove := numbersFile()
	defer remove()
	f, err := array.Open[uint32](path, &array.Options{NoMmap: true, ReadOnly: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	// Another process cuts the file short.
	if err := os.Truncate(path, 0); err != nil {
		fmt.Println(err)
	}
	last := uint32(0)
	err = f.Guard(func() { last = f.At(3) })
	fmt.Println(last, errors.Is(err, array.ErrTruncated))
	// Output: 0 true
}

func ExampleRead() {
	var b bytes.Buffer
	if err := array.Write(&b, []int64{1, -2}, array.NPY); err != nil {
		fmt.Println(err)
	}
	s, info, err := array.Read[int64](&b)
	fmt.Println(s, info.Kind, err)
	// Output: [1 -2] int64 <nil>
}

func ExampleWrite() {
	var b bytes.Buffer
	err := array.Write(&b, []bool{true, false}, array.NPY)
	fmt.Printf("%d bytes, %v\n", b.Len(), err)
	// Output: 130 bytes, <nil>
}

// archive returns a .npz file with the array x.
func archive() *zip.Reader {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if err := errors.Join(array.WriteNPZ(w, "x", []float64{0.5, 1}, array.NPY), w.Close()); err != nil {
		panic(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		panic(err)
	}
	return z
}

func ExampleWriteNPZ() {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err := array.WriteNPZ(z, "x", []float64{0.5, 1}, array.NPY)
	fmt.Println(err, z.Close())
	// Output: <nil> <nil>
}

func ExampleReadNPZ() {
	s, info, err := array.ReadNPZ[float64](archive(), "x")
	fmt.Println(s, info.Shape, err)
	// Output: [0.5 1] [2] <nil>
}

func ExampleStatNPZ() {
	info, err := array.StatNPZ(archive(), "x")
	fmt.Println(info.Kind, info.Len, err)
	// Output: float64 2 <nil>
}

func ExampleNamesNPZ() {
	fmt.Println(array.NamesNPZ(archive()))
	// Output: [x]
}

func ExampleError() {
	_, path, remove := numbersFile()
	defer remove()
	_, err := array.Open[float64](path, &array.Options{ReadOnly: true})
	var e *array.Error
	if errors.As(err, &e) {
		fmt.Println(e.Op, e.Err)
	}
	// Output: open type does not match: the file has uint32 (<u4), the program wants float64
}

func ExampleError_Error() {
	err := &array.Error{Op: "open", File: "a.npy", Offset: 6, Err: array.ErrUnsupported}
	fmt.Println(err.Error())
	// Output: array: open a.npy: not supported (offset 6)
}

func ExampleError_Unwrap() {
	err := &array.Error{Op: "open", File: "a.npy", Offset: -1, Err: array.ErrType}
	fmt.Println(errors.Is(err, array.ErrType))
	// Output: true
}

func ExampleNewReader() {
	var b bytes.Buffer
	if err := array.Write(&b, []uint16{1, 2, 3}, array.NPY); err != nil {
		fmt.Println(err)
	}
	r, err := array.NewReader[uint16](&b, array.NPY)
	if err != nil {
		fmt.Println(err)
		return
	}
	part := make([]uint16, 2)
	for {
		n, err := r.Read(part)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(part[:n])
	}
	// Output:
	// [1 2]
	// [3]
	// EOF
}

func ExampleReader_Info() {
	r, err := array.NewReader[uint8](bytes.NewReader([]byte{1, 2}), array.Raw(binary.BigEndian))
	fmt.Println(r.Info().Kind, r.Info().Len, err)
	// Output: uint8 -1 <nil>
}

func ExampleReader_Read() {
	r, err := array.NewReader[uint16](bytes.NewReader([]byte{0, 1, 0, 2, 0}), array.Raw(binary.BigEndian))
	if err != nil {
		fmt.Println(err)
		return
	}
	part := make([]uint16, 10)
	n, err := r.Read(part)
	fmt.Println(part[:n], errors.Is(err, array.ErrTruncated))
	// Output: [1 2] true
}

func ExampleReadHeader() {
	var b bytes.Buffer
	if err := array.Write(&b, []float32{1, 2}, array.NPY); err != nil {
		fmt.Println(err)
	}
	info, err := array.ReadHeader(&b)
	fmt.Println(info.Kind, info.Len, b.Len(), err)
	// Output: float32 2 8 <nil>
}

func ExampleWriteHeader() {
	var b bytes.Buffer
	err := errors.Join(
		array.WriteHeader[uint16](&b, 3, array.NPY.WithOrder(binary.BigEndian)),
		array.Write(&b, []uint16{1, 2}, array.Raw(binary.BigEndian)),
		array.Write(&b, []uint16{3}, array.Raw(binary.BigEndian)))
	s, _, err2 := array.Read[uint16](&b)
	fmt.Println(s, err, err2)
	// Output: [1 2 3] <nil> <nil>
}
