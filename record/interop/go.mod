module github.com/octet-go/octet/record/interop

go 1.26.0

require (
	github.com/SaveTheRbtz/zstd-seekable-format-go/pkg v0.10.0
	github.com/klauspost/compress v1.20.3
	github.com/octet-go/octet v0.0.0
	github.com/octet-go/octet/record/zstd v0.0.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	golang.org/x/sync v0.20.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
