package output

import (
	"errors"
	"slices"
)

// IsClosedPipe reports whether err says that the reader of a pipe has closed it, as the
// head command does after the first lines.
func IsClosedPipe(err error) bool {
	return slices.ContainsFunc(closedPipe, func(closed error) bool { return errors.Is(err, closed) })
}
