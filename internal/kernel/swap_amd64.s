//go:build !purego && !race

#include "textflag.h"

// One shuffle per register swaps the bytes of the numbers. The mask is the same
// in every 16-byte lane. For 4-byte numbers:
//
//	lane    a0 a1 a2 a3  b0 b1 b2 b3  c0 c1 c2 c3  d0 d1 d2 d3
//	mask     3  2  1  0   7  6  5  4  11 10  9  8  15 14 13 12
//	result  a3 a2 a1 a0  b3 b2 b1 b0  c3 c2 c1 c0  d3 d2 d1 d0

// func swapAVX2(dst, src mem.Ptr, n int, mask *[16]byte)
//
// n is at least 32. Whole registers are processed from the start. The rest is
// processed by a register that ends at the end of the numbers, so some numbers
// are processed twice:
//
//	|...32...|...32...|...32...|..rest..|
//	                       |.....32.....|
//
// The last register is loaded before anything is stored, because dst may be
// src.
TEXT ·swapAVX2(SB), NOSPLIT, $0-32
	MOVQ dst_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ mask+24(FP), AX
	VBROADCASTI128 (AX), Y0

	VMOVDQU -32(SI)(CX*1), Y9
	VPSHUFB Y0, Y9, Y9
	LEAQ    -32(DI)(CX*1), R9

	SUBQ $128, CX
	JB   less128

loop128:
	VMOVDQU (SI), Y1
	VMOVDQU 32(SI), Y2
	VMOVDQU 64(SI), Y3
	VMOVDQU 96(SI), Y4
	VPSHUFB Y0, Y1, Y1
	VPSHUFB Y0, Y2, Y2
	VPSHUFB Y0, Y3, Y3
	VPSHUFB Y0, Y4, Y4
	VMOVDQU Y1, (DI)
	VMOVDQU Y2, 32(DI)
	VMOVDQU Y3, 64(DI)
	VMOVDQU Y4, 96(DI)
	ADDQ    $128, SI
	ADDQ    $128, DI
	SUBQ    $128, CX
	JAE     loop128

less128:
	ADDQ $96, CX // remaining bytes - 32
	JS   last

loop32:
	VMOVDQU (SI), Y1
	VPSHUFB Y0, Y1, Y1
	VMOVDQU Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $32, CX
	JNS     loop32

last:
	VMOVDQU Y9, (R9)
	VZEROUPPER
	RET

// func swapAVX512(dst, src mem.Ptr, n int, mask *[16]byte)
//
// The rest, which is less than a register, is loaded and stored with a mask
// that has one bit per byte.
TEXT ·swapAVX512(SB), NOSPLIT, $0-32
	MOVQ dst_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ mask+24(FP), AX
	VBROADCASTI32X4 (AX), Z0

	SUBQ $256, CX
	JB   less256

loop256:
	VMOVDQU64 (SI), Z1
	VMOVDQU64 64(SI), Z2
	VMOVDQU64 128(SI), Z3
	VMOVDQU64 192(SI), Z4
	VPSHUFB   Z0, Z1, Z1
	VPSHUFB   Z0, Z2, Z2
	VPSHUFB   Z0, Z3, Z3
	VPSHUFB   Z0, Z4, Z4
	VMOVDQU64 Z1, (DI)
	VMOVDQU64 Z2, 64(DI)
	VMOVDQU64 Z3, 128(DI)
	VMOVDQU64 Z4, 192(DI)
	ADDQ      $256, SI
	ADDQ      $256, DI
	SUBQ      $256, CX
	JAE       loop256

less256:
	ADDQ $192, CX // remaining bytes - 64
	JS   rest

loop64:
	VMOVDQU64 (SI), Z1
	VPSHUFB   Z0, Z1, Z1
	VMOVDQU64 Z1, (DI)
	ADDQ      $64, SI
	ADDQ      $64, DI
	SUBQ      $64, CX
	JNS       loop64

rest:
	ADDQ $64, CX
	JE   done
	MOVQ $-1, DX
	BZHIQ CX, DX, DX // set the CX lowest bits
	KMOVQ DX, K1
	VMOVDQU8.Z (SI), K1, Z1
	VPSHUFB    Z0, Z1, Z1
	VMOVDQU8   Z1, K1, (DI)

done:
	VZEROUPPER
	RET

// func swapStreamAVX2(dst, src mem.Ptr, n int, mask *[16]byte)
//
// dst is aligned to 64 bytes and n is a multiple of 256. The fence makes the
// stores visible before all later ones, as Go's memory model requires.
TEXT ·swapStreamAVX2(SB), NOSPLIT, $0-32
	MOVQ dst_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ mask+24(FP), AX
	VBROADCASTI128 (AX), Y0

stream128:
	PREFETCHNTA 1024(SI)
	PREFETCHNTA 1088(SI)
	VMOVDQU  (SI), Y1
	VMOVDQU  32(SI), Y2
	VMOVDQU  64(SI), Y3
	VMOVDQU  96(SI), Y4
	VPSHUFB  Y0, Y1, Y1
	VPSHUFB  Y0, Y2, Y2
	VPSHUFB  Y0, Y3, Y3
	VPSHUFB  Y0, Y4, Y4
	VMOVNTDQ Y1, (DI)
	VMOVNTDQ Y2, 32(DI)
	VMOVNTDQ Y3, 64(DI)
	VMOVNTDQ Y4, 96(DI)
	ADDQ     $128, SI
	ADDQ     $128, DI
	SUBQ     $128, CX
	JNE      stream128
	SFENCE
	VZEROUPPER
	RET

// func swapStreamAVX512(dst, src mem.Ptr, n int, mask *[16]byte)
//
// A store of 64 bytes is a whole cache line, so the processor need not combine
// several stores.
TEXT ·swapStreamAVX512(SB), NOSPLIT, $0-32
	MOVQ dst_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ mask+24(FP), AX
	VBROADCASTI32X4 (AX), Z0

stream256:
	PREFETCHNTA 1024(SI)
	PREFETCHNTA 1088(SI)
	PREFETCHNTA 1152(SI)
	PREFETCHNTA 1216(SI)
	VMOVDQU64 (SI), Z1
	VMOVDQU64 64(SI), Z2
	VMOVDQU64 128(SI), Z3
	VMOVDQU64 192(SI), Z4
	VPSHUFB   Z0, Z1, Z1
	VPSHUFB   Z0, Z2, Z2
	VPSHUFB   Z0, Z3, Z3
	VPSHUFB   Z0, Z4, Z4
	VMOVNTDQ  Z1, (DI)
	VMOVNTDQ  Z2, 64(DI)
	VMOVNTDQ  Z3, 128(DI)
	VMOVNTDQ  Z4, 192(DI)
	ADDQ      $256, SI
	ADDQ      $256, DI
	SUBQ      $256, CX
	JNE       stream256
	SFENCE
	VZEROUPPER
	RET
