package flinktest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// A Cluster is a Flink of several processes: a job manager, and task managers with two
// slots each. They take 2 GB of memory with two task managers. All listen on loopback
// only. The workers of a pipeline can be processes as well, with the environment type
// PROCESS. A pipeline whose worker ends is repeated, three times at most.
type Cluster struct {
	Server

	jars     string
	rest     string // address of the job manager
	managers []*process
	stopped  bool
}

// A process is a job manager or a task manager.
type process struct {
	command *exec.Cmd
	input   io.Closer
	log     *os.File
	start   func() *exec.Cmd
}

// StartCluster starts a Cluster. Stop must be called; but if this process ends without it,
// the processes end too.
func StartCluster(taskManagers int) (*Cluster, error) {
	if err := Available(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "flinktest")
	if err != nil {
		return nil, err
	}
	c := &Cluster{Server: Server{dir: dir}}
	if err := c.start(taskManagers); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// clusterConfiguration is added to that of a Server.
const clusterConfiguration = `
jobmanager.rpc.port: %d
rest.port: %d
rest.retry.max-attempts: 3
rest.retry.delay: 500
client.heartbeat.interval: 1000
client.heartbeat.timeout: 10000
heartbeat.interval: 500
heartbeat.timeout: 5000
slot.request.timeout: 60000
restart-strategy.fixed-delay.attempts: 3
taskmanager.numberOfTaskSlots: 2
taskmanager.cpu.cores: 1
taskmanager.memory.framework.heap.size: 128m
taskmanager.memory.task.heap.size: 256m
taskmanager.memory.task.off-heap.size: 0
taskmanager.memory.network.min: 64m
taskmanager.memory.network.max: 64m
taskmanager.memory.managed.size: 64m
taskmanager.memory.framework.off-heap.size: 64m
taskmanager.memory.jvm-metaspace.size: 128m
taskmanager.memory.jvm-overhead.min: 64m
taskmanager.memory.jvm-overhead.max: 64m
`

var attempts = regexp.MustCompile("(?m)^restart-strategy.fixed-delay.attempts:.*\n")

func (c *Cluster) start(taskManagers int) error {
	var err error
	if c.jars, err = prepare(c.dir); err != nil {
		return err
	}
	ports, err := freePorts(2)
	if err != nil {
		return err
	}
	c.rest = fmt.Sprintf("127.0.0.1:%d", ports[1])
	text := string(attempts.ReplaceAll(configuration, nil)) + fmt.Sprintf(clusterConfiguration, ports[0], ports[1])
	if err := os.WriteFile(filepath.Join(c.dir, "flink-conf.yaml"), []byte(text), 0o666); err != nil {
		return err
	}
	add := func(kind string, flags ...string) error {
		p := &process{start: func() *exec.Cmd {
			// Flink 1.19 uses reflection on classes of Java.
			opens := []string{"--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-opens=java.base/java.util=ALL-UNNAMED", "--add-opens=java.base/java.nio=ALL-UNNAMED"}
			return java(c.dir, c.jars, append(opens, flags...), "Member", kind, "--configDir", c.dir)
		}}
		if p.log, err = os.Create(filepath.Join(c.dir, fmt.Sprintf("%s-%d.log", kind, len(c.managers)))); err != nil {
			return err
		}
		c.managers = append(c.managers, p)
		return p.run()
	}
	if err := add("jobmanager", "-Xmx400m"); err != nil {
		return err
	}
	for range taskManagers {
		if err := add("taskmanager", "-Xmx400m", "-XX:MaxDirectMemorySize=320m"); err != nil {
			return err
		}
	}
	if err := c.Wait(); err != nil {
		return err
	}
	return c.run(c.jars, 2*taskManagers, c.rest, "-Xmx300m")
}

// freePorts returns ports on which nobody listens.
func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

func (p *process) run() (err error) {
	p.command = p.start()
	p.command.Stdout, p.command.Stderr = p.log, p.log
	if p.input, err = p.command.StdinPipe(); err != nil {
		return err
	}
	if err := p.command.Start(); err != nil {
		p.command = nil
		return fmt.Errorf("flinktest: %w", err)
	}
	return nil
}

// kill ends a process at once, as a power loss does.
func (p *process) kill() {
	if p.command != nil {
		_ = p.command.Process.Kill()
		_ = p.command.Wait() // its error says that it was killed
		p.input.Close()
	}
}

// KillJobManager kills the job manager (SIGKILL) and starts another one at its address.
// What it knew of pipelines is lost.
func (c *Cluster) KillJobManager() error { return c.restart(0) }

// KillTaskManager kills a task manager, from 0 on, and starts another one. It returns
// without waiting for it.
func (c *Cluster) KillTaskManager(i int) error { return c.restart(i + 1) }

func (c *Cluster) restart(i int) error {
	c.managers[i].kill()
	return c.managers[i].run()
}

var slots = regexp.MustCompile(`"slots-available":(\d+)`)

// Wait waits until all slots of all task managers are free, for up to a minute.
func (c *Cluster) Wait() error {
	want := fmt.Sprint(2 * (len(c.managers) - 1))
	deadline := time.Now().Add(time.Minute)
	for last := "no answer"; ; time.Sleep(100 * time.Millisecond) {
		if body, err := get("http://" + c.rest + "/overview"); err == nil {
			last = string(body)
			if m := slots.FindSubmatch(body); m != nil && string(m[1]) == want {
				return nil
			}
		}
		if time.Now().After(deadline) {
			for _, p := range c.managers {
				log, _ := os.ReadFile(p.log.Name()) // what is there says more than nothing
				last += "\n" + string(log[max(len(log)-2000, 0):])
			}
			return fmt.Errorf("flinktest: the cluster has not %s free slots: %s", want, last)
		}
	}
}

var client = http.Client{Timeout: 5 * time.Second}

func get(url string) ([]byte, error) {
	r, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	return io.ReadAll(r.Body)
}

// Pids returns the numbers of the processes: the job server, the job manager and the task
// managers.
func (c *Cluster) Pids() []int {
	pids := []int{c.Pid()}
	for _, p := range c.managers {
		pids = append(pids, p.command.Process.Pid)
	}
	return pids
}

// Stop ends all processes and removes their files. The second call does nothing.
func (c *Cluster) Stop() error {
	if c.stopped {
		return nil
	}
	c.stopped = true
	for _, p := range c.managers {
		p.kill()
		p.log.Close()
	}
	return c.Server.Stop()
}
