package rediscache_test

import (
	"context"
	"fmt"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/go-redis/cache/v9"
	"github.com/octet-go/octet/msgpack"
	"github.com/redis/go-redis/v9"
)

func Example() {
	server, err := miniredis.Run() // in a program: the address of a server
	if err != nil {
		panic(err)
	}
	defer server.Close()
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer client.Close()

	c := cache.New(&cache.Options{
		Redis:      client,
		LocalCache: cache.NewTinyLFU(1000, time.Minute),
		Marshal:    msgpack.Marshal,
		Unmarshal:  msgpack.Unmarshal,
	})
	for range 2 {
		var numbers []int
		err := c.Once(&cache.Item{Ctx: context.Background(), Key: "v2:primes", Value: &numbers, TTL: time.Hour, Do: func(*cache.Item) (any, error) {
			fmt.Println("computed")
			return []int{2, 3, 5, 7}, nil
		}})
		fmt.Println(numbers, err)
	}
	// Output:
	// computed
	// [2 3 5 7] <nil>
	// [2 3 5 7] <nil>
}
