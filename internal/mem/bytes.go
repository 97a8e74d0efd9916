package mem

import (
	"encoding/binary"
	"unsafe"
)

// Bytes returns where the array of b begins, nil for a nil slice.
func Bytes(b []byte) Ptr { return Ptr{unsafe.Pointer(unsafe.SliceData(b))} }

// StringBytes returns where the bytes of s begin.
func StringBytes(s string) Ptr { return Ptr{unsafe.Pointer(unsafe.StringData(s))} }

// String returns b as a string without copying. The caller guarantees that
// the bytes do not change for as long as the string is in use.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Slice returns the n bytes at p. The caller guarantees that they lie within
// one object.
func Slice(p Ptr, n int) []byte { return unsafe.Slice((*byte)(p.p), n) }

// The loads and stores below work at any alignment, i bytes after p. The
// caller guarantees that all the bytes they touch lie within one object.

// Load8 returns the byte.
func Load8(p Ptr, i int) byte { return *(*byte)(unsafe.Add(p.p, i)) }

// Load16 returns 2 bytes, the first one lowest.
func Load16(p Ptr, i int) uint16 {
	return binary.LittleEndian.Uint16((*[2]byte)(unsafe.Add(p.p, i))[:])
}

// Load32 returns 4 bytes, the first one lowest.
func Load32(p Ptr, i int) uint32 {
	return binary.LittleEndian.Uint32((*[4]byte)(unsafe.Add(p.p, i))[:])
}

// Load64 returns 8 bytes, the first one lowest.
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

// Store8 stores one byte.
func Store8(p Ptr, i int, v byte) { *(*byte)(unsafe.Add(p.p, i)) = v }

// Store16 stores 2 bytes, the lowest one first.
func Store16(p Ptr, i int, v uint16) {
	binary.LittleEndian.PutUint16((*[2]byte)(unsafe.Add(p.p, i))[:], v)
}

// Store32 stores 4 bytes, the lowest one first.
func Store32(p Ptr, i int, v uint32) {
	binary.LittleEndian.PutUint32((*[4]byte)(unsafe.Add(p.p, i))[:], v)
}

// Store64 stores 8 bytes, the lowest one first.
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

// A SliceHeader is how a slice of any type lies in memory, counted in elements.
// Storing one obliges the caller like unsafe.Slice does.
type SliceHeader struct {
	Data Ptr
	Len  int
	Cap  int
}
