import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PerformanceAnswer, QualityAnswer, SecurityAnswer } from '../../../src/contracts/refine-answers.js'
import { roundKind } from '../../../src/rules/refine/finding-dimension.js'
import { reviewWithAnalysers } from '../../../src/tools/refine/review-with-analysers.js'
import { openLinters, type TestLinters } from '../../support/linter-box.js'

let linters: TestLinters

beforeAll(async () => {
  linters = await openLinters()
})

afterAll(() => linters?.remove())

const branches = Array.from({ length: 12 }, (_, at) => `  if (n === ${at}) return ${at}`).join('\n')
const TEXT = `import { execSync } from 'node:child_process'
export function list(name) {
  return execSync('ls ' + name)
}
export function pick(n) {
${branches}
}
export async function all(ids) {
  for (const id of ids) await fetch(id)
}
`
const review = (dimension: 'security' | 'quality' | 'performance', path = 'src/list.js', text = TEXT) =>
  reviewWithAnalysers(linters.box, dimension, { texts: [{ path, text }], limitPrefix: 'not looked at: ' })

describe('a reviewer without a model', () => {
  it('security: what analysers find, scored by the table', async () => {
    const answer = SecurityAnswer.parse(await review('security'))
    expect(answer).toMatchObject({
      passed: true,
      score: 85,
      issues: [{ severity: 'High', type: 'SHELL_COMMAND', file: 'src/list.js', line: 3 }],
      summary: { critical: 0, high: 1, medium: 0, low: 0 },
    })
    expect(answer.recommendations).toContain('not looked at: access control, and what data means')
  })

  it('quality: complexity with its figure', async () => {
    const answer = QualityAnswer.parse(await review('quality'))
    expect(answer).toMatchObject({
      score: 95,
      issues: [{ type: 'COMPLEXITY', line: 5, function: 'pick', metrics: { cyclomatic_complexity: 13 } }],
    })
  })

  it('performance: waits one after the other', async () => {
    expect(PerformanceAnswer.parse(await review('performance'))).toMatchObject({
      score: 97,
      issues: [{ severity: 'Low', type: 'SEQUENTIAL_AWAIT', line: 20 }],
    })
  })

  it('says what it could not look at', async () => {
    const { score, recommendations } = await review('quality', 'src/a.py', 'def f():\n    pass\n')
    expect(score).toBe(100)
    expect(recommendations).toEqual([
      'not looked at: what ruff would find (ruff is not on PATH)',
      'not looked at: complexity of 1 file that are no JavaScript or TypeScript',
      'not looked at: whether it does what was asked for, names, design, tests',
    ])
  })

  it.each([
    ['security', 'main.go', 'package main\n'],
    ['quality', 'lib.rs', 'fn main() {}\n'],
    ['performance', 'App.java', 'class App {}\n'],
    ['quality', 'src/a.js', 'function ('],
  ] as const)('%s of code no analyser can read (%s) is refused, not 100 points', async (dimension, path, text) => {
    await expect(review(dimension, path, text)).rejects.toMatchObject({
      type: 'Agent.Rejected',
      message: `no analyser reads the code under review (${path}): name a reviewer with --agent`,
    })
  })

  it('names the code it could not read beside what it did, and misses nobody for prose', async () => {
    const texts = [
      { path: 'a.js', text: 'export const a = 1\n' },
      { path: 'main.go', text: 'package main\n' },
      { path: 'README.md', text: '# a\n' },
    ]
    const { score, recommendations } = await reviewWithAnalysers(linters.box, 'performance', { texts, limitPrefix: '' })
    expect({ score, first: recommendations[0] }).toEqual({ score: 100, first: 'code no analyser reads: main.go' })
    const prose = await reviewWithAnalysers(linters.box, 'performance', { texts: texts.slice(2), limitPrefix: '' })
    expect(prose.score).toBe(100)
  })

  it('finds nothing in nothing', async () => {
    const answer = await reviewWithAnalysers(linters.box, 'security', { texts: [], limitPrefix: '' })
    expect(answer).toMatchObject({ score: 100, issues: [], passed: true })
  })
})

it.each([
  ['secret/aws', 'security', 'SECRET_AWS'],
  ['js/shell-command', 'security', 'SHELL_COMMAND'],
  ['js/spread-in-reduce', 'performance', expect.any(String)],
  ['no-dupe-keys', 'quality', 'NO_DUPE_KEYS'],
  ['complexity', 'quality', 'COMPLEXITY'],
  ['no-await-in-loop', 'performance', 'SEQUENTIAL_AWAIT'],
  ['ruff/PERF401', 'performance', expect.any(String)],
])('%s is about %s', (rule, dimension, type) => {
  expect(roundKind(rule)).toMatchObject({ dimension, type })
})
