import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { AnalysisFile, ValidationFile } from '../../../src/contracts/circt-files.js'
import { analyzeFromError } from '../../../src/tools/circt/analyze-from-error.js'
import { analyzeRootCause } from '../../../src/tools/circt/analyze-root-cause.js'
import { commandOfErrorText, defaultCommand, parseCommand } from '../../../src/tools/circt/case-command.js'
import { findSources } from '../../../src/tools/circt/find-sources.js'
import { reproduceCrash } from '../../../src/tools/circt/reproduce-crash.js'
import { validateCase } from '../../../src/tools/circt/validate-case.js'
import { boxedCase, installedFirtool, scriptedToolchain, testFolder, UNREDUCED } from '../../support/circt-case.js'

const root = testFolder('steps')
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Rejects "bad" in its parser, "worse" only later, with a place; dies on "boom". */
const COMPILER = `
for input in "$@"; do case "$input" in *.fir) break;; esac; done
text=$(cat "$input")
case "$text" in *bad*) echo "$input:1:1: error: expected 'FIRRTL'" >&2; exit 1;; esac
case "$text" in *narrow*) echo "$input:1:1: error: amount must be less than the width" >&2; exit 1;; esac
case "$*" in *--parse-only*) exit 0;; esac
case "$text" in
  *worse*) echo "$input:1:1: error: detected cycle" >&2; exit 1;;
  *boom*) echo "LLVM ERROR: no way" >&2; kill -ABRT $$;;
esac`
const toolchain = scriptedToolchain(root, 'firtool', COMPILER)

describe('validateCase', () => {
  it.each([
    ['boom', 'report', 'valid'],
    ['bad', 'invalid_testcase', 'invalid'],
    ['worse', 'not_a_bug', 'valid'],
    ['narrow', 'not_a_bug', 'valid'],
    ['fine', 'report', 'valid'],
    ['', 'invalid_testcase', 'valid'],
  ])('%j is %s', async (source, result, syntax) => {
    const { box, order } = await boxedCase(root, toolchain, { source })
    const verdict = await validateCase({ ...order, minimize: UNREDUCED }, box)
    const file = ValidationFile.parse(JSON.parse(String(await box.store.get(verdict.artifacts[0]!))))
    expect(file).toMatchObject({
      classification: { result: verdict.result },
      syntax_check: { status: syntax, tool: 'firtool --parse-only' },
    })
    expect(verdict.result).toBe(result)
  })

  it('judges the reduced case, not the source it came from', async () => {
    const { box, order } = await boxedCase(root, toolchain, { source: 'boom and worse' })
    const reduced = await box.store.put('bug.fir', 'boom', 'text/plain')
    expect(await validateCase({ ...order, minimize: { ...UNREDUCED, artifacts: [reduced] } }, box)).toMatchObject({
      result: 'report',
    })
  })

  it.each(['fine', 'bad'])(
    'holds a crash that the reduction saw against the compiler when it hides: %j',
    async (source) => {
      const { box, order } = await boxedCase(root, toolchain, { source })
      const minimize = { ...UNREDUCED, signature: { ...UNREDUCED.signature, kind: 'crash' as const } }
      expect(await validateCase({ ...order, minimize }, box)).toMatchObject({
        result: 'report',
        reason: 'The compiler itself fails (crash): no source may cause that.',
      })
    },
  )

  it('fails without the tool', async () => {
    const { box, order } = await boxedCase(root, null, { source: 'boom' })
    await expect(validateCase({ ...order, minimize: UNREDUCED }, box)).rejects.toMatchObject({ type: 'Tool.Missing' })
  })
})

describe('analyzeRootCause', () => {
  it('takes over the assertion of a build that has them', async () => {
    const errorText = "circt-opt: lib/X.cpp:12: void circt::f(): Assertion `a' failed."
    const { box, order } = await boxedCase(root, toolchain, { source: 'boom', errorText })
    const result = await analyzeRootCause(order, box)
    const file = AnalysisFile.parse(JSON.parse(String(await box.store.get(result.artifacts[0]!))))
    expect(file).toMatchObject({ degraded: false, assertion_message: 'a' })
  })
})

describe('analyzeRootCause of a crash that hides', () => {
  const errorText = "circt-opt: lib/X.cpp:12: void circt::f(): Assertion `a' failed."

  it.each([
    ['in some runs waits for it', 2, 'segfault'],
    ['in all runs reads what is reported', 1_000, 'assertion'],
  ])('%s', async (_, hidden, crashType) => {
    const { box, order } = await boxedCase(root, toolchain, { source: 'crash', errorText })
    let runs = 0
    const run: typeof box.run = async (asked) => {
      runs += 1
      const script = runs <= hidden ? 'echo "x.fir:1:1: error: odd" >&2; exit 1' : 'kill -SEGV $$'
      return box.run({ ...asked, argv: ['/bin/sh', '-c', script] })
    }
    expect(await analyzeRootCause(order, { ...box, run })).toMatchObject({ crash_type: crashType })
  })
})

describe('analyzeFromError', () => {
  it('needs no tool and says that it is degraded', async () => {
    const errorText = "circt-opt: lib/X.cpp:12: void circt::f(): Assertion `a' failed."
    const { box, order } = await boxedCase(root, null, { source: 'boom', errorText })
    const result = await analyzeFromError(order, box)
    const file = AnalysisFile.parse(JSON.parse(String(await box.store.get(result.artifacts[0]!))))
    expect(result).toMatchObject({
      degraded: true,
      crash_type: 'assertion',
      artifacts: [{}, { name: 'root_cause.md' }, {}],
    })
    expect(file).toMatchObject({
      analysis_type: 'fallback',
      assertion_message: 'a',
      crash_location: { file: 'lib/X.cpp', line: 12 },
    })
  })
})

describe('findSources', () => {
  it('ranks the file that defines the failing function before the one that defines the pass', async () => {
    mkdirSync(join(root, 'circt/lib/Conversion/X'), { recursive: true })
    writeFileSync(join(root, 'circt/lib/Conversion/X/Pass.cpp'), '#define GEN_PASS_DEF_SCFTOCALYX\n')
    writeFileSync(join(root, 'circt/lib/Conversion/X/Build.cpp'), 'void BuildControl::build(int) {}\n')
    const frames = ['mlir::SuccessorRange::SuccessorRange', 'circt::scftocalyx::BuildControl::build']
    const question = {
      checkout: join(root, 'circt'),
      failingPass: 'SCFToCalyx',
      frames,
      signal: new AbortController().signal,
    }
    const found = await findSources(question)
    expect(found.map(({ path }) => path)).toEqual(['lib/Conversion/X/Build.cpp', 'lib/Conversion/X/Pass.cpp'])
    expect(await findSources({ ...question, checkout: join(root, 'nowhere') })).toEqual([])
  })
})

describe('the command of a case', () => {
  it('is refused with the field, what came and what is expected', () => {
    expect(() => parseCommand('firtool {input} | sh', 'source.fir')).toThrow(
      /^command: expected one tool.*got 'firtool {input} \| sh': "\|" is a pipe$/,
    )
  })

  it('comes from error.txt, with the source in its place even when it came by a pipe', () => {
    expect(commandOfErrorText('cat a.fir | firtool-1.62.1/firtool --ir-hw\nfirtool: x', 'source.fir')).toEqual({
      tool: 'firtool',
      version: '1.62.1',
      args: ['--ir-hw', '{input}'],
    })
    expect(commandOfErrorText('error: nothing', 'source.fir')).toBeNull()
  })

  it('has a default per language, with the release that the stack dump names', () => {
    expect(defaultCommand('fir', ' #0 0x1 f(int) (firtool-1.62.1/firtool+0x1)')).toEqual({
      tool: 'firtool',
      version: '1.62.1',
      args: ['{input}'],
    })
  })
})

const demo = fileURLToPath(new URL('../../../examples/circt/command-queue/', import.meta.url))
const folder = installedFirtool('1.62.1')

describe('the bundled command queue', () => {
  it('has an error text that names its command and its bug, and no path of a machine', () => {
    const errorText = readFileSync(join(demo, 'error.txt'), 'utf8')
    expect(commandOfErrorText(errorText, 'source.fir')).toEqual({
      tool: 'firtool',
      version: '1.62.1',
      args: ['{input}'],
    })
    expect(errorText).not.toMatch(/(?:^|[\s(])\/(?:opt|home|root|tmp|work)\//)
  })

  it.skipIf(folder === null)(
    'ends as its expected.json says (needs firtool 1.62.1: CIRCT_BIN, or fetched before)',
    async () => {
      const expected: Record<string, unknown> = JSON.parse(readFileSync(join(demo, 'expected.json'), 'utf8'))
      const errorText = readFileSync(join(demo, 'error.txt'), 'utf8')
      const source = readFileSync(join(demo, 'source.fir'), 'utf8')
      const real = { version: '1.62.1', has: () => true, pathOf: (tool: string) => join(folder ?? '', tool) }
      const { box, order } = await boxedCase(root, real, { source, errorText, command: { version: '1.62.1' } })
      const reproduced = await reproduceCrash(order, box)
      const analysis = await analyzeRootCause(order, box)
      const verdict = await validateCase({ ...order, minimize: UNREDUCED }, box)
      expect(reproduced).toMatchObject({
        reproduced: expected['reproduced'],
        match_result: expected['match_result'],
        signature: { kind: expected['kind'], signal: expected['signal'] },
      })
      expect(analysis).toMatchObject({ failing_pass: expected['failing_pass'], dialect: expected['dialect'] })
      expect(verdict.result).toBe(expected['validation'])
      expect(source.split('\n').length - 1).toBe(expected['source_lines'])
    },
  )
})
