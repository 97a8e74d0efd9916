// Command octet converts between JSON and MessagePack, and shows the bytes of
// MessagePack files.
//
//	octet convert   converts streams of JSON values to MessagePack, or back
//	octet inspect   shows every value of MessagePack files next to its bytes
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
