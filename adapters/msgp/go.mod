module github.com/octet-go/octet/adapters/msgp

go 1.26.0

require (
	github.com/octet-go/octet v0.0.0
	github.com/tinylib/msgp v1.6.5
)

require (
	github.com/philhofer/fwd v1.2.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
