package msgpack

import "reflect"

// Fast exports the constant fast to the tests in package msgpack_test.
const Fast = fast

// SetUUIDPackage sets the path of the package whose UUID is that of the standard
// library, and returns a function that restores it.
func SetUUIDPackage(path string) (restore func()) {
	old := uuidPackage
	uuidPackage = path
	return func() { uuidPackage = old }
}

// SetPlainKinds selects kinds whose values are encoded and decoded by the simple
// counterparts of the functions that do so otherwise, and returns a function that restores the
// selection. It affects types that are compiled meanwhile.
func SetPlainKinds(kinds ...reflect.Kind) (restore func()) {
	old := plainKinds
	for _, k := range kinds {
		plainKinds |= 1 << k
	}
	return func() { plainKinds = old }
}

// MaxGroup and PlaceOf are of groups of optional fields.
const (
	MaxGroup    = maxGroup
	GroupPlaces = groupPlaces
)

func PlaceOf(bit uint64) uint64 { return placeOf(bit) }
