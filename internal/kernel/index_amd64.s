//go:build !purego && !race

#include "textflag.h"

// func indexTriples(p mem.Ptr, n int, t *[2][3]byte) int
//
// A byte of the sum of the differences is 0 where all three bytes of a triple are equal.
// DIFFER adds the differences at one of them: sum |= bytes ^ other.
#define DIFFER(bytes, other, sum) VPTERNLOGQ $0xf6, bytes, other, sum

TEXT ·indexTriples(SB), NOSPLIT, $0-32
	MOVQ p_p+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ t+16(FP), DI
	XORL AX, AX

	VPBROADCASTB 0(DI), Z16
	VPBROADCASTB 1(DI), Z17
	VPBROADCASTB 2(DI), Z18
	VPBROADCASTB 3(DI), Z19
	VPBROADCASTB 4(DI), Z20
	VPBROADCASTB 5(DI), Z21

next:
	VMOVDQU64 (SI)(AX*1), Z24
	VPXORQ    Z24, Z16, Z22
	VPXORQ    Z24, Z19, Z23
	VMOVDQU64 1(SI)(AX*1), Z24
	DIFFER(Z24, Z17, Z22)
	DIFFER(Z24, Z20, Z23)
	VMOVDQU64 2(SI)(AX*1), Z24
	DIFFER(Z24, Z18, Z22)
	DIFFER(Z24, Z21, Z23)
	VPMINUB   Z22, Z23, Z22
	VPTESTNMB Z22, Z22, K1
	KORTESTQ  K1, K1
	JNE       found
	ADDQ      $64, AX
	CMPQ      AX, CX
	JNE       next
	MOVQ      AX, ret+24(FP)
	RET

found:
	KMOVQ  K1, BX
	TZCNTQ BX, BX
	ADDQ   BX, AX
	MOVQ   AX, ret+24(FP)
	RET
