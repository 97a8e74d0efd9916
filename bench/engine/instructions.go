package engine

import (
	"errors"
	"fmt"
	"path/filepath"
)

// An InstructionSet is a part of the processor's instructions.
type InstructionSet struct {
	Name    string `json:"name"`
	Godebug string `json:"godebug"` // the environment variable that turns the other instructions off
}

// InstructionSets lists the sets that are measured: the first is that of the processor.
var InstructionSets = []InstructionSet{
	{"all", ""},
	{"AVX-512 off", "cpu.avx512f=off,cpu.avx512bw=off"},
	{"AVX2 off", "cpu.avx512f=off,cpu.avx512bw=off,cpu.avx2=off"},
}

// Instructions are runs of the same cases with different instruction sets, each in a process of its own.
type Instructions struct {
	Runs []InstructionRun `json:"runs"`
}

// An InstructionRun is the run with one set.
type InstructionRun struct {
	InstructionSet
	Results *Results `json:"results"`
}

// Base returns the base name of the files.
func (i *Instructions) Base() string {
	first := *i.Runs[0].Results
	first.Quick = false
	name := first.Base() + "-instructions"
	if i.Runs[0].Results.Quick {
		name += QuickSuffix
	}
	return name
}

// Write stores i in dir.
func (i *Instructions) Write(dir string) (path string, err error) {
	path = filepath.Join(dir, i.Base()+".json")
	if err := store(path, i, compact); err != nil {
		return "", err
	}
	return path, nil
}

// ReadInstructions reads what Write has stored.
func ReadInstructions(path string) (*Instructions, error) { return load(path, (*Instructions).check) }

// check returns an error for runs that no program writes.
func (i *Instructions) check() error {
	if len(i.Runs) == 0 {
		return errors.New("not runs with different instructions")
	}
	for _, r := range i.Runs {
		if r.Results == nil {
			return fmt.Errorf("the run with %s has no results", r.Name)
		}
		if err := r.Results.check(); err != nil {
			return err
		}
	}
	return nil
}
