package jetstream_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/msgpack"
)

// connect starts a server with a stream orders. The context ends long after the test.
func connect(t testing.TB) (context.Context, jetstream.JetStream, jetstream.Stream) {
	t.Helper()
	js, stop, err := start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	stream, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "orders", Subjects: []string{"orders.*"}, Storage: jetstream.MemoryStorage})
	if err != nil {
		t.Fatal(err)
	}
	return ctx, js, stream
}

func TestStream(t *testing.T) {
	ctx, js, stream := connect(t)
	const publishers, each = 4, 50
	var wait sync.WaitGroup
	for n := range publishers {
		wait.Go(func() {
			for i := range each {
				if err := publish(ctx, js, "orders.new", sample.New(uint64(each*n+i), i)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	consumer, err := stream.CreateConsumer(ctx, jetstream.ConsumerConfig{AckPolicy: jetstream.AckExplicitPolicy})
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan sample.Order, publishers*each)
	consuming, err := consumer.Consume(func(m jetstream.Msg) {
		var o sample.Order
		if err := decode(m, &o); err != nil {
			t.Error(err)
			return
		}
		got <- o
		if err := m.Ack(); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer consuming.Stop()
	seen := map[uint64]bool{}
	for range publishers * each {
		select {
		case o := <-got:
			if want := sample.New(o.ID, int(o.ID%each)); !reflect.DeepEqual(o, want) || seen[o.ID] {
				t.Errorf("order %d: %v", o.ID, o)
			}
			seen[o.ID] = true
		case <-ctx.Done():
			t.Fatal(ctx.Err())
		}
	}
	wait.Wait()
}

// TestBadMessages checks that messages which cannot be decoded are not delivered again.
func TestBadMessages(t *testing.T) {
	ctx, js, stream := connect(t)
	good, err := msgpack.Marshal(sample.New(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct{ typ, data, want string }{
		{mediaType, "", "truncated"},
		{mediaType, string(good[:20]), "truncated"},
		{mediaType, string(good) + "\x00", "after the value"},
		{mediaType, "\xdf\xff\xff\xff\xff", "truncated"},
		{mediaType, "\xc1", "c1"},
		{mediaType, "\xa1x", "want"},
		{mediaType, strings.Repeat("\x91", 100000), ""},
		{"application/json", string(good), `content type "application/json" is not supported`},
		{"", string(good), `content type "" is not supported`},
	}
	for _, c := range cases {
		if _, err := js.PublishMsg(ctx, &nats.Msg{Subject: "orders.new", Data: []byte(c.data), Header: nats.Header{"Content-Type": {c.typ}}}); err != nil {
			t.Fatal(err)
		}
	}
	consumer, err := stream.CreateConsumer(ctx, jetstream.ConsumerConfig{AckPolicy: jetstream.AckExplicitPolicy, AckWait: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		m, err := consumer.Next(jetstream.FetchMaxWait(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		var o sample.Order
		if err := decode(m, &o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %v, want %q", c.data, err, c.want)
		}
	}
	// The server does not answer Term. When it has received all of them, no message waits for an acknowledgment.
	for {
		info, err := consumer.Info(ctx)
		if err != nil {
			t.Fatalf("messages still wait for an answer: %v", err)
		}
		if info.NumAckPending == 0 && info.NumPending == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestKeyValue(t *testing.T) {
	ctx, js, _ := connect(t)
	kv, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "orders", Storage: jetstream.MemoryStorage})
	if err != nil {
		t.Fatal(err)
	}
	codec, err := msgpack.New(msgpack.Options{StructAsArray: true, AliasInput: true})
	if err != nil {
		t.Fatal(err)
	}
	var kept []sample.Order
	for i := range 50 {
		key := fmt.Sprint("order.", i)
		data, err := codec.Marshal(sample.New(uint64(i), i))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := kv.Put(ctx, key, data); err != nil {
			t.Fatal(err)
		}
		entry, err := kv.Get(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		var o sample.Order
		if err := codec.Unmarshal(entry.Value(), &o); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, o)
	}
	for i, o := range kept {
		if want := sample.New(uint64(i), i); !reflect.DeepEqual(o, want) {
			t.Errorf("order %d: %v", i, o)
		}
	}
}

// BenchmarkPublish sends one value to a subject and receives it, with a server in the process.
func BenchmarkPublish(b *testing.B) {
	for _, c := range []struct {
		name      string
		marshal   func(any) ([]byte, error)
		unmarshal func([]byte, any) error
	}{
		{"octet", msgpack.Marshal, msgpack.Unmarshal},
		{"json", json.Marshal, json.Unmarshal},
	} {
		b.Run(c.name, func(b *testing.B) {
			_, js, _ := connect(b)
			conn := js.Conn()
			sub, err := conn.SubscribeSync("direct")
			if err != nil {
				b.Fatal(err)
			}
			want := sample.New(1, 12)
			exchange := func() (got sample.Order) {
				data, err := c.marshal(want)
				if err != nil {
					b.Fatal(err)
				}
				if err := conn.Publish("direct", data); err != nil {
					b.Fatal(err)
				}
				m, err := sub.NextMsg(time.Minute)
				if err != nil {
					b.Fatal(err)
				}
				if err := c.unmarshal(m.Data, &got); err != nil {
					b.Fatal(err)
				}
				return got
			}
			if got := exchange(); !reflect.DeepEqual(got, want) {
				b.Fatalf("got %v", got)
			}
			b.ReportAllocs()
			for b.Loop() {
				exchange()
			}
		})
	}
}
