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
// Without these options the library encodes with vmihailenco/msgpack and compresses values from 64 bytes on by
// S2. With them, values are not compressed, and strings and byte slices are encoded like other values instead of being
// stored as they are. Entries that were written before cannot be read: they have a byte more, which is ErrTrailing, or are
// compressed. Cache.Get returns the error; Cache.Once drops the entry and calls Do again. Change the prefix
// of the keys at the same time, so that old and new programs do not drop each other's entries.
package rediscache
