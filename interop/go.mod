module github.com/octet-go/octet/interop

go 1.26.0

require (
	github.com/SaveTheRbtz/zstd-seekable-format-go/pkg v0.10.0
	github.com/hashicorp/go-msgpack/v2 v2.1.5
	github.com/klauspost/compress v1.20.3
	github.com/octet-go/octet v0.0.0
	github.com/octet-go/octet/adapters/msgp v0.0.0
	github.com/octet-go/octet/adapters/ugorji v0.0.0
	github.com/octet-go/octet/adapters/vmihailenco v0.0.0
	github.com/octet-go/octet/record/zstd v0.0.0
	github.com/shamaton/msgpack/v2 v2.4.0
	github.com/shamaton/msgpack/v3 v3.2.0
	github.com/tinylib/msgp v1.6.5
	github.com/ugorji/go/codec v1.3.2
	github.com/vmihailenco/msgpack/v4 v4.3.13
	github.com/vmihailenco/msgpack/v5 v5.4.1
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/golang/protobuf v1.5.2 // indirect
	github.com/philhofer/fwd v1.2.0 // indirect
	github.com/vmihailenco/tagparser v0.1.1 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
	golang.org/x/net v0.44.0 // indirect
	golang.org/x/sync v0.20.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	google.golang.org/appengine v1.6.7 // indirect
	google.golang.org/protobuf v1.33.0 // indirect
)
