package jetstream_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/octet-go/octet/msgpack"
)

type Order struct {
	ID       uint64
	Customer string
}

const mediaType = "application/vnd.msgpack"

// publish sends v, with a header that says how it is encoded.
func publish(ctx context.Context, js jetstream.JetStream, subject string, v any) error {
	data, err := msgpack.Marshal(v)
	if err != nil {
		return err
	}
	_, err = js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: data, Header: nats.Header{"Content-Type": {mediaType}}})
	return err
}

// decode decodes a message. If that is not possible, it ends the message, so that it is not delivered again.
func decode(m jetstream.Msg, v any) error {
	err := msgpack.Unmarshal(m.Data(), v)
	if typ := m.Headers().Get("Content-Type"); typ != mediaType {
		err = fmt.Errorf("content type %q is not supported", typ)
	}
	if err != nil {
		if term := m.TermWithReason(err.Error()); term != nil {
			return term
		}
	}
	return err
}

// start starts a server without a network. It returns a connection to the server and a function that ends both.
func start(dir string) (jetstream.JetStream, func(), error) {
	s, err := server.NewServer(&server.Options{JetStream: true, StoreDir: dir, DontListen: true, NoSigs: true})
	if err != nil {
		return nil, nil, err
	}
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		return nil, nil, fmt.Errorf("the server is not ready")
	}
	conn, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		return nil, nil, err
	}
	js, err := jetstream.New(conn)
	return js, func() { conn.Close(); s.Shutdown(); s.WaitForShutdown() }, err
}

func Example() {
	dir, err := os.MkdirTemp("", "jetstream")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	js, stop, err := start(dir) // in a program: nats.Connect and jetstream.New
	if err != nil {
		panic(err)
	}
	defer stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	stream, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "orders", Subjects: []string{"orders.*"}})
	if err != nil {
		panic(err)
	}
	if err := publish(ctx, js, "orders.new", Order{1, "Ada Lovelace"}); err != nil {
		panic(err)
	}
	consumer, err := stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: "printer"})
	if err != nil {
		panic(err)
	}
	message, err := consumer.Next()
	if err != nil {
		panic(err)
	}
	var o Order
	if err := decode(message, &o); err != nil {
		panic(err)
	}
	fmt.Println(o.ID, o.Customer, message.Ack())
	// Output: 1 Ada Lovelace <nil>
}
