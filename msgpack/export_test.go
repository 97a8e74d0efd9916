package msgpack

// Fast exports the constant fast to the tests in package msgpack_test.
const Fast = fast

// SetUUIDPackage sets the path of the package whose UUID is that of the standard
// library, and returns a function that restores it.
func SetUUIDPackage(path string) (restore func()) {
	old := uuidPackage
	uuidPackage = path
	return func() { uuidPackage = old }
}
