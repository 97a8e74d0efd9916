package goredis_test

import (
	"context"
	"fmt"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/octet-go/octet/msgpack"
	"github.com/redis/go-redis/v9"
)

type User struct {
	Name  string
	Since time.Time
}

// Packed is a value that go-redis writes and scans as MessagePack.
type Packed[T any] struct{ V T }

// MarshalBinary is called by go-redis for arguments of commands.
func (p Packed[T]) MarshalBinary() ([]byte, error) { return msgpack.Marshal(p.V) }

// UnmarshalBinary is called by Scan.
func (p *Packed[T]) UnmarshalBinary(data []byte) error { return msgpack.Unmarshal(data, &p.V) }

func Example() {
	server, err := miniredis.Run() // in a program: the address of a server
	if err != nil {
		panic(err)
	}
	defer server.Close()
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer client.Close()
	ctx := context.Background()

	user := User{"Ada", time.Unix(1767225600, 0).UTC()}
	if err := client.Set(ctx, "user:1", Packed[User]{user}, time.Hour).Err(); err != nil {
		panic(err)
	}
	var p Packed[User]
	if err := client.Get(ctx, "user:1").Scan(&p); err != nil {
		panic(err)
	}
	fmt.Println(p.V.Name, p.V.Since)
	// Output: Ada 2026-01-01 00:00:00 +0000 UTC
}
