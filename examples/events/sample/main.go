// Sample writes the events of package events to a file: go run ./examples/events/sample events.rec
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/octet-go/octet/examples/events"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sample:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("want one argument, the path of the file")
	}
	return events.Sample(args[0])
}
