package inspect

import (
	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
)

// Options select what is shown.
type Options struct {
	JSON    bool             // print JSON objects instead of a tree
	All     bool             // show all elements of long arrays and maps in the tree
	Nested  bool             // show MessagePack inside bin and ext values
	Path    locate.Path      // show only the value at this path in each top-level value; empty: everything
	File    string           // name of the file for JSON objects, if there are several
	Depth   int64            // maximum number of containers around a value that is shown; negative: no limit
	Limit   int64            // maximum number of top-level values; negative: no limit
	Width   int              // width of the tree in columns
	Palette *console.Palette // colors of the tree
	Size    int64            // size of the input in bytes, 0 if unknown
}

// A Result describes what was shown.
type Result struct {
	Values   int64  // complete top-level values
	Selected int64  // values at Options.Path
	Findings int64  // well-formed values with wrong content, such as invalid UTF-8
	Finding  string // the first finding, with its offset and path
}
