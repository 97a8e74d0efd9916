package engine

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/cpu"
)

var unfit = regexp.MustCompile(`[^a-z0-9]+`)

// MachineName converts the name of a processor to a part of a file name. It removes spaces and marketing terms.
func MachineName(processor string, cpus int) string {
	name := strings.ToLower(processor)
	for _, noise := range []string{"(r)", "(tm)", "cpu", "processor"} {
		name = strings.ReplaceAll(name, noise, " ")
	}
	name, _, _ = strings.Cut(name, "@")
	return strings.Trim(unfit.ReplaceAllString(name, "-"), "-") + "-" + strconv.Itoa(cpus) + "cpu"
}

// Processor returns the name of the processor on Linux, and the architecture on other systems.
func Processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// A Host is the machine, the system and the version of Go of a run, and its date.
type Host struct {
	Machine    string `json:"machine"`           // derived from the processor and valid in a file name, such as amd-epyc-9b45-2cpu
	Processor  string `json:"processor"`         // name of the processor in the system
	Vectors    string `json:"vectors,omitempty"` // widest vector instructions on amd64, such as AVX2; none in old files
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Go         string `json:"go"` // such as go1.26.8
	GOMAXPROCS int    `json:"gomaxprocs"`
	Date       string `json:"date"` // in the form 2006-01-02
}

// Here returns the host of this process.
func Here() Host {
	name := Processor()
	return Host{
		Machine:    MachineName(name, runtime.NumCPU()),
		Processor:  name,
		Vectors:    vectors(),
		OS:         runtime.GOOS,
		Arch:       runtime.GOARCH,
		Go:         runtime.Version(),
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		Date:       time.Now().UTC().Format(time.DateOnly),
	}
}

// vectors returns the name of the widest vector instructions of an amd64 processor that are on, and "" on others.
func vectors() string {
	switch {
	case cpu.X86.HasAVX512F:
		return "AVX-512"
	case cpu.X86.HasAVX2:
		return "AVX2"
	case cpu.X86.HasSSE2:
		return "SSE2"
	}
	return ""
}

// differs returns an error if two hosts cannot be compared, because a program that is faster on one machine may be
// slower on another.
func (h Host) differs(other Host) error {
	for _, fact := range []struct{ name, one, other string }{
		{"processor", h.Processor, other.Processor},
		{"operating system", h.OS, other.OS},
		{"architecture", h.Arch, other.Arch},
		{"GOMAXPROCS", strconv.Itoa(h.GOMAXPROCS), strconv.Itoa(other.GOMAXPROCS)},
	} {
		if fact.one != fact.other {
			return fmt.Errorf("bench: cannot compare runs with different %s: %s and %s", fact.name, fact.one, fact.other)
		}
	}
	if h.Vectors != "" && other.Vectors != "" && h.Vectors != other.Vectors {
		return fmt.Errorf("bench: cannot compare runs with different vector instructions: %s and %s", h.Vectors, other.Vectors)
	}
	return nil
}

// circumstances returns one line about the host and the number of rounds.
func (h Host) circumstances(rounds int) string {
	processor := h.Processor
	if h.Vectors != "" {
		processor += " with " + h.Vectors
	}
	return fmt.Sprintf("%s, GOMAXPROCS=%d, %s/%s, %s, %s, %s", processor, h.GOMAXPROCS, h.OS, h.Arch, h.Go, h.Date, Plural(rounds, "round"))
}
