// Package pb contains the Protocol Buffers messages that correspond to the
// types of package shape.
package pb

//go:generate go run ../internal/protoc shape.proto shape_gen.go
