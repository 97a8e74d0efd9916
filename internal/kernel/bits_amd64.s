//go:build !purego && !race

#include "go_asm.h"
#include "textflag.h"

// VPERMB moves the bytes of the source to the eight bytes in which they are needed.
// VPMULTISHIFTQB then takes eight bits for each byte, from any bit of these eight
// bytes on. The decoder of a big-endian run of fields of 4, 9 and 3 bits, which
// become a uint8, a uint16 and a uint8:
//
//	source      AAAABBBB BBBBBCCC
//	index       0 1 0                      the bytes that the first eight bytes get
//	shift       4    .    11        19       0
//	shifted     BBBBAAAA . BBBBBBBB ...B AAAABBBB...
//	bits        00001111 . 11111111 00000001 00000111
//	result      0000AAAA . BBBBBBBB 0000000B 00000CCC
//
// VPSHUFBITQMB fills bytes that consist of several groups of bits, up to eight of them.
// It selects eight bits of each eight bytes, which become the bits of a mask:
//
//	source      00000aaa 0000000b 0000cccc ...
//	index       0 1 2                      the bytes that the first byte needs
//	bit         16 17 18 19  8  0  1  2    from the lowest bit on
//	result      aaabcccc

// func permuteBits(dst, src mem.Ptr, b *bitBlock) bool
//
// It uses registers from X16 on and needs no VZEROUPPER, like permuteOne.
TEXT ·permuteBits(SB), NOSPLIT, $0-25
	MOVQ  b+16(FP), AX
	MOVQ  dst_p+0(FP), DI
	MOVQ  src_p+8(FP), SI
	KMOVQ bitBlock_load(AX), K1
	KMOVQ bitBlock_store(AX), K2
	CMPB  bitBlock_shape(AX), $const_shortBlock
	JE    short
	JA    long

	VMOVDQU64      bitBlock_round+bitRound_index(AX), Y19
	VMOVDQU8.Z     (SI), K1, Y16
	VMOVDQU64      bitBlock_round+bitRound_shift(AX), Y20
	VPERMB         Y16, Y19, Y19
	VPMULTISHIFTQB Y19, Y20, Y19
	VPANDQ         bitBlock_round+bitRound_bits(AX), Y19, Y18
	VMOVDQU8       Y18, K2, (DI)
	MOVB           $1, ret+24(FP)
	RET

short:
	VMOVDQU8.Z     (SI), K1, Y16
	VPANDQ         bitBlock_mask(AX), Y16, Y17
	VMOVDQU64      bitBlock_round+bitRound_index(AX), Y19
	VPCMPUQ        $4, bitBlock_value(AX), Y17, K3 // not equal
	VMOVDQU64      bitBlock_round+bitRound_shift(AX), Y20
	VMOVDQU64      bitBlock_fill(AX), Y18
	KORTESTB       K3, K3
	JNE            shortDiffer
shortRound:
	VPERMB         Y16, Y19, Y19
	VPMULTISHIFTQB Y19, Y20, Y19
	VPTERNLOGQ     $0xf8, bitBlock_round+bitRound_bits(AX), Y19, Y18 // Y18 |= Y19 & bits
	MOVL           bitBlock_count(AX), CX
	TESTL          CX, CX
	JNE            shortGather
shortStore:
	VMOVDQU8       Y18, K2, (DI)
	MOVB           $1, ret+24(FP)
	RET

long:
	VMOVDQU8.Z     (SI), K1, Z16
	VPANDQ         bitBlock_mask(AX), Z16, Z17
	VMOVDQU64      bitBlock_round+bitRound_index(AX), Z19
	VPCMPUQ        $4, bitBlock_value(AX), Z17, K3
	VMOVDQU64      bitBlock_round+bitRound_shift(AX), Z20
	VMOVDQU64      bitBlock_fill(AX), Z18
	KORTESTB       K3, K3
	JNE            longDiffer
longRound:
	VPERMB         Z16, Z19, Z19
	VPMULTISHIFTQB Z19, Z20, Z19
	VPTERNLOGQ     $0xf8, bitBlock_round+bitRound_bits(AX), Z19, Z18
	MOVL           bitBlock_count(AX), CX
	TESTL          CX, CX
	JNE            longGather
longStore:
	VMOVDQU8       Z18, K2, (DI)
	MOVB           $1, ret+24(FP)
	RET

shortGather:
	MOVQ bitBlock_gather(AX), R10
shortNext:
	VMOVDQU64    bitGather_index(R10), Z19
	KMOVQ        bitGather_valid(R10), K4
	VPERMB       Z16, Z19, Z19
	VPSHUFBITQMB bitGather_bit(R10), Z19, K4, K4
	KMOVQ        bitGather_filled(R10), K5
	VMOVDQU64    bitGather_place(R10), Y20
	KMOVQ        K4, R9
	VMOVQ        R9, X19
	VPERMB.Z     Y19, Y20, K5, Y19
	VPORQ        Y19, Y18, Y18
	ADDQ         $bitGather__size, R10
	DECQ         CX
	JNE          shortNext
	JMP          shortStore

longGather:
	MOVQ bitBlock_gather(AX), R10
longNext:
	VMOVDQU64    bitGather_index(R10), Z19
	KMOVQ        bitGather_valid(R10), K4
	VPERMB       Z16, Z19, Z19
	VPSHUFBITQMB bitGather_bit(R10), Z19, K4, K4
	KMOVQ        bitGather_filled(R10), K5
	VMOVDQU64    bitGather_place(R10), Z20
	KMOVQ        K4, R9
	VMOVQ        R9, X19
	VPERMB.Z     Z19, Z20, K5, Z19
	VPORQ        Z19, Z18, Z18
	ADDQ         $bitGather__size, R10
	DECQ         CX
	JNE          longNext
	JMP          longStore

shortDiffer:
	CMPB     bitBlock_orZero(AX), $0
	JE       wrong
	VPTESTMQ Y17, Y17, K3
	KORTESTB K3, K3
	JE       shortRound
	JMP      wrong

longDiffer:
	CMPB     bitBlock_orZero(AX), $0
	JE       wrong
	VPTESTMQ Z17, Z17, K3
	KORTESTB K3, K3
	JE       longRound

wrong:
	MOVB $0, ret+24(FP)
	RET
