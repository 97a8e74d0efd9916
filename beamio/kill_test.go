package beamio

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"

	"github.com/octet-go/octet/beamio/flinktest"
	"github.com/octet-go/octet/record"
)

// A total is the result of a user.
type total struct {
	User   string
	Visits int64
	Sum    int64
}

func byUser(v visit) (string, int64) { return v.User + strconv.FormatInt(v.ID%500, 10), v.ID }

func totalOf(user string, ids func(*int64) bool) total {
	t := total{User: user}
	for id := int64(0); ids(&id); {
		t.Visits++
		t.Sum += id
	}
	return t
}

// workerScript runs this program as a worker, and writes down its number.
const workerScript = `#!/bin/sh
echo $$ >>%[1]q
exec env OCTET_BEAM_WORKER=1 OCTET_BEAM_EARLY=%[1]q.early %[2]q "$@" 2>>%[1]q.log
`

// BecomeWorker makes this program a worker if workerScript has started it. A runner starts
// it with the flags --id and --provision_endpoint, of a service that knows the flags that
// the SDK wants. It must be called before the flags are parsed.
func BecomeWorker() {
	if os.Getenv("OCTET_BEAM_WORKER") == "" {
		return
	}
	values := map[string]string{}
	for _, arg := range os.Args[1:] {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		values[name] = value
	}
	ctx := grpcx.WriteWorkerID(context.Background(), values["id"])
	info, err := tools.ProvisionInfo(ctx, values["provision_endpoint"])
	if err != nil {
		log.Fatal(err)
	}
	endEarly(os.Getenv("OCTET_BEAM_EARLY"), info.GetLoggingEndpoint().GetUrl(), info.GetControlEndpoint().GetUrl())
	os.Args = []string{os.Args[0], "--worker", "--id=" + values["id"],
		"--logging_endpoint=" + info.GetLoggingEndpoint().GetUrl(), "--control_endpoint=" + info.GetControlEndpoint().GetUrl()}
}

// endEarly kills this worker before it connects to the service for data, which is at none
// of the other endpoints, if there is a file with that name. It removes the file.
func endEarly(name string, others ...string) {
	dial := grpcx.Dial
	grpcx.Dial = func(ctx context.Context, endpoint string, timeout time.Duration) (*grpc.ClientConn, error) {
		if !slices.Contains(others, endpoint) && os.Remove(name) == nil {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		return dial(ctx, endpoint, timeout)
	}
}

// TestKilledProcesses kills a random task manager of Flink, or a worker, at a random moment,
// and then the job manager. The result is that of a run without it, or the pipeline fails
// and no result looks complete. OCTET_FLINK_KILLS is how many are killed of each. Each takes
// about ten seconds.
func TestKilledProcesses(t *testing.T) {
	rounds, _ := strconv.Atoi(os.Getenv("OCTET_FLINK_KILLS"))
	if rounds == 0 {
		t.Skip("OCTET_FLINK_KILLS is not set: kills processes of Flink")
	}
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc and runs a script of sh")
	}
	if err := flinktest.Available(); err != nil {
		t.Skip(err)
	}
	cluster, err := flinktest.StartCluster(2)
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Stop()
	dir := t.TempDir()
	k := &killer{cluster: cluster, dir: dir, pids: filepath.Join(dir, "workers"), input: filepath.Join(dir, "visits.rec")}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "worker.sh")
	if err := os.WriteFile(script, fmt.Appendf(nil, workerScript, k.pids, program), 0o777); err != nil {
		t.Fatal(err)
	}
	*jobopts.Endpoint, *jobopts.EnvironmentType, *jobopts.Parallelism = cluster.Endpoint, "PROCESS", 2
	*jobopts.EnvironmentConfig, *jobopts.WorkerBinary = fmt.Sprintf(`{"command": %q}`, script), program
	defer func() { *jobopts.EnvironmentConfig, *jobopts.WorkerBinary = "", "" }()
	writeVisits(t, k.input, 100_000, 0, small)

	for range 2 { // the first one loads classes
		took, err := k.run(t, "undisturbed")
		if err != nil {
			log, _ := os.ReadFile(k.pids + ".log") // what is there says more than nothing
			t.Fatalf("%v\n%s", err, log)
		}
		k.usual = took
	}
	if k.want, err = k.result("undisturbed"); err != nil || len(k.want) != 500 {
		t.Fatalf("%d results, %v", len(k.want), err)
	}
	t.Logf("undisturbed: %.1f s", k.usual.Seconds())
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	k.random = rand.New(rand.NewPCG(seed, 0))
	t.Run("workers", func(t *testing.T) { k.kill(t, rounds, false) })
	t.Run("job manager", func(t *testing.T) { k.kill(t, rounds, true) })
	t.Run("early", k.killEarly)
	t.Logf("most memory of all processes: %d MB", k.memory>>20)
}

// kill kills processes until that many pipelines have lost one.
func (k *killer) kill(t *testing.T, rounds int, jobManager bool) {
	var lost []float64
	failed, early := 0, 0
	for round := 0; len(lost)+failed < rounds && early < 10*rounds; round++ {
		took, killed, err := k.round(t, fmt.Sprintf("kill-%v-%d", jobManager, round), jobManager)
		switch {
		case killed == "": // the machine has less other work by now
			early++
			k.usual = min(k.usual, took)
		case err != nil:
			failed++
		default:
			lost = append(lost, (took - k.usual).Seconds())
		}
	}
	slices.Sort(lost)
	t.Logf("%d kills: %d equal, %d failed with an error; %d runs ended before the kill", len(lost)+failed, len(lost), failed, early)
	if len(lost)+failed < rounds {
		t.Errorf("only %d of %d kills: the other runs ended before", len(lost)+failed, rounds)
	}
	if len(lost) > 0 {
		t.Logf("time lost: median %.1f s, most %.1f s", lost[len(lost)/2], lost[len(lost)-1])
	}
}

// killEarly kills a worker that has a bundle to process, but no connection for its data yet.
// The runner notices only that nobody connects, within three minutes, and then repeats the
// bundle. A random moment is rarely that one.
func (k *killer) killEarly(t *testing.T) {
	if os.Getenv("OCTET_FLINK_EARLY") == "" {
		t.Skip("OCTET_FLINK_EARLY is not set: takes up to three minutes")
	}
	early := k.pids + ".early"
	if err := os.WriteFile(early, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	took, err := k.run(t, "early")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(early); err == nil {
		t.Error("no worker has ended early")
	}
	if got, err := k.result("early"); err != nil || !slices.Equal(got, k.want) {
		t.Errorf("%d results, %v", len(got), err)
	}
	t.Logf("a worker killed early: %.1f s", took.Seconds())
}

// A killer runs pipelines and kills processes.
type killer struct {
	cluster          *flinktest.Cluster
	dir, pids, input string
	usual            time.Duration
	want             []total
	random           *rand.Rand
	memory           int64
}

// run runs the pipeline once.
func (k *killer) run(t *testing.T, name string) (time.Duration, error) {
	t.Helper()
	if err := k.cluster.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(k.pids, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	visits := Read[visit](s, k.input, &Options{SplitSize: 200_000})
	totals := beam.ParDo(s, totalOf, beam.GroupByKey(s, beam.ParDo(s, byUser, visits)))
	Write(s, filepath.Join(k.dir, name+".rec"), totals, &Options{Shards: 3})
	begin := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), 6*time.Minute) // longer than the runner waits: see killEarly
	defer cancel()
	_, err := universal.Execute(ctx, p)
	if ctx.Err() != nil {
		output, _ := os.ReadFile(k.pids + ".log") // what is there says more than nothing
		alive := len(k.workers())
		err = fmt.Errorf("%s: the pipeline has not ended after %v: %w; %d workers are alive\n%s", name, time.Since(begin), cmp.Or(err, ctx.Err()), alive, output)
		if alive > 0 {
			t.Fatal(err)
		}
		t.Log(err) // the runner has started no other worker, so no code of this package can be what it waits for
	}
	return time.Since(begin), err
}

// result returns the records of all shards, sorted.
func (k *killer) result(name string) (list []total, err error) {
	for i := range 3 {
		f, err := record.Open(filepath.Join(k.dir, fmt.Sprintf("%s-%05d-of-00003.rec", name, i)), nil)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		for v, err := range record.All[total](f) {
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
	}
	slices.SortFunc(list, func(a, b total) int { return strings.Compare(a.User, b.User) })
	return list, nil
}

// round kills a process at a random moment of a pipeline, and looks at the result.
func (k *killer) round(t *testing.T, name string, jobManager bool) (took time.Duration, killed string, err error) {
	t.Helper()
	delay := time.Duration(k.random.Int64N(int64(k.usual)))
	victim := k.random.IntN(4)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-done:
			return
		case <-time.After(delay):
		}
		k.measure()
		switch {
		case jobManager:
			killed = "the job manager"
			err = k.cluster.KillJobManager()
		case victim < 2:
			killed = fmt.Sprint("task manager ", victim)
			err = k.cluster.KillTaskManager(victim)
		default:
			for killed == "" { // until there is a worker
				if pids := k.workers(); len(pids) > 0 {
					pid := pids[k.random.IntN(len(pids))]
					killed = fmt.Sprint("worker ", pid)
					err = syscall.Kill(pid, syscall.SIGKILL)
				}
				select {
				case <-done:
					return
				case <-time.After(20 * time.Millisecond):
				}
			}
		}
	}()
	took, runErr := k.run(t, name)
	close(done)
	<-ended
	if err != nil {
		t.Fatalf("kill %s: %v", killed, err)
	}
	got, err := k.result(name)
	switch {
	case runErr == nil && (err != nil || !slices.Equal(got, k.want)):
		t.Errorf("%s after %v, the pipeline succeeded: %d results, %v", killed, delay, len(got), err)
	case runErr != nil && killed == "":
		t.Errorf("the pipeline failed before a process was killed: %v", runErr)
	case runErr != nil && err == nil && !slices.Equal(got, k.want):
		t.Errorf("%s after %v, the pipeline failed, and all shards are there with %d other results", killed, delay, len(got))
	}
	text := "equal"
	switch {
	case runErr != nil:
		text, _, _ = strings.Cut(runErr.Error(), "\n")
	case err != nil || !slices.Equal(got, k.want):
		text = "other results"
	}
	if killed == "" {
		return took, "", runErr
	}
	t.Logf("%s killed after %.1f s: %.1f s, %s", killed, delay.Seconds(), took.Seconds(), text)
	return took, killed, runErr
}

// workers returns the numbers of the worker processes that are alive.
func (k *killer) workers() (pids []int) {
	text, _ := os.ReadFile(k.pids) // without it, there is none
	for line := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(line)
		if err == nil && strings.Contains(commandOf(pid), "--provision_endpoint") {
			pids = append(pids, pid)
		}
	}
	return pids
}

func commandOf(pid int) string {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // it may have ended
	return string(b)
}

// measure adds up the memory of all processes.
func (k *killer) measure() {
	sum := int64(0)
	for _, pid := range append(append(k.cluster.Pids(), k.workers()...), os.Getpid()) {
		b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid)) // it may have ended
		if fields := strings.Fields(string(b)); len(fields) > 1 {
			pages, _ := strconv.ParseInt(fields[1], 10, 64)
			sum += pages * int64(os.Getpagesize())
		}
	}
	k.memory = max(k.memory, sum)
}
