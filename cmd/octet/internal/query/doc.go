// Package query runs programs in the jq language on MessagePack values.
//
// A program sees a value as the JSON that octet convert writes for it, because
// package transcode does both. Integers keep all of their 64 bits. Every array
// or map of the input that a program passes on unchanged is written byte for
// byte, so types that JSON lacks, formats and the order of keys stay what they
// are. What a program changes or makes has the types of JSON, and its keys are
// sorted.
package query
