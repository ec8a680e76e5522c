import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acquireLock, liveLeases, takeLease } from '../../src/tools/owned-file.js'
import { isOwnerAlive, ownerProcess } from '../../src/tools/owner-process.js'
import { compileForChildren, type Compiled } from '../support/compiled.js'

let compiled: Compiled
const scratch = mkdtempSync(join(tmpdir(), 'owned-file-'))
let folder: string
let path: string

beforeAll(() => {
  compiled = compileForChildren(['tools/owned-file'])
})
beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'case-'))
  path = join(folder, 'it.lock')
})
afterAll(() => {
  compiled.remove()
  rmSync(scratch, { recursive: true })
})

/** Runs JavaScript in another process, with the module under test as `owned`. */
function other(code: string): ChildProcess {
  const source = `import * as owned from ${JSON.stringify(compiled.fileOf('tools/owned-file'))}\n${code}`
  return spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
}

function saying(child: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()).includes(word) && resolve())
    child.once('exit', () => reject(new Error(`ended without saying ${word}: ${text}`)))
  })
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', resolve))
}

async function killed(child: ChildProcess): Promise<void> {
  const end = ended(child)
  child.kill('SIGKILL')
  await end
}

const holdForever = `await owned.acquireLock(path, { waitMs: 0, note: 'holding' }); console.log('held'); setInterval(() => {}, 1000)`

describe('acquireLock', () => {
  test('a second asker waits, is told who holds it once, and gets it when it is released', async () => {
    const first = await acquireLock(path, { waitMs: 0, note: 'first' })
    const waits: string[] = []
    const second = acquireLock(path, { waitMs: 5000, onWait: (holder) => waits.push(holder.note) })
    setTimeout(() => first.release(), 200)
    ;(await second).release()
    expect(waits).toEqual(['first'])
    expect(readdirSync(folder)).toEqual([])
  })

  test('a lock of a living process is not taken: the wait ends in Tool.TimedOut naming the holder', async () => {
    const child = other(`const path = ${JSON.stringify(path)}; ${holdForever}`)
    await saying(child, 'held')
    const failure = acquireLock(path, { waitMs: 150 })
    await expect(failure).rejects.toMatchObject({
      type: 'Tool.TimedOut',
      message: expect.stringContaining('(holding)'),
    })
    await killed(child)
  })

  test('the lock of a killed process is taken over', async () => {
    const child = other(`const path = ${JSON.stringify(path)}; ${holdForever}`)
    await saying(child, 'held')
    await killed(child)
    expect(existsSync(path)).toBe(true)
    const lock = await acquireLock(path, { waitMs: 1000 })
    lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('a process that got the number of a dead owner is not taken for it', async () => {
    const owner = { pid: process.pid, started: 'at another time' }
    writeFileSync(path, JSON.stringify({ owner, note: 'reused', token: 'x' }))
    const lock = await acquireLock(path, { waitMs: 0 })
    expect(readFileSync(path, 'utf8')).not.toContain('reused')
    lock.release()
  })

  test.each(['', 'null', '{"owner":{"pid":"1"}}', 'not json'])('a file that says %j has no owner', async (text) => {
    writeFileSync(path, text)
    const lock = await acquireLock(path, { waitMs: 0 })
    expect(readFileSync(path, 'utf8')).toContain(`"pid":${process.pid}`)
    lock.release()
  })

  test('a dead breaker does not keep a stale lock alive', async () => {
    const dead = { owner: { pid: 2 ** 22 + 1, started: 'x' }, note: '', token: 'x' }
    writeFileSync(path, JSON.stringify(dead))
    const { createHash } = await import('node:crypto')
    const digest = createHash('sha256').update(JSON.stringify(dead)).digest('hex').slice(0, 12)
    writeFileSync(join(folder, `.stale-${digest}`), JSON.stringify({ ...dead, token: 'y' }))
    ;(await acquireLock(path, { waitMs: 1000 })).release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('releasing twice does not give away the next holder’s lock', async () => {
    const first = await acquireLock(path, { waitMs: 0 })
    first.release()
    const second = await acquireLock(path, { waitMs: 0 })
    first.release()
    expect(existsSync(path)).toBe(true)
    second.release()
  })

  test('four processes that all find the same stale lock hold it one after another', async () => {
    const dead = { owner: { pid: 2 ** 22 + 1, started: 'x' }, note: '', token: 'x' }
    writeFileSync(path, JSON.stringify(dead))
    const counter = join(folder, 'counter')
    writeFileSync(counter, '0')
    // Each adds 1 many times by reading, waiting a moment and writing: two at once would lose additions.
    const code = `
      import { readFileSync, writeFileSync } from 'node:fs'
      for (let i = 0; i < 25; i += 1) {
        const lock = await owned.acquireLock(${JSON.stringify(path)}, { waitMs: 20000 })
        const before = Number(readFileSync(${JSON.stringify(counter)}, 'utf8'))
        await new Promise((done) => setTimeout(done, 1))
        writeFileSync(${JSON.stringify(counter)}, String(before + 1))
        lock.release()
      }`
    const codes = await Promise.all([1, 2, 3, 4].map(() => ended(other(code))))
    expect(codes).toEqual([0, 0, 0, 0])
    expect(readFileSync(counter, 'utf8')).toBe('100')
  })
})

describe('leases', () => {
  test('a lease counts while its process lives, and is swept away afterwards', async () => {
    const child = other(
      `owned.takeLease(${JSON.stringify(folder)}, 'run'); console.log('held'); setInterval(() => {}, 1000)`,
    )
    await saying(child, 'held')
    const own = takeLease(folder, 'up')
    expect(
      liveLeases(folder)
        .map((lease) => lease.note)
        .sort(),
    ).toEqual(['run', 'up'])
    await killed(child)
    expect(liveLeases(folder).map((lease) => lease.note)).toEqual(['up'])
    expect(readdirSync(folder)).toHaveLength(1)
    own.release()
    expect(liveLeases(folder)).toEqual([])
  })

  test('one process may hold several', () => {
    const held = [takeLease(folder, 'a'), takeLease(folder, 'b')]
    expect(liveLeases(folder)).toHaveLength(2)
    held[0]?.release()
    expect(liveLeases(folder).map((lease) => lease.note)).toEqual(['b'])
  })
})

describe('ownerProcess', () => {
  test('names a living process so that it is recognised', () => {
    const owner = ownerProcess(process.pid)
    expect(owner && isOwnerAlive(owner)).toBe(true)
  })

  test.each([0, -1, 2 ** 22 + 1, Number.NaN])('there is no process %d', (pid) => {
    expect(ownerProcess(pid)).toBeNull()
  })
})
