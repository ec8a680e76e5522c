import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { z } from 'zod'
import { GatesConfig } from '../../src/contracts/quality.js'
import { runProgram } from '../../src/tools/download/run-program.js'
import { GATE_LIMITS } from '../../src/tools/gates/gate-box.js'

const Argv = z.array(z.string()).min(1)

/** A package of somebody else's, and what is broken in it. Written down before any of its tests ran; not to be tuned. */
const PublicPackage = z.strictObject({
  name: z.string(),
  version: z.string(),
  registry: z.enum(['npm', 'pypi']),
  /** Who counts in its own report. */
  runner: z.enum(['node:test', 'tape', 'mocha', 'pytest', 'unittest']),
  own: z.strictObject({ prepare: z.array(Argv), command: Argv }),
  /** What its users would have to write, where no preset reads its runner. */
  gauntlet: GatesConfig.nullable(),
  function: z.string(),
  edit: z.strictObject({ file: z.string(), find: z.string(), replace: z.string() }),
  /** Its own files of tests for that function. */
  tests: z.array(z.string()).min(1),
})
export type PublicPackage = z.infer<typeof PublicPackage>

export async function readPackages(): Promise<PublicPackage[]> {
  const text = await readFile(new URL('packages.json', import.meta.url), 'utf8')
  return z.array(PublicPackage).parse(JSON.parse(text))
}

export interface Called {
  code: number | null
  output: string
  seconds: number
  /** True when it did not end within its limit. */
  isStopped: boolean
}

/** Runs a program as a person would, in their environment. How it ends is an answer; one that is not there throws. */
export async function call(argv: readonly string[], cwd: string, timeMs: number = GATE_LIMITS.timeMs): Promise<Called> {
  const [program = '', ...args] = argv
  const { CI: _ci, NODE_OPTIONS: _options, VITEST: _vitest, NODE_ENV: _env, ...rest } = process.env
  // A virtual environment of the package's, where there is one.
  const path = [join(cwd, '.venv/bin'), rest['PATH']].join(delimiter)
  // No program changes its folder for us.
  const order = ['env', '--chdir', cwd, program, ...args] as const
  const env = { ...rest, PATH: path, NO_COLOR: '1' }
  const began = performance.now()
  const { code, ended, stdout, stderr } = await runProgram({ argv: order, env, timeMs })
  if (ended === 'missing') throw new Error(`${argv.join(' ')}: not found`)
  const seconds = (performance.now() - began) / 1000
  return { code, output: `${stdout}\n${stderr}`, seconds, isStopped: ended === 'stopped' }
}

/** The same, where only success will do. */
export async function must(argv: readonly string[], cwd: string): Promise<void> {
  const { code, output, isStopped } = await call(argv, cwd)
  const ending = isStopped ? 'did not end' : `exit code ${code}`
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${ending}\n${output.slice(-2_000)}`)
}
