#include "textflag.h"

DATA ones<>+0(SB)/8, $0x0001000100010001
GLOBL ones<>(SB), RODATA|NOPTR, $8

// func dotAVX2(a, b *int8, n int) int32
TEXT ·dotAVX2(SB), NOSPLIT, $0-28
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DI
	MOVQ n+16(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	XORQ AX, AX

dotNext:
	VPMOVSXBW (SI)(AX*1), Y2
	VPMOVSXBW (DI)(AX*1), Y3
	VPMOVSXBW 16(SI)(AX*1), Y4
	VPMOVSXBW 16(DI)(AX*1), Y5
	VPMADDWD Y2, Y3, Y2
	VPMADDWD Y4, Y5, Y4
	VPADDD Y2, Y0, Y0
	VPADDD Y4, Y1, Y1
	ADDQ $32, AX
	CMPQ AX, CX
	JLT  dotNext

	VPADDD Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPADDD X1, X0, X0
	VMOVD X0, AX
	MOVL AX, ret+24(FP)
	VZEROUPPER
	RET

// QUERY adds to acc the products of two groups (Y8, Y9) with query number q.
// Values are at most 63 and offset ones at most 127: four products fit 16 bits.
#define QUERY(q, acc) \
	VPMADDUBSW (q*64)(R8), Y8, Y10; \
	VPMADDUBSW (q*64+32)(R8), Y9, Y11; \
	VPADDW Y10, Y11, Y10; \
	VPMADDWD Y15, Y10, Y10; \
	VPADDD Y10, acc, acc

// PAIR adds the products of the next two groups of a part of the heads.
#define PAIR(from) \
	VMOVDQU (from), Y8; \
	VMOVDQU 32(from), Y9; \
	QUERY(0, Y0); \
	QUERY(1, Y1); \
	QUERY(2, Y2); \
	QUERY(3, Y3); \
	ADDQ $64, from; \
	ADDQ $256, R8; \
	DECQ R12

// START is where acc begins: at the bias of query number q.
#define START(q, acc) \
	VPBROADCASTD (q*8)(BX), acc

// BOUND turns acc, the products with query number q, into the mask of the items that
// cannot be skipped: the bound is not below zero. Y12 has the sizes, X14 the shift.
#define BOUND(q, acc) \
	VPBROADCASTD (q*8+4)(BX), Y10; \
	VPMADDWD Y12, Y10, Y10; \
	VPSLLD X14, acc, acc; \
	VPADDD Y10, acc, acc; \
	VMOVMSKPS acc, AX; \
	XORL $0xff, AX; \
	MOVB AX, (q*256)(DX)

// func scanAVX2(first, second *byte, sizes *size, values *int8, terms *term, masks *byte, blocks, pairs, more, shift int)
TEXT ·scanAVX2(SB), NOSPLIT, $0-80
	MOVQ first+0(FP), SI
	MOVQ second+8(FP), R11
	MOVQ sizes+16(FP), R10
	MOVQ values+24(FP), DI
	MOVQ terms+32(FP), BX
	MOVQ masks+40(FP), DX
	MOVQ blocks+48(FP), CX
	MOVQ pairs+56(FP), R9
	MOVQ more+64(FP), R13
	VMOVQ shift+72(FP), X14
	VPBROADCASTQ ones<>(SB), Y15

nextBlock:
	START(0, Y0)
	START(1, Y1)
	START(2, Y2)
	START(3, Y3)
	MOVQ DI, R8
	MOVQ R9, R12

nextPair:
	PAIR(SI)
	JNZ  nextPair
	MOVQ R13, R12
	TESTQ R12, R12
	JZ   bounds

nextOfSecond:
	PAIR(R11)
	JNZ  nextOfSecond

bounds:
	VMOVDQU (R10), Y12
	BOUND(0, Y0)
	BOUND(1, Y1)
	BOUND(2, Y2)
	BOUND(3, Y3)
	ADDQ $32, R10
	INCQ DX
	DECQ CX
	JNZ  nextBlock
	VZEROUPPER
	RET

// func productsAVX2(query, rows *int8, places, out *int32, count, dims, n int)
TEXT ·productsAVX2(SB), NOSPLIT, $0-56
	MOVQ query+0(FP), SI
	MOVQ rows+8(FP), DI
	MOVQ places+16(FP), BX
	MOVQ out+24(FP), DX
	MOVQ count+32(FP), CX
	MOVQ dims+40(FP), R8
	MOVQ n+48(FP), R9
	VPBROADCASTQ ones<>(SB), Y15

nextRow:
	MOVLQSX (BX), R10
	IMULQ R8, R10
	ADDQ DI, R10
	// The rows lie far apart: the one some places later is asked for meanwhile.
	MOVLQSX 32(BX), R11
	IMULQ R8, R11
	ADDQ DI, R11
	VPXOR Y0, Y0, Y0
	XORQ AX, AX

nextValues:
	VMOVDQU (R10)(AX*1), Y2
	VMOVDQU (SI)(AX*1), Y4
	PREFETCHT0 (R11)(AX*1)
	VPABSB Y2, Y3
	VPSIGNB Y2, Y4, Y4
	VPMADDUBSW Y4, Y3, Y5
	VPMADDWD Y15, Y5, Y5
	VPADDD Y5, Y0, Y0
	ADDQ $32, AX
	CMPQ AX, R9
	JLT  nextValues

	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPADDD X1, X0, X0
	VMOVD X0, (DX)
	ADDQ $4, BX
	ADDQ $4, DX
	DECQ CX
	JNZ  nextRow
	VZEROUPPER
	RET
