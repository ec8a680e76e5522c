import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ScoreOrder, ScoreReply } from '../../../src/contracts/eval-score.js'
import type { Measure } from '../../../src/contracts/eval.js'
import { Failure } from '../../../src/contracts/failures.js'
import { scoreCandidate } from '../../../src/tools/judges/score-candidate.js'
import { createRunner } from '../../../src/tools/process/runner.js'
import { detectSandbox } from '../../../src/tools/process/sandbox.js'
import { folderCandidate, listingOf, textCandidate } from '../../support/eval-candidates.js'
import { memoryStore } from '../../support/memory-store.js'

const sandbox = await detectSandbox()
const run = createRunner(
  sandbox.kind === 'bubblewrap' ? { sandbox: 'bubblewrap', bwrapPath: sandbox.path } : { sandbox: 'none' },
)
const store = memoryStore()

let scratch = ''

beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'gauntlet-judges-')))
})

afterEach(() => {
  rmSync(scratch, { recursive: true, force: true })
})

type Files = Readonly<Record<string, string>>

interface Trial {
  measure: Measure
  candidate: Files | string
  /** The judge's own. */
  files?: Files
  script?: string
  seconds?: number
}

async function judged({ measure, candidate, files, script, seconds = 60 }: Trial): Promise<ScoreReply> {
  const order: ScoreOrder = {
    run_id: 'run',
    judge: {
      kind: 'measure',
      name: 'judge',
      measure,
      files: files === undefined ? null : await listingOf(store, files),
      script: script ?? null,
    },
    candidate:
      typeof candidate === 'string'
        ? await textCandidate(store, 'c', candidate)
        : await folderCandidate(store, 'c', candidate),
    limit_seconds: seconds,
    allow_unsandboxed: true,
  }
  const signal = new AbortController().signal
  return await scoreCandidate(order, {
    run,
    isSandboxed: sandbox.kind !== 'none',
    store,
    scratch: mkdtempSync(join(scratch, 'attempt-')),
    env: process.env,
    signal,
  })
}

async function refusal(trial: Trial): Promise<string> {
  return await judged(trial).then(
    () => 'judged',
    (error: unknown) => (error instanceof Failure ? `${error.type}: ${error.message}` : String(error)),
  )
}

const manifest = (scripts: Files) => JSON.stringify({ type: 'module', scripts })
const CHECKS = {
  'package.json': manifest({ test: 'node --test checks.test.js' }),
  'checks.test.js': `
    import { test } from 'node:test'
    import assert from 'node:assert'
    import { add } from './add.js'
    test('small', () => assert.equal(add(1, 2), 3))
    test('negative', () => assert.equal(add(1, -2), -1))
    test('nothing', () => assert.equal(add(), 0))
    test('texts', () => assert.equal(add('1', '2'), 3))
  `,
}

describe('tests', () => {
  it('score by the share that passes, and name those that fail', async () => {
    const add = 'export const add = (a = 0, b = 0) => a + b'
    const reply = await judged({ measure: 'tests', candidate: { 'add.js': add }, files: CHECKS })
    expect(reply).toMatchObject({
      score: 7.5,
      measured: null,
      severities: { Critical: 1, Major: 0, Minor: 0 },
      angle: 'correctness',
    })
    expect(reply.reasons[0]).toBe('3 of 4 pass')
    expect(reply.findings[0]?.title).toMatch(/^fails: .*texts/)
    const record = JSON.parse((await store.get(reply.record)).toString('utf8')) as { judge: string }
    expect(record).toMatchObject({ judge: 'judge', candidate: 'c', score: 7.5 })
  })

  it('give nothing to what cannot be loaded or never ends', async () => {
    const broken = await judged({ measure: 'tests', candidate: { 'add.js': 'export const ad =' }, files: CHECKS })
    expect(broken).toMatchObject({ score: 0 })
    const endless = await judged({
      measure: 'tests',
      candidate: { 'add.js': 'for (;;) {}' },
      files: CHECKS,
      seconds: 2,
    })
    expect(endless.score).toBe(0)
  })

  it('are the judge’s: what a candidate brings to the same place, or says of its own tests, does not count', async () => {
    const candidate = {
      'add.js': 'export const add = () => 3',
      'checks.test.js': `import { test } from 'node:test'\ntest('all is well', () => {})`,
      'package.json': manifest({ test: 'true' }),
      'gauntlet.json': JSON.stringify({ gates: { test: { command: ['true'], report: 'tap' } } }),
      '.npmrc': 'ignore-scripts=true',
    }
    expect(await judged({ measure: 'tests', candidate, files: CHECKS })).toMatchObject({ score: 5 })
  })

  it('that are the candidate’s own are called so', async () => {
    const candidate = { 'add.js': 'export const add = (a, b) => a + b', ...CHECKS }
    expect((await judged({ measure: 'tests', candidate })).reasons[0]).toBe('2 of 4 of its own tests pass')
  })

  it('that are not there are the judge’s failure, not the candidate’s', async () => {
    const why = await refusal({ measure: 'tests', candidate: { 'package.json': manifest({}) } })
    expect(why).toBe('Tool.Missing: tests: package.json has no script "test"')
  })
})

describe('lint', () => {
  const lint = (code: number) => ({ 'package.json': manifest({ lint: `node -e "process.exit(${code})"` }) })

  it.each([
    [0, 10],
    [1, 0],
  ])('without a report we can read: exit code %d is %d', async (code, score) => {
    expect((await judged({ measure: 'lint', candidate: { 'a.js': '1' }, files: lint(code) })).score).toBe(score)
  })

  it('with nothing to run is the judge’s failure', async () => {
    expect(await refusal({ measure: 'lint', candidate: { 'a.js': '1' } })).toMatch(/^Tool.Missing: lint: no preset/)
  })
})

describe('size', () => {
  it('counts the candidate’s own code and nothing else', async () => {
    const candidate = {
      'a.js': '// a comment\nexport const f = (x) => {\n  if (x) return 1\n\n  return 2\n}\n',
      'README.md': 'words\n'.repeat(50),
      'lint.js': 'replaced\n'.repeat(50),
    }
    const reply = await judged({ measure: 'size', candidate, files: { 'lint.js': 'of the judge' } })
    expect(reply).toMatchObject({
      score: null,
      measured: { value: 5, unit: 'lines and weighted branches', better: 'lower' },
      reasons: ['4 lines, 1 branches (1 by their depth), blocks 1 deep'],
    })
  })

  it('counts the lines of a text', async () => {
    expect((await judged({ measure: 'size', candidate: 'one\n\ntwo\n' })).measured?.value).toBe(2)
  })
})

describe('benchmark', () => {
  const bench = (body: string) => ({
    'bench.js': `import { work } from './work.js'\n${body}`,
    'package.json': manifest({}),
  })

  it('measures the time of the fastest run, so that more work takes longer', async () => {
    const spin = (ms: number) => ({
      'work.js': `export const work = () => { const end = Date.now() + ${ms}; while (Date.now() < end) {} }`,
    })
    const files = bench('work()')
    const quick = await judged({ measure: 'benchmark', candidate: spin(0), files })
    const slow = await judged({ measure: 'benchmark', candidate: spin(300), files })
    expect(slow.measured?.value).toBeGreaterThan((quick.measured?.value ?? 9) + 0.15)
    expect(slow).toMatchObject({ score: null, angle: 'performance', measured: { unit: 's', better: 'lower' } })
  })

  it('gives nothing to one that fails', async () => {
    const files = bench('if (work() !== 2) throw new Error("wrong")')
    const reply = await judged({ measure: 'benchmark', candidate: { 'work.js': 'export const work = () => 1' }, files })
    expect(reply).toMatchObject({ score: 0, measured: null, severities: { Critical: 0, Major: 1, Minor: 0 } })
  })

  it('without a program is the judge’s failure', async () => {
    expect(await refusal({ measure: 'benchmark', candidate: { 'a.js': '' } })).toMatch(/^Tool.Missing: benchmark: /)
  })
})

describe('a scoring script', () => {
  const script = (body: string, seconds = 20): Trial => ({
    measure: 'score',
    script: 'judge.mjs',
    candidate: { 'a.js': 'eval(x)', 'judge.mjs': 'console.log("the candidate’s own")' },
    files: { 'judge.mjs': `import { readFileSync, writeFileSync, writeSync } from 'node:fs'\n${body}` },
    seconds,
  })

  it('gets the candidate’s folder and prints a score with reasons', async () => {
    const body = `
      const text = readFileSync(process.argv[2] + '/a.js', 'utf8') + readFileSync('a.js', 'utf8')
      const bad = text.includes('eval(')
      console.log(JSON.stringify({ score: bad ? 1 : 9, reasons: ['uses eval'], angle: 'security',
        findings: [{ title: 'a', severity: 'Minor' }, { title: 'runs what it is given', severity: 'Critical' }] }))`
    const reply = await judged(script(body))
    expect(reply).toMatchObject({
      score: 1,
      reasons: ['uses eval'],
      angle: 'security',
      severities: { Critical: 1, Major: 0, Minor: 1 },
    })
    expect(reply.findings[0]?.severity).toBe('Critical')
  })

  it('may be Python', async () => {
    const files = { 'judge.py': 'import json\nprint(json.dumps({"score": 4, "reasons": ["so"]}))' }
    const reply = await judged({ measure: 'score', script: 'judge.py', candidate: { 'a.py': '' }, files })
    expect(reply).toMatchObject({ score: 4, reasons: ['so'] })
  })

  it.each<[what: string, body: string, why: RegExp]>([
    ['prints no JSON', 'console.log("nine")', /^Agent.InvalidAnswer: judge.mjs: expected JSON, got "nine/],
    [
      'prints another score',
      'console.log(JSON.stringify({ score: 11, reasons: ["so"] }))',
      /^Agent.InvalidAnswer: judge.mjs: score: .*got 11$/,
    ],
    [
      'gives no reason',
      'console.log(JSON.stringify({ score: 1, reasons: [] }))',
      /^Agent.InvalidAnswer: judge.mjs: reasons: expected at least one reason, got \[\]$/,
    ],
    [
      'neither scores nor measures',
      'console.log(JSON.stringify({ reasons: ["so"] }))',
      /^Agent.InvalidAnswer: judge.mjs: \(document\): expected either a score or a measured value/,
    ],
    ['fails', 'throw new Error("no")', /^Tool.Failed: judge.mjs ended with exit code 1/],
    ['floods', 'for (;;) writeSync(1, "x".repeat(1e6))', /^Tool.TimedOut: judge.mjs: the command printed more than/],
  ])('that %s is refused', async (_, body, why) => {
    expect(await refusal(script(body))).toMatch(why)
  })

  it('that hangs is stopped at its limit', async () => {
    expect(await refusal(script('setInterval(() => {}, 1000)', 1))).toMatch(/^Tool.TimedOut: .* within 1 s/)
  })

  it('of another kind is refused', async () => {
    expect(await refusal({ ...script(''), script: 'judge.sh', files: { 'judge.sh': '' } })).toMatch(
      /^Contract.Violated: judge.sh: expected a script that ends in/,
    )
  })

  it.skipIf(sandbox.kind === 'none')(
    'cannot be changed by the candidate, nor write elsewhere (bubblewrap)',
    async () => {
      const body = `
      let words = 'could not write'
      try { writeFileSync(new URL('other.mjs', import.meta.url), '') ; words = 'wrote' } catch {}
      console.log(JSON.stringify({ score: 1, reasons: [words] }))`
      expect((await judged(script(body))).reasons).toEqual(['could not write'])
    },
  )
})

it('nothing of a candidate runs without a sandbox unless a person agreed', async () => {
  const candidate = await textCandidate(store, 'c', 'x')
  const judge = { kind: 'measure' as const, name: 'j', measure: 'size' as const, files: null, script: null }
  const order = { run_id: 'r', judge, candidate, limit_seconds: 9, allow_unsandboxed: false }
  const { signal } = new AbortController()
  const box = { run, isSandboxed: false, store, scratch, env: {}, signal }
  await expect(scoreCandidate(order, box)).rejects.toMatchObject({ type: 'Tool.Missing' })
})

it('a path that leads out of the folder is refused', async () => {
  const [file] = JSON.parse((await store.get(await listingOf(store, { 'a.js': '1' }))).toString()) as [object]
  const content = await store.put('l.json', JSON.stringify([{ ...file, name: '../b.js' }]), 'application/json')
  const judge = { kind: 'measure' as const, name: 'j', measure: 'size' as const, files: null, script: null }
  const candidate = { name: 'c', kind: 'folder' as const, content, bytes: 1 }
  const order = { run_id: 'r', judge, candidate, limit_seconds: 9, allow_unsandboxed: true }
  const { signal } = new AbortController()
  const box = { run, isSandboxed: false, store, scratch, env: {}, signal }
  await expect(scoreCandidate(order, box)).rejects.toMatchObject({ type: 'Contract.Violated' })
})
