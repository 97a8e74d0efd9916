package connectmsgpack_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"connectrpc.com/connect"
	"github.com/octet-go/octet/integrations/connectmsgpack"
	"github.com/octet-go/octet/msgpack"
)

type (
	Item  struct{ Name string }
	Price struct{ Cents int64 }
)

func price(_ context.Context, r *connect.Request[Item]) (*connect.Response[Price], error) {
	if r.Msg.Name != "tea" {
		return nil, connect.NewError(connect.CodeNotFound, errors.New("no "+r.Msg.Name+" here"))
	}
	return connect.NewResponse(&Price{240}), nil
}

func Example() {
	codec := connect.WithCodec(connectmsgpack.New(nil))
	mux := http.NewServeMux()
	mux.Handle("/shop.Prices/Get", connect.NewUnaryHandler("/shop.Prices/Get", price, codec))
	server := httptest.NewServer(mux)
	defer server.Close()

	client := connect.NewClient[Item, Price](http.DefaultClient, server.URL+"/shop.Prices/Get", codec)
	answer, err := client.CallUnary(context.Background(), connect.NewRequest(&Item{"tea"}))
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Header().Get("Content-Type"), answer.Msg.Cents)
	_, err = client.CallUnary(context.Background(), connect.NewRequest(&Item{"salt"}))
	fmt.Println(err)
	// Output:
	// application/msgpack 240
	// not_found: no salt here
}

func ExampleNew() {
	codec, err := msgpack.New(msgpack.Options{StructAsArray: true, SortKeys: true})
	if err != nil {
		panic(err)
	}
	data, err := connectmsgpack.New(codec).Marshal(&Price{240})
	fmt.Printf("%q %v\n", data, err)
	// Output: "\x91\xcc\xf0" <nil>
}

func ExampleCodec_Name() {
	fmt.Println(connectmsgpack.New(nil).Name())
	// Output: msgpack
}

func ExampleCodec_IsBinary() {
	fmt.Println(connectmsgpack.New(nil).IsBinary())
	// Output: true
}

func ExampleCodec_Marshal() {
	data, err := connectmsgpack.New(nil).Marshal(&Price{240})
	fmt.Printf("%q %v\n", data, err)
	// Output: "\x81\xa5Cents\xcc\xf0" <nil>
}

func ExampleCodec_MarshalAppend() {
	data, err := connectmsgpack.New(nil).MarshalAppend([]byte("frame: "), &Price{240})
	fmt.Printf("%q %v\n", data, err)
	// Output: "frame: \x81\xa5Cents\xcc\xf0" <nil>
}

func ExampleCodec_MarshalStable() {
	data, err := connectmsgpack.New(nil).MarshalStable(map[string]int{"b": 2, "a": 1})
	fmt.Printf("%q %v\n", data, err)
	// Output: "\x82\xa1a\x01\xa1b\x02" <nil>
}

func ExampleCodec_Unmarshal() {
	var p Price
	err := connectmsgpack.New(nil).Unmarshal([]byte("\x81\xa5Cents\xcc\xf0"), &p)
	fmt.Println(p, err)
	// Output: {240} <nil>
}
