//go:build !purego && !race

#include "go_asm.h"
#include "textflag.h"

// One shuffle produces a window of tagged numbers without the tags, and the
// tags are then blended in. Two 4-byte numbers in a window of 12 bytes:
//
//	source   a0 a1 a2 a3 b0 b1 b2 b3  .  .  .  .
//	index    80  3  2  1  0 80  7  6  5  4 80  .
//	leads     1  0  0  0  0  1  0  0  0  0  0  0
//	result   ca a3 a2 a1 a0 ca b3 b2 b1 b0 ca  .
//
// The next window begins at the end of the last complete number, so it
// overwrites the rest of this window.

// func tagVBMI(dst, src mem.Ptr, n int, t *tags, tag byte) int
//
// Whole windows are stored while at least 64 bytes remain to be read. The rest
// is processed with masks that have one bit per byte.
TEXT ·tagVBMI(SB), NOSPLIT, $0-48
	MOVQ dst_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ t+24(FP), AX
	MOVBLZX tag+32(FP), R8
	MOVQ CX, ret+40(FP)

	MOVQ tags_width(AX), R13
	MOVQ tags_count(AX), R11
	MOVQ R11, R9
	IMULQ R13, R9        // bytes of the numbers in a window
	LEAQ (R9)(R11*1), R10 // the same, with their tags
	MOVQ tags_leads(AX), DX
	NOTQ DX
	KMOVQ DX, K1
	VMOVDQU64 tags_tag(AX), Z0
	VPBROADCASTB R8, Z1

	MOVQ CX, R12
	IMULQ R13, R12 // remaining bytes to read
	SUBQ $64, R12
	JB   rest

whole:
	VMOVDQA64 Z1, Z2
	VPERMB    (SI), Z0, K1, Z2
	VMOVDQU64 Z2, (DI)
	ADDQ R9, SI
	ADDQ R10, DI
	SUBQ R11, CX
	SUBQ R9, R12
	JAE  whole

rest:
	MOVQ  $-1, BX
	TESTQ CX, CX
	JE    done

part:
	MOVQ CX, DX
	CMPQ DX, R11
	CMOVQHI R11, DX   // how many
	MOVQ  DX, R8
	IMULQ R13, R8     // their bytes
	ADDQ  R8, DX      // with tags
	BZHIQ R8, BX, R8
	BZHIQ DX, BX, DX
	KMOVQ R8, K2
	KMOVQ DX, K3
	VMOVDQU8.Z (SI), K2, Z3
	VMOVDQA64  Z1, Z2
	VPERMB     Z3, Z0, K1, Z2
	VMOVDQU8   Z2, K3, (DI)
	ADDQ R9, SI
	ADDQ R10, DI
	SUBQ R11, CX
	JA   part

done:
	VZEROUPPER
	RET

// func untagVBMI(dst, src mem.Ptr, n int, t *tags, tag byte) int
//
// A window is stored only after all its tags have been checked. Numbers after a
// wrong tag are not stored.
TEXT ·untagVBMI(SB), NOSPLIT, $0-48
	MOVQ dst_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ t+24(FP), AX
	MOVBLZX tag+32(FP), R8
	MOVQ CX, ret+40(FP)

	MOVQ tags_width(AX), R13
	MOVQ tags_count(AX), R11
	MOVQ R11, R9
	IMULQ R13, R9         // bytes of the numbers in a window
	LEAQ (R9)(R11*1), R10 // the same, with their tags
	MOVQ $-1, BX
	BZHIQ R9, BX, DX
	KMOVQ DX, K3
	VMOVDQU64 tags_untag(AX), Z0
	MOVQ  tags_leads(AX), AX
	KMOVQ AX, K1
	VPBROADCASTB R8, Z1

	MOVQ  CX, R12
	IMULQ R13, R12
	ADDQ  CX, R12 // remaining bytes to read
	SUBQ  $64, R12
	JB    part

whole:
	VMOVDQU64 (SI), Z2
	VPCMPUB   $4, Z1, Z2, K1, K2 // not equal
	KORTESTQ  K2, K2
	JNE       part
	VPERMB    Z2, Z0, Z2
	VMOVDQU8  Z2, K3, (DI)
	ADDQ R10, SI
	ADDQ R9, DI
	SUBQ R11, CX
	SUBQ R10, R12
	JAE  whole

part:
	TESTQ CX, CX
	JE    done
	MOVQ CX, DX
	CMPQ DX, R11
	CMOVQHI R11, DX // how many
	MOVQ  DX, R8
	IMULQ R13, R8
	ADDQ  DX, R8    // their bytes
	BZHIQ R8, BX, R12
	KMOVQ R12, K2
	VMOVDQU8.Z (SI), K2, Z2
	ANDQ  AX, R12
	KMOVQ R12, K4
	VPCMPUB $4, Z1, Z2, K4, K2
	KMOVQ K2, R12
	TESTQ R12, R12
	JE    right
	TZCNTQ R12, R12
	BZHIQ  R12, AX, DX
	POPCNTQ DX, DX  // how many are before the first wrong tag

right:
	SUBQ  DX, CX
	IMULQ R13, DX
	BZHIQ DX, BX, DX
	KMOVQ DX, K4
	VPERMB   Z2, Z0, Z2
	VMOVDQU8 Z2, K4, (DI)
	ADDQ R10, SI
	ADDQ R9, DI
	KTESTQ K2, K2
	JE   part

done:
	SUBQ CX, ret+40(FP)
	VZEROUPPER
	RET

// func tagSSSE3(dst, src mem.Ptr, n int, t *tags, tag byte) int
//
// The same with windows of 16 bytes, while at least 16 bytes remain to be read.
TEXT ·tagSSSE3(SB), NOSPLIT, $0-48
	MOVQ dst_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ t+24(FP), AX
	MOVBLZX tag+32(FP), R8
	MOVQ CX, ret+40(FP)

	MOVQ tags_width(AX), R13
	MOVQ $1, R11
	MOVQ $3, DX
	CMPQ R13, $4
	CMOVQEQ DX, R11       // complete numbers in a window
	MOVQ R11, R9
	IMULQ R13, R9         // their bytes
	LEAQ (R9)(R11*1), R10 // the same, with their tags
	MOVOU tags_tag(AX), X0
	MOVQ  R8, X1
	PXOR  X2, X2
	PSHUFB  X2, X1 // the tag in every byte
	PCMPGTB X0, X2 // ff at each zeroByte
	PAND    X2, X1

	IMULQ CX, R13 // remaining bytes to read
	SUBQ  $16, R13
	JB    done

window:
	MOVOU  (SI), X2
	PSHUFB X0, X2
	POR    X1, X2
	MOVOU  X2, (DI)
	ADDQ R9, SI
	ADDQ R10, DI
	SUBQ R11, CX
	SUBQ R9, R13
	JAE  window

done:
	SUBQ CX, ret+40(FP)
	RET

// func untagSSSE3(dst, src mem.Ptr, n int, t *tags, tag byte) int
//
// A whole window is stored after all its tags have been checked, including the
// tag of the incomplete number at its end. The next window stores that number
// again.
TEXT ·untagSSSE3(SB), NOSPLIT, $0-48
	MOVQ dst_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ t+24(FP), AX
	MOVBLZX tag+32(FP), R8
	MOVQ CX, ret+40(FP)

	MOVQ tags_width(AX), R13
	MOVQ $1, R11
	MOVQ $3, DX
	CMPQ R13, $4
	CMOVQEQ DX, R11       // complete numbers in a window
	MOVQ R11, R9
	IMULQ R13, R9         // their bytes
	LEAQ (R9)(R11*1), R10 // the same, with their tags
	MOVOU   tags_untag(AX), X0
	MOVWLZX tags_leads(AX), DX
	MOVQ  R8, X1
	PXOR  X2, X2
	PSHUFB X2, X1 // the tag in every byte

	IMULQ CX, R13
	ADDQ  CX, R13 // remaining bytes to read
	SUBQ  $16, R13
	JB    done

window:
	MOVOU    (SI), X2
	MOVO     X2, X3
	PCMPEQB  X1, X3
	PMOVMSKB X3, R8
	ANDL     DX, R8
	CMPL     R8, DX
	JNE      done
	PSHUFB   X0, X2
	MOVOU    X2, (DI)
	ADDQ R10, SI
	ADDQ R9, DI
	SUBQ R11, CX
	SUBQ R10, R13
	JAE  window

done:
	SUBQ CX, ret+40(FP)
	RET
