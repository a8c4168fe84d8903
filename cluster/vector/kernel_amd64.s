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

// START is where acc begins: at the bias of query number q.
#define START(q, acc) \
	VPBROADCASTD (q*8)(BX), acc

// BITS turns acc, the products with query number q, into a mask in AX of the items
// that cannot be skipped: the bound is not below zero. Y12 has the sizes, X14 the
// shift.
#define BITS(q, acc) \
	VPBROADCASTD (q*8+4)(BX), Y10; \
	VPMADDWD Y12, Y10, Y10; \
	VPSLLD X14, acc, acc; \
	VPADDD Y10, acc, acc; \
	VMOVMSKPS acc, AX; \
	XORL $0xff, AX

// BOUND stores the mask of query number q.
#define BOUND(q, acc) \
	BITS(q, acc); \
	MOVB AX, (q*256)(DX)

// func scanAVX2(heads *byte, sizes *size, values *int8, terms *term, masks *byte, blocks, pairs, shift int)
TEXT ·scanAVX2(SB), NOSPLIT, $0-64
	MOVQ heads+0(FP), SI
	MOVQ sizes+8(FP), R10
	MOVQ values+16(FP), DI
	MOVQ terms+24(FP), BX
	MOVQ masks+32(FP), DX
	MOVQ blocks+40(FP), CX
	MOVQ pairs+48(FP), R9
	VMOVQ shift+56(FP), X14
	VPBROADCASTQ ones<>(SB), Y15

nextBlock:
	START(0, Y0)
	START(1, Y1)
	START(2, Y2)
	START(3, Y3)
	MOVQ DI, R8
	MOVQ R9, R12

nextPair:
	VMOVDQU (SI), Y8
	VMOVDQU 32(SI), Y9
	QUERY(0, Y0)
	QUERY(1, Y1)
	QUERY(2, Y2)
	QUERY(3, Y3)
	ADDQ $64, SI
	ADDQ $256, R8
	DECQ R12
	JNZ  nextPair

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

// NARROW takes from the mask of query number q what acc can skip.
#define NARROW(q, acc) \
	BITS(q, acc); \
	ANDB AX, (q*256)(DX)

// func boundAVX2(short, more *byte, sizes *size, shortValues, moreValues *int8, terms *term, masks *byte, shortPairs, morePairs, shift int)
TEXT ·boundAVX2(SB), NOSPLIT, $0-80
	MOVQ short+0(FP), SI
	MOVQ more+8(FP), DI
	MOVQ sizes+16(FP), R10
	MOVQ shortValues+24(FP), R8
	MOVQ moreValues+32(FP), R13
	MOVQ terms+40(FP), BX
	MOVQ masks+48(FP), DX
	MOVQ shortPairs+56(FP), R12
	MOVQ morePairs+64(FP), R9
	VMOVQ shift+72(FP), X14
	VPBROADCASTQ ones<>(SB), Y15
	START(0, Y0)
	START(1, Y1)
	START(2, Y2)
	START(3, Y3)

shortPair:
	VMOVDQU (SI), Y8
	VMOVDQU 32(SI), Y9
	QUERY(0, Y0)
	QUERY(1, Y1)
	QUERY(2, Y2)
	QUERY(3, Y3)
	ADDQ $64, SI
	ADDQ $256, R8
	DECQ R12
	JNZ  shortPair
	MOVQ R13, R8

morePair:
	VMOVDQU (DI), Y8
	VMOVDQU 32(DI), Y9
	QUERY(0, Y0)
	QUERY(1, Y1)
	QUERY(2, Y2)
	QUERY(3, Y3)
	ADDQ $64, DI
	ADDQ $256, R8
	DECQ R9
	JNZ  morePair

	VMOVDQU (R10), Y12
	NARROW(0, Y0)
	NARROW(1, Y1)
	NARROW(2, Y2)
	NARROW(3, Y3)
	VZEROUPPER
	RET
