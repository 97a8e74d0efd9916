//go:build !purego && !race

#include "go_asm.h"
#include "textflag.h"

#define sliceLen 8 // offset of the length in a slice

// func permute(dst, src mem.Ptr, n int, p *Permutation)
//
// TBL moves any byte of a register to any position. An index greater than 15
// produces zero. The results of several blocks for one window are combined with
// OR:
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
	MOVD Permutation_dst(R7), R3 // the strides
	MOVD Permutation_src(R7), R4
	VEOR V0.B16, V0.B16, V0.B16

element:
	MOVD Permutation_blocks16(R7), R5
	MOVD (Permutation_blocks16+sliceLen)(R7), R6

block:
	MOVWU block16_src(R5), R8
	MOVWU block16_dst(R5), R9
	MOVWU block16_flags(R5), R10
	ADD   R1, R8, R8
	ADD   R0, R9, R9
	VLD1  (R8), [V1.B16]
	ADD   $block16_index, R5, R8
	VLD1  (R8), [V2.B16, V3.B16, V4.B16] // index, limit, keep
	ADD   $block16__size, R5, R5
	VTBL  V2.B16, [V1.B16], V1.B16
	VUMIN V3.B16, V1.B16, V1.B16
	VORR  V1.B16, V0.B16, V0.B16
	TST   $const_blockMore, R10
	BNE   next
	TST   $const_blockMerge, R10
	BEQ   store
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
