package flags

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Suggest adds the names of the most similar flags to the error for an unknown one,
// and says what the value of another one must be.
func Suggest(c *cobra.Command, err error) error {
	var wrong *strconv.NumError
	if errors.As(err, &wrong) {
		must := "must be a number"
		switch {
		case wrong.Func == "ParseBool":
			must = "must be true or false"
		case wrong.Err == strconv.ErrRange:
			must = "is too large"
		case wrong.Func == "ParseUint":
			must = "must be a non-negative number"
		}
		return errors.New(strings.TrimSuffix(err.Error(), wrong.Error()) + must)
	}
	if _, path, unknown := strings.Cut(err.Error(), " in -"); unknown && strings.HasPrefix(err.Error(), "unknown shorthand flag: ") {
		if info, missing := os.Stat("-" + path); missing == nil && info.Mode().IsRegular() {
			return fmt.Errorf("%w; for the file of this name: ./-%s", err, path)
		}
	}
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return err
	}
	var close []string
	nearest := 3 // names with a distance of 3 or more are not similar
	c.Flags().VisitAll(func(f *pflag.Flag) {
		d := errtext.Distance(name, f.Name)
		if len(name) > 2 && strings.HasPrefix(f.Name, name) {
			d = 0 // the user may have shortened the name
		}
		if d < nearest {
			nearest, close = d, nil
		}
		if d == nearest && d < 3 {
			close = append(close, "--"+f.Name)
		}
	})
	if len(close) == 0 {
		return err
	}
	return fmt.Errorf("%w; did you mean %s?", err, strings.Join(close, " or "))
}
