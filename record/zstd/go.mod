module github.com/octet-go/octet/record/zstd

go 1.26.0

require (
	github.com/klauspost/compress v1.20.3
	github.com/octet-go/octet v0.0.0
)

require golang.org/x/sys v0.49.0 // indirect
