module github.com/octet-go/octet/layout/formats

go 1.26.0

require github.com/octet-go/octet v0.0.0

require golang.org/x/sys v0.49.0 // indirect
