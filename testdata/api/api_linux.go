package api

// OnLinux is described on every platform.
func OnLinux() {}
