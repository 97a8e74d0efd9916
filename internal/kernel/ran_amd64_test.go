//go:build !purego && !race

package kernel

// assembly lists the assembly functions, and what this machine must have to run each.
func assembly() []assembled {
	return []assembled{
		{"swapAVX2", "AVX2", hasAVX2},
		{"swapStreamAVX2", "AVX2", hasAVX2},
		{"swapAVX512", "AVX-512", hasAVX512},
		{"swapStreamAVX512", "AVX-512", hasAVX512},
		{"permute16", "SSSE3", hasPermute16},
		{"permute64", "AVX-512 with VBMI", hasPermute64},
		{"tagSSSE3", "SSSE3", hasPermute16},
		{"untagSSSE3", "SSSE3", hasPermute16},
		{"tagVBMI", "AVX-512 with VBMI", hasTag64},
		{"untagVBMI", "AVX-512 with VBMI", hasTag64},
		{"indexTriples", "AVX-512", hasTriples},
		{"foldCRC32C", "AVX-512 with VPCLMULQDQ", hasFold},
	}
}
