// Package flinktest runs Apache Flink for tests of Beam pipelines. It needs Java 17 and
// Maven, which downloads the Flink runner of Beam on first use (190 MB).
//
//	if err := flinktest.Available(); err != nil {
//		t.Skip(err)
//	}
//	server, err := flinktest.Start(2)
//	…
//	defer server.Stop()
//
// Then pipelines run on it with the runner universal, the endpoint server.Endpoint and
// the environment type LOOPBACK. Flink and the job server listen on loopback only. Flink
// runs a pipeline that fails a second time before it reports the failure. The heap is
// 1 GB. A [Cluster] is a Flink of several processes, which tests can kill.
//
// Two classes take the place of Beam's: one so that servers listen on loopback, one so
// that a bundle can have more than 400 MB of output. Command serve runs Flink for other
// programs.
package flinktest

import (
	"bufio"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

//go:embed pom.xml
var pom []byte

//go:embed JobServer.java
var jobServer []byte

//go:embed Member.java
var member []byte

//go:embed ServerFactory.java
var serverFactory []byte

//go:embed BeamFnDataInboundObserver.java
var inboundObserver []byte

//go:embed flink-conf.yaml
var configuration []byte

// A Server is a job server with a Flink inside, in a process of its own.
type Server struct {
	Endpoint string // host and port of the job service

	dir     string
	process *exec.Cmd
	input   io.Closer
	log     *os.File
}

// Available returns an error that says what is missing to start a Server.
func Available() error {
	for _, name := range []string{"java", "javac", "mvn"} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("flinktest needs Java 17 and Maven: %w", err)
		}
	}
	return nil
}

// Start starts a Server that runs pipelines with a number of parallel workers, unless
// they say otherwise. The first call on a machine takes minutes. Stop must be called; but
// if this process ends without it, the Server ends too.
func Start(parallelism int) (*Server, error) {
	if err := Available(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "flinktest")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	if err := s.start(parallelism); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func (s *Server) start(parallelism int) error {
	jars, err := prepare(s.dir)
	if err != nil {
		return err
	}
	return s.run(jars, parallelism, "[local]", "-Xmx1g")
}

// prepare makes the folder of the configuration and the classes, and returns the class
// path.
func prepare(dir string) (jars string, err error) {
	sources := map[string][]byte{
		"pom.xml": pom, "flink-conf.yaml": configuration, "JobServer.java": jobServer, "Member.java": member,
		"ServerFactory.java": serverFactory, "BeamFnDataInboundObserver.java": inboundObserver,
	}
	compile := []string{"-nowarn", "-d", "classes", "-classpath", ""}
	for name, content := range sources {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return "", err
		}
		if strings.HasSuffix(name, ".java") {
			compile = append(compile, name)
		}
	}
	maven := exec.Command("mvn", "--batch-mode", "--quiet", "dependency:build-classpath", "-Dmdep.outputFile=classpath")
	maven.Dir = dir
	if out, err := maven.CombinedOutput(); err != nil {
		return "", fmt.Errorf("flinktest: mvn: %w\n%s", err, out)
	}
	classpath, err := os.ReadFile(filepath.Join(dir, "classpath"))
	if err != nil {
		return "", err
	}
	jars = strings.TrimSpace(string(classpath))
	compile[4] = jars
	compiler := exec.Command("javac", compile...)
	compiler.Dir = dir
	if out, err := compiler.CombinedOutput(); err != nil {
		return "", fmt.Errorf("flinktest: javac: %w\n%s", err, out)
	}
	return "classes" + string(os.PathListSeparator) + jars, nil
}

// java returns a command that runs a class.
func java(dir, jars string, flags []string, class string, args ...string) *exec.Cmd {
	all := append([]string{"-XX:+UseSerialGC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"}, flags...)
	all = append(append(all, "-classpath", jars, class), args...)
	c := exec.Command("java", all...)
	c.Dir = dir
	return c
}

// run starts the job server.
func (s *Server) run(jars string, parallelism int, master, heap string) (err error) {
	if s.log, err = os.Create(filepath.Join(s.dir, "log")); err != nil {
		return err
	}
	s.process = java(s.dir, jars, []string{heap}, "JobServer", strconv.Itoa(parallelism), s.dir, master)
	s.process.Stderr = s.log
	if s.input, err = s.process.StdinPipe(); err != nil {
		return err
	}
	output, err := s.process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.process.Start(); err != nil {
		s.process = nil
		return fmt.Errorf("flinktest: %w", err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		log, _ := os.ReadFile(s.log.Name())
		return fmt.Errorf("flinktest: the job server has ended: %w\n%s", err, bytes.TrimSpace(log))
	}
	s.Endpoint = "127.0.0.1:" + strings.TrimSpace(line)
	return nil
}

// Pid returns the number of the process, for measurements.
func (s *Server) Pid() int { return s.process.Process.Pid }

// Stop ends the Server and removes its files.
func (s *Server) Stop() error {
	var err error
	if s.process != nil {
		s.input.Close()
		timer := time.AfterFunc(10*time.Second, func() { s.process.Process.Kill() })
		err = s.process.Wait()
		timer.Stop()
	}
	if s.log != nil {
		s.log.Close()
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}
