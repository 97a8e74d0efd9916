package goredis_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/msgpack"
	"github.com/redis/go-redis/v9"
)

func connect(t testing.TB) *redis.Client {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { client.Close() })
	return client
}

func TestBytes(t *testing.T) {
	client := connect(t)
	want := sample.New(1, 12)
	data, err := msgpack.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Set(t.Context(), "a", data, 0).Err(); err != nil {
		t.Fatal(err)
	}
	data, err = client.Get(t.Context(), "a").Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var got sample.Order
	if err := msgpack.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestCommands uses Packed in a pipeline, a list and a hash.
func TestCommands(t *testing.T) {
	client := connect(t)
	ctx := t.Context()
	pipe := client.Pipeline()
	for i := range 10 {
		pipe.Set(ctx, fmt.Sprint("order:", i), Packed[sample.Order]{sample.New(uint64(i), i)}, 0)
		pipe.RPush(ctx, "list", Packed[sample.Order]{sample.New(uint64(i), i)})
		pipe.HSet(ctx, "hash", fmt.Sprint(i), Packed[sample.Order]{sample.New(uint64(i), i)})
	}
	if _, err := pipe.Exec(ctx); err != nil {
		t.Fatal(err)
	}
	var list []Packed[sample.Order]
	if err := client.LRange(ctx, "list", 0, -1).ScanSlice(&list); err != nil || len(list) != 10 {
		t.Fatalf("%d orders, %v", len(list), err)
	}
	for i := range 10 {
		want := sample.New(uint64(i), i)
		var one, field Packed[sample.Order]
		err1 := client.Get(ctx, fmt.Sprint("order:", i)).Scan(&one)
		err2 := client.HGet(ctx, "hash", fmt.Sprint(i)).Scan(&field)
		if err1 != nil || err2 != nil || !reflect.DeepEqual(one.V, want) || !reflect.DeepEqual(field.V, want) || !reflect.DeepEqual(list[i].V, want) {
			t.Errorf("order %d: %v, %v, %v, %v, %v", i, one, field, list[i], err1, err2)
		}
	}
}

func TestErrors(t *testing.T) {
	client := connect(t)
	ctx := t.Context()
	if err := client.Set(ctx, "a", Packed[any]{make(chan int)}, 0).Err(); !errors.Is(err, msgpack.ErrUnsupported) {
		t.Errorf("chan: %v, want ErrUnsupported", err)
	}
	var p Packed[sample.Order]
	if err := client.Get(ctx, "missing").Scan(&p); !errors.Is(err, redis.Nil) {
		t.Errorf("no such key: %v, want redis.Nil", err)
	}
	for value, want := range map[string]error{
		"":                     msgpack.ErrTruncated,
		"\x81":                 msgpack.ErrTruncated,
		"\xdf\xff\xff\xff\xff": msgpack.ErrTruncated,
		"\x80\x80":             msgpack.ErrTrailing,
		"\xc1":                 msgpack.ErrReserved,
		"\xa1x":                msgpack.ErrMismatch,
		`{"id":1}`:             msgpack.ErrMismatch,
	} {
		if err := client.Set(ctx, "hostile", value, 0).Err(); err != nil {
			t.Fatal(err)
		}
		if err := client.Get(ctx, "hostile").Scan(&p); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", value, err, want)
		}
	}
}

func TestConcurrency(t *testing.T) {
	client := connect(t)
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			for i := range 30 {
				key, want := fmt.Sprint(n), Packed[sample.Order]{sample.New(uint64(n), i)}
				if err := client.Set(t.Context(), key, want, 0).Err(); err != nil {
					t.Error(err)
				}
				var got Packed[sample.Order]
				if err := client.Get(t.Context(), key).Scan(&got); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("got %v, %v", got, err)
				}
			}
		})
	}
	wait.Wait()
}

// Text is a value that go-redis writes and scans as JSON.
type Text[T any] struct{ V T }

func (t Text[T]) MarshalBinary() ([]byte, error)     { return json.Marshal(t.V) }
func (t *Text[T]) UnmarshalBinary(data []byte) error { return json.Unmarshal(data, &t.V) }

// BenchmarkSetGet writes and reads one value.
func BenchmarkSetGet(b *testing.B) {
	want := sample.New(1, 12)
	b.Run("octet", func(b *testing.B) {
		setGet(b, Packed[sample.Order]{want}, func(p *Packed[sample.Order]) sample.Order { return p.V })
	})
	b.Run("json", func(b *testing.B) {
		setGet(b, Text[sample.Order]{want}, func(p *Text[sample.Order]) sample.Order { return p.V })
	})
}

func setGet[P any](b *testing.B, v P, order func(*P) sample.Order) {
	client := connect(b)
	exchange := func() (got P) {
		if err := client.Set(b.Context(), "a", v, 0).Err(); err != nil {
			b.Fatal(err)
		}
		if err := client.Get(b.Context(), "a").Scan(&got); err != nil {
			b.Fatal(err)
		}
		return got
	}
	if got := exchange(); !reflect.DeepEqual(order(&got), sample.New(1, 12)) {
		b.Fatalf("got %v", got)
	}
	b.ReportAllocs()
	for b.Loop() {
		exchange()
	}
}
