package kafka_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/msgpack"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
)

// sampleSerde returns the Serde of the example with the sample as a further type.
func sampleSerde() *sr.Serde {
	s := newSerde()
	s.Register(3, sample.Order{}, sr.AppendEncodeFn(msgpack.MarshalAppend), sr.DecodeFn(msgpack.Unmarshal))
	return s
}

// newClient returns a client of a cluster of its own, with a topic shop. Its context ends long after the test.
func newClient(t testing.TB) (context.Context, *kgo.Client) {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(4, "shop"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.ConsumeTopics("shop"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx, client
}

func TestTopic(t *testing.T) {
	ctx, client := newClient(t)
	serde := sampleSerde()
	var wait sync.WaitGroup
	const producers, each = 4, 50
	for n := range producers {
		wait.Go(func() {
			for i := range each {
				data, err := serde.Encode(sample.New(uint64(each*n+i), i))
				if err != nil {
					t.Error(err)
					return
				}
				r := &kgo.Record{Topic: "shop", Key: fmt.Append(nil, n), Value: data}
				if err := client.ProduceSync(ctx, r).FirstErr(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	if t.Failed() {
		return
	}
	got := map[uint64]*sample.Order{}
	bad, err := consume(ctx, client, serde, producers*each, func(v any) { got[v.(*sample.Order).ID] = v.(*sample.Order) })
	if err != nil || bad != 0 || len(got) != producers*each {
		t.Fatalf("%d orders, %d bad ones, %v", len(got), bad, err)
	}
	for id, o := range got {
		if want := sample.New(id, int(id%each)); !reflect.DeepEqual(*o, want) {
			t.Errorf("order %d: %v", id, o)
		}
	}
}

// TestBadRecords checks that records which cannot be decoded do not stop the consumer.
func TestBadRecords(t *testing.T) {
	serde := newSerde()
	good, err := serde.Encode(Refund{1, 900})
	if err != nil {
		t.Fatal(err)
	}
	const header = "\x00\x00\x00\x00\x02"
	cases := []struct {
		data string
		want error
	}{
		{"", sr.ErrBadHeader},
		{"\x82", sr.ErrBadHeader},
		{"\x01\x00\x00\x00\x02\x80", sr.ErrBadHeader},
		{"\x00\x00\x00\x00\x09\x80", sr.ErrNotRegistered},
		{header, msgpack.ErrTruncated},
		{header + "\xdf\xff\xff\xff\xff", msgpack.ErrTruncated},
		{string(good[:len(good)-1]), msgpack.ErrTruncated},
		{string(good) + "\x00", msgpack.ErrTrailing},
		{header + "\xc1", msgpack.ErrReserved},
		{header + "\xa1x", msgpack.ErrMismatch},
		{header + `{"Order":1}`, msgpack.ErrMismatch},
	}
	ctx, client := newClient(t)
	for _, c := range cases {
		if _, err := serde.DecodeNew([]byte(c.data)); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.data, err, c.want)
		}
		if err := client.ProduceSync(ctx, &kgo.Record{Topic: "shop", Value: []byte(c.data)}).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.ProduceSync(ctx, &kgo.Record{Topic: "shop", Value: good}).FirstErr(); err != nil {
		t.Fatal(err)
	}
	var refunds []any
	bad, err := consume(ctx, client, serde, len(cases)+1, func(v any) { refunds = append(refunds, v) })
	if want := []any{&Refund{1, 900}}; err != nil || bad != len(cases) || !reflect.DeepEqual(refunds, want) {
		t.Errorf("%v, %d bad records, %v, want %d and a refund", refunds, bad, err, len(cases))
	}
	if _, err := serde.Encode(5); !errors.Is(err, sr.ErrNotRegistered) {
		t.Errorf("a type without an ID: %v", err)
	}
}

// BenchmarkSerde encodes and decodes one value with its ID.
func BenchmarkSerde(b *testing.B) {
	appendJSON := func(dst []byte, v any) ([]byte, error) {
		data, err := json.Marshal(v)
		return append(dst, data...), err
	}
	var text sr.Serde
	text.Register(1, sample.Order{}, sr.AppendEncodeFn(appendJSON), sr.DecodeFn(json.Unmarshal))
	for _, c := range []struct {
		name  string
		serde *sr.Serde
	}{{"octet", sampleSerde()}, {"json", &text}} {
		b.Run(c.name, func(b *testing.B) {
			want := sample.New(1, 12)
			var buf []byte
			exchange := func() (got sample.Order) {
				var err error
				if buf, err = c.serde.AppendEncode(buf[:0], want); err != nil {
					b.Fatal(err)
				}
				if err := c.serde.Decode(buf, &got); err != nil {
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
