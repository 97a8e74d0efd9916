// Package kafka sends and receives Go values through Kafka with franz-go.
//
// Records hold bytes, so that a topic with values of one type needs no adapter:
//
//	data, err := msgpack.Marshal(order)
//	client.Produce(ctx, &kgo.Record{Topic: "orders", Value: data}, nil)
//
//	fetches.EachRecord(func(r *kgo.Record) { err = msgpack.Unmarshal(r.Value, &order) })
//
// For topics with values of several types, package sr has a Serde. It writes an ID before each value, and takes
// plain functions:
//
//	var serde sr.Serde
//	serde.Register(1, Order{}, sr.AppendEncodeFn(msgpack.MarshalAppend), sr.DecodeFn(msgpack.Unmarshal))
//	serde.Register(2, Refund{}, sr.AppendEncodeFn(msgpack.MarshalAppend), sr.DecodeFn(msgpack.Unmarshal))
//
//	data, err := serde.Encode(order)
//	value, err := serde.DecodeNew(record.Value) // *Order or *Refund
//
// The methods MarshalAppend and Unmarshal of a Codec can be used too. The IDs are
// chosen by the program, and must never change their meaning. A schema registry can
// assign them, but registries have no schema type for MessagePack, and tools that
// look up the schema of a record do not find one.
//
// A record that cannot be decoded stays in the topic, and a consumer that stops at it
// never reads the records after it. The example counts such records and continues; a
// program can also send them to a topic for bad records.
package kafka
