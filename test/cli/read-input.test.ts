import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../src/cli/command.js'
import { readInput } from '../../src/cli/read-input.js'

let cwd = ''

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'gauntlet-input-'))
})

afterAll(async () => {
  await rm(cwd, { recursive: true, force: true })
})

/** A cast: reading needs the folder and the signal only. */
const contextOf = (signal = new AbortController().signal) => ({ cwd, signal }) as unknown as Context
const order = { what: 'a review', maxBytes: 10 }

describe('input from standard input', () => {
  it.each([
    [
      'ten bytes, in pieces that cut a letter',
      [Buffer.from([0x61, 0xe4]), Buffer.from([0xb8, 0xad]), 'b'.repeat(6)],
      'a中bbbbbb',
    ],
    ['nothing', [], ''],
  ])('may be %s', async (_, chunks, text) => {
    const stdin = Readable.from(chunks, { objectMode: false })
    expect(await readInput(contextOf(), { ...order, given: undefined, stdin })).toEqual({ name: 'stdin', text })
  })

  it('is refused when it goes on for too long, before it is over', async () => {
    let taken = 0
    const endless = Readable.from(
      (function* () {
        for (;;) yield 'x'.repeat(++taken)
      })(),
    )
    await expect(readInput(contextOf(), { ...order, given: '-', stdin: endless })).rejects.toThrow(
      'stdin: expected at most 10 bytes, got more',
    )
    expect(taken).toBeLessThan(100)
  })

  it('is asked for when nobody pipes anything, unless a dash says that it is meant', async () => {
    const keyboard = () => Object.assign(Readable.from(['ab']), { isTTY: true })
    await expect(readInput(contextOf(), { ...order, given: undefined, stdin: keyboard() })).rejects.toThrow(
      'FILE: expected a file, or a review on stdin, got nothing',
    )
    expect(await readInput(contextOf(), { ...order, given: '-', stdin: keyboard() })).toMatchObject({ text: 'ab' })
  })

  it('may be given up with Ctrl-C', async () => {
    const interrupt = new AbortController()
    const stdin = new Readable({ read: () => undefined })
    const reading = readInput(contextOf(interrupt.signal), { ...order, given: '-', stdin })
    interrupt.abort()
    await expect(reading).rejects.toMatchObject({ name: 'Interrupted' })
  })
})

describe('input from a file', () => {
  it.each<[what: string, bytes: number, isTaken: boolean]>([
    ['at the limit', 10, true],
    ['above it', 11, false],
    ['far above it', 5_000_000_000, false],
  ])('%s: %i bytes', async (_, bytes, isTaken) => {
    await writeFile(join(cwd, 'big.json'), '')
    await truncate(join(cwd, 'big.json'), bytes)
    const reading = readInput(contextOf(), { ...order, given: 'big.json' })
    if (isTaken) expect((await reading).text).toHaveLength(bytes)
    else await expect(reading).rejects.toThrow('FILE big.json: expected at most 10 bytes')
  })
})
