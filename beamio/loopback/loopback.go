// Package loopback runs pipelines on prism, Beam's runner in the same process, without
// letting other machines connect to it. Package prism listens on every interface, and has
// no option for it. Whoever connects can run code of the program. On a machine in an open
// network, use [Execute] instead of prism.Execute or beamx.Run.
//
// It binds the socket of prism to the loopback device, which Linux 5.7 and later allow to
// every user. On other systems, the error matches [errors.ErrUnsupported].
package loopback

import (
	"context"
	"fmt"
	"net"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
)

// Execute runs a pipeline on prism in this process, which listens on loopback only, with
// the workers in this process. The first call starts prism, which runs until the process
// ends. Execute sets the flags --endpoint and --environment_type of Beam.
func Execute(ctx context.Context, p *beam.Pipeline) (beam.PipelineResult, error) {
	endpoint, err := start()
	if err != nil {
		return nil, fmt.Errorf("loopback: %w", err)
	}
	*jobopts.Endpoint, *jobopts.EnvironmentType = endpoint, "LOOPBACK"
	return universal.Execute(ctx, p)
}

// start starts prism once and returns its address.
var start = sync.OnceValues(func() (string, error) {
	// Prism takes a port and does not return the one that it has.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	if err := restrict(l); err != nil {
		return "", err // before prism is started, because it cannot be stopped
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	if _, err := prism.CreateJobServer(context.Background(), prism.Options{Port: port}); err != nil {
		return "", err
	}
	if err := restrictPort(port); err != nil {
		return "", err
	}
	return fmt.Sprintf("localhost:%d", port), nil
})
