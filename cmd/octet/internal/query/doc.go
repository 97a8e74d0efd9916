// Package query runs programs in the jq language on MessagePack values.
//
// A program sees a value as the JSON that octet convert writes for it, because
// both use package transcode. Integers keep all of their 64 bits. An array or map
// of the input that a program returns unchanged is written byte for byte, so its
// formats, its order of keys and the types that JSON lacks are preserved. A value
// that a program changes or creates has the types of JSON, and its keys are
// sorted.
//
// What a program does not look at stays encoded: needOf finds out what it looks at.
// A session runs a program on the values of a stream in parallel, and writes the
// results in order.
package query
