package main

// The libraries that the tests rewrite.
import (
	_ "github.com/hashicorp/go-msgpack/codec"
	_ "github.com/hashicorp/go-msgpack/v2/codec"
	_ "github.com/shamaton/msgpack/v2"
	_ "github.com/shamaton/msgpack/v3"
	_ "github.com/tinylib/msgp/msgp"
	_ "github.com/ugorji/go/codec"
	_ "github.com/vmihailenco/msgpack/v4"
	_ "github.com/vmihailenco/msgpack/v5"
)
