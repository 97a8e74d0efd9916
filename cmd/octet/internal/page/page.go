// Package page writes the inspector: one HTML file that shows MessagePack and works
// offline.
//
// The file contains everything: the styles and scripts of the folder web, the
// program of the folder wasm as compressed WebAssembly, and the data. Its content
// security policy allows only these scripts, by their hashes, and no network. What
// the page shows first is rendered here, with the functions that the WebAssembly
// uses later.
package page

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/page/program"
	"github.com/octet-go/octet/cmd/octet/internal/view"
)

//go:generate go run ./build

// packed has the WebAssembly; see package program.
//
//go:embed inspector.wasm.gz
var packed []byte

//go:embed web
var web embed.FS

// MaxData is the maximum size of the data in a page. A larger file can be opened
// in an empty page.
const MaxData = 128 << 20

// Rows of each view that are in the HTML.
const (
	treeRows  = 1500
	hexRows   = 128
	textLines = 400
)

// Write writes the page. If data is nil, the page asks for a file.
func Write(w io.Writer, name string, data []byte) error {
	code, err := program.Read(packed)
	if err != nil {
		return err
	}
	parts, err := parts(code)
	if err != nil {
		return err
	}
	parts["title"], parts["name"], parts["state"] = "Octet inspector", "", "empty"
	parts["nofault"], parts["size"] = " hidden", ""
	var body []byte
	if data != nil {
		if len(data) > MaxData {
			return fmt.Errorf("%d bytes are too many for a page, which holds %d MiB; write a page without a file and open the file in it", len(data), MaxData>>20)
		}
		render(parts, view.New(name, data))
		if body, err = compress(data); err != nil {
			return err
		}
	}
	template, err := web.ReadFile("web/page.html")
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 64<<10)
	for rest := string(template); rest != ""; {
		text, after, found := strings.Cut(rest, "{{")
		_, _ = b.WriteString(text) // a bufio.Writer keeps its first error, which Flush returns
		if !found {
			break
		}
		part, after, _ := strings.Cut(after, "}}")
		switch rest = after; part {
		case "data":
			writeBase85(b, body)
		case "wasm":
			writeBase85(b, code.Wasm)
		default:
			_, _ = b.WriteString(parts[part])
		}
	}
	return b.Flush()
}

// render adds what the page shows before its script runs.
func render(parts map[string]string, s *view.Session) {
	parts["title"] = view.Escape(s.Name) + " – Octet inspector"
	parts["name"], parts["state"] = view.Escape(s.Name), ""
	parts["summary"] = view.Escape(s.Summary())
	parts["size"] = fmt.Sprint(len(s.Data()))
	if fault := s.Fault(); fault != "" {
		parts["fault"], parts["nofault"] = view.Escape(fault), ""
	}
	parts["tree"] = s.Tree(0, treeRows)
	parts["hex"] = s.Hex(0, hexRows, 16)
	parts["text"] = s.Text(0, textLines)
	if selection, ok := s.Select(0); ok {
		parts["explain"] = selection.HTML
	}
}

// scripts are the modules of the page, in the order of their imports.
var scripts = []string{"page.js", "layout.js", "rows.js", "views.js", "find.js", "tools.js", "main.js"}

// parts returns the parts of the page that do not depend on the data.
func parts(code program.Program) (map[string]string, error) {
	var read error
	file := func(name string) string {
		data, err := web.ReadFile("web/" + name)
		if err != nil {
			read = err
		}
		return string(data)
	}
	style := file("page.css")
	var depths strings.Builder
	for d := range 41 {
		fmt.Fprintf(&depths, ".d%d{padding-left:calc(8px + %dch)}", d, 2*d)
	}
	style += depths.String()
	var script strings.Builder
	for _, name := range scripts {
		script.WriteString(bundle(file(name)))
	}
	policy := fmt.Sprintf("default-src 'none'; script-src %s 'wasm-unsafe-eval'; style-src %s; worker-src blob:; img-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'",
		hash(script.String()), hash(style))
	return map[string]string{
		"policy": policy, "style": style, "script": script.String(), "worker": string(code.Script) + file("worker.js"),
	}, read
}

// bundle joins modules into one: a page that is opened from the disk cannot import
// others. The names of their functions are all different.
func bundle(module string) string {
	var b strings.Builder
	for line := range strings.Lines(module) {
		if !strings.HasPrefix(line, "import ") {
			b.WriteString(strings.TrimPrefix(line, "export "))
		}
	}
	return b.String()
}

// hash returns a source expression that allows a script or style with this content.
func hash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func compress(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}
