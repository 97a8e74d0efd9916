module github.com/octet-go/octet/bench

go 1.26
