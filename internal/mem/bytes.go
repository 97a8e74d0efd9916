package mem

import (
	"encoding/binary"
	"math/bits"
	"runtime"
	"strings"
	"unsafe"
)

// Bytes returns the address of the first byte of b, or nil for a nil slice.
func Bytes(b []byte) Ptr { return Ptr{unsafe.Pointer(unsafe.SliceData(b))} }

// StringBytes returns the address of the first byte of s.
func StringBytes(s string) Ptr { return Ptr{unsafe.Pointer(unsafe.StringData(s))} }

// String returns b as a string without copying. The caller guarantees that the
// bytes do not change while the string is in use.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// StringAt returns the n bytes at p as a string without copying. The caller
// guarantees the same as for [String].
func StringAt(p Ptr, n int) string { return unsafe.String((*byte)(p.p), n) }

// Slice returns the n bytes at p as a slice. The caller guarantees that they
// lie within one object.
func Slice(p Ptr, n int) []byte { return unsafe.Slice((*byte)(p.p), n) }

// Uncleared returns an empty slice with capacity for n bytes; n must be greater
// than 0. The memory is not cleared. The caller guarantees that it only appends
// to the slice and never reads or publishes the unused capacity.
func Uncleared(n int) []byte {
	var b strings.Builder // Builder does not clear its memory
	b.Grow(n)
	b.WriteByte(0) // an empty string may have no address
	return unsafe.Slice(unsafe.StringData(b.String()), n)[:0]
}

// The following functions load and store at i bytes after p, with any
// alignment. The caller guarantees that all bytes they access lie within one
// object.

// Load8 returns 1 byte.
func Load8(p Ptr, i int) byte { return *(*byte)(unsafe.Add(p.p, i)) }

// Load16 returns 2 bytes as a little-endian number.
func Load16(p Ptr, i int) uint16 {
	return binary.LittleEndian.Uint16((*[2]byte)(unsafe.Add(p.p, i))[:])
}

// Load32 returns 4 bytes as a little-endian number.
func Load32(p Ptr, i int) uint32 {
	return binary.LittleEndian.Uint32((*[4]byte)(unsafe.Add(p.p, i))[:])
}

// Load64 returns 8 bytes as a little-endian number.
func Load64(p Ptr, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p.p, i))[:])
}

// Load16BE returns 2 bytes as a big-endian number.
func Load16BE(p Ptr, i int) uint16 {
	return binary.BigEndian.Uint16((*[2]byte)(unsafe.Add(p.p, i))[:])
}

// Load32BE returns 4 bytes as a big-endian number.
func Load32BE(p Ptr, i int) uint32 {
	return binary.BigEndian.Uint32((*[4]byte)(unsafe.Add(p.p, i))[:])
}

// Load64BE returns 8 bytes as a big-endian number.
func Load64BE(p Ptr, i int) uint64 {
	return binary.BigEndian.Uint64((*[8]byte)(unsafe.Add(p.p, i))[:])
}

// LoadNative16 returns 2 bytes as a number in the byte order of the machine.
func LoadNative16(p Ptr, i int) uint16 {
	return binary.NativeEndian.Uint16((*[2]byte)(unsafe.Add(p.p, i))[:])
}

// LoadNative32 returns 4 bytes as a number in the byte order of the machine.
func LoadNative32(p Ptr, i int) uint32 {
	return binary.NativeEndian.Uint32((*[4]byte)(unsafe.Add(p.p, i))[:])
}

// LoadNative64 returns 8 bytes as a number in the byte order of the machine.
func LoadNative64(p Ptr, i int) uint64 {
	return binary.NativeEndian.Uint64((*[8]byte)(unsafe.Add(p.p, i))[:])
}

// LoadWord returns the bytes of a pointer as a number. It does not keep the target of
// the pointer alive.
func LoadWord(p Ptr, i int) uintptr { return *(*uintptr)(unsafe.Add(p.p, i)) }

// Store8 stores 1 byte.
func Store8(p Ptr, i int, v byte) { *(*byte)(unsafe.Add(p.p, i)) = v }

// Store16 stores a 2-byte little-endian number.
func Store16(p Ptr, i int, v uint16) {
	binary.LittleEndian.PutUint16((*[2]byte)(unsafe.Add(p.p, i))[:], v)
}

// Store32 stores a 4-byte little-endian number.
func Store32(p Ptr, i int, v uint32) {
	binary.LittleEndian.PutUint32((*[4]byte)(unsafe.Add(p.p, i))[:], v)
}

// Store64 stores an 8-byte little-endian number.
func Store64(p Ptr, i int, v uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(p.p, i))[:], v)
}

// Store32BE stores a 4-byte big-endian number.
func Store32BE(p Ptr, i int, v uint32) {
	binary.BigEndian.PutUint32((*[4]byte)(unsafe.Add(p.p, i))[:], v)
}

// Store64BE stores an 8-byte big-endian number.
func Store64BE(p Ptr, i int, v uint64) {
	binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(p.p, i))[:], v)
}

// StoreNative16 stores a 2-byte number in the byte order of the machine.
func StoreNative16(p Ptr, i int, v uint16) {
	binary.NativeEndian.PutUint16((*[2]byte)(unsafe.Add(p.p, i))[:], v)
}

// StoreNative32 stores a 4-byte number in the byte order of the machine.
func StoreNative32(p Ptr, i int, v uint32) {
	binary.NativeEndian.PutUint32((*[4]byte)(unsafe.Add(p.p, i))[:], v)
}

// StoreNative64 stores an 8-byte number in the byte order of the machine.
func StoreNative64(p Ptr, i int, v uint64) {
	binary.NativeEndian.PutUint64((*[8]byte)(unsafe.Add(p.p, i))[:], v)
}

// strict says that there are processors of this kind that cannot load and store numbers at every address.
// On them, encoding/binary moves single bytes.
const strict = runtime.GOARCH == "arm" || runtime.GOARCH == "mips" || runtime.GOARCH == "mipsle" ||
	runtime.GOARCH == "mips64" || runtime.GOARCH == "mips64le"

// Reverse64x4 reads four 8-byte numbers at i bytes after src, reverses the
// bytes of each, and stores them at i bytes after dst. The two ranges must be
// equal or not overlap. Load64 and Store64BE would do the same, but inlining
// eight calls leaves eight no-ops behind.
func Reverse64x4(dst, src Ptr, i int) {
	if strict {
		reverse64x4(dst.Add(uintptr(i)), src.Add(uintptr(i)))
		return
	}
	d, s := (*[4]uint64)(unsafe.Add(dst.p, i)), (*[4]uint64)(unsafe.Add(src.p, i))
	d[0] = bits.ReverseBytes64(s[0])
	d[1] = bits.ReverseBytes64(s[1])
	d[2] = bits.ReverseBytes64(s[2])
	d[3] = bits.ReverseBytes64(s[3])
}

// reverse64x4 is Reverse64x4 for strict processors.
func reverse64x4(dst, src Ptr) {
	for i := 0; i < 32; i += 8 {
		Store64BE(dst, i, Load64(src, i))
	}
}

// Copy16 copies 16 bytes from j bytes after q to i bytes after p.
func Copy16(p Ptr, i int, q Ptr, j int) {
	*(*[16]byte)(unsafe.Add(p.p, i)) = *(*[16]byte)(unsafe.Add(q.p, j))
}

// CopyWords copies n bytes, from 4 to 16, from q to p with four overlapping
// words. All lengths take the same path, so no branch is mispredicted. The two
// ranges must not overlap. The function is written so that it can be inlined.
func CopyWords(p, q Ptr, n int) {
	if strict {
		Copy(p, q, n)
		return
	}
	second := n >> 1 &^ 3
	third := n - 4 - second
	a, b := *(*uint32)(q.p), *(*uint32)(unsafe.Add(q.p, second))
	c, d := *(*uint32)(unsafe.Add(q.p, third)), *(*uint32)(unsafe.Add(q.p, n-4))
	*(*uint32)(p.p), *(*uint32)(unsafe.Add(p.p, second)) = a, b
	*(*uint32)(unsafe.Add(p.p, third)), *(*uint32)(unsafe.Add(p.p, n-4)) = c, d
}

// A TextHeader is the part of the memory layout that a string and a slice share.
type TextHeader struct {
	Data Ptr
	Len  int
}

// A SliceHeader is the memory layout of a slice. Its lengths count elements. A
// caller who stores a SliceHeader guarantees the same as for unsafe.Slice.
type SliceHeader struct {
	Data Ptr
	Len  int
	Cap  int
}

// Copied returns a copy of b without free capacity. It takes less time than [bytes.Clone],
// which grows a slice.
func Copied(b []byte) []byte {
	out := make([]byte, len(b)) // which the compiler does not clear before this copy
	copy(out, b)
	return out
}
