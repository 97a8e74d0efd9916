// The command serve runs Apache Flink on this machine, for trying out Beam pipelines. It
// needs Java 17 and Maven.
//
//	cd beamio && go run ./flinktest/serve
//
// It prints the flags with which a program runs its pipeline on it, and ends when it is
// interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"os/signal"

	"github.com/octet-go/octet/beamio/flinktest"
)

func main() {
	parallelism := flag.Int("parallelism", 2, "`number` of workers of a pipeline that does not choose one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := serve(ctx, *parallelism, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// serve runs Flink until ctx ends.
func serve(ctx context.Context, parallelism int, out io.Writer) error {
	server, err := flinktest.Start(parallelism)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "--runner universal --endpoint %s --environment_type LOOPBACK\n", server.Endpoint)
	<-ctx.Done()
	err = server.Stop()
	if errors.As(err, new(*exec.ExitError)) {
		return nil // a terminal interrupts Java as well
	}
	return err
}
