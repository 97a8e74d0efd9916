module github.com/octet-go/octet

go 1.26
