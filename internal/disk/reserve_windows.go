package disk

import "os"

// reserve does nothing: Truncate allocates the space on this system.
func reserve(*os.File, int64, int64) error { return nil }
