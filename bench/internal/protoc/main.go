// Command protoc generates Go code from a .proto file. It uses a compiler and a generator that are Go packages, so
// that go generate needs no other programs:
//
//	go run ../internal/protoc shape.proto shape_gen.go
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: protoc file.proto file.go")
		os.Exit(2)
	}
	if err := generate(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "protoc:", err)
		os.Exit(1)
	}
}

// generate writes the Go code for the file input to the file output.
func generate(input, output string) error {
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{}),
		SourceInfoMode: protocompile.SourceInfoStandard, // the comments
	}
	files, err := compiler.Compile(context.Background(), input)
	if err != nil {
		return err
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: []string{input}}
	add(request, files[0], make(map[string]bool))
	plugin, err := protogen.Options{}.New(request)
	if err != nil {
		return err
	}
	internal_gengo.GenerateFile(plugin, plugin.FilesByPath[input])
	response := plugin.Response()
	if response.Error != nil {
		return fmt.Errorf("%s", response.GetError())
	}
	return os.WriteFile(output, []byte(response.File[0].GetContent()), 0o666)
}

// add adds a file after the files that it imports, which is the order that the generator requires.
func add(request *pluginpb.CodeGeneratorRequest, file protoreflect.FileDescriptor, seen map[string]bool) {
	if seen[file.Path()] {
		return
	}
	seen[file.Path()] = true
	for i := range file.Imports().Len() {
		add(request, file.Imports().Get(i).FileDescriptor, seen)
	}
	request.ProtoFile = append(request.ProtoFile, protodesc.ToFileDescriptorProto(file))
}
