package rediscache_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/go-redis/cache/v9"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/msgpack"
	"github.com/redis/go-redis/v9"
)

// newCache returns a cache in a server of its own, and the client of the server.
func newCache(t testing.TB, o cache.Options) (*cache.Cache, *redis.Client) {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { client.Close() })
	o.Redis = client
	return cache.New(&o), client
}

func octet() cache.Options {
	return cache.Options{Marshal: msgpack.Marshal, Unmarshal: msgpack.Unmarshal}
}

func TestValues(t *testing.T) {
	local := octet()
	local.LocalCache = cache.NewTinyLFU(1000, time.Minute)
	for name, o := range map[string]cache.Options{"redis": octet(), "local": local} {
		c, _ := newCache(t, o)
		for _, want := range []any{sample.New(1, 12), sample.New(2, 0), "text", []byte{1, 2}, "", []byte{}, 5, map[string]int{"a": 1}, time.Unix(1, 2).UTC()} {
			if err := c.Set(&cache.Item{Ctx: t.Context(), Key: "a", Value: want, TTL: time.Hour}); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				got := reflect.New(reflect.TypeOf(want))
				if err := c.Get(t.Context(), "a", got.Interface()); err != nil || !reflect.DeepEqual(got.Elem().Interface(), want) {
					t.Errorf("%s: got %v, %v, want %v", name, got.Elem(), err, want)
				}
			}
		}
		if err := c.Get(t.Context(), "missing", new(int)); !errors.Is(err, cache.ErrCacheMiss) {
			t.Errorf("%s: no such key: %v, want ErrCacheMiss", name, err)
		}
		if err := c.Set(&cache.Item{Ctx: t.Context(), Key: "a", Value: make(chan int)}); !errors.Is(err, msgpack.ErrUnsupported) {
			t.Errorf("%s: chan: %v, want ErrUnsupported", name, err)
		}
	}
}

// TestOldEntries reads entries that the library wrote without the options, and hostile ones.
func TestOldEntries(t *testing.T) {
	old, client := newCache(t, cache.Options{})
	o := octet()
	o.Redis = client
	c := cache.New(&o)
	for _, lines := range []int{0, 1, 12, 500} {
		if err := old.Set(&cache.Item{Ctx: t.Context(), Key: "old", Value: sample.New(1, lines), TTL: time.Hour}); err != nil {
			t.Fatal(err)
		}
		checkDropped(t, c, "old", fmt.Sprint(lines, " lines"))
	}
	for _, value := range []string{"", "\x81", "\xdf\xff\xff\xff\xff", "\xc1", "\xa1x", `{"id":1}`} {
		if err := client.Set(t.Context(), "hostile", value, 0).Err(); err != nil {
			t.Fatal(err)
		}
		if value != "" { // Once takes an empty entry for a value that is nil
			checkDropped(t, c, "hostile", value)
		}
		if err := client.Set(t.Context(), "hostile", value, 0).Err(); err != nil {
			t.Fatal(err)
		}
		if err := c.Get(t.Context(), "hostile", new(sample.Order)); err == nil {
			t.Errorf("%q was read", value)
		}
	}
}

// checkDropped checks that Get fails and that Once replaces the entry.
func checkDropped(t *testing.T, c *cache.Cache, key, name string) {
	t.Helper()
	var got sample.Order
	var m *msgpack.Error
	if err := c.Get(t.Context(), key, &got); !errors.As(err, &m) {
		t.Errorf("%s: Get: %v, want a *msgpack.Error", name, err)
	}
	calls := 0
	for range 2 {
		got = sample.Order{}
		err := c.Once(&cache.Item{Ctx: t.Context(), Key: key, Value: &got, TTL: time.Hour, Do: func(*cache.Item) (any, error) {
			calls++
			return sample.New(2, 2), nil
		}})
		if err != nil || calls != 1 || !reflect.DeepEqual(got, sample.New(2, 2)) {
			t.Errorf("%s: Once: %v, %v, %d calls", name, got, err, calls)
		}
	}
}

func TestConcurrency(t *testing.T) {
	o := octet()
	o.LocalCache = cache.NewTinyLFU(100, time.Minute)
	c, _ := newCache(t, o)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for i := range 100 {
				var got sample.Order
				want := sample.New(uint64(i%10), i%10)
				err := c.Once(&cache.Item{Ctx: t.Context(), Key: fmt.Sprint(i % 10), Value: &got, TTL: time.Hour,
					Do: func(*cache.Item) (any, error) { return want, nil }})
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("got %v, %v", got, err)
				}
			}
		})
	}
	wait.Wait()
}

// BenchmarkGet reads one entry from the local cache, as most calls do.
func BenchmarkGet(b *testing.B) {
	for _, c := range []struct {
		name string
		o    cache.Options
	}{
		{"octet", octet()},
		{"default", cache.Options{}}, // vmihailenco/msgpack, compressed
		{"json", cache.Options{Marshal: json.Marshal, Unmarshal: json.Unmarshal}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.o.LocalCache = cache.NewTinyLFU(1000, time.Hour)
			entries, _ := newCache(b, c.o)
			want := sample.New(1, 12)
			if err := entries.Set(&cache.Item{Ctx: b.Context(), Key: "a", Value: want, TTL: time.Hour}); err != nil {
				b.Fatal(err)
			}
			get := func() (got sample.Order) {
				if err := entries.Get(b.Context(), "a", &got); err != nil {
					b.Fatal(err)
				}
				return got
			}
			got := get()
			got.Created = got.Created.UTC() // vmihailenco/msgpack decodes times in the local zone
			if !reflect.DeepEqual(got, want) {
				b.Fatalf("got %v", got)
			}
			b.ReportAllocs()
			for b.Loop() {
				get()
			}
		})
	}
}
