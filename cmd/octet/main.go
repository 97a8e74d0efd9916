// Command octet converts between JSON and MessagePack, and shows the bytes of
// MessagePack files.
//
//	octet convert   turns a stream of JSON values into MessagePack, or back
//	octet inspect   shows every value of a MessagePack file beside its bytes
//
// Each command explains itself, with examples, under --help.
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
	// Where the first signal finds the tool in a call that does not end, such as
	// opening a named pipe, the second one ends the process.
	context.AfterFunc(ctx, stop)
	// Asked for, the signal of a closed pipe does not end the process: the write
	// fails instead, and there is time to remove what is half-written.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(ctx, os.Args[1:], console.System()))
}
