package load

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// parser returns the function that parses files. In files of the standard library
// and of the module cache, which are never rewritten, it drops the bodies of
// functions: checking the types in them takes most of the time of loading.
func parser(dir string) func(*token.FileSet, string, []byte) (*ast.File, error) {
	outside := folders(dir)
	return func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
		for _, folder := range outside {
			if strings.HasPrefix(name, folder) {
				file, err := goparser.ParseFile(fset, name, src, goparser.SkipObjectResolution)
				dropBodies(file)
				return file, err
			}
		}
		return goparser.ParseFile(fset, name, src, goparser.AllErrors|goparser.ParseComments)
	}
}

// folders returns the folders of the standard library and of the module cache, or
// nothing if the go command does not know.
func folders(dir string) (list []string) {
	command := exec.Command("go", "env", "GOROOT", "GOMODCACHE")
	command.Dir = dir
	out, err := command.Output()
	if err != nil {
		return nil
	}
	for folder := range strings.Lines(string(out)) {
		if folder = strings.TrimSpace(folder); folder != "" {
			list = append(list, filepath.Clean(folder)+string(filepath.Separator))
		}
	}
	return list
}

func dropBodies(file *ast.File) {
	if file == nil {
		return
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
}

// ofFiles is the path of a package whose files are the patterns.
const ofFiles = "command-line-arguments"

// others returns the files in the folder of a package that declare the same package and are not among its files.
func others(pkg *packages.Package) (list []string) {
	if len(pkg.GoFiles) == 0 {
		return nil
	}
	dir := filepath.Dir(pkg.GoFiles[0])
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if !strings.HasSuffix(name, ".go") || slices.Contains(pkg.GoFiles, name) || slices.Contains(pkg.IgnoredFiles, name) {
			continue
		}
		file, err := goparser.ParseFile(token.NewFileSet(), name, nil, goparser.PackageClauseOnly)
		if err == nil && strings.TrimSuffix(file.Name.Name, "_test") == strings.TrimSuffix(pkg.Name, "_test") {
			list = append(list, name)
		}
	}
	return list
}
