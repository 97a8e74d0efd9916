// Package jetstream sends, receives and stores Go values through NATS JetStream.
//
// Messages and the values of a key-value bucket hold bytes, so that no adapter is needed:
//
//	data, err := msgpack.Marshal(order)
//	_, err = js.Publish(ctx, "orders.new", data)
//
//	_, err = kv.Put(ctx, "order.1", data)
//
//	consumer.Consume(func(m jetstream.Msg) {
//		var o Order
//		if err := msgpack.Unmarshal(m.Data(), &o); err != nil {
//			m.TermWithReason(err.Error())
//			return
//		}
//		…
//		m.Ack()
//	})
//
// A message that cannot be decoded fails each time it is delivered. End such a message
// with Term, as here. Without an acknowledgment, or after Nak, JetStream delivers it
// repeatedly, up to the consumer's MaxDeliver.
//
// A subject with messages in several formats needs a header; the example uses Content-Type. To use
// options, call the methods with the same names of a Codec. AliasInput is safe, because the data
// of a message belongs to the receiver.
package jetstream
