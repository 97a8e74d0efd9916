//go:build !purego && !race

#include "go_asm.h"
#include "textflag.h"

#define sliceLen 8 // offset of the length in a slice

// One VPERMB moves any byte of a register to any position. A block of the struct
//
//	struct { A uint8; B uint16; C uint32 }
//
// encoded in big-endian order; the bit for the first byte of the masks is on the left:
//
//	load     1  0  1  1  1  1  1  1          the padding byte is not read
//	source   A  .  B0 B1 C0 C1 C2 C3
//	index    0  3  2  7  6  5  4
//	fill     1  1  1  1  1  1  1             0 for a byte of a blank field
//	limit   ff ff ff ff ff ff ff             01 for a bool
//	store    1  1  1  1  1  1  1
//	result   A  B1 B0 C3 C2 C1 C0
//
// The outer loop is over the blocks and the inner one over the elements, so
// that the masks stay in registers.

// func permute(dst, src mem.Ptr, n int, p *Permutation)
TEXT ·permute(SB), NOSPLIT, $0-32
	MOVQ dst_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ n+16(FP), DX
	MOVQ p+24(FP), R12
	MOVQ Permutation_blocks64(R12), AX
	MOVQ Permutation_blocks64+sliceLen(R12), BX
	JMP  permuteMany<>(SB)

// func permuteFull(dst, src mem.Ptr, p *Permutation)
//
// The caller ensures that the shape is fullBlock.
TEXT ·permuteFull(SB), NOSPLIT, $0-24
	MOVQ p+16(FP), AX
	MOVQ src_p+8(FP), SI
	MOVQ Permutation_blocks64(AX), AX
	MOVQ dst_p+0(FP), DI
	VMOVDQU64 block64_index(AX), Z16
	VPERMB    (SI), Z16, Z16
	VMOVDQU64 Z16, (DI)
	RET

// func permuteOne(dst, src mem.Ptr, p *Permutation)
//
// A small struct, by far the most frequent case, is one block. The code uses
// registers from Z16 on, which do not exist in older instruction sets, so it
// needs no VZEROUPPER.
TEXT ·permuteOne(SB), NOSPLIT, $0-24
	MOVQ p+16(FP), R12
	MOVQ dst_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ Permutation_blocks64(R12), AX
	CMPQ Permutation_shape(R12), $const_fullBlock
	JB   several
	JA   masked
	VMOVDQU64 block64_index(AX), Z16
	VPERMB    (SI), Z16, Z16
	VMOVDQU64 Z16, (DI)
	RET

masked:
	KMOVQ block64_load(AX), K1
	KMOVQ block64_fill(AX), K2
	KMOVQ block64_store(AX), K3
	ADDQ  block64_dst(AX), DI
	ADDQ  block64_src(AX), SI
	VMOVDQU64  block64_index(AX), Z16
	VMOVDQU8.Z (SI), K1, Z17
	VPERMB.Z   Z17, Z16, K2, Z17
	VPMINUB    block64_limit(AX), Z17, Z17
	VMOVDQU8   Z17, K3, (DI)
	RET

several:
	MOVQ $1, DX
	MOVQ Permutation_blocks64+sliceLen(R12), BX
	JMP  permuteMany<>(SB)

// permuteMany expects dst in DI, src in SI, n in DX, p in R12, its blocks64 in
// AX and their number in BX.
TEXT permuteMany<>(SB), NOSPLIT, $0-0
	TESTQ BX, BX
	JE    narrow
	MOVQ Permutation_dst(R12), R10 // the stride in the destination
	MOVQ Permutation_src(R12), R11

wide:
	KMOVQ block64_load(AX), K1
	KMOVQ block64_fill(AX), K2
	KMOVQ block64_store(AX), K3
	MOVQ  block64_dst(AX), R8
	MOVQ  block64_src(AX), R9
	ADDQ  DI, R8
	ADDQ  SI, R9
	MOVQ  DX, CX
	VMOVDQU64 block64_index(AX), Z0
	VMOVDQU64 block64_limit(AX), Z1

wideElement:
	VMOVDQU8.Z (R9), K1, Z2
	VPERMB.Z   Z2, Z0, K2, Z2
	VPMINUB    Z1, Z2, Z2
	VMOVDQU8   Z2, K3, (R8)
	ADDQ       R10, R8
	ADDQ       R11, R9
	DECQ       CX
	JNE        wideElement

	ADDQ $block64__size, AX
	DECQ BX
	JNE  wide
	VZEROUPPER
	RET

// PSHUFB does the same within 16 bytes. An index with the high bit set produces
// zero. The results of several blocks for one window are combined with OR:
//
//	source 1   A  .  .  .  .  .  .  .  B0 B1 B2 ...     struct { A uint8; B, C uint64 }
//	index 1    0 15 14 13 12 11 10  9  8  80 80 80 80 80 80 80
//	source 2   C0 C1 C2 C3 C4 C5 C6 C7 ...
//	index 2    80 80 80 80 80 80 80 80 80 7  6  5  4  3  2  1
//	stored     A  B7 B6 B5 B4 B3 B2 B1 B0 C7 C6 C5 C4 C3 C2 C1
narrow:
	MOVQ Permutation_dst(R12), R10 // the stride in the destination
	MOVQ Permutation_src(R12), R11
	PXOR X0, X0

element:
	MOVQ Permutation_blocks16(R12), AX
	MOVQ Permutation_blocks16+sliceLen(R12), BX

block:
	MOVL   block16_src(AX), R9
	MOVL   block16_dst(AX), R8
	MOVL   block16_flags(AX), CX
	MOVOU  (SI)(R9*1), X1
	MOVOU  block16_index(AX), X2
	MOVOU  block16_limit(AX), X3
	PSHUFB X2, X1
	PMINUB X3, X1
	POR    X1, X0
	TESTL  $const_blockMore, CX
	JNE    next
	TESTL  $const_blockMerge, CX
	JE     store
	MOVOU  (DI)(R8*1), X4
	MOVOU  block16_keep(AX), X5
	PAND   X5, X4
	POR    X4, X0

store:
	MOVOU X0, (DI)(R8*1)
	PXOR  X0, X0

next:
	ADDQ $block16__size, AX
	DECQ BX
	JNE  block

	ADDQ R10, DI
	ADDQ R11, SI
	DECQ DX
	JNE  element
	RET
