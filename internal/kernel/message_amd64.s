//go:build !purego && !race

#include "go_asm.h"
#include "textflag.h"

#define sliceLen 8 // offset of the length in a slice or string

// The functions rearrange the bits of each block as permuteBits does. They keep
// everything in registers from one run to the next, which Go code cannot do when it
// calls permuteBits for each run. They use registers from Z16 on and need no
// VZEROUPPER.

// func encodeMessage(dst, value mem.Ptr, b *bitBlock, room int) int
//
// R13 is the start of the message and DI where the run begins.
TEXT ·encodeMessage(SB), NOSPLIT, $0-40
	MOVQ b+16(FP), AX
	MOVQ dst_p+0(FP), DI
	MOVQ value_p+8(FP), SI
	MOVQ room+24(FP), BX
	MOVQ DI, R13

block:
	MOVL       bitBlock_src(AX), R9
	MOVL       bitBlock_dst(AX), R8
	KMOVQ      bitBlock_load(AX), K1
	KMOVQ      bitBlock_store(AX), K2
	VMOVDQU8.Z (SI)(R9*1), K1, Z16
	VPANDQ     bitBlock_mask(AX), Z16, Z17
	VMOVDQU64  bitBlock_round+bitRound_index(AX), Z19
	VPCMPUQ    $4, bitBlock_value(AX), Z17, K3 // not equal
	KORTESTB   K3, K3
	JNE        differ

right:
	CMPB     bitBlock_plain(AX), $0
	JE       bits
	KMOVQ    bitBlock_filled(AX), K4
	VPERMB.Z Z16, Z19, K4, Z18
	VPORQ    bitBlock_fill(AX), Z18, Z18

store:
	VMOVDQU8 Z18, K2, (DI)(R8*1)
	MOVL     bitBlock_end+runEnd_then(AX), R9
	TESTL    R9, R9
	JE       next
	MOVL     bitBlock_end+runEnd_wire(AX), R8
	ADDQ     R8, DI
	CMPL     R9, $const_endRun
	JNE      more

next:
	MOVQ  bitBlock_next(AX), AX
	TESTQ AX, AX
	JNE   block
	SUBQ  R13, DI
	MOVQ  DI, ret+32(FP)
	RET

more:
	TESTL $const_endPatch, R9
	JE    text
	MOVQ  DI, DX
	SUBQ  R13, DX
	MOVL  bitBlock_end+runEnd_patchStart(AX), R10
	SUBQ  R10, DX
	CMPQ  DX, bitBlock_end+runEnd_patch+number_most(AX)
	JA    wrong
	MOVQ  bitBlock_end+runEnd_patch+number_at(AX), R10
	ADDQ  R13, R10
	MOVL  bitBlock_end+runEnd_patch+number_turn(AX), CX
	TESTL CX, CX
	JE    patchPlain
	BSWAPQ DX
	SHRQ  CX, DX
patchPlain:
	CMPL  bitBlock_end+runEnd_patch+number_width(AX), $2
	JB    patch1
	JE    patch2
	MOVL  DX, (R10)
	JMP   text
patch1:
	MOVB  DX, (R10)
	JMP   text
patch2:
	MOVW  DX, (R10)

text:
	TESTL $const_endText, R9
	JE    next
	MOVL  bitBlock_end+runEnd_header(AX), R10
	MOVQ  (SI)(R10*1), R11         // address of the bytes
	LEAQ  (SI)(R10*1), R10
	MOVQ  sliceLen(R10), R12       // their number
	CMPQ  R12, bitBlock_end+runEnd_text+number_most(AX)
	JA    wrong
	SUBQ  R12, BX
	JLT   wrong
	MOVQ  R12, DX
	MOVQ  bitBlock_end+runEnd_text+number_at(AX), R10
	MOVL  bitBlock_end+runEnd_text+number_turn(AX), CX
	TESTL CX, CX
	JE    textPlain
	BSWAPQ DX
	SHRQ  CX, DX
textPlain:
	CMPL  bitBlock_end+runEnd_text+number_width(AX), $2
	JB    text1
	JE    text2
	MOVL  DX, (DI)(R10*1)
	JMP   copy
text1:
	MOVB  DX, (DI)(R10*1)
	JMP   copy
text2:
	MOVW  DX, (DI)(R10*1)

copy:
	CMPQ  R12, $64
	JA    whole
	TESTQ R12, R12
	JE    next
	MOVQ  $-1, DX
	BZHIQ R12, DX, DX
	KMOVQ DX, K1
	VMOVDQU8.Z (R11), K1, Z16
	VMOVDQU8   Z16, K1, (DI)
	ADDQ  R12, DI
	JMP   next
whole:
	VMOVDQU64 (R11), Z16
	VMOVDQU64 Z16, (DI)
	ADDQ  $64, R11
	ADDQ  $64, DI
	SUBQ  $64, R12
	JMP   copy

bits:
	VMOVDQU64      bitBlock_round+bitRound_shift(AX), Z20
	VPERMB         Z16, Z19, Z19
	VMOVDQU64      bitBlock_fill(AX), Z18
	VPMULTISHIFTQB Z19, Z20, Z19
	VPTERNLOGQ     $0xf8, bitBlock_round+bitRound_bits(AX), Z19, Z18 // Z18 |= Z19 & bits
	MOVL           bitBlock_count(AX), CX
	TESTL          CX, CX
	JE             store
	MOVQ           bitBlock_gather(AX), R10

gather:
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
	JNE          gather
	JMP          store

differ:
	CMPB     bitBlock_orZero(AX), $0
	JE       wrong
	VPTESTMQ Z17, Z17, K3
	KORTESTB K3, K3
	JE       right

wrong:
	MOVQ $-1, ret+32(FP)
	RET

// func decodeMessage(value, src mem.Ptr, b *bitBlock, room int, texts *[MaxTexts]Span) int
//
// R13 is the start of the message and SI where the run begins.
TEXT ·decodeMessage(SB), NOSPLIT, $0-48
	MOVQ b+16(FP), AX
	MOVQ value_p+0(FP), DI
	MOVQ src_p+8(FP), SI
	MOVQ room+24(FP), BX
	MOVQ texts+32(FP), R11
	MOVQ SI, R13

block:
	MOVL       bitBlock_src(AX), R9
	MOVL       bitBlock_dst(AX), R8
	KMOVQ      bitBlock_load(AX), K1
	KMOVQ      bitBlock_store(AX), K2
	VMOVDQU8.Z (SI)(R9*1), K1, Z16
	VPANDQ     bitBlock_mask(AX), Z16, Z17
	VMOVDQU64  bitBlock_round+bitRound_index(AX), Z19
	VPCMPUQ    $4, bitBlock_value(AX), Z17, K3 // not equal
	KORTESTB   K3, K3
	JNE        differ

right:
	CMPB     bitBlock_plain(AX), $0 // then all bytes come from the source
	JE       bits
	VPERMB   Z16, Z19, Z18

store:
	VMOVDQU8 Z18, K2, (DI)(R8*1)
	MOVL     bitBlock_end+runEnd_then(AX), R9
	TESTL    R9, R9
	JE       next
	MOVL     bitBlock_end+runEnd_wire(AX), R8
	ADDQ     R8, SI
	CMPL     R9, $const_endRun
	JNE      more

next:
	MOVQ  bitBlock_next(AX), AX
	TESTQ AX, AX
	JNE   block
	SUBQ  R13, SI
	MOVQ  SI, ret+40(FP)
	RET

more:
	TESTL $const_endPatch, R9
	JE    text
	MOVQ  bitBlock_end+runEnd_patch+number_at(AX), R10
	CMPL  bitBlock_end+runEnd_patch+number_width(AX), $2
	JB    patch1
	JE    patch2
	MOVL  (R13)(R10*1), DX
	JMP   patch
patch1:
	MOVBLZX (R13)(R10*1), DX
	JMP   patch
patch2:
	MOVWLZX (R13)(R10*1), DX
patch:
	MOVL  bitBlock_end+runEnd_patch+number_turn(AX), CX
	TESTL CX, CX
	JE    patchPlain
	BSWAPQ DX
	SHRQ  CX, DX
patchPlain:
	MOVL  bitBlock_end+runEnd_patchStart(AX), R10
	ADDQ  R13, DX
	ADDQ  R10, DX
	CMPQ  DX, SI
	JNE   wrong

text:
	TESTL $const_endText, R9
	JE    next
	MOVQ  bitBlock_end+runEnd_text+number_at(AX), R10
	CMPL  bitBlock_end+runEnd_text+number_width(AX), $2
	JB    text1
	JE    text2
	MOVL  (SI)(R10*1), DX
	JMP   length
text1:
	MOVBLZX (SI)(R10*1), DX
	JMP   length
text2:
	MOVWLZX (SI)(R10*1), DX
length:
	MOVL  bitBlock_end+runEnd_text+number_turn(AX), CX
	TESTL CX, CX
	JE    textPlain
	BSWAPQ DX
	SHRQ  CX, DX
textPlain:
	CMPQ  DX, bitBlock_end+runEnd_text+number_most(AX)
	JA    wrong
	SUBQ  DX, BX
	JLT   wrong
	MOVQ  SI, R10
	SUBQ  R13, R10
	MOVQ  R10, Span_From(R11)
	MOVQ  DX, Span_Len(R11)
	ADDQ  $Span__size, R11
	ADDQ  DX, SI
	JMP   next

bits:
	VMOVDQU64      bitBlock_round+bitRound_shift(AX), Z20
	VPERMB         Z16, Z19, Z19
	VMOVDQU64      bitBlock_fill(AX), Z18
	VPMULTISHIFTQB Z19, Z20, Z19
	VPTERNLOGQ     $0xf8, bitBlock_round+bitRound_bits(AX), Z19, Z18 // Z18 |= Z19 & bits
	MOVL           bitBlock_count(AX), CX
	TESTL          CX, CX
	JE             store
	MOVQ           bitBlock_gather(AX), R10

gather:
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
	JNE          gather
	JMP          store

differ:
	CMPB     bitBlock_orZero(AX), $0
	JE       wrong
	VPTESTMQ Z17, Z17, K3
	KORTESTB K3, K3
	JE       right

wrong:
	MOVQ $-1, ret+40(FP)
	RET
