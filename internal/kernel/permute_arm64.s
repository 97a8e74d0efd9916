//go:build !purego && !race

#include "textflag.h"

// func permute(dst, src mem.Ptr, n int, p *Permutation)
//
// TBL takes any byte of a register to any place; an index beyond 15 gives zero.
// Results of several blocks for one window are put together by OR:
//
//	source 1   A  .  .  .  .  .  .  .  B0 B1 B2 ...     struct { A uint8; B, C uint64 }
//	index 1    0 15 14 13 12 11 10  9  8  80 80 80 80 80 80 80
//	source 2   C0 C1 C2 C3 C4 C5 C6 C7 ...
//	index 2    80 80 80 80 80 80 80 80 80 7  6  5  4  3  2  1
//	stored     A  B7 B6 B5 B4 B3 B2 B1 B0 C7 C6 C5 C4 C3 C2 C1
TEXT ·permute(SB), NOSPLIT, $0-32
	MOVD dst_p+0(FP), R0
	MOVD src_p+8(FP), R1
	MOVD n+16(FP), R2
	MOVD p+24(FP), R7
	LDP  0(R7), (R3, R4) // dst, src: the strides
	VEOR V0.B16, V0.B16, V0.B16

element:
	LDP 40(R7), (R5, R6) // blocks16, how many

block:
	MOVWU 0(R5), R8  // src
	MOVWU 4(R5), R9  // dst
	MOVWU 8(R5), R10 // flags
	ADD   $16, R5, R5
	ADD   R1, R8, R8
	ADD   R0, R9, R9
	VLD1  (R8), [V1.B16]
	VLD1.P 48(R5), [V2.B16, V3.B16, V4.B16] // index, limit, keep
	VTBL  V2.B16, [V1.B16], V1.B16
	VUMIN V3.B16, V1.B16, V1.B16
	VORR  V1.B16, V0.B16, V0.B16
	TBNZ  $0, R10, next  // more
	TBZ   $1, R10, store // merge
	VLD1  (R9), [V5.B16]
	VAND  V4.B16, V5.B16, V5.B16
	VORR  V5.B16, V0.B16, V0.B16

store:
	VST1 [V0.B16], (R9)
	VEOR V0.B16, V0.B16, V0.B16

next:
	SUBS $1, R6, R6
	BNE  block

	ADD  R3, R0, R0
	ADD  R4, R1, R1
	SUBS $1, R2, R2
	BNE  element
	RET
