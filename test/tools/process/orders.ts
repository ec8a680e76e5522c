import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { ProcessLimits, ProcessOrder } from '../../../src/contracts/process.js'
import { createRunner } from '../../../src/tools/process/runner.js'
import { detectSandbox } from '../../../src/tools/process/sandbox.js'

export const megabyte = 1024 ** 2
export const sandbox = await detectSandbox()
/** Said in the title of what is skipped. */
export const whyNoSandbox = sandbox.kind === 'none' ? ` (skipped: ${sandbox.reason})` : ''
export const hasProc = existsSync('/proc/self/status')
export const hasPrlimit = existsSync('/usr/bin/prlimit') || existsSync('/bin/prlimit')

export const modes = [
  { mode: 'on the bare machine', isThere: true, run: createRunner({ sandbox: 'none' }) },
  {
    mode: `in the sandbox${whyNoSandbox}`,
    isThere: sandbox.kind !== 'none',
    run: createRunner(
      sandbox.kind === 'none' ? { sandbox: 'none' } : { sandbox: 'bubblewrap', bwrapPath: sandbox.path },
    ),
  },
]

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

export function freshFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gauntlet-process-'))
  folders.push(folder)
  return folder
}

const ample: ProcessLimits = {
  timeMs: 20_000,
  memoryBytes: 1024 * megabyte,
  outputBytes: 64 * megabyte,
  processes: 100,
  fileBytes: 64 * megabyte,
}

type Rest = Partial<Omit<ProcessOrder, 'argv' | 'limits'>> & { limits?: Partial<ProcessLimits> }

export function order(argv: readonly [string, ...string[]], rest: Rest = {}): ProcessOrder {
  return { cwd: freshFolder(), ...rest, argv, limits: { ...ample, ...rest.limits } }
}

export function shell(script: string, rest: Rest = {}): ProcessOrder {
  return order(['/bin/sh', '-c', script], { ...rest, env: { PATH: '/usr/bin:/bin', ...rest.env } })
}

export function node(script: string, rest: Rest = {}): ProcessOrder {
  return order([process.execPath, '-e', script], rest)
}

/** A number of seconds nobody else sleeps, so that a sleeper is found again. */
export function sleeperSeconds(): string {
  return `6${Math.floor(Math.random() * 1e9)}`
}

/** Running processes with this word among their arguments. */
export function processesNaming(word: string): string[] {
  return commandLines().filter((line) => line.split(/[\0 ]/).includes(word))
}

function commandLines(): string[] {
  if (!hasProc) return execFileSync('ps', ['-axo', 'args'], { encoding: 'utf8' }).split('\n')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch (error) {
        if (error instanceof Error) return ''
        throw error
      }
    })
}
