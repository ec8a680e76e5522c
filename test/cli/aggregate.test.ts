import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AggregateResult } from '../../src/contracts/aggregate.js'
import { aReviewIssue, aRound } from '../support/aggregate.js'
import { compileForChildren, type Compiled } from '../support/compiled.js'
import { typed } from '../support/typed-cli.js'

const EXAMPLE = fileURLToPath(new URL('../../examples/aggregate', import.meta.url))
const GOOD = JSON.stringify(aRound([90, 90, 90]))
const BAD = JSON.stringify(aRound([84, 90, 90]))

let home = ''
let compiled: Compiled

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'gauntlet-aggregate-'))
  compiled = compileForChildren(['cli/commands/aggregate'])
})

afterAll(async () => {
  compiled.remove()
  await rm(home, { recursive: true, force: true })
})

async function onFile(content: string | Uint8Array, ...options: string[]) {
  await writeFile(join(home, 'reviews.json'), content)
  return typed(['aggregate', 'reviews.json', ...options], { home })
}

describe('the example', () => {
  it.each(['en', 'zh'])('comes out as expected (%s)', async (lang) => {
    const { exit, stdout, stderr } = await typed(['aggregate', 'reviews.json', '--lang', lang], { home, cwd: EXAMPLE })
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: '' })
    const result: unknown = JSON.parse(stdout)
    expect(result).toEqual(JSON.parse(await readFile(join(EXAMPLE, `expected.${lang}.json`), 'utf8')))
    expect(AggregateResult.parse(result)).toEqual(result)
  })
})

describe('the end of the command', () => {
  it.each([
    ['PASS', 0, aRound([90, 90, 90])],
    ['ITERATE', 1, aRound([84, 90, 90])],
    ['STALLED', 1, aRound([84, 90, 90], [], { previous_scores: [88, 88] })],
    ['FAIL_MAX_ITERATIONS', 1, aRound([84, 90, 90], [], { iteration: 5 })],
  ])('%s exits with %i', async (recommendation, exit, input) => {
    const end = await onFile(JSON.stringify(input))
    expect(end).toMatchObject({ exit, stderr: '' })
    expect(JSON.parse(end.stdout)).toMatchObject({ recommendation, passed: exit === 0 })
  })
})

describe('what it prints', () => {
  it('is the same JSON document by default and with --json, whatever the format', async () => {
    const { stdout } = await onFile(BAD)
    expect((await onFile(BAD, '--json', '--format', 'table')).stdout).toBe(stdout)
    expect((await onFile(BAD, '--format', 'json')).stdout).toBe(stdout)
  })

  it('is the feedback alone with --format markdown', async () => {
    const { stdout } = await onFile(BAD, '--format', 'markdown', '--lang', 'zh')
    expect(stdout).toMatch(/^## 需要修复的问题\n\n无\n\n## 当前状态\n/)
    expect(stdout).toMatch(/## 下一步\n继续迭代，重点提升安全评分 \(84 → 85\)\n$/)
  })

  it('is every check against its threshold with --format table', async () => {
    const input = aRound([84, 90, 90], [aReviewIssue({ severity: 'High' })])
    input.security_result.passed = true
    const { stdout } = await onFile(JSON.stringify(input), '--format', 'table')
    expect(stdout).toBe(`ITERATE  the security score 84 is below the threshold 85

CHECK        VALUE  REQUIRED  MET  WEIGHT
Critical     0      <= 0      yes
High         1      <= 2      yes
security     84     >= 85     no   0.4
quality      90     >= 80     yes  0.35
performance  90     >= 80     yes  0.25
overall      87.6   >= 80     yes

note: the security review says passed, but the security score 84 is below the threshold 85
Go on with the next round; raise the security score (84 → 85)
`)
  })

  it('does not show a score in the table as reached that is a hair below', async () => {
    const { stdout } = await onFile(JSON.stringify(aRound([84.9999, 90, 90])), '--format', 'table')
    expect(stdout).toContain('security     84.9999  >= 85     no   0.4\n')
  })
})

describe('presets and own figures', () => {
  it.each<[options: string[], recommendation: string]>([
    [['--preset', 'standard'], 'ITERATE'],
    [['--preset', 'mvp'], 'PASS'],
    [['--preset', 'strict'], 'ITERATE'],
    [['--thresholds', 'security_min=84'], 'PASS'],
    [['--thresholds', ' security_min = 84 , high_max=0'], 'PASS'],
    [['--thresholds', 'security_min=84.5'], 'ITERATE'],
    [['--thresholds', 'max_iterations=1'], 'FAIL_MAX_ITERATIONS'],
    [['--preset', 'mvp', '--thresholds', 'security_min=85'], 'ITERATE'],
    [
      ['--preset', 'mvp', '--weights', 'security=1,quality=0,performance=0', '--thresholds', 'overall_min=85'],
      'ITERATE',
    ],
  ])('%j: %s', async (options, recommendation) => {
    expect(JSON.parse((await onFile(BAD, ...options)).stdout)).toMatchObject({ recommendation })
  })

  it('of the call win over those of the document', async () => {
    const document = JSON.stringify({ ...aRound([84, 90, 90]), preset: 'mvp' })
    expect(JSON.parse((await onFile(document)).stdout)).toMatchObject({ passed: true })
    expect(JSON.parse((await onFile(document, '--preset', 'standard')).stdout)).toMatchObject({ passed: false })
  })
})

describe('a mistake is one line that names the field, and exit 2', () => {
  it.each<[what: string, options: string[], line: string | RegExp]>([
    ['an unknown preset', ['--preset', 'lax'], '--preset: expected one of standard, strict, mvp, got "lax"'],
    ['an unknown language', ['--lang', 'fr'], '--lang: expected one of en, zh, got "fr"'],
    ['an unknown format', ['--format', 'xml'], '--format: expected one of json, markdown, table, got "xml"'],
    [
      'weights that do not add up',
      ['--weights', 'security=0.5,quality=0.5,performance=0.5'],
      /^--weights: .*expected security \+ quality \+ performance = 1 \(± 0\.001\), not 1\.5/,
    ],
    [
      'a weight that is missing',
      ['--weights', 'security=1'],
      /^--weights: quality: expected a number from 0 to 1, got nothing/,
    ],
    [
      'a dimension that has two weights',
      ['--weights', 'security=0.5,security=0.5,quality=0,performance=0'],
      '--weights: expected security once, got it twice',
    ],
    [
      'a weight that is no number',
      ['--weights', 'security=NaN,quality=0,performance=1'],
      '--weights: security: expected a number from 0 to 1, got "NaN"',
    ],
    ['a threshold that does not exist', ['--thresholds', 'docs_min=3'], /^--thresholds: .*unknown field "docs_min"/],
    [
      'a threshold without a number',
      ['--thresholds', 'high_max'],
      '--thresholds: expected NAME=NUMBER,…, got "high_max"',
    ],
    [
      'a threshold out of bounds',
      ['--thresholds', 'overall_min=101'],
      /overall_min: expected a number from 0 to 100, got 101$/,
    ],
    ['room for Critical', ['--thresholds', 'critical_max=1'], /critical_max: expected 0 .*, got 1$/],
  ])('%s', async (_, options, line) => {
    await expectMistake(await onFile(GOOD, ...options), line)
  })

  it.each<[what: string, content: string | Uint8Array, line: string | RegExp]>([
    [
      'a score of 101',
      GOOD.replace('90', '101'),
      'reviews.json: security_result.score: expected a number from 0 to 100, got 101',
    ],
    ['a score of NaN', GOOD.replace('90', 'NaN'), /^reviews\.json: security_result\.score: expected .*, got NaN$/],
    [
      'a score of 1e999',
      GOOD.replace('90', '1e999'),
      /^reviews\.json: security_result\.score: expected .*, got 1e999$/,
    ],
    [
      'a score as text',
      GOOD.replace('90', '"90"'),
      'reviews.json: security_result.score: expected a number from 0 to 100, got "90"',
    ],
    [
      'a dimension twice',
      GOOD.replace('"quality_result"', '"security_result"'),
      'reviews.json: security_result: expected the field once, got it twice',
    ],
    [
      'a dimension missing',
      JSON.stringify({ ...aRound([1, 1, 1]), quality_result: undefined }),
      /^reviews\.json: quality_result: /,
    ],
    [
      'an unknown severity',
      JSON.stringify(aRound([1, 1, 1], [aReviewIssue({ severity: 'Fatal' as 'Low' })])),
      'reviews.json: quality_result.issues.0.severity: expected one of Critical, High, Medium, Low, got "Fatal"',
    ],
    [
      'round 0',
      GOOD.replace('"iteration":1', '"iteration":0'),
      /^reviews\.json: iteration: expected a whole number from 1, got 0/,
    ],
    [
      'a round above the last',
      GOOD.replace('"iteration":1', '"iteration":6'),
      'reviews.json: iteration: expected a whole number from 1 to 5 (max_iterations), got 6',
    ],
    [
      'weights of the document that do not add up',
      JSON.stringify({ ...aRound([1, 1, 1]), weights: { security: 1, quality: 1, performance: 1 } }),
      /^reviews\.json: weights: expected .* not 3/,
    ],
    ['no JSON', 'score: 3', /^reviews\.json: .*expected .*JSON/],
    ['half of it', GOOD.slice(0, 60), /^reviews\.json: expected .*JSON/],
    ['nothing', '', /^reviews\.json: expected .*JSON/],
    ['a list', '[]', /^reviews\.json: \(document\): expected .*object/],
    ['nesting without end', '['.repeat(100_000), /^reviews\.json: [0.]+: expected at most 64 levels, got more$/],
    [
      'bytes that are no text',
      new Uint8Array([0x7b, 0xff, 0xfe]),
      /^reviews\.json: expected .*UTF-8.*, got bytes that are none$/,
    ],
  ])('%s', async (_, content, line) => {
    await expectMistake(await onFile(content), line)
  })

  it.each([
    ['a file that is not there', ['gone.json'], /gone\.json"?: (not found|there is nothing)/],
    ['a folder', ['.'], /FILE/],
  ])('%s', async (_, args, line) => {
    await expectMistake(await typed(['aggregate', ...args], { home }), line)
  })

  async function expectMistake(end: { exit: number; stdout: string; stderr: string }, line: string | RegExp) {
    expect(end).toMatchObject({ exit: 2, stdout: '' })
    expect(end.stderr).toMatch(/^gauntlet: [^\n]{1,400}\n$/)
    const message = end.stderr.slice('gauntlet: '.length, -1)
    if (typeof line === 'string') expect(message).toBe(line)
    else expect(message).toMatch(line)
  }
})

describe('from standard input', () => {
  const script = () => `
    import Module from 'node:module'
    import { aggregateCommand } from ${JSON.stringify(pathToFileURL(compiled.fileOf('cli/commands/aggregate')).href)}
    const context = { cwd: '/', signal: new AbortController().signal, terminal: { note() {} } }
    const input = { args: { FILE: process.argv[1] }, options: {} }
    const { exit, json } = await aggregateCommand.run(context, input).catch((error) => ({ exit: 2, json: error.message }))
    const temporal = Object.keys(Module._cache).filter((name) => name.includes('@temporalio'))
    console.log(JSON.stringify({ exit, json, temporal }))`
  const piped = (input: string, ...args: string[]) => {
    const node = ['--input-type=module', '-e', script(), ...args]
    const { stdout, stderr } = spawnSync(process.execPath, node, { input, encoding: 'utf8' })
    expect(stderr).toBe('')
    return JSON.parse(stdout) as { exit: number; json: unknown; temporal: string[] }
  }

  it.each([[[]], [['-']]])('reads the same document (%j), and loads nothing of Temporal', (args) => {
    expect(piped(GOOD, ...args)).toMatchObject({ exit: 0, json: { recommendation: 'PASS' }, temporal: [] })
    expect(piped(`\uFEFF${BAD}`, ...args)).toMatchObject({ exit: 1, json: { recommendation: 'ITERATE' } })
  })

  it('is refused with its name where it does not fit', () => {
    const { exit, json } = piped(GOOD.replace('90', '-1'))
    expect({ exit, json }).toMatchObject({
      exit: 2,
      json: expect.stringMatching(
        /^(stdin|standard input): security_result\.score: expected a number from 0 to 100, got -1$/,
      ),
    })
  })
})
