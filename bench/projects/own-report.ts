import { call, must, type PublicPackage } from './public-package.js'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

export interface OwnReport extends Counts {
  seconds: number
  /** The runner printed these counts and then did not end within its limit. */
  isStopped: boolean
}

/** The package's own command in its own environment, made once for each folder. */
export async function prepareOwn({ registry, own }: PublicPackage, folder: string): Promise<void> {
  if (registry === 'pypi') await must(['python3', '-m', 'venv', '--system-site-packages', '.venv'], folder)
  for (const argv of own.prepare) await must(argv, folder)
}

/** What its runner counts, in the words that it prints for people. Throws when it prints no counts. */
export async function ownReport({ runner, own }: PublicPackage, folder: string, timeMs: number): Promise<OwnReport> {
  const { code, output, seconds, isStopped } = await call(own.command, folder, timeMs)
  const counts = READERS[runner](output)
  const ending = isStopped ? `stopped after ${timeMs / 1000} s` : `exit code ${code}`
  if (Number.isNaN(counts.passed)) throw new Error(`${ending}, without counts\n${output.slice(-2_000)}`)
  return { ...counts, seconds, isStopped }
}

const READERS: Record<PublicPackage['runner'], (output: string) => Counts> = {
  'node:test': (output) => ({
    passed: last(output, /^(?:#|ℹ) pass (\d+)/gm, NaN),
    failed: last(output, /^(?:#|ℹ) fail (\d+)/gm),
    skipped: last(output, /^(?:#|ℹ) skipped (\d+)/gm),
  }),
  tape: (output) => ({
    passed: last(output, /^# pass\s+(\d+)/gm, NaN),
    failed: last(output, /^# fail\s+(\d+)/gm),
    skipped: last(output, /^# skip\s+(\d+)/gm),
  }),
  mocha: (output) => ({
    passed: last(output, /^\s*(\d+) passing/gm, NaN),
    failed: last(output, /^\s*(\d+) failing/gm),
    skipped: last(output, /^\s*(\d+) pending/gm),
  }),
  pytest: (output) => ({
    passed: last(output, /\b(\d+) passed\b/g, NaN),
    failed: last(output, /\b(\d+) failed\b/g),
    skipped: last(output, /\b(\d+) skipped\b/g),
  }),
  unittest: (output) => {
    const ran = last(output, /^Ran (\d+) tests?/gm, NaN)
    const failed = last(output, /\bfailures=(\d+)/g) + last(output, /\berrors=(\d+)/g)
    const skipped = last(output, /\bskipped=(\d+)/g)
    // It counts every subtest that fails, and none of those that pass: only the heads tell which are of one test.
    const tests = new Set([...output.matchAll(/^(?:FAIL|ERROR): (\S+ \([^)]*\))/gm)].map(([, test]) => test))
    return { passed: ran - tests.size - skipped, failed, skipped }
  },
}

function last(text: string, pattern: RegExp, none = 0): number {
  const found = [...text.matchAll(pattern)].at(-1)?.[1]
  return found === undefined ? none : Number(found)
}
