package mem

import (
	"encoding/binary"
	"testing"
	"unsafe"
)

func TestStoreAtomic64(t *testing.T) {
	b := SliceBytes(make([]uint64, 3))
	StoreAtomic64(Bytes(b).Add(8), 0x0102030405060708)
	if binary.NativeEndian.Uint64(b[8:]) != 0x0102030405060708 || binary.NativeEndian.Uint64(b) != 0 || binary.NativeEndian.Uint64(b[16:]) != 0 {
		t.Errorf("stored % x", b)
	}
}

func TestContains(t *testing.T) {
	b := make([]byte, 8)
	start := uintptr(unsafe.Pointer(&b[0]))
	for offset, want := range map[int]bool{-1: false, 0: true, 7: true, 8: false} {
		if Contains(b, start+uintptr(offset)) != want {
			t.Errorf("at %d: %v, want %v", offset, !want, want)
		}
	}
	if Contains(nil, start) || Contains(b[:0], start) {
		t.Error("an empty slice contains an address")
	}
}
