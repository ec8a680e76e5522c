import { existsSync, readFileSync } from 'node:fs'
import type { ProcessOrder } from '../../contracts/process.js'

/** The child's file descriptor from which bubblewrap reads the filter. */
export const filterFd = 4

/**
 * The filter that an order's programs run under, for `bwrap --seccomp`; null where none is wanted, or the kernel or the processor has
 * none that we know.
 */
export function filterOf(order: Pick<ProcessOrder, 'isOffline' | 'hasNetwork'>): Uint8Array | null {
  if (order.isOffline !== true || order.hasNetwork === true || !canFilter()) return null
  return socketFilter(process.arch)
}

/** Whether this kernel filters, and can end a process for it (Linux 4.14). The same for all of a machine's life. */
function canFilter(): boolean {
  isAble ??= existsSync(ACTIONS) && readFileSync(ACTIONS, 'latin1').split(/\s/).includes('kill_process')
  return isAble
}

const ACTIONS = '/proc/sys/kernel/seccomp/actions_avail'
let isAble: boolean | undefined

/**
 * A classic BPF program (an array of the kernel's `struct sock_filter`, little-endian) that ends a process with SIGSYS when it asks for
 * a socket of any family but AF_UNIX and AF_NETLINK, and allows all else. Netlink stays because the C library asks it what interfaces
 * there are before it looks a name up. Null for processors other than x86-64 and 64-bit ARM.
 *
 * It names who tries; what stops them is the empty network namespace, which also holds for what the filter does not see: calls by
 * another processor's numbers (32-bit programs) and sockets made by io_uring.
 */
export function socketFilter(arch: string): Uint8Array | null {
  const machine = MACHINES[arch]
  if (machine === undefined) return null
  const program: Instruction[] = [
    [LOAD, 0, 0, OFFSET.arch],
    [JUMP_IF_EQUAL, 0, 7, machine.auditArch],
    [LOAD, 0, 0, OFFSET.call],
    // The x32 interface of x86-64 has the same numbers with a bit set.
    [AND, 0, 0, ~X32_BIT >>> 0],
    [JUMP_IF_EQUAL, 0, 4, machine.socketCall],
    [LOAD, 0, 0, OFFSET.firstArgument],
    [JUMP_IF_EQUAL, 2, 0, AF_UNIX],
    [JUMP_IF_EQUAL, 1, 0, AF_NETLINK],
    [RETURN, 0, 0, KILL_PROCESS],
    [RETURN, 0, 0, ALLOW],
  ]
  return encode(program)
}

/** linux/audit.h and asm/unistd.h. */
const MACHINES: Readonly<Record<string, { auditArch: number; socketCall: number }>> = {
  x64: { auditArch: 0xc000003e, socketCall: 41 },
  arm64: { auditArch: 0xc00000b7, socketCall: 198 },
}

/** Bytes into `struct seccomp_data`. Of the argument its lower half: the kernel takes the family as an int. */
const OFFSET = { call: 0, arch: 4, firstArgument: 16 }
const X32_BIT = 0x40000000
const AF_UNIX = 1
const AF_NETLINK = 16

/** linux/bpf_common.h: a word loaded from an absolute place; comparison, mask and return value are constants. */
const LOAD = 0x20
const JUMP_IF_EQUAL = 0x15
const AND = 0x54
const RETURN = 0x06

/** linux/seccomp.h */
const KILL_PROCESS = 0x80000000
const ALLOW = 0x7fff0000

/** Code; instructions to skip when true and when false; constant. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, constant: number]

function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8)
  program.forEach(([code, ifTrue, ifFalse, constant], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(constant, index * 8 + 4)
  })
  return bytes
}
