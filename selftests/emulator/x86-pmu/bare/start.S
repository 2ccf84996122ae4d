/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program without a system below it: QEMU starts it at start32 by the PVH protocol, in
 * protected mode without paging. It goes on in 64-bit mode, with all memory below 4 GB mapped
 * where it is, user mode included, and ends up in main().
 */

	.section .note.pvh, "a", @note
	.long	4, 4, 18		/* XEN_ELFNOTE_PHYS32_ENTRY */
	.asciz	"Xen"
	.long	start32

	.section .bss
	.balign	4096
pml4:	.skip	4096
pdpt:	.skip	4096
pds:	.skip	4 * 4096
	.skip	16384
stack:
	.skip	16384
	.globl	exception_stack
exception_stack:			/* of those from user mode */
	.skip	16384
	.globl	nmi_stack
nmi_stack:
	.skip	16384
	.globl	user_stack
user_stack:

	.section .data
	.balign	16
	.globl	gdt
gdt:	.quad	0
	.quad	0x00af9b000000ffff	/* 0x08 kernel code */
	.quad	0x00cf93000000ffff	/* 0x10 kernel data */
	.quad	0x00affb000000ffff	/* 0x18 user code */
	.quad	0x00cff3000000ffff	/* 0x20 user data */
	.quad	0, 0			/* 0x28 task state, see machine.c */
	.globl	gdt_pointer
gdt_pointer:
	.word	. - gdt - 1
	.quad	gdt

	.text
	.code32
	.globl	start32
start32:
	cld
	movl	%ebx, %ebp		/* the command line is behind it */
	movl	$stack, %esp
	movl	$(pdpt + 7), pml4
	movl	$(pds + 7), pdpt
	movl	$(pds + 4096 + 7), pdpt + 8
	movl	$(pds + 8192 + 7), pdpt + 16
	movl	$(pds + 12288 + 7), pdpt + 24
	movl	$pds, %edi
	movl	$0x87, %eax		/* present, writable, user, 2 MB */
	movl	$2048, %ecx
1:	movl	%eax, (%edi)
	addl	$0x200000, %eax
	addl	$8, %edi
	loop	1b
	movl	$pml4, %eax
	movl	%eax, %cr3
	movl	%cr4, %eax
	orl	$0x20, %eax		/* PAE */
	movl	%eax, %cr4
	movl	$0xc0000080, %ecx	/* EFER.LME */
	rdmsr
	orl	$0x100, %eax
	wrmsr
	movl	%cr0, %eax
	orl	$0x80000001, %eax	/* PG, PE */
	movl	%eax, %cr0
	lgdt	gdt_pointer
	ljmp	$0x08, $start64

	.code64
start64:
	movl	$0x10, %eax
	movl	%eax, %ds
	movl	%eax, %es
	movl	%eax, %ss
	movl	%ebp, %edi
	andq	$-16, %rsp
	call	main
2:	hlt
	jmp	2b

/* One entry an exception, of 16 bytes each; all have an error code when they get further. */
	.balign	16
	.globl	vectors
vectors:
	.set	vector, 0
	.rept	32
	.balign	16
	.if	(vector == 8) || (vector >= 10 && vector <= 14) || (vector == 17)
	nop
	nop
	.else
	push	$0
	.endif
	push	$vector
	jmp	exception
	.set	vector, vector + 1
	.endr

exception:
	push	%rax
	push	%rcx
	push	%rdx
	push	%rsi
	push	%rdi
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	mov	%rsp, %rdi
	call	handle_exception
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rdi
	pop	%rsi
	pop	%rdx
	pop	%rcx
	pop	%rax
	add	$16, %rsp
	iretq

/* void in_user(void (*function)(uint64_t), uint64_t argument) */
	.globl	in_user
in_user:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rsp, kernel_rsp
	mov	%rdi, %rax
	mov	%rsi, %rdi
	push	$0x23
	push	$user_stack
	push	$0x2
	push	$0x1b
	push	$1f
	iretq
1:	call	*%rax
	int	$3			/* back to the kernel */

/* The address to which handle_exception() returns after that. */
	.globl	from_user
from_user:
	mov	kernel_rsp, %rsp
	mov	$0x10, %eax
	mov	%eax, %ss
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

	.section .bss
	.balign	8
kernel_rsp:
	.skip	8

	.section .note.GNU-stack, "", @progbits
