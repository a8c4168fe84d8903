#include "textflag.h"

DATA pairs<>+0(SB)/8, $0x0001000100010001
GLOBL pairs<>(SB), RODATA|NOPTR, $8

// func sumAVX2(heads *byte, sizes *size, values *int8, t *term, sums *int32, masks *byte, blocks, pairs, shift int)
TEXT ·sumAVX2(SB), NOSPLIT, $0-72
	MOVQ heads+0(FP), SI
	MOVQ sizes+8(FP), R10
	MOVQ values+16(FP), DI
	MOVQ t+24(FP), BX
	MOVQ sums+32(FP), R11
	MOVQ masks+40(FP), DX
	MOVQ blocks+48(FP), CX
	MOVQ pairs+56(FP), R9
	VMOVQ shift+64(FP), X14
	VPBROADCASTQ pairs<>(SB), Y15
	VPBROADCASTD (BX), Y13  // bias
	VPBROADCASTD 4(BX), Y7  // tail and need

nextBlock:
	VPADDD (R11), Y13, Y0
	MOVQ DI, R8
	MOVQ R9, R12

nextPair:
	// Values are at most 63 and offset ones at most 127: four products fit 16 bits.
	VPBROADCASTD (R8), Y10
	VPBROADCASTD 4(R8), Y11
	VMOVDQU (SI), Y8
	VMOVDQU 32(SI), Y9
	VPMADDUBSW Y10, Y8, Y10
	VPMADDUBSW Y11, Y9, Y11
	VPADDW Y10, Y11, Y10
	VPMADDWD Y15, Y10, Y10
	VPADDD Y10, Y0, Y0
	ADDQ $64, SI
	ADDQ $8, R8
	DECQ R12
	JNZ  nextPair

	VMOVDQU Y0, (R11)
	VMOVDQU (R10), Y12
	VPMADDWD Y12, Y7, Y10
	VPSLLD X14, Y0, Y0
	VPADDD Y10, Y0, Y0
	VMOVMSKPS Y0, AX
	XORL $0xff, AX
	ANDB AX, (DX)
	ADDQ $32, R11
	ADDQ $32, R10
	INCQ DX
	DECQ CX
	JNZ  nextBlock
	VZEROUPPER
	RET
