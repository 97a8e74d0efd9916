package msgpack

// Fast exports the constant fast to the tests in package msgpack_test.
const Fast = fast
