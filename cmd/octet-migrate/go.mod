module github.com/octet-go/octet/cmd/octet-migrate

go 1.26.0

require (
	github.com/octet-go/octet v0.0.0
	github.com/rogpeppe/go-internal v1.16.0
	github.com/vmihailenco/msgpack/v5 v5.4.1
	golang.org/x/tools v0.51.0
)

require (
	github.com/golang/protobuf v1.5.2 // indirect
	github.com/philhofer/fwd v1.2.0 // indirect
	github.com/vmihailenco/tagparser v0.1.1 // indirect
	golang.org/x/net v0.59.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	google.golang.org/appengine v1.6.7 // indirect
	google.golang.org/protobuf v1.33.0 // indirect
)

require (
	github.com/hashicorp/go-msgpack v0.5.5
	github.com/hashicorp/go-msgpack/v2 v2.1.5
	github.com/shamaton/msgpack/v2 v2.4.0
	github.com/shamaton/msgpack/v3 v3.2.0
	github.com/tinylib/msgp v1.6.5
	github.com/ugorji/go/codec v1.3.2
	github.com/vmihailenco/msgpack/v4 v4.3.13
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
)
