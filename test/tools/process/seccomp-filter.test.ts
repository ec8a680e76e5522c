import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRunner } from '../../../src/tools/process/runner.js'
import { filterOf, socketFilter } from '../../../src/tools/process/seccomp-filter.js'
import { modes, node, order, sandbox, shell, whyNoSandbox } from './orders.js'

const X64 = { arch: 'x64', auditArch: 0xc000003e, socketCall: 41 }
const ARM64 = { arch: 'arm64', auditArch: 0xc00000b7, socketCall: 198 }
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK] = [1, 2, 10, 16, 17, 40]

/** What the kernel does with a filter: the value that the program returns for one system call. */
function judge(program: Uint8Array, call: { auditArch: number; number: number; firstArgument: bigint }): string {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call.number, 0)
  data.writeUInt32LE(call.auditArch, 4)
  data.writeBigUInt64LE(call.firstArgument, 16)
  const code = Buffer.from(program)
  let accumulator = 0
  for (let at = 0; ; at++) {
    const constant = code.readUInt32LE(at * 8 + 4)
    const [ifTrue, ifFalse] = [code.readUInt8(at * 8 + 2), code.readUInt8(at * 8 + 3)]
    switch (code.readUInt16LE(at * 8)) {
      case 0x20:
        accumulator = data.readUInt32LE(constant)
        break
      case 0x54:
        accumulator = (accumulator & constant) >>> 0
        break
      case 0x15:
        at += accumulator === constant ? ifTrue : ifFalse
        break
      case 0x06:
        return constant === 0x7fff0000 ? 'allowed' : constant === 0x80000000 ? 'killed' : `0x${constant.toString(16)}`
      default:
        throw new Error(`instruction ${at} is none that the kernel knows`)
    }
  }
}

describe.each([X64, ARM64])('the filter for $arch', ({ arch, auditArch, socketCall }) => {
  const program = socketFilter(arch) ?? new Uint8Array()
  const socket = (family: number | bigint, number = socketCall) =>
    judge(program, { auditArch, number, firstArgument: BigInt(family) })

  it.each([AF_INET, AF_INET6, AF_PACKET, AF_VSOCK, 0, 45])(
    'ends a process that asks for a socket of family %i',
    (family) => {
      expect(socket(family)).toBe('killed')
    },
  )

  it.each([AF_UNIX, AF_NETLINK])('lets a socket of family %i be', (family) => {
    expect(socket(family)).toBe('allowed')
  })

  it('reads the family as the kernel does: the lower half of the argument', () => {
    expect(socket(BigInt(AF_INET) + (1n << 32n))).toBe('killed')
    expect(socket(BigInt(AF_UNIX) + (0xffffffffn << 32n))).toBe('allowed')
  })

  it('lets every other call be', () => {
    for (let number = 0; number < 600; number++) {
      if (number !== socketCall) expect(socket(AF_INET, number)).toBe('allowed')
    }
  })

  it('lets the calls of another processor be, whose numbers mean something else', () => {
    const other = arch === 'x64' ? ARM64.auditArch : X64.auditArch
    const call = { auditArch: other, number: socketCall, firstArgument: BigInt(AF_INET) }
    expect(judge(program, call)).toBe('allowed')
  })

  it('knows the x32 interface too, which has the same numbers with a bit set', () => {
    expect(socket(AF_INET, 0x40000000 + socketCall)).toBe('killed')
  })

  it('comes to an end whatever is asked: every jump leads forward and into the program', () => {
    const code = Buffer.from(program)
    const count = code.length / 8
    for (let at = 0; at < count; at++) {
      const furthest = at + 1 + Math.max(code.readUInt8(at * 8 + 2), code.readUInt8(at * 8 + 3))
      expect(furthest).toBeLessThan(code.readUInt16LE(at * 8) === 0x06 ? count + 1 : count)
    }
  })
})

it('other processors have none, and neither has who may use a network', () => {
  expect(socketFilter('riscv64')).toBeNull()
  expect(filterOf({})).toBeNull()
  expect(filterOf({ isOffline: true, hasNetwork: true })).toBeNull()
})

const isFiltered = sandbox.kind !== 'none' && filterOf({ isOffline: true }) !== null
const why = isFiltered ? '' : whyNoSandbox || ' (skipped: this kernel has no filters)'
const run = modes[1]?.run ?? createRunner({ sandbox: 'none' })

describe.skipIf(!isFiltered)(`an offline program${why}`, () => {
  const isOffline = true
  const mute = 'process.on("uncaughtException", () => process.exit(0));'

  it.each([
    ['a connection', 'require("node:net").connect(80, "192.0.2.1").on("error", () => process.exit(0))'],
    ['a connection by IPv6', 'require("node:net").connect(80, "2001:db8::1").on("error", () => process.exit(0))'],
    ['a server on the loopback', 'require("node:net").createServer().listen(0, "127.0.0.1", () => process.exit(0))'],
    ['a packet', 'require("node:dgram").createSocket("udp4").send("x", 53, "192.0.2.1", () => process.exit(0))'],
  ])('that asks for %s without a word is stopped and named', async (_, script) => {
    const outcome = await run(node(`${mute}${script}`, { isOffline }))
    expect(outcome).toMatchObject({ stopped: 'network', refused: ['network'], signal: 'SIGSYS', stderr: '' })
  })

  it('is named for a program of its own too, by what the shell says of its end', async () => {
    const connect = 'require("node:net").connect(80, "192.0.2.1").on("error", () => {})'
    const script = `'${process.execPath}' -e '${connect}'; exit 0`
    const readable = [process.execPath]
    expect(await run(shell(script, { isOffline, readable }))).toMatchObject({ exitCode: 0, refused: ['network'] })
  })

  it('may still talk to itself, ask for its name, and see a name not resolved', async () => {
    const script = `const net = require('node:net'), os = require('node:os')
      const server = net.createServer((socket) => socket.end()).listen('./own.sock', () =>
        net.connect('./own.sock').on('close', () => {
          server.close()
          console.log(os.hostname(), Object.keys(os.networkInterfaces()).length)
        }))`
    const outcome = await run(node(script, { isOffline }))
    expect(outcome).toMatchObject({ exitCode: 0, stopped: null, refused: [], stderr: '' })
    expect(outcome.stdout).toMatch(/^sandbox \d\n$/)
  })

  it('sees nothing of how the filter came in, and reads its input all the same', async () => {
    const outcome = await run(shell('cat; ls /proc/self/fd | wc -l', { isOffline, stdin: 'given\n' }))
    expect(outcome.stdout).toBe((await run(shell('cat; ls /proc/self/fd | wc -l', { stdin: 'given\n' }))).stdout)
  })

  it('that crashes is no less a crash', async () => {
    expect(await run(shell('kill -SEGV $$', { isOffline }))).toMatchObject({ signal: 'SIGSEGV', stopped: null })
  })

  it('keeps nobody else from the loopback', async () => {
    const script = 'require("node:net").createServer().listen(0, "127.0.0.1", () => process.exit(7))'
    expect(await run(node(script))).toMatchObject({ exitCode: 7, stopped: null })
  })

  it('runs under one filter that it cannot take off', async () => {
    const outcome = await run(order(['/bin/cat', '/proc/self/status'], { isOffline }))
    expect(/^NoNewPrivs:\s*1$/m.test(outcome.stdout)).toBe(true)
    expect(/^Seccomp:\s*2$/m.test(outcome.stdout)).toBe(true)
    expect(readFileSync('/proc/sys/kernel/seccomp/actions_avail', 'utf8')).toContain('kill_process')
  })
})
