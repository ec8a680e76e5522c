import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { ownerMark } from '../../../src/tools/folder/owner-mark.js'
import { sweepScratch } from '../../../src/tools/folder/scratch.js'
import { endLeftovers, markName } from '../../../src/tools/process/end-leftovers.js'
import { argvOf, childrenOf, isAlive } from '../../../src/tools/process/process-table.js'
import { sandboxArgv } from '../../../src/tools/process/sandbox-argv.js'
import { freshFolder, hasProc, order, sandbox, whyNoSandbox } from './orders.js'

const bwrap = sandbox.kind === 'none' ? '' : sandbox.path

const started: ChildProcess[] = []
afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')))

function start(argv: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}): number {
  const [file = '', ...args] = argv
  // bubblewrap's status, then what holds its set-up up for ever: a pipe nobody writes to.
  const child = spawn(file, args, {
    env: {},
    ...options,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  started.push(child)
  return child.pid ?? 0
}

/** A scratch folder whose owner is a process that is over, or this one. */
async function scratchOf(owner: 'dead' | 'alive'): Promise<{ root: string; name: string; folder: string }> {
  const root = freshFolder()
  const [machine = '', , begun = ''] = ownerMark().split('-')
  const mark = owner === 'alive' ? ownerMark() : `${machine}-${await pidOfDead()}-${begun}`
  const name = `${mark}-AbCdEf`
  mkdirSync(join(root, name, 'inner'), { recursive: true })
  return { root, name, folder: join(root, name) }
}

async function pidOfDead(): Promise<number> {
  const child = spawn('/bin/true')
  await new Promise((resolve) => child.once('exit', resolve))
  return child.pid ?? 0
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !isTrue(); turn++) await sleep(10)
  expect(isTrue()).toBe(true)
}

describe.skipIf(!hasProc)('what a killed owner left running', () => {
  /** The child that bubblewrap leaves when it is killed before it has let it go on. */
  async function unborn(folder: string): Promise<number> {
    // bubblewrap's way to hold itself up does not go with that one.
    const rest = sandboxed(folder).filter((word) => word !== bwrap && word !== '--disable-userns')
    const outside = start([bwrap, '--unshare-user', '--userns-block-fd', '4', '--info-fd', '5', ...rest])
    await until(() => childrenOf(outside).length === 1)
    const [inside = 0] = childrenOf(outside)
    process.kill(outside, 'SIGKILL')
    await until(() => !isAlive(outside))
    return inside
  }

  function sandboxed(folder: string): string[] {
    return sandboxArgv({ bwrap }, order(['/bin/sleep', '600'], { cwd: join(folder, 'inner') }), '/bin/sleep')
  }

  it.skipIf(bwrap === '')(`is ended with the sweep, a sandbox that was never born too${whyNoSandbox}`, async () => {
    const { root, folder } = await scratchOf('dead')
    const orphan = await unborn(folder)
    const whole = start(sandboxed(folder))
    await until(() => childrenOf(whole).flatMap(childrenOf).length === 1)
    await sleep(50)
    expect([isAlive(orphan), isAlive(whole)]).toEqual([true, true])
    expect(readlinkSync(`/proc/${orphan}/exe`)).toContain('bwrap')
    const inside = childrenOf(whole)
    expect(await sweepScratch(root)).toBe(1)
    expect([orphan, whole].map(isAlive)).toEqual([false, false])
    await until(() => !inside.some(isAlive))
    expect(readdirSync(root)).toEqual([])
  })

  it.skipIf(bwrap === '')(`is left alone while the owner lives${whyNoSandbox}`, async () => {
    const { root, folder } = await scratchOf('alive')
    const whole = start(sandboxed(folder))
    await until(() => childrenOf(whole).length === 1)
    expect(await sweepScratch(root)).toBe(0)
    expect(isAlive(whole)).toBe(true)
  })

  it('is ended without a sandbox too, where it works in the folder and carries our mark', async () => {
    const { root, folder } = await scratchOf('dead')
    const pid = start(['/bin/sleep', '600'], { cwd: join(folder, 'inner'), env: { [markName]: 'x' } })
    expect(await sweepScratch(root)).toBe(1)
    expect(isAlive(pid)).toBe(false)
  })

  it("is nobody else's program: an editor, a shell in the folder, another bubblewrap", async () => {
    const { name, folder } = await scratchOf('dead')
    const others = [
      start(['/bin/sh', '-c', 'sleep 600; true', folder]),
      start(['/bin/sleep', '600'], { cwd: folder }),
      start(['/bin/sh', '-c', 'sleep 600; true', 'bwrap', '--json-status-fd', folder]),
      start(['/bin/sleep', '600'], { env: { [markName]: name } }),
    ]
    await until(() => others.every((pid) => /sleep|sh/.test(argvOf(pid)[0] ?? '')))
    expect(await endLeftovers(new Set([name]))).toBe(0)
    expect(others.every(isAlive)).toBe(true)
  })
})
