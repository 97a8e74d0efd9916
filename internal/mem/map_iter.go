package mem

import (
	"reflect"
	"unsafe"
)

// iterEntry is the offset in a reflect.MapIter of the pointer to the key, which
// is followed by the pointer to the element. It is 0 if the offset is unknown.
var iterEntry = findIterEntry()

// findIterEntry finds the two pointers by name and verifies them. If iterators
// differ from the expected form or the version of Go is unknown, it returns 0,
// and the methods of reflect.MapIter are used.
func findIterEntry() uintptr {
	if !knownVersion {
		return 0
	}
	iter, ok := reflect.TypeFor[reflect.MapIter]().FieldByName("hiter")
	if !ok || iter.Type.Kind() != reflect.Struct {
		return 0
	}
	key, ok := iter.Type.FieldByName("key")
	elem, found := iter.Type.FieldByName("elem")
	if !ok || !found || key.Type.Kind() != reflect.UnsafePointer || elem.Type.Kind() != reflect.UnsafePointer ||
		elem.Offset != key.Offset+key.Type.Size() {
		return 0
	}
	at := iter.Offset + key.Offset
	type wide [256]byte // maps store a pointer to it
	m := map[wide]wide{{1}: {2}}
	known := reflect.ValueOf(m).MapRange()
	if entry := (*[2]*wide)(unsafe.Add(unsafe.Pointer(known), at)); !known.Next() || *entry[0] != (wide{1}) || *entry[1] != (wide{2}) {
		return 0
	}
	return at
}

// HasMapEntry reports whether [MapEntry] may be used.
func HasMapEntry() bool { return iterEntry != 0 }

// MapEntry returns the addresses of the current key and element of iter. Unlike
// the methods of iter, it does not copy them. The caller guarantees that
// iter.Next has returned true and that nothing is changed through the pointers.
func MapEntry(iter *reflect.MapIter) (key, elem Ptr) {
	entry := (*[2]Ptr)(unsafe.Add(unsafe.Pointer(iter), iterEntry))
	return entry[0], entry[1]
}
