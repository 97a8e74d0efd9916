//go:build !purego && !race

#include "go_asm.h"
#include "textflag.h"

// One shuffle produces a window of tagged numbers without the tags, and the
// tags are then blended in. An index greater than 15 produces zero. For 4-byte
// numbers:
//
//	source   a0 a1 a2 a3 b0 b1 b2 b3 c0 c1 c2 c3  .  .  .  .
//	index    80  3  2  1  0 80  7  6  5  4 80 11 10  9  8 80
//	result   ca a3 a2 a1 a0 ca b3 b2 b1 b0 ca c3 c2 c1 c0 ca
//
// The next window begins at the end of the last complete number, so it
// overwrites the rest of this window.

// func tagNEON(dst, src mem.Ptr, n int, t *tags, tag byte) int
TEXT ·tagNEON(SB), NOSPLIT, $0-48
	MOVD  dst_p+0(FP), R0
	MOVD  src_p+8(FP), R1
	MOVD  n+16(FP), R2
	MOVD  t+24(FP), R3
	MOVBU tag+32(FP), R4

	MOVD tags_width(R3), R5
	MOVD $1, R6
	MOVD $3, R7
	CMP  $4, R5
	CSEL EQ, R7, R6, R6 // complete numbers in a window
	MUL  R5, R6, R7     // their bytes
	ADD  R6, R7, R8     // the same, with their tags
	MUL  R5, R2, R9     // remaining bytes to read
	ADD  $tags_tag, R3, R10
	VLD1 (R10), [V0.B16]
	VDUP R4, V1.B16
	MOVD $const_zeroByte, R11
	VDUP R11, V2.B16
	VCMEQ V2.B16, V0.B16, V2.B16 // ff at each tag
	VAND V2.B16, V1.B16, V1.B16
	MOVD R2, R12
	JMP  next

window:
	VLD1 (R1), [V3.B16]
	VTBL V0.B16, [V3.B16], V3.B16
	VORR V1.B16, V3.B16, V3.B16
	VST1 [V3.B16], (R0)
	ADD  R7, R1, R1
	ADD  R8, R0, R0
	SUB  R6, R2, R2
	SUB  R7, R9, R9

next:
	CMP $16, R9
	BHS window

	SUB  R2, R12, R12
	MOVD R12, ret+40(FP)
	RET

// func untagNEON(dst, src mem.Ptr, n int, t *tags, tag byte) int
//
// A whole window is stored after all its tags have been checked, including the
// tag of the incomplete number at its end. The next window stores that number
// again.
TEXT ·untagNEON(SB), NOSPLIT, $0-48
	MOVD  dst_p+0(FP), R0
	MOVD  src_p+8(FP), R1
	MOVD  n+16(FP), R2
	MOVD  t+24(FP), R3
	MOVBU tag+32(FP), R4

	MOVD tags_width(R3), R5
	MOVD $1, R6
	MOVD $3, R7
	CMP  $4, R5
	CSEL EQ, R7, R6, R6 // complete numbers in a window
	MUL  R5, R6, R7     // their bytes
	ADD  R6, R7, R8     // the same, with their tags
	MADD R5, R2, R2, R9 // remaining bytes to read
	ADD  $tags_tag, R3, R10
	VLD1 (R10), [V2.B16]
	ADD  $tags_untag, R3, R10
	VLD1 (R10), [V0.B16]
	VDUP R4, V1.B16
	MOVD $const_zeroByte, R11
	VDUP R11, V4.B16
	VCMEQ V4.B16, V2.B16, V2.B16 // ff at each tag
	MOVD R2, R12
	JMP  next

window:
	VLD1 (R1), [V3.B16]
	VEOR V1.B16, V3.B16, V4.B16
	VAND V2.B16, V4.B16, V4.B16 // zero if all tags are right
	VMOV V4.D[0], R10
	VMOV V4.D[1], R11
	ORR  R10, R11, R11
	CBNZ R11, done
	VTBL V0.B16, [V3.B16], V3.B16
	VST1 [V3.B16], (R0)
	ADD  R8, R1, R1
	ADD  R7, R0, R0
	SUB  R6, R2, R2
	SUB  R8, R9, R9

next:
	CMP $16, R9
	BHS window

done:
	SUB  R2, R12, R12
	MOVD R12, ret+40(FP)
	RET
