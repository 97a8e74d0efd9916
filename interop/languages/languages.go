package main

import (
	"embed"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
)

// The files are listed, so that other files in these folders do not become part of a program.
//
//go:embed python/filter.py python/requirements.txt
//go:embed javascript/filter.mjs javascript/package.json javascript/package-lock.json
//go:embed rust/Cargo.toml rust/Cargo.lock rust/src/*.rs
//go:embed typescript/run.mjs typescript/package.json typescript/package-lock.json
//go:embed mypy/run.py mypy/requirements.txt
//go:embed columns/read.py columns/requirements.txt
//go:embed java/pom.xml java/src/main/java/*.java
var programs embed.FS

// A language has a program, the filter, that reads and writes values with each of its libraries.
type language struct {
	name      string
	folder    string   // of its files in programs
	needs     []string // commands
	lock      string   // the file with the versions
	version   string   // a regular expression for the version of the library LIBRARY in that file
	install   func(dir string) [][]string
	filter    func(dir string) []string // the command that runs the filter, without the library
	libraries []library
}

// A library is one column of the table. The same package with other options is another library.
type library struct {
	name     string // the argument of the filter
	packages string // name of the package in the lock file
	file     string // the name of its list of known differences
	options  string // the options that the filter sets, for the page
}

func languages() []language {
	return []language{
		{
			name: "Python", folder: "python", needs: []string{python()},
			lock: "requirements.txt", version: `(?m)^LIBRARY==(\S+)`,
			install: func(dir string) [][]string {
				return [][]string{
					{python(), "-m", "venv", "venv"},
					{venvPython(dir), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", "requirements.txt"},
				}
			},
			filter: func(dir string) []string { return []string{venvPython(dir), filepath.Join(dir, "filter.py")} },
			libraries: []library{
				{"msgpack", "msgpack", "python-msgpack", ""},
				{"msgpack+", "msgpack", "python-msgpack-options", `strict_map_key=False, use_list=False, unicode_errors="surrogateescape"`},
				{"ormsgpack", "ormsgpack", "python-ormsgpack", ""},
				{"ormsgpack+", "ormsgpack", "python-ormsgpack-options", "OPT_NON_STR_KEYS, OPT_DATETIME_AS_TIMESTAMP_EXT, an ext_hook and a default that keep exts"},
				{"msgspec", "msgspec", "python-msgspec", ""},
			},
		},
		{
			name: "JavaScript", folder: "javascript", needs: []string{"node", "npm"},
			lock: "package.json", version: `"LIBRARY": "([^"]+)"`,
			install: func(string) [][]string {
				return [][]string{{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"}}
			},
			filter: func(dir string) []string { return []string{"node", filepath.Join(dir, "filter.mjs")} },
			libraries: []library{
				{"@msgpack/msgpack", "@msgpack/msgpack", "javascript-msgpack", ""},
				{"@msgpack/msgpack+", "@msgpack/msgpack", "javascript-msgpack-options", "useBigInt64: true"},
				{"msgpackr", "msgpackr", "javascript-msgpackr", ""},
				{"msgpackr+", "msgpackr", "javascript-msgpackr-options", "useRecords: false, mapsAsObjects: false"},
			},
		},
		{
			name: "Rust", folder: "rust", needs: []string{"cargo"},
			lock: "Cargo.toml", version: `(?m)^LIBRARY = "=([^"]+)"`,
			install: func(string) [][]string { return [][]string{{"cargo", "build", "--quiet", "--release", "--locked"}} },
			filter: func(dir string) []string {
				return []string{filepath.Join(dir, "target", "release", "octet-interop"+executable())}
			},
			libraries: []library{
				{"rmp-serde", "rmp-serde", "rust-rmp-serde", "into a type that implements serde's traits for every value: rust/src/dynamic.rs"},
				{"rmpv", "rmpv", "rust-rmpv", ""},
			},
		},
		{
			name: "Java", folder: "java", needs: []string{"java", "mvn"},
			lock: "pom.xml", version: `<artifactId>LIBRARY</artifactId>\s*<version>([^<]+)</version>`,
			install: func(string) [][]string { return [][]string{{"mvn", "--quiet", "--batch-mode", "compile"}} },
			filter: func(dir string) []string {
				path := filepath.Join(dir, "target", "classes") + string(filepath.ListSeparator) + filepath.Join(dir, "lib", "*")
				return []string{"java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", path, "Filter"} // it starts faster
			},
			libraries: []library{
				{"msgpack-core", "msgpack-core", "java-msgpack-core", ""},
				{"jackson-dataformat-msgpack", "jackson-dataformat-msgpack", "java-jackson", ""},
			},
		},
	}
}

// versionOf returns the version of lib that the lock file names.
func (l language) versionOf(lib library) string {
	text, err := programs.ReadFile(l.folder + "/" + l.lock)
	if err != nil {
		return ""
	}
	pattern := regexp.MustCompile(`LIBRARY`).ReplaceAllLiteralString(l.version, regexp.QuoteMeta(lib.packages))
	m := regexp.MustCompile(pattern).FindSubmatch(text)
	if m == nil {
		return ""
	}
	return string(m[1])
}

// missing returns the first command that the language needs and that the machine lacks, or "".
func (l language) missing() string {
	for _, command := range l.needs {
		if _, err := exec.LookPath(command); err != nil {
			return command
		}
	}
	return ""
}

func executable() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

func python() string {
	if runtime.GOOS == "windows" {
		return "python"
	}
	return "python3"
}

func venvPython(dir string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(dir, "venv", "Scripts", "python.exe")
	}
	return filepath.Join(dir, "venv", "bin", "python")
}
