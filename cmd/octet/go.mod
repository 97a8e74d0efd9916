module github.com/octet-go/octet/cmd/octet

go 1.26
