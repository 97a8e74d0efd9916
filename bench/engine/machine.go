package engine

import (
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
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
