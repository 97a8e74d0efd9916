package api

// OnWindows is not described.
func OnWindows() {}
