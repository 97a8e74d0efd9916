//go:build !purego

package msgpack

// fast chooses the paths that write and read whole words through pointers.
// With the tag purego every value takes the general path beside them, which
// is how the test suite proves that the two agree.
const fast = true
