// Command octet-serve serves the inspector, a page that shows MessagePack, at an address of
// this computer:
//
//	octet-serve std.msgpack
//
// octet-serve --help has all flags. The command octet starts it for octet serve. It is a
// program of its own so that octet does not link an HTTP server.
package main

import (
	"context"

	"github.com/octet-go/octet/cmd/octet/internal/command"
	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/serving"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

func main() { command.Main(run) }

// run executes a command line and returns the exit code.
func run(ctx context.Context, args []string, c *console.Console) int {
	p := command.New(c)
	root := serving.Root(func(ctx context.Context, o *serving.Options) error {
		files := &input.Files{Console: c, Options: input.Options{Format: sniff.Named(o.From.Value)}}
		if o.Path != "" {
			files.Paths = []string{o.Path}
		}
		return serve(ctx, files, o.Port, o.Open)
	})
	p.Prepare(root)
	return int(p.Run(ctx, root, args))
}
