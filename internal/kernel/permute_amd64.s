//go:build !purego && !race

#include "textflag.h"

// One VPERMB takes any byte of a register to any place. A block of the struct
//
//	struct { A uint8; B uint16; C uint32 }
//
// on its way to big-endian bytes, the masks with the first byte's bit on the left:
//
//	load     1  0  1  1  1  1  1  1          the padding byte is not even read
//	source   A  .  B0 B1 C0 C1 C2 C3
//	index    0  3  2  7  6  5  4
//	fill     1  1  1  1  1  1  1             0 would be a byte of a blank field
//	limit   ff ff ff ff ff ff ff             01 would make a bool of it
//	store    1  1  1  1  1  1  1
//	result   A  B1 B0 C3 C2 C1 C0
//
// Block by block through all the elements, so that the masks stay in registers.

// func permute(dst, src mem.Ptr, n int, p *Permutation)
TEXT ·permute(SB), NOSPLIT, $0-32
	MOVQ dst_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ n+16(FP), DX
	MOVQ p+24(FP), R12
	MOVQ 16(R12), AX  // blocks64
	MOVQ 24(R12), BX  // how many
	JMP  permuteMany<>(SB)

// func permuteOne(dst, src mem.Ptr, p *Permutation)
//
// A small struct, the most frequent by far, is one block. Registers from Z16 on
// have no part that older instructions know, and need no VZEROUPPER.
TEXT ·permuteOne(SB), NOSPLIT, $0-24
	MOVQ p+16(FP), R12
	MOVQ dst_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ 16(R12), AX      // blocks64
	CMPQ 64(R12), $1      // shape
	JB   several
	JA   masked
	VMOVDQU64 (AX), Z16
	VPERMB    (SI), Z16, Z16
	VMOVDQU64 Z16, (DI)
	RET

masked:
	KMOVQ 64(AX), K1 // load
	KMOVQ 72(AX), K2 // fill
	KMOVQ 80(AX), K3 // store
	ADDQ  88(AX), DI // dst
	ADDQ  96(AX), SI // src
	VMOVDQU64  (AX), Z16
	VMOVDQU8.Z (SI), K1, Z17
	VPERMB.Z   Z17, Z16, K2, Z17
	VPMINUB    128(AX), Z17, Z17
	VMOVDQU8   Z17, K3, (DI)
	RET

several:
	MOVQ $1, DX
	MOVQ 24(R12), BX // how many
	JMP  permuteMany<>(SB)

// permuteMany takes dst in DI, src in SI, n in DX, p in R12, its blocks64 in AX
// and their number in BX.
TEXT permuteMany<>(SB), NOSPLIT, $0-0
	TESTQ BX, BX
	JE    narrow
	MOVQ 0(R12), R10 // dst: the stride in the destination
	MOVQ 8(R12), R11 // src

wide:
	KMOVQ 64(AX), K1 // load
	KMOVQ 72(AX), K2 // fill
	KMOVQ 80(AX), K3 // store
	MOVQ  88(AX), R8 // dst
	MOVQ  96(AX), R9 // src
	ADDQ  DI, R8
	ADDQ  SI, R9
	MOVQ  DX, CX
	VMOVDQU64 (AX), Z0
	VMOVDQU64 128(AX), Z1

wideElement:
	VMOVDQU8.Z (R9), K1, Z2
	VPERMB.Z   Z2, Z0, K2, Z2
	VPMINUB    Z1, Z2, Z2
	VMOVDQU8   Z2, K3, (R8)
	ADDQ       R10, R8
	ADDQ       R11, R9
	DECQ       CX
	JNE        wideElement

	ADDQ $192, AX
	DECQ BX
	JNE  wide
	VZEROUPPER
	RET

// PSHUFB does the same within 16 bytes; an index with the high bit set gives zero.
// Results of several blocks for one window are put together by OR:
//
//	source 1   A  .  .  .  .  .  .  .  B0 B1 B2 ...     struct { A uint8; B, C uint64 }
//	index 1    0 15 14 13 12 11 10  9  8  80 80 80 80 80 80 80
//	source 2   C0 C1 C2 C3 C4 C5 C6 C7 ...
//	index 2    80 80 80 80 80 80 80 80 80 7  6  5  4  3  2  1
//	stored     A  B7 B6 B5 B4 B3 B2 B1 B0 C7 C6 C5 C4 C3 C2 C1
narrow:
	MOVQ 0(R12), R10 // dst: the stride in the destination
	MOVQ 8(R12), R11 // src
	PXOR X0, X0

element:
	MOVQ 40(R12), AX // blocks16
	MOVQ 48(R12), BX // how many

block:
	MOVL   0(AX), R9  // src
	MOVL   4(AX), R8  // dst
	MOVL   8(AX), CX  // flags
	MOVOU  (SI)(R9*1), X1
	MOVOU  16(AX), X2 // index
	MOVOU  32(AX), X3 // limit
	PSHUFB X2, X1
	PMINUB X3, X1
	POR    X1, X0
	TESTL  $1, CX     // more
	JNE    next
	TESTL  $2, CX     // merge
	JE     store
	MOVOU  (DI)(R8*1), X4
	MOVOU  48(AX), X5 // keep
	PAND   X5, X4
	POR    X4, X0

store:
	MOVOU X0, (DI)(R8*1)
	PXOR  X0, X0

next:
	ADDQ $64, AX
	DECQ BX
	JNE  block

	ADDQ R10, DI
	ADDQ R11, SI
	DECQ DX
	JNE  element
	RET
