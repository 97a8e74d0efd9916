package array

import "errors"

// errNoReserve is returned by reserve if the system or the file system cannot
// reserve blocks. The caller writes zeros instead.
var errNoReserve = errors.New("blocks cannot be reserved")
