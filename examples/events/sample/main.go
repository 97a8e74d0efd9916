// Sample writes the events of package events to a file: go run ./examples/events/sample events.rec
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/octet-go/octet/examples/events"
)

func main() { os.Exit(run(os.Args[1:])) }

// run returns the exit code.
func run(args []string) int {
	err := errors.New("want one argument, the path of the file")
	if len(args) == 1 {
		err = events.Sample(args[0])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sample:", err)
		return 1
	}
	return 0
}
