package octet_test

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// byteTypes are the types of parameters by which a function receives bytes to read.
var byteTypes = []string{"[]byte", "Raw", "io.Reader", "io.ReaderAt", "io.ReadSeeker", "*bufio.Reader", "*zip.Reader"}

// texts are the names of string parameters that are input or name a file with input.
var texts = []string{"text", "path", "files"}

// inputTypes are types whose methods read. Fuzz targets call all of their exported methods.
var inputTypes = []string{
	"array.File", "array.Reader", "binary.Reader", "bytebuf.Buffer", "bytebuf/chain.Buffer", "msgpack.Decoder", "msgpack.View",
	"record.File", "record.Scanner",
}

// withoutTargets are functions of the kinds above that no fuzz target calls, by the reason.
var withoutTargets = map[string][]string{
	"writes": {
		"array.File.Grow", "array.File.Sync", "array.File.WriteAt", "binary.AppendVarint", "binary.PutUvarint", "binary.PutVarint",
		"bytebuf.Buffer.Commit", "bytebuf.Buffer.Reserve", "bytebuf.Buffer.Wipe", "record.Create",
		"cmd/octet/internal/task.InPlace.Create", "cmd/octet/internal/task.Spool", "cmd/octet/internal/task.Write",
	},
	"is called by a function of package io": {
		"cmd/octet/internal/position.Reader.Read", "cmd/octet/internal/recordfile.Reader.Read", "msgpack.Encoder.Write",
		"cmd/octet/internal/console.Meter.Write", "cmd/octet/internal/input.Head.Write",
		"cmd/octet/internal/tally.Reader.Read", "cmd/octet/internal/tally.Writer.Write",
	},
	"is called by a function that has a target": {
		"msgpack.Input.Binary",
		"cmd/octet/internal/canonical.AppendShortest", "cmd/octet/internal/canonical.Compare", "cmd/octet/internal/canonical.Excess",
		"cmd/octet/internal/canonical.Pace.End", "cmd/octet/internal/canonical.Pace.Chunks", "cmd/octet/internal/canonical.Pace.Append",
		"cmd/octet/internal/canonical.Pace.Equal",
		"cmd/octet/internal/diag.AppendValue", "cmd/octet/internal/locate.Matcher.Begin", "cmd/octet/internal/locate.Matcher.Write",
		"cmd/octet/internal/index.Watch.Reader", "cmd/octet/internal/position.Glued", "cmd/octet/internal/position.Position.After",
		"cmd/octet/internal/tally.Buffered", "cmd/octet/internal/tally.Flushing",
		"cmd/octet/internal/scan.AppendKeyStep", "cmd/octet/internal/scan.IsIdentifier", "cmd/octet/internal/scan.Place",
		"cmd/octet/internal/scan.WithPath", "cmd/octet/internal/sniff.NewUTF8", "layout/formats.TAR12.DecodeLayout", "layout/formats.TAR8.DecodeLayout",
	},
	"reads by functions that have targets": {
		"cmd/octet/internal/notation.Begin", "cmd/octet/internal/records.Command.Blocks",
		"cmd/octet/internal/records.Command.Recover", "cmd/octet/internal/records.Command.Split",
		"cmd/octet/internal/records.Command.WriteIndex", "cmd/octet/internal/repair.Options.Check",
	},
	"reads only the name of a file": {
		"cmd/octet/internal/arrays.ByName", "cmd/octet/internal/input.NamesOther", "cmd/octet/internal/input.IsOutput", "cmd/octet/internal/input.NotOutput", "cmd/octet/internal/input.Total", "cmd/octet/internal/sniff.ByName",
		"cmd/octet/internal/sniff.IsCompressed", "cmd/octet/internal/sniff.HasRecordExtension", "cmd/octet/internal/notation.IsNamed",
		"cmd/octet/internal/records.Explain",
	},
	"reads what this repository has built": {
		"cmd/octet/internal/page.Write", "cmd/octet/internal/page/program.Pack", "cmd/octet/internal/page/program.Read",
	},
	"waits for more input": {"record.Scanner.Follow"},
}

// withoutMemory are fuzz targets that do not measure memory, by the reason.
var withoutMemory = map[string][]string{
	"allocates nothing, or what the caller asked for": {
		"binary.FuzzDecode", "binary.FuzzVarint", "msgpack.FuzzNumber", "msgpack/wire.FuzzConsume", "msgpack/wire.FuzzSkip",
		"msgpack/wire.FuzzTimestamp", "record.FuzzFrame", "record/internal/xxh64.FuzzSum", "record/zstd.FuzzDecompress", "transcode.FuzzParse",
		"cmd/octet/internal/console.FuzzShorten", "cmd/octet/internal/exts.FuzzOf", "cmd/octet/internal/flags.FuzzSize",
		"cmd/octet/internal/gotypes.FuzzName", "cmd/octet/internal/scan.FuzzText", "cmd/octet/internal/sniff.FuzzByBytes",
	},
	"decodes what it has encoded": {
		"binary.FuzzDifferential", "binary.FuzzMessages", "bytebuf.FuzzBuffer", "bytebuf/chain.FuzzBuffer", "layout.FuzzOracle",
		"msgpack.FuzzMarshal", "record.FuzzWriteRaw",
	},
	"reads by functions whose memory another target measures": {
		"array.FuzzRead", "layout.FuzzMessages", "internal/syntax.FuzzDescribe", "record.FuzzAppend", "record.FuzzCopy", "record.FuzzSplit",
		"cmd/octet/internal/convert.FuzzShortest", "cmd/octet/internal/convert.FuzzSkip",
	},
}

// TestFuzzTargets requires that fuzz targets call every exported function that reads bytes, and measure memory.
func TestFuzzTargets(t *testing.T) {
	source, tests := make(map[string][]file), make(map[string][]file) // by directory
	for _, f := range workspace(t) {
		switch {
		case !needsTargets(f):
		case f.isTest():
			tests[f.dir()] = append(tests[f.dir()], f)
		default:
			source[f.dir()] = append(source[f.dir()], f)
		}
	}
	var targets []references
	excepted := slices.Concat(slices.Collect(maps.Values(withoutMemory))...)
	for dir, files := range tests {
		for name, r := range targetsIn(dir, files) {
			targets = append(targets, r)
			name = dir + "." + name
			// ReadMemStats stops the world, and takes longer than most of what is fuzzed. Modules with another path cannot
			// import the package that measures.
			measured := r[measures+".Allocated"] || r[measures+".AtMost"] || r["runtime.ReadMemStats"] && strings.HasPrefix(dir, "compat/")
			if measured == slices.Contains(excepted, name) {
				t.Errorf("%s: measures memory: %t, in the list withoutMemory: %t", name, measured, measured)
			}
			excepted = slices.DeleteFunc(excepted, func(e string) bool { return e == name })
		}
	}
	for _, name := range excepted {
		t.Errorf("withoutMemory has %s, which does not exist", name)
	}
	total := 0
	exceptions := slices.Concat(slices.Collect(maps.Values(withoutTargets))...)
	for dir, files := range source {
		makers := makersIn(dir, files)
		for _, f := range files {
			for _, fn := range byteFunctions(f) {
				total++
				name := dir + "." + functionName(fn)
				called := slices.ContainsFunc(targets, func(r references) bool { return r.calls(dir, fn, makers) })
				if excepted := slices.Contains(exceptions, name); called == excepted {
					t.Errorf("%s: called by a fuzz target: %t, in the list withoutTargets: %t", name, called, excepted)
				}
				exceptions = slices.DeleteFunc(exceptions, func(e string) bool { return e == name })
			}
		}
	}
	for _, name := range exceptions {
		t.Errorf("withoutTargets has %s, which does not exist or does not read bytes", name)
	}
	if total < 150 || len(targets) < 70 {
		t.Errorf("found only %d functions that read bytes and %d fuzz targets", total, len(targets))
	}
}

// needsTargets reports whether the functions of a file need fuzz targets: those of packages that users import, and
// those of the tool.
func needsTargets(f file) bool {
	dir := f.dir()
	if f.Name.Name == "main" || within(dir, "internal") && dir != "internal/syntax" || within(dir, "examples") || slices.Contains(testOnly, dir) {
		return false
	}
	return !f.nested || dir == "layout/formats" || within(dir, "transcode") || within(dir, "record/zstd") || within(dir, "record/parquet") || within(dir, "cmd/octet")
}

// byteFunctions returns the exported functions of a file, and the exported methods of exported types, that read bytes.
func byteFunctions(f file) []*ast.FuncDecl {
	var list []*ast.FuncDecl
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !fn.Name.IsExported() || !ast.IsExported(strings.TrimPrefix(functionName(fn), "*")) {
			continue
		}
		if slices.ContainsFunc(fn.Type.Params.List, readsBytes) || slices.Contains(inputTypes, f.dir()+"."+receiverName(fn)) {
			list = append(list, fn)
		}
	}
	return list
}

// readsBytes reports whether a parameter has bytes to read. A parameter named dst has bytes to append to.
func readsBytes(p *ast.Field) bool {
	text := strings.TrimPrefix(typeText(p.Type), "...")
	for _, name := range p.Names {
		if slices.Contains(byteTypes, text) && name.Name != "dst" || text == "string" && slices.Contains(texts, name.Name) {
			return true
		}
	}
	return false
}

// functionName returns the name of a function, after that of its receiver.
func functionName(fn *ast.FuncDecl) string {
	if r := receiverName(fn); r != "" {
		return r + "." + fn.Name.Name
	}
	return fn.Name.Name
}

func receiverName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	receiver, _, _ := strings.Cut(strings.TrimPrefix(typeText(fn.Recv.List[0].Type), "*"), "[")
	return receiver
}

// makersIn returns the names of a package that a program must use to get a value of a type: the type itself and the
// functions that return it.
func makersIn(dir string, files []file) map[string][]string {
	makers := make(map[string][]string)
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Type.Results == nil {
				continue
			}
			for _, r := range fn.Type.Results.List {
				result, _, _ := strings.Cut(strings.TrimPrefix(typeText(r.Type), "*"), "[")
				if fn.Recv == nil {
					makers[result] = append(makers[result], dir+"."+fn.Name.Name)
				} else {
					makers[result] = append(makers[result], fn.Name.Name)
				}
			}
		}
	}
	return makers
}

// references are the names that a fuzz target uses, also in the functions of the tests that it calls: the functions
// and types of packages, as directory.Name, and the methods, as Name.
type references map[string]bool

// calls reports whether the target calls the function, or what the function does nothing but call: a function or
// method of the same name.
func (r references) calls(dir string, fn *ast.FuncDecl, makers map[string][]string) bool {
	name, receiver := fn.Name.Name, receiverName(fn)
	uses := func(maker string) bool { return r[maker] }
	switch {
	case onlyForwards(fn) && (r[name] || r[dir+"."+name]):
		return true
	case receiver == "":
		return r[dir+"."+name]
	default:
		return r[name] && (r[dir+"."+receiver] || slices.ContainsFunc(makers[receiver], uses))
	}
}

// onlyForwards reports whether a function only calls a function or method of the same name.
func onlyForwards(fn *ast.FuncDecl) bool {
	if fn.Body == nil || len(fn.Body.List) != 1 {
		return false
	}
	result, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(result.Results) != 1 {
		return false
	}
	call, ok := result.Results[0].(*ast.CallExpr)
	if !ok {
		return false
	}
	called, ok := call.Fun.(*ast.SelectorExpr)
	return ok && called.Sel.Name == fn.Name.Name
}

// targetsIn returns what each fuzz target in the tests of a package refers to.
func targetsIn(dir string, files []file) map[string]references {
	type declaration struct {
		node ast.Node
		file file
	}
	declared := make(map[string][]declaration)
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				declared[d.Name.Name] = append(declared[d.Name.Name], declaration{d, f})
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						declared[s.Name.Name] = append(declared[s.Name.Name], declaration{s, f})
					case *ast.ValueSpec:
						for _, name := range s.Names {
							declared[name.Name] = append(declared[name.Name], declaration{s, f})
						}
					}
				}
			}
		}
	}
	targets := make(map[string]references)
	for name := range declared {
		if !strings.HasPrefix(name, "Fuzz") {
			continue
		}
		r, seen := references{}, map[string]bool{name: true}
		for next := []string{name}; len(next) > 0; next = next[1:] {
			for _, d := range declared[next[0]] {
				for _, used := range r.add(dir, d.node, d.file) {
					if !seen[used] && !strings.HasPrefix(used, "Fuzz") {
						seen[used] = true
						next = append(next, used)
					}
				}
			}
		}
		targets[name] = r
	}
	return targets
}

// add adds what a declaration refers to, and returns the names that may be declared in the same tests.
func (r references) add(dir string, node ast.Node, f file) []string {
	packages := make(map[string]string) // directories by name
	for _, spec := range f.Imports {
		p := strings.Trim(spec.Path.Value, `"`)
		name := p[strings.LastIndexByte(p, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		packages[name] = strings.TrimPrefix(strings.TrimPrefix(p, modulePath), "/")
	}
	var names []string
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && packages[x.Name] != "" {
				r[packages[x.Name]+"."+n.Sel.Name] = true
				return false
			}
			r[n.Sel.Name] = true
			names = append(names, n.Sel.Name)
		case *ast.Ident:
			r[dir+"."+n.Name] = true
			names = append(names, n.Name)
		}
		return true
	})
	return names
}
