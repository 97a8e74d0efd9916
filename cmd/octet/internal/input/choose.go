package input

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

// choose determines the format. It returns an error if the input looks like
// something else, because small integers would otherwise be read from almost
// any bytes.
func (in *Input) choose(o Options, head []byte) error {
	named := sniff.ByName(in.Path)
	whole := len(head) < sniff.MaxHead && len(head) == in.Buffered() && in.ended()
	foreign := sniff.ForeignByBytes(head, whole)
	looks := sniff.ByBytes(head)
	switch {
	case o.Format != sniff.Unknown:
		in.Format = o.Format
	case len(head) == 0:
		in.Format = named
	case o.Layouts && foreign.Layout != "" && in.Plain() && (foreign.Certain || named == sniff.Unknown):
		in.Foreign = foreign
		return nil
	case foreign.Certain:
		return in.foreign(o, foreign)
	case foreign.Name != "" && named == sniff.Unknown: // a guess counts less than the name
		return in.foreign(o, foreign)
	case named == sniff.MessagePack && (sniff.IsJSON(head) || in.Encoding != sniff.Encoding{}):
		return in.misnamed(o, named, sniff.JSON)
	case named != sniff.MessagePack && o.Only == sniff.MessagePack && (len(head) == 1 || looks == sniff.MessagePack):
		in.Format = sniff.MessagePack // the content does not show the format, so it can be this one
	case named == sniff.JSON && looks == sniff.MessagePack && head[0] >= 0x80:
		return in.misnamed(o, named, sniff.MessagePack)
	case named != sniff.Unknown:
		in.Format = named
	default:
		in.Format = looks
	}
	if o.Only != sniff.Unknown && in.Format != o.Only && len(head) > 0 {
		return in.unread(o)
	}
	return nil
}

// ended reports whether the buffer holds everything up to the end of a regular
// file. Other inputs may have more bytes that have not arrived.
func (in *Input) ended() bool {
	return in.Compression == sniff.Unknown && in.size > 0 && in.raw.N() >= in.size
}

// namesOutput reports whether a command line of convert chooses the output.
func namesOutput(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "--to") || strings.HasPrefix(a, "--output") || strings.HasPrefix(a, "-o")
	})
}

// foreign returns the error for an input in a format that is not read.
func (in *Input) foreign(o Options, f sniff.Foreign) error {
	readable := "JSON or MessagePack"
	if o.Only != sniff.Unknown {
		readable = o.Only.Title()
	}
	detail := ""
	if f.Filter != "" && len(o.Args) > 0 && in.Path != "-" && in.Plain() {
		detail = "Try: " + f.Filter + " " + Quote(in.Path) + " | " + commandLine(replaced(o.Args, in.Path, "-")) + "\n"
	}
	return &failure.Error{
		Code: failure.Data, Subject: in.Name,
		Err:    fmt.Errorf("this looks like %s, not %s", f.Name, readable),
		Detail: detail + "To read it as MessagePack anyway: " + o.Anyway,
	}
}

// misnamed returns the error for an input whose content differs from its name.
func (in *Input) misnamed(o Options, named, looks sniff.Format) error {
	if o.Only != sniff.Unknown && looks != o.Only {
		in.Format = looks
		return in.unread(o)
	}
	detail := "To choose the format: --from json or --from msgpack"
	if len(o.Args) > 0 {
		flags := "--from " + looks.String()
		if o.Args[0] == "convert" && looks == sniff.JSON && !namesOutput(o.Args) {
			flags += " --to json" // MessagePack would not be written to a terminal
		}
		detail = "Try: " + WithFlag(o.Args, flags)
	}
	return &failure.Error{
		Code: failure.Data, Subject: in.Name,
		Err:    fmt.Errorf("the name says %s, but the content looks like %s", named.Title(), looks.Title()),
		Detail: detail,
	}
}

// unread returns the error for an input in the other of the two formats.
func (in *Input) unread(o Options) error {
	f := &failure.Error{
		Code: failure.Data, Subject: in.Name,
		Err: fmt.Errorf("this looks like %s, not %s", in.Format.Title(), o.Only.Title()),
	}
	switch {
	case len(o.Args) == 0:
	case in.Path == "-":
		f.Detail = "Convert it first: … | octet convert | " + commandLine(o.Args) + "\n"
	default:
		f.Detail = "Try: octet convert --from " + in.Format.String() + " " + Quote(in.Path) + " | " +
			commandLine(replaced(o.Args, in.Path, "-")) + "\n"
	}
	f.Detail += "To read it as MessagePack anyway: " + o.Anyway
	return f
}

// quotes escapes what has a meaning inside of $'...'.
var quotes = strings.NewReplacer(`\`, `\\`, "'", `\'`)

var safe = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+,-]+$`)

// Quote returns a word of a command line as a shell reads it. All of its characters can be
// seen: others are escaped in the way of bash and zsh.
func Quote(word string) string {
	if safe.MatchString(word) {
		return word
	}
	if console.Escape(word) != word || strings.Contains(word, "\n") {
		return "$'" + strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(console.Escape(quotes.Replace(word))) + "'"
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// commandLine returns a command line of the tool that can be pasted.
func commandLine(args []string) string {
	words := []string{"octet"}
	for _, a := range args {
		words = append(words, Quote(a))
	}
	return strings.Join(words, " ")
}

// replaced returns args with the path exchanged for another one.
func replaced(args []string, path, by string) []string {
	list := append([]string(nil), args...)
	for i, a := range list {
		if a == path {
			list[i] = by
		}
	}
	return list
}

// WithFlag returns a command line with a flag after the name of the command. It
// can be pasted.
func WithFlag(args []string, flag string) string {
	return strings.TrimSpace("octet " + args[0] + " " + flag + strings.TrimPrefix(commandLine(args[1:]), "octet"))
}

// otherExtensions are the file extensions of formats that octet does not write.
var otherExtensions = []string{".yaml", ".yml", ".toml", ".csv", ".tsv", ".xml", ".html", ".cbor", ".bson", ".pb", ".npy",
	".npz", ".parquet", ".arrow", ".avro", ".bz2", ".xz", ".zip", ".png", ".svg"}

// NamesOther returns an error if the file extension of an output is that of another
// format than the one that is written. records says that the values are written as the
// records of a record file.
func NamesOther(path string, format sniff.Format, records bool) error {
	title := format.Title()
	if records {
		title = "a record file"
	}
	extension := strings.ToLower(filepath.Ext(path))
	named := sniff.ByName(path)
	switch {
	case sniff.IsCompressed(path):
		return fmt.Errorf("the output is not compressed, but the name %s says so; compress it through a pipe", path)
	case slices.Contains(otherExtensions, extension):
		return fmt.Errorf("the output is %s, but the name %s says %s", title, path, extension[1:])
	case extension == ".diag" && (records || format != sniff.Text):
		return fmt.Errorf("the output is %s, but the name %s says diagnostic notation", title, path)
	case records && named != sniff.Unknown:
		return fmt.Errorf("the output is %s, but the name %s says %s", title, path, named.Title())
	case !records && sniff.HasRecordExtension(path):
		return fmt.Errorf("the output is %s, but the name %s says a record file", title, path)
	case named != sniff.Unknown && named != format:
		return fmt.Errorf("the output is %s, but the name %s says %s", format.Title(), path, named.Title())
	}
	return nil
}
