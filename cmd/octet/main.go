// Command octet converts between JSON and MessagePack, shows the bytes of
// MessagePack files, and queries, checks and compares files of both formats.
//
//	octet convert   converts streams of JSON values to MessagePack, or back
//	octet inspect   shows every value of MessagePack files next to its bytes
//	octet get       prints the values at a path
//	octet query     runs a program in the language of jq
//	octet stat      counts values and bytes by path and format
//	octet diag      writes MessagePack as lossless text, and reads it back
//	octet fmt       rewrites values in the shortest or canonical form
//	octet types     writes Go types that sample values fit
//	octet lint      finds long formats, duplicate keys and malformed values
//	octet diff      compares two files by value
//	octet array     shows, converts and compares arrays of numbers
//
// Each command prints its documentation and examples with --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/octet-go/octet/cmd/octet/internal/console"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// If the tool is blocked in a call that does not return, such as opening a
	// named pipe, the first signal has no effect. Stop makes the second signal
	// end the process.
	context.AfterFunc(ctx, stop)
	// By default SIGPIPE ends the process. When it is caught, the write to the
	// closed pipe fails instead, and the tool can remove its temporary file.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(ctx, os.Args[1:], console.System()))
}
