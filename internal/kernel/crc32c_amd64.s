//go:build !purego && !race

#include "textflag.h"

// The remainders modulo the Castagnoli polynomial with which 128 bits are moved over 2048
// and over 512 bits: those of x^(2048+32), x^(2048-32), x^(512+32) and x^(512-32), with
// their bits in reverse order and shifted by one, because the checksum has the bits of
// each byte in reverse order.
DATA fold2048<>+0(SB)/8, $0xdcb17aa4
DATA fold2048<>+8(SB)/8, $0xb9e02b86
GLOBL fold2048<>(SB), RODATA|NOPTR, $16

DATA fold512<>+0(SB)/8, $0x740eef02
DATA fold512<>+8(SB)/8, $0x9e4addf8
GLOBL fold512<>(SB), RODATA|NOPTR, $16

// FOLD moves the 16 bytes of each lane of from forward, and adds them to the bytes that
// are there.
#define FOLD(by, from, to) \
	VPCLMULQDQ $0x00, by, from, Z22   \
	VPCLMULQDQ $0x11, by, from, from  \
	VPTERNLOGQ $0x96, Z22, from, to

// FOLDNEXT moves a register over 256 bytes.
#define FOLDNEXT(z, offset) \
	VPCLMULQDQ $0x00, Z20, z, Z22     \
	VPCLMULQDQ $0x11, Z20, z, z       \
	VPTERNLOGQ $0x96, offset(SI), Z22, z

// func foldCRC32C(crc uint32, p mem.Ptr, n int) uint32
//
// Four registers hold 256 bytes that have the same checksum as all bytes so far. In the
// end they are folded to 64 bytes. It uses registers from X16 on and needs no VZEROUPPER.
TEXT ·foldCRC32C(SB), NOSPLIT, $64-28
	MOVL crc+0(FP), AX
	MOVQ p_p+8(FP), SI
	MOVQ n+16(FP), CX

	VMOVD     AX, X20
	VPXORQ    (SI), Z20, Z16
	VMOVDQU64 64(SI), Z17
	VMOVDQU64 128(SI), Z18
	VMOVDQU64 192(SI), Z19

	VBROADCASTI32X4 fold2048<>(SB), Z20
	SUBQ            $256, CX
	JEQ             end

next:
	ADDQ $256, SI
	FOLDNEXT(Z16, 0)
	FOLDNEXT(Z17, 64)
	FOLDNEXT(Z18, 128)
	FOLDNEXT(Z19, 192)
	SUBQ $256, CX
	JNE  next

end:
	VBROADCASTI32X4 fold512<>(SB), Z20
	FOLD(Z20, Z16, Z17)
	FOLD(Z20, Z17, Z18)
	FOLD(Z20, Z18, Z19)
	VMOVDQU64       Z19, (SP)
	XORL            AX, AX
	CRC32Q          0(SP), AX
	CRC32Q          8(SP), AX
	CRC32Q          16(SP), AX
	CRC32Q          24(SP), AX
	CRC32Q          32(SP), AX
	CRC32Q          40(SP), AX
	CRC32Q          48(SP), AX
	CRC32Q          56(SP), AX
	MOVL            AX, ret+24(FP)
	RET
