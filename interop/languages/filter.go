package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// An answer is what a library did with one message.
type answer struct {
	Read       description `json:"read"`
	ReadError  string      `json:"read_error"`
	Write      string      `json:"write"` // hexadecimal
	WriteError string      `json:"write_error"`
	crashed    bool        // the process ended without an answer
}

// maxCrashes is the number of messages at which a filter may end. If there are more, the filter itself is broken.
const maxCrashes = 10

// errAnswer means that a filter printed a line that is not an answer.
var errAnswer = errors.New("invalid answer")

// ask runs the command and returns its answers to the messages. If the process ends while it reads a message, ask starts it again
// with the next message.
func ask(ctx context.Context, command []string, messages [][]byte) ([]answer, error) {
	var all []answer
	for deaths := 0; len(all) < len(messages); deaths++ {
		answers, err := askOnce(ctx, command, messages[len(all):])
		all = append(all, answers...)
		if len(all) == len(messages) {
			break
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("no answer in time to message %d", len(all))
		}
		if deaths == maxCrashes || len(all) == 0 || errors.Is(err, errAnswer) {
			return nil, fmt.Errorf("no answer to message %d: %w", len(all), err)
		}
		all = append(all, answer{crashed: true})
	}
	return all, nil
}

// askOnce returns the answers until the process ends, and the reason why it ended.
func askOnce(ctx context.Context, command []string, messages [][]byte) ([]answer, error) {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	go func() {
		w := bufio.NewWriter(in)
		for _, m := range messages {
			w.WriteString(hex.EncodeToString(m))
			w.WriteByte('\n')
		}
		w.Flush() // an error means that the process has ended, which the reader notices
		in.Close()
	}()
	answers, err := readAnswers(out, len(messages))
	if err != nil {
		_ = c.Process.Kill()
	}
	if waited := c.Wait(); err == nil && waited != nil {
		err = fmt.Errorf("%w: %s", waited, bytes.TrimSpace(stderr.Bytes()))
	}
	if err == nil && len(answers) < len(messages) {
		err = errors.New("the process ended early")
	}
	return answers, err
}

// readAnswers reads up to n lines.
func readAnswers(r io.Reader, n int) ([]answer, error) {
	var answers []answer
	lines := bufio.NewReader(r)
	for len(answers) < n {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return answers, nil // the process has ended
		}
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			return answers, fmt.Errorf("%w: line %d: %w", errAnswer, len(answers)+1, err)
		}
		answers = append(answers, a)
	}
	return answers, nil
}
