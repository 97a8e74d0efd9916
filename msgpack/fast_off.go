//go:build purego

package msgpack

const fast = false
