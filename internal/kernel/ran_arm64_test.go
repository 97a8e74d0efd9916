//go:build !purego && !race

package kernel

// assembly lists the assembly functions. Every arm64 processor that Go supports runs them.
func assembly() []assembled {
	return []assembled{
		{"swapNEON", "NEON", true},
		{"permute", "NEON", true},
		{"tagNEON", "NEON", true},
		{"untagNEON", "NEON", true},
	}
}
