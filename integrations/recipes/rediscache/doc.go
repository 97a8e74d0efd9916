// Package rediscache uses Octet in go-redis/cache, version 9, which takes plain functions:
//
//	c := cache.New(&cache.Options{
//		Redis:      client,
//		LocalCache: cache.NewTinyLFU(10_000, time.Minute),
//		Marshal:    msgpack.Marshal,
//		Unmarshal:  msgpack.Unmarshal,
//	})
//
// The methods Marshal and Unmarshal of a Codec can be used too. Do not set
// AliasInput: the bytes belong to the local cache.
//
// # What changes
//
// Without these options the library encodes with vmihailenco/msgpack and compresses values of 64 bytes and more with
// S2. With them, values are not compressed, and strings and byte slices are encoded like other values instead of being
// stored unchanged. Old entries cannot be read, because they are compressed or have an additional byte, which is
// ErrTrailing. Cache.Get returns the error; Cache.Once drops the entry and calls Do again. Change the prefix of the
// keys at the same time, so that old and new programs do not drop each other's entries.
package rediscache
