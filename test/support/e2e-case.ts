import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from '../../src/contracts/failures.js'
import { createToolchains } from '../../src/tools/circt/toolchain.js'
import { testCache } from './temporal.js'

const example = fileURLToPath(new URL('../../examples/circt/command-queue/', import.meta.url))

/** A few seconds of work with a reduction of a few hundred runs: the memory of the bundled example, which is what crashes. */
const SMALL_SOURCE = `FIRRTL version 3.3.0
circuit Slots :
  module Slots :
    input clock : Clock
    input reset : UInt<1>
    input push : UInt<1>
    input at : UInt<3>
    input payload : UInt<8>
    output full : UInt<1>

    regreset count : UInt<4>, clock, reset, UInt<4>(0)
    cmem slots : {|Burst : UInt<8>, Write : UInt<8>|}[8]
    node isFull = eq(count, UInt<4>(8))
    connect full, isFull
    when and(push, not(isFull)) :
      write mport last = slots[at], clock
      connect last, {|Burst : UInt<8>, Write : UInt<8>|}(Burst, payload)
      connect count, tail(add(count, UInt<4>(1)), 1)
`

const ISSUES = [
  {
    number: 7,
    title: '[Moore] queue literals are not supported',
    state: 'open',
    html_url: 'https://github.com/llvm/circt/issues/7',
  },
]

/** Makes the case folder `root/name` and `root/issues.json`; returns its path. */
export function makeCase(root: string, name: string, size: 'small' | 'example' = 'small'): string {
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  for (const file of ['source.fir', 'error.txt']) cpSync(join(example, file), join(folder, file))
  if (size === 'small') writeFileSync(join(folder, 'source.fir'), SMALL_SOURCE)
  writeFileSync(join(root, 'issues.json'), JSON.stringify(ISSUES))
  return folder
}

/** Folder of the firtool the case crashes (21 MB, fetched once), or why it cannot be had. */
export async function findFirtool(): Promise<{ folder: string } | { missing: string }> {
  const toolchains = createToolchains({
    home: testCache(),
    env: { ...process.env, GAUNTLET_CACHE: testCache() },
    circtBin: null,
    progress: () => undefined,
  })
  try {
    const { version, pathOf } = await toolchains.toolchainFor('1.62.1')
    if (version !== '1.62.1') return { missing: `firtool 1.62.1 cannot be had, only ${version}` }
    return { folder: dirname(pathOf('firtool')) }
  } catch (error) {
    if (error instanceof Failure) return { missing: error.message }
    throw error
  }
}

/**
 * What a run left in its folder, without what differs between two undisturbed runs too: moments, durations, memory, addresses the
 * system gave to the C library, and how many runs the reduction needed (parallel runs that were not needed count, too).
 */
export function reportOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name !== 'minimize.log')
  return Object.fromEntries(names.map((name) => [name, steady(name, readFileSync(join(folder, name), 'utf8'))]))
}

/** Files that must be the same to the byte. */
export const STEADY_FILES = ['bug.fir', 'analysis.json', 'command.txt', 'duplicates.md', 'validation.md', 'source.fir']

function steady(name: string, text: string): string {
  if (STEADY_FILES.includes(name)) return text
  if (name === 'status.json') return steadyStatus(text)
  if (name === 'minimize_report.md') return text.split(/^Oracle runs:|^## Passes/mu)[0] ?? ''
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'MOMENT')
    .replaceAll(/0x00007[0-9a-f]{11}/gu, 'ADDRESS')
    .replaceAll(/\d+ ms\b/gu, 'DURATION')
    .replaceAll(/\d+ MB\b/gu, 'MEMORY')
}

function steadyStatus(text: string): string {
  // The input is left out: its digest names the run, too.
  const { status, phase, phases, steps, error } = JSON.parse(text) as {
    [name: string]: unknown
    steps: Record<string, { completed: boolean; files?: string[] }>
  }
  const done = Object.entries(steps).map(([name, { completed, files }]) => [name, completed, files])
  return JSON.stringify({ status, phase, phases, done, error }, null, 1)
}
