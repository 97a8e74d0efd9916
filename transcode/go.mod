module github.com/octet-go/octet/transcode

go 1.26
