package mem

import (
	"reflect"
	"unsafe"
)

// iterEntry is where in a reflect.MapIter the pointer to the key lies, right
// before that to the element; 0 if it is unknown.
var iterEntry = findIterEntry()

// findIterEntry looks for the two by name, and makes sure that they are what they
// seem to be. If iterators are different, or the version of Go is not known, the
// methods of reflect.MapIter are used.
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
	type wide [256]byte // which maps hold by a pointer
	m := map[wide]wide{{1}: {2}}
	known := reflect.ValueOf(m).MapRange()
	if entry := (*[2]*wide)(unsafe.Add(unsafe.Pointer(known), at)); !known.Next() || *entry[0] != (wide{1}) || *entry[1] != (wide{2}) {
		return 0
	}
	return at
}

// HasMapEntry reports whether [MapEntry] may be used.
func HasMapEntry() bool { return iterEntry != 0 }

// MapEntry returns where the key and the element lie that iter is at, without
// copying them as its own methods do. The caller guarantees that its Next has
// returned true, and that nothing is changed through the pointers.
func MapEntry(iter *reflect.MapIter) (key, elem Ptr) {
	entry := (*[2]Ptr)(unsafe.Add(unsafe.Pointer(iter), iterEntry))
	return entry[0], entry[1]
}
