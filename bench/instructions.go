package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/octet-go/octet/bench/cases"
	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/report"
)

// instructionCases matches the cases that -instructions measures: what depends on vector instructions.
const instructionCases = `^(fixed|layout|messages)/|^arrays/bytes/(100|10000|1000000)/|^slice/(ints|int64s|floats)/`

// runInstructions measures cases with each set of instructions, in a process of this program for each.
func runInstructions(o options) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	folder, err := os.MkdirTemp("", "octet-instructions-*")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(folder)
	pattern := o.match.String()
	if pattern == "" {
		pattern = instructionCases
	}
	var all engine.Instructions
	for i, set := range engine.InstructionSets {
		output := filepath.Join(folder, strconv.Itoa(i)+".json")
		args := []string{"-run", pattern, "-rounds", strconv.Itoa(o.Rounds), "-turn", o.Turn.String(), "-seed", strconv.FormatUint(o.Seed, 10), "-o", output}
		if o.Quick {
			args = append(args, "-quick")
		}
		c := exec.Command(program, args...)
		c.Env = append(os.Environ(), "GODEBUG="+joinGodebug(os.Getenv("GODEBUG"), set.Godebug))
		c.Stderr = os.Stderr
		fmt.Fprintf(os.Stderr, "instructions: %s\n", set.Name)
		if err := c.Run(); err != nil {
			return fmt.Errorf("bench: %s: %w", set.Name, err)
		}
		r, err := engine.Read(output)
		if err != nil {
			return err
		}
		all.Runs = append(all.Runs, engine.InstructionRun{InstructionSet: set, Results: r})
	}
	report.PrintInstructions(os.Stdout, &all)
	dir := filepath.Dir(o.output)
	switch {
	case o.output != "":
	case o.match.String() != "":
		return nil
	default:
		home, err := cases.Home()
		if err != nil {
			return errors.Join(err, errors.New("use -o to name a file in the folder of the results"))
		}
		dir = filepath.Join(home, "results")
	}
	path, err := all.Write(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "results in %s\n", path)
	return report.WriteInstructions(dir, &all)
}

// joinGodebug joins two values of GODEBUG.
func joinGodebug(one, other string) string { return strings.Trim(one+","+other, ",") }
