//go:build !purego && !race

#include "textflag.h"

// func swapNEON(dst, src mem.Ptr, n int, mask *[16]byte)
//
// TBL selects each byte of the result from the source by its index in the mask.
// For 4-byte numbers:
//
//	source  a0 a1 a2 a3  b0 b1 b2 b3  c0 c1 c2 c3  d0 d1 d2 d3
//	mask     3  2  1  0   7  6  5  4  11 10  9  8  15 14 13 12
//	result  a3 a2 a1 a0  b3 b2 b1 b0  c3 c2 c1 c0  d3 d2 d1 d0
TEXT ·swapNEON(SB), NOSPLIT, $0-32
	MOVD dst_p+0(FP), R0
	MOVD src_p+8(FP), R1
	MOVD n+16(FP), R2
	MOVD mask+24(FP), R3
	VLD1 (R3), [V0.B16]

	SUBS $64, R2, R2
	BLT  less64

loop64:
	VLD1.P 64(R1), [V1.B16, V2.B16, V3.B16, V4.B16]
	VTBL   V0.B16, [V1.B16], V1.B16
	VTBL   V0.B16, [V2.B16], V2.B16
	VTBL   V0.B16, [V3.B16], V3.B16
	VTBL   V0.B16, [V4.B16], V4.B16
	VST1.P [V1.B16, V2.B16, V3.B16, V4.B16], 64(R0)
	SUBS   $64, R2, R2
	BGE    loop64

less64:
	ADDS $64, R2, R2 // remaining bytes
	BEQ  done

loop16:
	VLD1.P 16(R1), [V1.B16]
	VTBL   V0.B16, [V1.B16], V1.B16
	VST1.P [V1.B16], 16(R0)
	SUBS   $16, R2, R2
	BNE    loop16

done:
	RET
