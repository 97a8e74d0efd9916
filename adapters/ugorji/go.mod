module github.com/octet-go/octet/adapters/ugorji

go 1.26.0

require (
	github.com/octet-go/octet v0.0.0
	github.com/ugorji/go/codec v1.3.2
)

require golang.org/x/sys v0.49.0 // indirect
