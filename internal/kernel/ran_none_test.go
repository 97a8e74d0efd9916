//go:build purego || race || !(amd64 || arm64)

package kernel

func assembly() []assembled { return nil }
