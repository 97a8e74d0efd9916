//go:build !unix

package durable

// syncDirectory does nothing. Windows keeps names without it, and the other systems have no such call.
func syncDirectory(string) error { return nil }
