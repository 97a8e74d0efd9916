package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// recordFile has one line of JSON for each target of each run. Lines are added and never
// removed, so that the file describes all runs.
const recordFile = "docs/fuzzing.jsonl"

// A line of the record is the result of one target in one run. If the target failed,
// Finding says how, and a person enters in Test the name of the test for the fix.
type line struct {
	Start    time.Time `json:"start"` // of the run
	Commit   string    `json:"commit"`
	Go       string    `json:"go"`
	Platform string    `json:"platform"`
	Package  string    `json:"package"`
	Target   string    `json:"target"`
	Execs    int64     `json:"execs"`
	CPU      float64   `json:"cpu_seconds"`
	New      int       `json:"new"`
	Corpus   int       `json:"corpus"`
	Coverage int       `json:"coverage"`
	Plain    bool      `json:"plain,omitempty"` // without coverage: New, Corpus and Coverage are 0
	Finding  string    `json:"finding,omitempty"`
	Input    string    `json:"input,omitempty"`
	Test     string    `json:"test,omitempty"`
}

// environment returns a line with the fields that are the same for all targets of
// this run.
func environment(root string, plain bool) (line, error) {
	commit, err := output(root, "git", "rev-parse", "--short=10", "HEAD")
	if err != nil {
		return line{}, err
	}
	return line{
		Start:  time.Now().UTC().Truncate(time.Second),
		Commit: commit, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Plain: plain,
	}, nil
}

func appendRecord(root string, l line, r result) error {
	l.Package, l.Target = r.Path, r.Name
	l.Execs, l.CPU, l.New, l.Corpus, l.Coverage = r.execs, float64(r.cpu.Milliseconds()/100)/10, r.found, r.corpus, r.bits
	l.Input = r.input
	if r.failure != "" {
		l.Finding = firstReason(r.failure)
	}
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(root, recordFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// firstReason returns the first line of the output that gives the reason of a failure.
func firstReason(failure string) string {
	for l := range strings.Lines(failure) {
		l = strings.TrimSpace(l)
		if strings.Contains(l, "_test.go:") || strings.HasPrefix(l, "panic:") || strings.Contains(l, "hung or terminated") {
			return l[:min(len(l), 200)]
		}
	}
	return "failed"
}

func readRecord(root string) ([]line, error) {
	b, err := os.ReadFile(filepath.Join(root, recordFile))
	if os.IsNotExist(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var lines []line
	for s := range strings.Lines(string(b)) {
		var l line
		if err := json.Unmarshal([]byte(s), &l); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", recordFile, len(lines)+1, err)
		}
		lines = append(lines, l)
	}
	return lines, nil
}
