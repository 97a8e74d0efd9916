package cases

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"text/template"

	"github.com/octet-go/octet/bench/engine"
)

// sized lists the libraries whose programs are built, by import path. The first program has no library.
var sized = []struct{ library, path string }{
	{"none", ""}, {engine.Ours, "github.com/octet-go/octet/msgpack"}, {"shamaton", "github.com/shamaton/msgpack/v3"},
	{"vmihailenco", "github.com/vmihailenco/msgpack/v5"}, {"json", "encoding/json"},
}

// programSource is the source of the program with and without a library. Both print, because printing links most of
// what Marshal and Unmarshal need anyway.
var programSource = template.Must(template.New("program").Parse(`package main

import (
	"fmt"
	{{with .}}
	codec "{{.}}"
	{{end}}
)

type T struct{ A int; B string; C []float64; D map[string]any }

func main() {
	v := T{A: 1}
	{{with .}}
	data, err := codec.Marshal(v)
	if err == nil {
		err = codec.Unmarshal(data, &v)
	}
	fmt.Println(err)
	{{end}}
	fmt.Println(v)
}
`))

// ProgramSizes builds the programs and returns their sizes without symbols.
func ProgramSizes() (list []engine.Program, err error) {
	// The programs need the workspace, so they are built from files and not from a module of their own.
	folder, err := os.MkdirTemp("", "octet-size-*")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(folder)
	here, err := Home()
	if err != nil {
		return nil, err
	}
	for _, s := range sized {
		var source bytes.Buffer
		if err := programSource.Execute(&source, s.path); err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
		file, program := filepath.Join(folder, "main.go"), filepath.Join(folder, "program")
		if err := os.WriteFile(file, source.Bytes(), 0o666); err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
		build := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, file)
		build.Dir = here
		if text, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("bench: go build: %w\n%s", err, text)
		}
		info, err := os.Stat(program)
		if err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
		list = append(list, engine.Program{Library: s.library, Bytes: info.Size()})
	}
	return list, nil
}
