// Package serving defines the command that serves the inspector. It is the command serve
// of octet, which starts the program octet-serve, and that program. The server itself is
// in the program only, so that octet does not link it.
package serving

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/companion"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
)

const help = `Serve runs a web server for the page of octet page on the loopback interface of
this computer, and prints the address. The address contains a secret, so that
other users of the computer and other pages in the browser cannot read the file.
Each time the page is loaded, serve reads the file again. Serve runs until it is
interrupted.`

const examples = `  octet serve std.msgpack                prints the address, http://127.0.0.1:…
  octet serve --open std.msgpack         opens the browser too
  octet serve --port 8080 std.msgpack
  octet serve                            a page that asks for a file`

// Options are what the command line says.
type Options struct {
	Port uint16 // 0 selects a free one
	Open bool
	From flags.Choice
	Path string // "" is a page that asks for a file
}

// Command returns the command serve of octet.
func Command(run func(context.Context, *Options) error) *cobra.Command {
	return define("serve", help+`

Octet starts the program octet-serve for this, which it looks for in its own
folder and then in PATH. octet-serve takes the same arguments.`, run)
}

// Root returns the main command of octet-serve.
func Root(run func(context.Context, *Options) error) *cobra.Command {
	c := define(companion.Serve.Name(), help, run)
	c.Example = strings.NewReplacer("octet serve  ", "octet-serve  ", "octet serve", "octet-serve").Replace(examples)
	return c
}

func define(name, long string, run func(context.Context, *Options) error) *cobra.Command {
	var o Options
	c := &cobra.Command{
		Use:     name + " [FILE]",
		Short:   "Serve the inspector at an address of this computer",
		Long:    long,
		Example: examples,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return fmt.Errorf("serve shows one file, not %d", len(args))
			case len(args) == 0:
				return nil
			case args[0] == "-":
				return errors.New("serve reads the file each time the page is loaded, which standard input does not allow; use octet page - -o FILE.html")
			}
			o.Path = args[0]
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), &o) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.Uint16Var(&o.Port, "port", 0, "TCP port `N`; 0 selects a free one")
	f.BoolVar(&o.Open, "open", false, "open the page in the browser")
	flags.From(c, &o.From)
	return c
}

// Args returns the arguments that say the same.
func (o *Options) Args() (list []string) {
	if o.Port != 0 {
		list = append(list, fmt.Sprintf("--port=%d", o.Port))
	}
	if o.Open {
		list = append(list, "--open")
	}
	if o.From.Value != "" {
		list = append(list, "--from="+o.From.Value)
	}
	if o.Path != "" {
		list = append(list, "--", o.Path)
	}
	return list
}
