module github.com/octet-go/octet/transcode

go 1.26.0

require (
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3
	github.com/klauspost/compress v1.20.3
	github.com/octet-go/octet v0.0.0
)

require golang.org/x/sys v0.49.0 // indirect
