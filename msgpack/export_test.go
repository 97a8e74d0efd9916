package msgpack

// Fast is for the tests that are outside of the package.
const Fast = fast
