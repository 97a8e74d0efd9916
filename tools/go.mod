module github.com/octet-go/octet/tools

go 1.26
