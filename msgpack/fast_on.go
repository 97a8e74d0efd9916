//go:build !purego

package msgpack

// fast selects the paths that write and read whole words through pointers. With
// the tag purego, all values take the general paths. The tests run with and
// without the tag, and so compare the two.
const fast = true
