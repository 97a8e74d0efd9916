// Package goredis stores Go values in Redis with go-redis, version 9.
//
// Commands take and return bytes, so that no adapter is needed:
//
//	data, err := msgpack.Marshal(user)
//	err = client.Set(ctx, "user:1", data, time.Hour).Err()
//
//	data, err := client.Get(ctx, "user:1").Bytes()
//	err = msgpack.Unmarshal(data, &user)
//
// go-redis also calls MarshalBinary of arguments and UnmarshalBinary of the target
// of Scan. A generic type of the program, as in the example, makes values usable
// there, and in pipelines:
//
//	type Packed[T any] struct{ V T }
//
//	func (p Packed[T]) MarshalBinary() ([]byte, error)     { return msgpack.Marshal(p.V) }
//	func (p *Packed[T]) UnmarshalBinary(data []byte) error { return msgpack.Unmarshal(data, &p.V) }
//
//	err = client.Set(ctx, "user:1", Packed[User]{user}, time.Hour).Err()
//	err = client.Get(ctx, "user:1").Scan(&packed)
//
// Do not write a method MarshalBinary for the type itself that passes the value to Marshal: Marshal calls MarshalBinary
// again, until the stack overflows.
//
// To use options, call the methods with the same names of a Codec. A key that another program wrote can
// hold any bytes: set MaxElements and the other limits of the Options if the server is not trusted.
package goredis
