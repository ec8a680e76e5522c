import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judgeGreen, judgeRed, type TestFacts } from '../../../src/rules/phase/judge-tests.js'
import { qualityOf } from '../../../src/rules/quality.js'
import { measureCommitTests, type MeasuredRun } from '../../../src/tools/gates/measure-commit-tests.js'
import { runGatesAtCommit } from '../../../src/tools/gates/run-gates-at-commit.js'
import { commitWorktree } from '../../../src/tools/git/commit-worktree.js'
import { anAttempt, aRun, type Files, hasSandbox, put, type Run, runner, stamp } from '../../support/git-repository.js'

const header = "import test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './add.js'\n"
const manifest = (scripts: object) => JSON.stringify({ name: 'p', version: '1.0.0', type: 'module', scripts })

async function committed(run: Run, files: Files, from = run.base): Promise<string> {
  const worktree = await anAttempt(run, from)
  put(worktree.folder, files)
  const result = await commitWorktree({ worktree, message: 'work', stamp })
  if (result.status !== 'committed') throw new Error(JSON.stringify(result))
  return result.commit
}

const orderOf = (run: Run, commit: string) => ({
  mirror: run.mirror,
  commit,
  base: run.base,
  run: runner,
  isSandboxed: hasSandbox,
  env: process.env,
  signal: new AbortController().signal,
  scratchRoot: join(run.git.home, 'scratch'),
})

async function measured(run: Run, commit: string, files: readonly string[] | null = null): Promise<MeasuredRun> {
  return await measureCommitTests({ ...orderOf(run, commit), files })
}

const factsOf = ({ outcome, details, cases }: MeasuredRun, more: Partial<TestFacts>): TestFacts => ({
  outcome: outcome ?? 'unmeasured',
  details,
  cases,
  before: null,
  changed: ['add.js'],
  red: [],
  ...more,
})
const redOf = (seen: MeasuredRun, changed: readonly string[]) => judgeRed(factsOf(seen, { changed }))

describe("RED and GREEN of Node's own runner", () => {
  const base = { 'package.json': manifest({ test: 'node --test' }), 'add.js': 'export const add = () => 0\n' }
  const tests = { 'add.test.js': `${header}test('adds', () => assert.equal(add(1, 2), 3))\n` }
  const file = 'add.test.js'
  let shared: Run | undefined

  it('are measured on commits, the tester’s files alone for RED', async () => {
    const run = await aRun({ ...base, 'old.test.js': "import './no-such-file.js'\n" })
    const before = (await measured(run, run.base)).cases
    expect(before).toMatchObject([{ name: 'old.test.js', file: 'old.test.js', kind: 'collection' }])
    const written = await committed(run, tests)
    const first = await measured(run, written, [file, 'notes.txt'])
    expect(first).toMatchObject({ isRestricted: true, passed: 0, failed: 1, command: ['npm', 'test', '--', file] })
    const { outcome, red } = redOf(first, [file])
    expect({ outcome, red }).toEqual({ outcome: 'red', red: [{ name: 'adds', file }] })
    const solved = await committed(run, { 'add.js': 'export const add = (a, b) => a + b\n' }, written)
    const task = { ofTask: true, trespasses: [] }
    const green = async (commit: string) => judgeGreen(factsOf(await measured(run, commit), { red, before }), task)
    expect(await green(solved)).toMatchObject({ outcome: 'green', failing: 0 })
    expect(await green(written)).toMatchObject({ outcome: 'still_red', failing: 1 })
    expect(readdirSync(join(run.git.home, 'scratch'))).toEqual([])
  })

  it.each<[string, string, string]>([
    ['already_passing', `${header}test('adds', () => assert.equal(add(1, 2), 0))\n`, 'Tests passed'],
    ['no_tests', 'console.log(1)\n', 'No new test ran'],
    ['not_collected', "import './gone.js'\n", 'The new tests do not load (add.test.js'],
    ['not_collected', 'const x = ;\n', 'The new tests do not load (add.test.js'],
    [
      'not_by_assertion',
      `${header}test('adds', () => add.nothing.here())\n`,
      'The new tests fail, but none by assertion (add.test.js',
    ],
  ])('%s is told apart', async (outcome, text, sentence) => {
    shared ??= await aRun(base)
    const run = shared
    const seen = await measured(run, await committed(run, { [file]: text }), [file])
    const verdict = judgeRed(factsOf(seen, { changed: [file], before: [] }))
    expect(verdict).toMatchObject({ outcome, sentence: expect.stringContaining(sentence) })
  })

  it('run all tests where the script names its own, and count the tester’s', async () => {
    const run = await aRun({
      ...base,
      'package.json': manifest({ test: 'node --test b.test.js add.test.js' }),
      'b.test.js': "import t from 'node:test'\nt('b', () => {})\n",
    })
    const seen = await measured(run, await committed(run, tests), [file])
    expect(seen).toMatchObject({ isRestricted: false, passed: 1, failed: 1 })
    expect(redOf(seen, [file])).toMatchObject({ outcome: 'red', sentence: '1 of 1 new tests fail by assertion.' })
  })

  it('run on what is built first', async () => {
    const scripts = { build: 'node build.js', test: 'node --test' }
    const build =
      "import fs from 'node:fs'\nfs.mkdirSync('out', { recursive: true })\nfs.writeFileSync('out/x.js', 'export const x = 1')\n"
    const uses =
      "import test from 'node:test'\nimport assert from 'node:assert'\nimport { x } from './out/x.js'\ntest('x', () => assert.equal(x, 2))\n"
    const run = await aRun({ 'package.json': manifest(scripts), 'build.js': build, '.gitignore': 'out\n' })
    const verdict = redOf(await measured(run, await committed(run, { 'x.test.js': uses })), ['x.test.js'])
    expect(verdict).toMatchObject({ outcome: 'red' })
  })
})

it('RED and GREEN of pytest are told apart (skipped without pytest)', async ({ skip }) => {
  if (!hasPytest()) skip()
  const run = await aRun({
    'pyproject.toml': '[project]\nname = "p"\n',
    'calc.py': 'def add(a, b):\n    return 0\n',
    'tests/test_old.py': 'import gone\n',
  })
  const file = 'tests/test_add.py'
  const verdictOf = async (text: string) =>
    redOf(await measured(run, await committed(run, { [file]: text }), [file]), [file])
  expect(await verdictOf('from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n')).toMatchObject({
    outcome: 'red',
    red: [{ name: 'tests.test_add > test_add', file }],
  })
  expect(await verdictOf('from calc import minus\n')).toMatchObject({ outcome: 'not_collected' })
})

describe('gates at a commit', () => {
  const lint = "import fs from 'node:fs'\nif (fs.readFileSync('add.js', 'utf8').includes('BAD')) process.exit(1)\n"
  const base = {
    'package.json': manifest({ test: 'node --test', lint: 'node lint.js' }),
    'gauntlet.json': JSON.stringify({ quality: { level: 'balanced', minCoverage: 0, securityScan: false } }),
    'lint.js': lint,
    'add.js': 'export const add = (a, b) => a + b\n',
    'add.test.js': `${header}test('adds', () => assert.equal(add(1, 2), 3))\n`,
  }
  const quality = qualityOf(null, { level: 'balanced', minCoverage: 0, securityScan: false })
  const judged = (run: Run, commit: string) =>
    runGatesAtCommit({ ...orderOf(run, commit), quality, criteria: ['reads well'] })

  it('pass what is good, and leave nothing behind', async () => {
    const run = await aRun(base)
    const report = await judged(run, await committed(run, { 'add.js': 'export const add = (a, b) => b + a\n' }))
    expect(report).toMatchObject({ overallStatus: 'pass', config: { level: 'balanced', minCoverage: 0 } })
    expect(report.notes).toEqual(['the project has no dependencies'])
    expect(readdirSync(join(run.git.home, 'scratch'))).toEqual([])
  })

  it('are those of the base, whatever an attempt does to its own bar', async () => {
    const run = await aRun(base)
    const report = await judged(
      run,
      await committed(run, {
        'add.js': 'export const add = (a, b) => a - b // BAD\n',
        'package.json': manifest({ test: 'node -e 0', lint: 'node -e 0', pretest: 'rm add.test.js' }),
        'gauntlet.json': JSON.stringify({
          quality: { level: 'fast' },
          gates: { test: { command: ['true'], report: 'tap' } },
        }),
      }),
    )
    expect(report).toMatchObject({
      overallStatus: 'fail',
      test: { status: 'fail', outcome: 'failed', failed: 1 },
      lint: { status: 'fail', isBlocking: true },
      config: { level: 'balanced' },
    })
    expect(report.notes).toContain(
      'scripts of package.json were changed, and judged as they were before: test, lint, pretest',
    )
  })

  it('with a test that changes the project give the next gates a fresh copy', async () => {
    const spoil =
      "import fs from 'node:fs'\nimport test from 'node:test'\ntest('x', () => fs.writeFileSync('add.js', 'BAD'))\n"
    const run = await aRun({ ...base, 'z.test.js': spoil })
    const report = await judged(run, run.base)
    expect(report.test.details).toMatch(
      /it changed 1 files of the project \(add\.js\): the gates after it got a fresh copy/,
    )
    expect(report.lint.status).toBe('pass')
  })

  it('refuse a base whose configuration does not fit, by name', async () => {
    const run = await aRun({ ...base, 'gauntlet.json': '{"quality":{"level":"lax"}}' })
    await expect(judged(run, run.base)).rejects.toMatchObject({
      type: 'Contract.Violated',
      message: expect.stringMatching(/^gauntlet\.json: quality\.level/),
    })
  })
})

function hasPytest(): boolean {
  try {
    execFileSync('python3', ['-m', 'pytest', '--version'], { stdio: 'ignore' })
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
