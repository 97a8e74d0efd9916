module github.com/vmihailenco/msgpack/v5

go 1.26.0

require (
	github.com/octet-go/octet v0.0.0
	github.com/vmihailenco/tagparser/v2 v2.0.0
)

require golang.org/x/sys v0.49.0 // indirect
