package kafka_test

import (
	"context"
	"fmt"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
)

type Order struct {
	ID       uint64
	Customer string
}

type Refund struct {
	Order uint64
	Cents int64
}

// newSerde returns a Serde for the types of the topic.
func newSerde() *sr.Serde {
	var s sr.Serde
	s.Register(1, Order{}, sr.AppendEncodeFn(msgpack.MarshalAppend), sr.DecodeFn(msgpack.Unmarshal))
	s.Register(2, Refund{}, sr.AppendEncodeFn(msgpack.MarshalAppend), sr.DecodeFn(msgpack.Unmarshal))
	return &s
}

// consume calls handle with the values of n records. It counts records that cannot be decoded, and continues.
func consume(ctx context.Context, client *kgo.Client, serde *sr.Serde, n int, handle func(any)) (bad int, err error) {
	for n > 0 {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return bad, err
		}
		fetches.EachRecord(func(r *kgo.Record) {
			n--
			v, err := serde.DecodeNew(r.Value)
			if err != nil {
				bad++
				return
			}
			handle(v)
		})
	}
	return bad, nil
}

func Example() {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "shop")) // in a program: the addresses of brokers
	if err != nil {
		panic(err)
	}
	defer cluster.Close()
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.ConsumeTopics("shop"))
	if err != nil {
		panic(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	serde := newSerde()
	for _, v := range []any{Order{1, "Ada Lovelace"}, Refund{1, 900}} {
		data, err := serde.Encode(v)
		if err != nil {
			panic(err)
		}
		if err := client.ProduceSync(ctx, &kgo.Record{Topic: "shop", Value: data}).FirstErr(); err != nil {
			panic(err)
		}
	}
	_, err = consume(ctx, client, serde, 2, func(v any) {
		switch v := v.(type) {
		case *Order:
			fmt.Println("order of", v.Customer)
		case *Refund:
			fmt.Println("refund of", v.Cents)
		}
	})
	if err != nil {
		panic(err)
	}
	// Output:
	// order of Ada Lovelace
	// refund of 900
}
