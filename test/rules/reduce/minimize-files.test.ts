import { describe, expect, it } from 'vitest'
import { commandLine } from '../../../src/rules/reduce/command-line.js'
import { withoutMachinePaths } from '../../../src/rules/reduce/machine-paths.js'
import { minimizeReport } from '../../../src/rules/reduce/minimize-report.js'
import { runLimits } from '../../../src/rules/reduce/run-limits.js'
import { lineCount, reductionPercent, sourceSize } from '../../../src/rules/reduce/source-size.js'

describe('the command to paste', () => {
  it.each([
    [['{input}'], 'firtool bug.fir'],
    [['--a=b', '{input}'], 'firtool --a=b bug.fir'],
    [['--pass-pipeline=a(b{c=d})', '{input}'], "firtool '--pass-pipeline=a(b{c=d})' bug.fir"],
    [["it's", '-o', ''], "firtool 'it'\\''s' -o ''"],
  ])('of %j is %s', (args, line) => {
    expect(commandLine({ tool: 'firtool', args }, 'bug.fir')).toBe(line)
  })
})

describe('paths of the machine', () => {
  it.each([
    ['0. Program arguments: /home/me/tools/firtool bug.fir', '0. Program arguments: firtool bug.fir'],
    ['(/home/me/firtool+0x6ffed7)', '(firtool+0x6ffed7)'],
    ['"/tmp/run-1/bug.sv":3:4', '"bug.sv":3:4'],
    ['see https://github.com/llvm/circt and include', 'see https://github.com/llvm/circt and include'],
    ['a / b, 1/2, x/y/z', 'a / b, 1/2, x/y/z'],
  ])('%s', (text, expected) => {
    expect(withoutMachinePaths(text)).toBe(expected)
  })
})

describe('limits of a run', () => {
  it.each([
    [6, 2000],
    [199, 2000],
    [201, 2010],
    [2999, 29_990],
    [3001, 30_000],
  ])('are ten times %i ms of the first run, between 2 and 30 s', (durationMs, timeMs) => {
    expect(runLimits({ kind: 'crash', durationMs }).quick).toEqual({ timeMs })
  })

  it('are short while a hang is searched, and longer when it is confirmed', () => {
    expect(runLimits({ kind: 'hang', durationMs: 30_000 })).toEqual({
      quick: { timeMs: 2000 },
      careful: { timeMs: 10_000 },
    })
  })

  it('give a memory blow-up a quarter of the memory while it is searched', () => {
    expect(runLimits({ kind: 'memory', durationMs: 1000 })).toEqual({
      quick: { timeMs: 10_000, memoryBytes: 512 * 1024 ** 2 },
      careful: { timeMs: 10_000 },
    })
  })
})

describe('sizes', () => {
  it('count lines that are not blank, bytes of UTF-8 and tokens without comments', () => {
    expect(sourceSize('a b // c\n\n é\n', 'sv')).toEqual({ lines: 2, bytes: 14, tokens: 3 })
    expect(lineCount('')).toBe(0)
  })

  it.each([
    [100, 25, 75],
    [1000, 2, 99.8],
    [2000, 1, 100],
    [8, 7, 12.5],
    [16, 15, 6.3],
    [0, 0, 0],
    [10, 12, -20],
  ])('from %i to %i is %f percent', (before, after, percent) => {
    expect(reductionPercent(before, after)).toBe(percent)
  })
})

describe('the report', () => {
  const signature = { kind: 'crash', signal: 'SIGSEGV', failing_pass: 'P', message: 'a | `b`\nc', frames: [] } as const
  const row = {
    runs: 3,
    linesBefore: 9,
    linesAfter: 9,
    bytesBefore: 90,
    bytesAfter: 90,
    seconds: 0.25,
    wasRedone: false,
  }
  const report = minimizeReport({
    command: 'firtool bug.fir',
    original: { lines: 9, bytes: 90, tokens: 30 },
    minimized: { lines: 3, bytes: 30, tokens: 10 },
    before: { ...signature, frames: [] },
    after: { ...signature, frames: ['f', 'g'] },
    passes: [
      { ...row, stage: 'blocks', bytesAfter: 30, linesAfter: 3 },
      { ...row, stage: 'lines' },
      { ...row, stage: 'names', wasRedone: true },
    ],
    runs: 9,
    cacheHits: 2,
    isOneMinimal: true,
    onePass: { lines: 4, runs: 50 },
    confirmedRuns: 3,
    lastRuns: 3,
    note: 'A note.',
  })

  it('counts what the failing pass alone took', () => {
    expect(report).toContain('The failing pass alone: one-pass.mlir, 4 lines, 50 further runs.')
  })

  it('has sizes, both signatures and the passes that mattered', () => {
    expect(report).toContain('| lines | 9 | 3 | 66.7 % |')
    expect(report).toContain('| frames | – | `f, g` |')
    expect(report).toContain('| blocks | 3 | 9 → 3 | 90 → 30 | 0.3 |')
    expect(report).toContain('| names (slipped to another bug, done again) | 3 |')
    expect(report).toContain('1 further passes took nothing (3 runs).')
    expect(report).toContain(
      'Oracle runs: 9; answered from the cache: 2. Confirmed by 3 of 3 last runs. No single line can go.',
    )
  })

  it("keeps a compiler's words from breaking its tables", () => {
    expect(report).toContain("| message | `a \\| 'b' c` |")
  })
})
