import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { maxKeptBytes } from '../../../src/tools/process/bounded-output.js'
import { createRunner } from '../../../src/tools/process/runner.js'
import {
  freshFolder,
  hasPrlimit,
  hasProc,
  megabyte,
  modes,
  node,
  order,
  processesNaming,
  shell,
  sleeperSeconds,
} from './orders.js'

describe.each(modes)('a program run $mode', ({ isThere, run }) => {
  describe.skipIf(!isThere)('with its limits', () => {
    it('is told by exit code, both streams and their sizes', async () => {
      const outcome = await run(shell('echo out; echo error >&2; exit 3'))
      expect(outcome).toMatchObject({ exitCode: 3, signal: null, stopped: null, stdout: 'out\n', stderr: 'error\n' })
      expect(outcome).toMatchObject({ stdoutBytes: 4, stderrBytes: 6, refused: [] })
    })

    it('gets its arguments as they are, without a shell in between', async () => {
      const words = ['$HOME', '`id`', 'a b', '*', ';', '']
      const outcome = await run(
        order([process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...words]),
      )
      expect(JSON.parse(outcome.stdout)).toEqual(words)
    })

    it('gets its standard input, and none is an empty one', async () => {
      expect((await run(order(['/bin/cat'], { stdin: 'hé\n' }))).stdout).toBe('hé\n')
      expect((await run(order(['/bin/cat'], { stdin: Buffer.from([65]) }))).stdout).toBe('A')
      expect((await run(order(['/bin/cat']))).stdout).toBe('')
    })

    it('may end without reading a large input', async () => {
      const outcome = await run(shell('exit 0', { stdin: Buffer.alloc(8 * megabyte) }))
      expect(outcome.exitCode).toBe(0)
    })

    it('inherits nothing of our environment', async () => {
      const outcome = await run(node('console.log(JSON.stringify(process.env))', { env: { ONE: '1' } }))
      const { PWD: _folder, GAUNTLET_PROCESS: _mark, ...env } = JSON.parse(outcome.stdout) as Record<string, string>
      expect(env).toEqual({ ONE: '1' })
    })

    it('starts in its folder and may write there', async () => {
      const cwd = freshFolder()
      const outcome = await run(shell('pwd; echo hello > made', { cwd }))
      expect(outcome.stdout).toBe(`${cwd}\n`)
      expect(readdirSync(cwd)).toEqual(['made'])
    })

    it.each(['SEGV', 'ABRT', 'TERM', 'KILL', 'BUS'])('killed by %s is told by the name of the signal', async (name) => {
      const outcome = await run(shell(`kill -${name} $$`))
      expect(outcome).toMatchObject({ exitCode: null, signal: `SIG${name}`, stopped: null })
    })

    it('that runs too long is killed on time', async () => {
      const seconds = sleeperSeconds()
      const outcome = await run(shell(`sleep ${seconds} & sleep ${seconds}`, { limits: { timeMs: 300 } }))
      expect(outcome).toMatchObject({ exitCode: null, signal: 'SIGKILL', stopped: 'time' })
      expect(outcome.durationMs).toBeGreaterThanOrEqual(290)
      expect(outcome.durationMs).toBeLessThan(10_000)
      expect(processesNaming(seconds)).toEqual([])
    })

    it.each(['', ' >&2'])('that prints without end is stopped early, its ends kept (%s)', async (target) => {
      const script = `echo first${target}; exec cat /dev/zero${target}`
      const outcome = await run(shell(script, { limits: { outputBytes: 4 * megabyte } }))
      expect(outcome.stopped).toBe('output')
      expect(outcome.durationMs).toBeLessThan(15_000)
      expect(outcome.stdoutBytes + outcome.stderrBytes).toBeGreaterThan(4 * megabyte)
      const kept = target === '' ? outcome.stdout : outcome.stderr
      expect(kept.startsWith('first\n')).toBe(true)
      expect(kept).toMatch(/\n\[\d+ bytes left out\]\n/)
      expect(kept.length).toBeLessThan(2 * maxKeptBytes + 100)
    })

    it.skipIf(!hasProc)('that forks without end is stopped, with all it started', async () => {
      const seconds = sleeperSeconds()
      const outcome = await run(shell(`while :; do sleep ${seconds} & done`, { limits: { processes: 30 } }))
      expect(outcome.stopped).toBe('processes')
      expect(outcome.durationMs).toBeLessThan(15_000)
      expect(processesNaming(seconds)).toEqual([])
    })

    it.skipIf(!hasProc)('is counted with its daemons and threads', async () => {
      const seconds = sleeperSeconds()
      const script = `while :; do (setsid sleep ${seconds} >/dev/null 2>&1 &); done`
      const outcome = await run(shell(script, { limits: { processes: 30 } }))
      expect(outcome.stopped).toBe('processes')
      expect(processesNaming(seconds)).toEqual([])
    })

    it.skipIf(!hasProc)('that eats memory is stopped at its limit', async () => {
      const script = 'const all = []; for (;;) all.push(Buffer.alloc(8 << 20, 1))'
      const outcome = await run(node(script, { limits: { memoryBytes: 200 * megabyte } }))
      expect(outcome.stopped).toBe('memory')
      expect(outcome.peakMemoryBytes).toBeGreaterThan(180 * megabyte)
    })

    it.skipIf(!hasProc)('is held to its memory as a whole tree', async () => {
      const eater = 'const a = Buffer.alloc(90 << 20, 1); setTimeout(() => a, 15_000)'
      const script = `for (let i = 0; i < 3; i++) child_process.spawn(process.execPath, ['-e', ${JSON.stringify(eater)}])`
      const outcome = await run(node(script, { limits: { memoryBytes: 260 * megabyte } }))
      expect(outcome).toMatchObject({ stopped: 'memory' })
      expect(outcome.durationMs).toBeLessThan(10_000)
    })

    it.skipIf(!hasPrlimit)('that writes a file too large is stopped', async () => {
      const cwd = freshFolder()
      const outcome = await run(
        order(['/bin/dd', 'if=/dev/zero', 'of=big', 'bs=65536', 'count=320'], { cwd, limits: { fileBytes: megabyte } }),
      )
      expect(outcome.stopped).toBe('file_size')
    })

    it.skipIf(!hasPrlimit)('that is refused a large file and says so itself counts as stopped', async () => {
      const script = "require('node:fs').writeFileSync('big', Buffer.alloc(4 << 20))"
      const outcome = await run(node(script, { limits: { fileBytes: megabyte } }))
      expect(outcome.stopped).toBe('file_size')
    })

    it('is done when it ends, whatever its grandchildren do with its pipes', async () => {
      const seconds = sleeperSeconds()
      const outcome = await run(shell(`(sleep ${seconds} &) ; echo done`))
      expect(outcome).toMatchObject({ exitCode: 0, stopped: null, stdout: 'done\n' })
      expect(outcome.durationMs).toBeLessThan(10_000)
      expect(processesNaming(seconds)).toEqual([])
    })

    it.skipIf(!hasProc)('leaves no daemon of a session of its own behind', async () => {
      const seconds = sleeperSeconds()
      const script = `(setsid sleep ${seconds} </dev/null >/dev/null 2>&1 &); sleep 0.2; echo started`
      expect((await run(shell(script))).stdout).toBe('started\n')
      expect(processesNaming(seconds)).toEqual([])
    })

    it('that is cancelled is dead with all its children', async () => {
      const seconds = sleeperSeconds()
      const controller = new AbortController()
      const pending = run(shell(`sleep ${seconds} & sleep ${seconds} & wait`, { signal: controller.signal }))
      await delay(200)
      expect(processesNaming(seconds).length).toBeGreaterThan(0)
      const cancelledAt = performance.now()
      controller.abort()
      expect(await pending).toMatchObject({ stopped: 'cancelled', exitCode: null })
      expect(performance.now() - cancelledAt).toBeLessThan(5000)
      expect(processesNaming(seconds)).toEqual([])
    })

    it.each([0, 1, 2, 4, 8])('cancelled %i ms after the start leaves nothing', async (ms) => {
      const seconds = sleeperSeconds()
      const controller = new AbortController()
      const pending = run(order(['/bin/sleep', seconds], { signal: controller.signal }))
      await delay(ms)
      controller.abort()
      expect((await pending).stopped).toBe('cancelled')
      expect(processesNaming(seconds)).toEqual([])
    })

    it('that was cancelled before does not start', async () => {
      const cwd = freshFolder()
      const outcome = await run(shell('echo > made', { cwd, signal: AbortSignal.abort() }))
      expect(outcome).toMatchObject({ stopped: 'cancelled', exitCode: null, signal: null })
      expect(readdirSync(cwd)).toEqual([])
    })

    it('that is not there is missing, in one line', async () => {
      const folder = freshFolder()
      writeFileSync(join(folder, 'text'), 'hello')
      writeFileSync(join(folder, 'script'), '#!/no/such/interpreter\n')
      chmodSync(join(folder, 'script'), 0o755)
      const programs = [
        '/no/such/program',
        folder,
        join(folder, 'text'),
        'sh',
        ...(hasPrlimit ? [join(folder, 'script')] : []),
      ]
      for (const program of programs) {
        const failure = await run(order([program])).catch((error: unknown) => error)
        expect({ program, failure }).toMatchObject({ program, failure: { type: 'Tool.Missing' } })
        expect(String(failure)).toMatch(/^[^\n]+$/)
      }
    })

    it.each(['/', '/usr', '/tmp', '/proc/self', 'relative', '/no/such/folder'])('refuses to run in %s', async (cwd) => {
      await expect(run(shell('true', { cwd }))).rejects.toMatchObject({ type: 'Contract.Violated' })
    })

    it.each([
      ['a zero byte in an argument', 'a\0b'],
      ['an argument too long for the system', 'x'.repeat(4 * megabyte)],
    ])('cannot be started with %s, in one short line', async (_name, argument) => {
      const failure: unknown = await run(order(['/bin/echo', argument])).catch((error: unknown) => error)
      expect(failure).toMatchObject({ type: 'Tool.Failed' })
      expect(String(failure)).toMatch(/^[^\n\0]{1,400}$/)
    })

    it('may be a link from elsewhere', async () => {
      const folder = freshFolder()
      mkdirSync(join(folder, 'bin'))
      symlinkSync(process.execPath, join(folder, 'bin', 'linked'))
      const outcome = await run(order([join(folder, 'bin', 'linked'), '-p', '1 + 1']))
      expect(outcome.stdout).toBe('2\n')
    })

    it.skipIf(!hasProc)('shows its peak memory once it lived long enough to be seen', async () => {
      const outcome = await run(node('const a = Buffer.alloc(64 << 20, 1); setTimeout(() => a, 300)'))
      expect(outcome.peakMemoryBytes).toBeGreaterThan(64 * megabyte)
    })
  })
})

describe('without a sandbox', () => {
  const run = createRunner({ sandbox: 'none' })

  it('an exit code of 139 stays what it is', async () => {
    expect(await run(shell('exit 139'))).toMatchObject({ exitCode: 139, signal: null, isSandboxed: false })
  })

  it.skipIf(!existsSync('/usr/bin/setsid'))(
    'a process that left tree, session and environment cannot hang us',
    async () => {
      const cwd = freshFolder()
      const startedAt = performance.now()
      const outcome = await run(shell('(env -i setsid sleep 60 & echo $! > pid); sleep 0.1; echo done', { cwd }))
      expect(outcome.stdout).toBe('done\n')
      expect(performance.now() - startedAt).toBeLessThan(20_000)
      // Only a sandbox finds this one: the test ends it by itself.
      process.kill(Number(readFileSync(join(cwd, 'pid'), 'utf8')), 'SIGKILL')
    },
  )
})
