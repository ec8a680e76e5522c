import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TestOutcome } from '../../src/contracts/quality.js'
import { GreenVerdict, RedVerdict, type TestName } from '../../src/contracts/test-evidence.js'
import { baseScripts } from '../../src/rules/base-scripts.js'
import { failingTests, judgeGreen, judgeRed, type TestRun } from '../../src/rules/phase-red.js'
import type { TestCase } from '../../src/rules/test-report.js'

const FILE = 'test/add.test.ts'

function test(name: string, kind: 'passed' | 'skipped' | TestCase['kind'], file: string | null = FILE): TestCase {
  if (kind === 'passed' || kind === 'skipped') return { name, file, status: kind, kind: null, message: '' }
  return { name, file, status: 'failed', kind, message: `why ${name}` }
}

function run(cases: readonly TestCase[], outcome: TestOutcome | null = 'failed'): TestRun {
  return { outcome, cases, details: 'what the gate says' }
}

const red = (cases: readonly TestCase[], outcome?: TestOutcome | null, testerFiles: readonly string[] = [FILE]) =>
  judgeRed({ run: run(cases, outcome), testerFiles, failedBefore: [] })

describe('tests are RED', () => {
  it('when they ran and failed by assertion', () => {
    expect(red([test('a', 'assertion'), test('b', 'assertion')])).toEqual({
      status: 'red',
      details: '2 of 2 new tests failed, 2 by assertion',
      red: [
        { name: 'a', file: FILE },
        { name: 'b', file: FILE },
      ],
      alreadyPassing: [],
    })
  })

  it('when one failed by assertion, whatever the others did; those that passed are told', () => {
    const cases = [test('a', 'assertion'), test('b', 'error'), test('c', 'passed'), test('d', 'skipped')]
    expect(red(cases)).toEqual({
      status: 'red',
      details: '2 of 3 new tests failed, 1 by assertion',
      red: ['a', 'b'].map((name) => ({ name, file: FILE })),
      alreadyPassing: [{ name: 'c', file: FILE }],
    })
  })

  it('though files of others do not load', () => {
    expect(red([test('a', 'assertion'), test('old', 'collection', 'test/old.test.ts')], 'not_collected').status).toBe(
      'red',
    )
  })

  it('when the runner does not say where they are: by their module, else all of them', () => {
    const cases = [test('tests.test_add.T > a', 'assertion', null), test('tests.test_old > b', 'assertion', null)]
    expect(red(cases, 'failed', ['tests/test_add.py'])).toMatchObject({
      red: [{ name: 'tests.test_add.T > a', file: null }],
    })
    expect(red(cases, 'failed', ['spec/x.rb'])).toMatchObject({ red: { length: 2 } })
    expect(
      red([test('tests.test_addition > a', 'assertion', null), ...cases], 'failed', ['tests/test_add.py']),
    ).toMatchObject({
      red: { length: 1 },
    })
  })

  it.each<[string, readonly TestCase[], TestOutcome | null, object]>([
    [
      'they passed at once',
      [test('a', 'passed'), test('b', 'passed'), test('old', 'assertion', 'test/old.test.ts')],
      'failed',
      { reason: 'passed_at_once', details: '2 of 2 new tests passed before anything was written' },
    ],
    ['none is there', [], 'no_tests', { reason: 'no_tests', details: `no test ran in ${FILE}` }],
    ['others ran, not they', [test('old', 'assertion', 'test/old.test.ts')], 'failed', { reason: 'no_tests' }],
    ['all are skipped', [test('a', 'skipped')], 'no_tests', { reason: 'no_tests' }],
    [
      'one of their files does not load',
      [test('a', 'assertion'), test('test/more.test.ts', 'collection', FILE)],
      'not_collected',
      { reason: 'not_collected', details: `test/more.test.ts (${FILE}) does not load: why test/more.test.ts` },
    ],
    [
      'they broke before any assertion',
      [test('a', 'error'), test('b', 'passed')],
      'failed',
      { reason: 'failed_by_error', details: `no assertion failed: a (${FILE}) broke with why a` },
    ],
    [
      'nothing could be measured',
      [test('a', 'assertion')],
      'unmeasured',
      { reason: 'unmeasured', details: 'what the gate says' },
    ],
    ['there is no runner', [], null, { reason: 'unmeasured' }],
  ])('not when %s', (_what, cases, outcome, expected) => {
    expect(red(cases, outcome)).toMatchObject({ status: 'not_red', ...expected })
  })

  it('not by tests that failed before', () => {
    const before = failingTests([test('a', 'assertion'), test('b', 'passed')])
    expect(before).toEqual([{ name: 'a', file: FILE }])
    const judged = judgeRed({
      run: run([test('a', 'assertion'), test('c', 'passed')]),
      testerFiles: [FILE],
      failedBefore: before,
    })
    expect(judged).toMatchObject({ status: 'not_red', reason: 'passed_at_once' })
  })
})

describe('tests are GREEN', () => {
  const names = ['a', 'b'].map((name) => ({ name, file: FILE }))
  const green = (cases: readonly TestCase[], outcome: TestOutcome | null, failedBefore: readonly TestName[] = []) =>
    judgeGreen({ run: run(cases, outcome), red: names, failedBefore })

  it('when every one that was red passed and nothing fails', () => {
    expect(green([test('a', 'passed'), test('b', 'passed'), test('x', 'skipped', 'y.ts')], 'passed')).toEqual({
      status: 'green',
      details: 'what the gate says; 2 of them were red before',
    })
  })

  it.each<[string, readonly TestCase[], TestOutcome | null, object]>([
    [
      'one of them still fails',
      [test('a', 'passed'), test('b', 'assertion')],
      'failed',
      {
        reason: 'still_failing',
        details: `1 failing, the first b (${FILE}): why b`,
        failing: [{ name: 'b', file: FILE }],
      },
    ],
    [
      'another one broke',
      [test('a', 'passed'), test('b', 'passed'), test('old', 'error', 'test/old.test.ts')],
      'failed',
      { reason: 'still_failing', failing: [{ name: 'old', file: 'test/old.test.ts' }] },
    ],
    [
      'one is gone',
      [test('a', 'passed')],
      'passed',
      { reason: 'missing', details: '1 of 2 that were red did not run, the first b' },
    ],
    [
      'one is skipped',
      [test('a', 'passed'), test('b', 'skipped')],
      'passed',
      { reason: 'missing', failing: [names[1]] },
    ],
    ['one moved to another file', [test('a', 'passed'), test('b', 'passed', 'x.ts')], 'passed', { reason: 'missing' }],
    [
      'a file does not load',
      [test('a', 'passed'), test('b.ts', 'collection', 'b.ts')],
      'not_collected',
      { reason: 'not_collected' },
    ],
    ['none ran', [], 'no_tests', { reason: 'no_tests' }],
    ['nothing could be measured', [test('a', 'passed'), test('b', 'passed')], 'unmeasured', { reason: 'unmeasured' }],
    ['there is no runner', [], null, { reason: 'unmeasured' }],
  ])('not when %s', (_what, cases, outcome, expected) => {
    expect(green(cases, outcome)).toMatchObject({ status: 'not_green', ...expected })
  })

  it('though one fails that failed before, but not when that was red', () => {
    const old = test('old', 'assertion', 'test/old.test.ts')
    const before = failingTests([old])
    const passed = [test('a', 'passed'), test('b', 'passed')]
    expect(green([...passed, old], 'failed', before).status).toBe('green')
    expect(
      green([test('a', 'passed'), test('b', 'assertion')], 'failed', failingTests([test('b', 'assertion')])),
    ).toMatchObject({
      reason: 'still_failing',
    })
  })

  it('with names longer than can travel', () => {
    const long = test('x'.repeat(1000), 'assertion')
    const seen = red([long])
    if (seen.status !== 'red') throw new Error('expected red')
    expect(seen.red[0]?.name).toHaveLength(300)
    const passed = run([{ ...long, status: 'passed', kind: null }], 'passed')
    expect(judgeGreen({ run: passed, red: seen.red, failedBefore: [] }).status).toBe('green')
  })
})

it('verdicts fit their contracts and stay small, whatever was seen', () => {
  const kinds = fc.constantFrom('passed', 'skipped', 'assertion', 'error', 'collection', null)
  const tests = fc.array(fc.tuple(fc.string({ maxLength: 600 }), kinds, fc.constantFrom(FILE, 'x.ts', null)), {
    maxLength: 80,
  })
  const outcomes = fc.constantFrom<TestOutcome | null>(
    'passed',
    'failed',
    'not_collected',
    'no_tests',
    'unmeasured',
    null,
  )
  fc.assert(
    fc.property(tests, outcomes, (seen, outcome) => {
      const measured = run(
        seen.map(([name, kind, file]) => test(name, kind ?? 'passed', file)),
        outcome,
      )
      const first = judgeRed({ run: measured, testerFiles: [FILE], failedBefore: [] })
      const names = first.status === 'red' ? first.red : []
      const second = judgeGreen({ run: measured, red: names, failedBefore: [] })
      expect([RedVerdict.parse(first), GreenVerdict.parse(second)]).toEqual([first, second])
      expect(JSON.stringify([first, second]).length).toBeLessThan(32_000)
      // The same run is never both.
      expect(first.status === 'red' && second.status === 'green').toBe(false)
    }),
  )
})

describe('the scripts an attempt is judged by', () => {
  it.each([
    ['are its own when it changed none', { test: 'a' }, { test: 'a', extra: 'b' }, { test: 'a', extra: 'b' }, []],
    [
      'are those of the base when it changed them',
      { test: 'vitest', lint: 'eslint' },
      { test: 'true', lint: 'eslint' },
      { test: 'vitest', lint: 'eslint' },
      ['test'],
    ],
    ['are those of the base when it removed them', { lint: 'eslint' }, {}, { lint: 'eslint' }, ['lint']],
    [
      'have no new hooks around those of the base',
      { test: 'vitest' },
      { test: 'vitest', pretest: 'rm -r test', postother: 'x' },
      { test: 'vitest', postother: 'x' },
      ['pretest'],
    ],
    ['may have hooks around new ones', {}, { build: 'tsc', prebuild: 'x' }, { build: 'tsc', prebuild: 'x' }, []],
  ] as const)('%s', (_what, base, own, scripts, kept) => {
    expect(baseScripts(base, own)).toEqual({ scripts, kept })
  })
})
