// Package pb has the messages that stand for the types of package shape in Protocol Buffers.
package pb

//go:generate go run ../internal/protoc shape.proto shape_gen.go
