import { readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Artifact } from '../../src/contracts/artifact.js'
import type { CirctTool, MinimizeResult, SourceLanguage } from '../../src/contracts/circt.js'
import { Failure } from '../../src/contracts/failures.js'
import { analyzeRootCause } from '../../src/tools/circt/analyze-root-cause.js'
import type { CirctBox, Toolchain } from '../../src/tools/circt/circt-box.js'
import { generateIssue } from '../../src/tools/circt/generate-issue.js'
import { minimizeCase } from '../../src/tools/circt/minimize-case.js'
import { reproduceCrash } from '../../src/tools/circt/reproduce-crash.js'
import { createToolchains } from '../../src/tools/circt/toolchain.js'
import { validateCase } from '../../src/tools/circt/validate-case.js'
import { findProgram } from '../../src/tools/find-program.js'
import { stateHome } from '../../src/tools/state-home.js'
import { boxedCase, testFolder } from '../support/circt-case.js'

/** Failures of CIRCT 1.155.0 that we found ourselves, through all steps with the real programs: see CONTRIBUTING.md for CIRCT_BIN. */
const VERSION = '1.155.0'
const root = testFolder('toolchain')
const toolchain = await wholeToolchain()
if (toolchain === null)
  console.log(`left out: CIRCT ${VERSION} with circt-opt and circt-verilog is neither here nor to be had`)
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function wholeToolchain(): Promise<Toolchain | null> {
  const progress = (line: string) => console.log(line)
  const toolchains = createToolchains({ home: stateHome(process.env), env: process.env, circtBin: null, progress })
  try {
    const found = await toolchains.toolchainFor(VERSION)
    return found.has('circt-opt') && found.has('circt-verilog') ? found : null
  } catch (error) {
    if (error instanceof Failure && error.type === 'Tool.Missing') return null
    throw error
  }
}

interface Found {
  /** In test/fixtures/circt. */
  file: string
  tool: CirctTool
  flags: string[]
  kind: string
  pass: string | null
  /** What the reduced source may have at most. */
  lines: number
  title: RegExp
  onePass: boolean
}

const FOUND: Found[] = [
  {
    file: 'sum-of-memory.mlir',
    tool: 'circt-opt',
    flags: ['--insert-merge-blocks'],
    kind: 'crash',
    pass: 'InsertMergeBlocks',
    lines: 3,
    title: /^\[circt-opt\] Segmentation fault in InsertMergeBlocks/,
    onePass: false,
  },
  {
    file: 'opcode-match.sv',
    tool: 'circt-verilog',
    flags: [],
    kind: 'verifier_error',
    pass: null,
    lines: 5,
    title: /^\[Moore\] Verifier error: 'moore\.eq' op requires all operands to have the same type$/,
    onePass: false,
  },
  {
    file: 'sum-of-memory.mlir',
    tool: 'circt-opt',
    flags: ['--lower-handshake-to-hw'],
    kind: 'memory',
    pass: 'HandshakeToHW',
    lines: 3,
    title: /^\[Handshake\] Unbounded memory use in HandshakeToHW/,
    onePass: false,
  },
  {
    file: 'one-register.mlir',
    tool: 'circt-opt',
    flags: ['--canonicalize', '--calyx-compile-control', '--calyx-remove-groups'],
    kind: 'crash',
    pass: 'CompileControl',
    lines: 16,
    title: /^\[Calyx\] Segmentation fault in CompileControl/,
    onePass: true,
  },
]

describe.skipIf(toolchain === null).each(FOUND)('$tool $flags on $file', (found) => {
  let box: CirctBox
  let steps: Awaited<ReturnType<typeof throughAllSteps>>
  beforeAll(async () => {
    steps = await throughAllSteps(found)
    box = steps.box
  }, 300_000)

  it('is reproduced, traced to its pass, and worth a report', () => {
    const { reproduce, analysis, validate } = steps
    expect(reproduce).toMatchObject({ reproduced: true, reproduced_runs: 3 })
    expect(reproduce.signature?.kind).toBe(found.kind)
    expect(analysis.failing_pass).toBe(found.pass)
    expect(validate.result).toBe('report')
  })

  it('is reduced to what it needs', () => {
    const { minimize } = steps
    expect(minimize.signature.kind).toBe(found.kind)
    expect(minimize.minimized_lines).toBeLessThanOrEqual(found.lines)
    expect(minimize.is_one_minimal).toBe(true)
    expect(minimize.artifacts.some(({ name }) => name === 'one-pass.mlir')).toBe(found.onePass)
  })

  it('becomes an issue without addresses and boilerplate', async () => {
    const { title, text } = steps.issue
    expect(title).toMatch(found.title)
    expect(text).not.toMatch(/0x[0-9a-f]{6}|PLEASE submit|Stack dump:|\/tmp\//)
    if (found.onePass) expect(text).toMatch(/## Reduced MLIR[\s\S]*circt-opt --\S+ one-pass\.mlir/)
    expect(await box.store.get(steps.issue.artifact)).toBeDefined()
  })
})

async function throughAllSteps({ file, tool, flags }: Found) {
  const source = readFileSync(new URL(`../fixtures/circt/${file}`, import.meta.url), 'utf8')
  const language = file.split('.').at(-1) as SourceLanguage
  const command = { tool, version: VERSION, args: [...flags, '{input}'] }
  const made = await boxedCase(root, toolchain, { source, language, command })
  const box = { ...made.box, gdb: findProgram('gdb', process.env), parallelism: 2 }
  const { order } = made
  const reproduce = await reproduceCrash(order, box)
  const analysis = await analyzeRootCause(order, box)
  const minimize: MinimizeResult = await minimizeCase(order, box)
  const validate = await validateCase({ ...order, minimize }, box)
  const all = { ...order, reproduce, root_cause_analysis: analysis, minimize, validate, check_duplicates: null }
  const { title, artifacts } = await generateIssue(all, box)
  const artifact = artifacts[0] as Artifact
  const text = (await box.store.get(artifact)).toString()
  return { box, reproduce, analysis, minimize, validate, issue: { title, text, artifact } }
}
