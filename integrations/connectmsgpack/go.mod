module github.com/octet-go/octet/integrations/connectmsgpack

go 1.26.0

require (
	connectrpc.com/connect v1.21.1
	github.com/octet-go/octet v0.0.0
	google.golang.org/protobuf v1.36.11
)

require golang.org/x/sys v0.49.0 // indirect
