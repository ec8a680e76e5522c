import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TestName } from '../../../src/contracts/test-name.js'
import { judgeGreen, judgeRed, needsBefore, type TestFacts } from '../../../src/rules/phase/judge-tests.js'
import type { TestCase } from '../../../src/rules/test-report.js'

const NEW = 'test/add.test.ts'
const OLD = 'test/old.test.ts'

const passes = (name: string, file: string | null = NEW): TestCase => ({
  name,
  file,
  status: 'passed',
  kind: null,
  message: '',
})
const fails = (name: string, kind: TestCase['kind'], file: string | null = NEW): TestCase => ({
  name,
  file,
  status: 'failed',
  kind,
  message: `${kind}!`,
})

const facts = (cases: TestCase[], more: Partial<TestFacts> = {}): TestFacts => ({
  outcome: cases.some((each) => each.status === 'failed') ? 'failed' : 'passed',
  details: 'counts',
  cases,
  before: [passes('old', OLD)],
  changed: [NEW],
  red: [],
  ...more,
})

describe('RED', () => {
  it.each<[string, TestFacts, string]>([
    ['a new test fails by assertion', facts([passes('old', OLD), fails('adds', 'assertion')]), 'red'],
    ['some new tests pass and one fails by assertion', facts([passes('a'), fails('b', 'assertion')]), 'red'],
    ['an assertion and another error', facts([fails('a', 'assertion'), fails('b', 'error')]), 'red'],
    ['all new tests pass', facts([passes('old', OLD), passes('adds')]), 'already_passing'],
    ['only an old test fails', facts([fails('old', 'assertion', OLD), passes('adds')]), 'already_passing'],
    ['no new test ran', facts([passes('old', OLD)]), 'no_tests'],
    ['the new tests were all skipped', facts([{ ...passes('adds'), status: 'skipped' }]), 'no_tests'],
    ['no test ran at all', facts([], { outcome: 'no_tests' }), 'no_tests'],
    ['the new file does not load', facts([fails(NEW, 'collection')], { outcome: 'not_collected' }), 'not_collected'],
    [
      'one new file does not load, another fails',
      facts([fails('x', 'collection'), fails('y', 'assertion')]),
      'not_collected',
    ],
    ['the new tests throw something else', facts([fails('adds', 'error')]), 'not_by_assertion'],
    ['nothing was measured', facts([], { outcome: 'unmeasured' }), 'unmeasured'],
    ['nothing was changed', facts([passes('old', OLD)], { changed: [] }), 'unchanged'],
    [
      'a file of others does not load',
      facts([fails('a', 'assertion'), fails(OLD, 'collection', OLD)], {
        outcome: 'not_collected',
        before: [fails(OLD, 'collection', OLD)],
      }),
      'red',
    ],
    [
      'a file of others no longer loads',
      facts([fails('a', 'assertion'), fails(OLD, 'collection', OLD)], { outcome: 'not_collected' }),
      'not_collected',
    ],
    [
      'an old test fails whose file nobody knew while it passed',
      facts([passes('a'), fails('old', 'assertion', OLD)], { before: [passes('old', null)] }),
      'already_passing',
    ],
    [
      'the only test that fails failed before, in a file that was edited',
      facts([fails('a', 'assertion'), passes('b')], { before: [fails('a', 'assertion')] }),
      'already_passing',
    ],
    [
      'a test fails that passed before it was edited',
      facts([fails('a', 'assertion')], { before: [passes('a')] }),
      'red',
    ],
    [
      'a file that did not load before still does not',
      facts([fails(NEW, 'collection')], { outcome: 'not_collected', before: [fails(NEW, 'collection')] }),
      'already_passing',
    ],
  ])('%s: judged as it should be', (_, given, outcome) => {
    expect(judgeRed(given).outcome).toBe(outcome)
  })

  it('counts the new tests that fail by assertion', () => {
    const red = judgeRed(
      facts([fails('a', 'assertion'), fails('b', 'assertion'), fails('c', 'error'), passes('old', OLD)]),
    )
    expect(red).toEqual({
      outcome: 'red',
      failing: 2,
      sentence: '2 of 3 new tests fail by assertion.',
      red: [
        { name: 'a', file: NEW },
        { name: 'b', file: NEW },
        { name: 'c', file: NEW },
      ],
    })
  })

  it('says of tests that failed before that they did', () => {
    const old = [fails('a', 'assertion')]
    expect(judgeRed(facts(old, { before: old })).sentence).toBe(
      'The tests that fail failed before: expected a new one that fails (RED phase)',
    )
  })

  it("uses the seed's words for tests that pass", () => {
    expect(judgeRed(facts([passes('adds')])).sentence).toBe('Tests passed - TDD requires failing tests (RED phase)')
  })

  it('tells a new test without a file by what ran before', () => {
    const before = [fails('was red', 'assertion', null)]
    expect(judgeRed(facts([...before], { before })).outcome).toBe('no_tests')
    expect(judgeRed(facts([...before, fails('new', 'assertion', null)], { before })).outcome).toBe('red')
    expect(judgeRed(facts([fails('new', 'assertion', null)], { before: null })).outcome).toBe('no_tests')
  })

  it.each(['/tmp/copy/test/add.test.ts', 'test/add.test.ts', 'add.test.ts'])('knows the file as %s', (file) => {
    expect(judgeRed(facts([fails('adds', 'assertion', file)], { before: null })).outcome).toBe('red')
  })

  it.each([
    ['tests.test_a.TestA test_adds', 'red'],
    ['tests.test_a', 'red'],
    ['tests.test_ab.TestA test_adds', 'no_tests'],
  ])('knows the module of %s', (name, outcome) => {
    const given = facts([fails(name, 'assertion', null)], { before: null, changed: ['tests/test_a.py'] })
    expect(judgeRed(given).outcome).toBe(outcome)
  })

  it('keeps as many names as a payload holds', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => fails(`${index} ${'n'.repeat(400)}`, 'assertion'))
    const { red, failing } = judgeRed(facts(many))
    expect(failing).toBe(1_000)
    expect(JSON.stringify(red).length).toBeLessThan(8_000)
  })

  it('does not take a file of a like name for it', () => {
    expect(judgeRed(facts([fails('adds', 'assertion', 'test/badd.test.ts')], { before: null })).outcome).toBe(
      'no_tests',
    )
  })
})

describe('GREEN', () => {
  const task = { ofTask: true, trespasses: [] }
  const changed = ['src/add.ts']

  it.each<[TestFacts['outcome'], string]>([
    ['passed', 'green'],
    ['failed', 'still_red'],
    ['not_collected', 'not_collected'],
    ['no_tests', 'no_tests'],
    ['unmeasured', 'unmeasured'],
  ])('tests that %s are %s', (outcome, expected) => {
    expect(judgeGreen(facts([], { outcome, changed }), task).outcome).toBe(expected)
  })

  it("is nobody's who changed the tester's files, whatever the tests say", () => {
    const judged = judgeGreen(facts([passes('a')], { changed }), { ofTask: true, trespasses: [NEW] })
    expect(judged).toMatchObject({
      outcome: 'trespassed',
      sentence: `The tester's files were changed (${NEW}): expected the implementation alone to change.`,
    })
  })

  it('is not given when a test that was red did not run, or was skipped', () => {
    const red = [{ name: 'adds', file: NEW }]
    const green = (cases: TestCase[]) => judgeGreen(facts(cases, { changed, red, outcome: 'passed' }), task)
    expect(green([passes('adds'), passes('old', OLD)]).outcome).toBe('green')
    expect(green([passes('adds', null)]).outcome).toBe('green')
    expect(green([passes('old', OLD)])).toMatchObject({
      outcome: 'still_red',
      sentence: '1 tests that were red did not run, the first adds: expected them to pass.',
    })
    expect(green([{ ...passes('adds'), status: 'skipped' }, passes('old', OLD)]).outcome).toBe('still_red')
    expect(green([passes('adds', OLD)]).outcome).toBe('still_red')
  })

  it.each<[string, TestCase[], Partial<TestFacts>, string]>([
    ['what failed before fails still', [passes('a'), fails('old', 'error', OLD)], {}, 'green'],
    [
      'a file that did not load before still does not',
      [passes('a'), fails(OLD, 'collection', OLD)],
      { outcome: 'not_collected', before: [fails(OLD, 'collection', OLD)] },
      'green',
    ],
    ['another test broke', [passes('a'), fails('old', 'error', OLD)], { before: [passes('old', OLD)] }, 'still_red'],
    ['nobody ran the tests before', [passes('a'), fails('old', 'error', OLD)], { before: null }, 'still_red'],
    ['a new test fails', [fails('a', 'assertion'), fails('old', 'error', OLD)], {}, 'still_red'],
    [
      'a test that was red fails, though it failed before, too',
      [passes('a'), fails('old', 'error', OLD)],
      { red: [{ name: 'old', file: OLD }] },
      'still_red',
    ],
    [
      'a file no longer loads',
      [passes('a'), fails('old', 'error', OLD), fails('x.js', 'collection', 'x.js')],
      { outcome: 'not_collected' },
      'not_collected',
    ],
    [
      'an old file does not load and a test is red',
      [fails('a', 'assertion'), fails(OLD, 'collection', OLD)],
      { outcome: 'not_collected', before: [fails(OLD, 'collection', OLD)] },
      'still_red',
    ],
    ['the report cannot be relied on', [fails('old', 'error', OLD)], { outcome: 'unmeasured' }, 'unmeasured'],
    [
      'all that passes was there before, and what was red is gone',
      [fails('old', 'error', OLD)],
      { red: [{ name: 'a', file: NEW }] },
      'still_red',
    ],
  ])('%s: judged as it should be', (_, cases, more, outcome) => {
    const given = facts(cases, { changed, before: [fails('old', 'error', OLD)], ...more })
    expect(judgeGreen(given, task).outcome).toBe(outcome)
  })

  it('says how many failed before', () => {
    const old = fails('old', 'error', OLD)
    expect(judgeGreen(facts([passes('a'), old], { changed, before: [old] }), task)).toMatchObject({
      failing: 0,
      sentence: 'All tests pass but 1 that failed before the task: counts.',
    })
  })

  it('knows names longer than can travel', () => {
    const long = fails('x'.repeat(1000), 'assertion')
    const { red } = judgeRed(facts([long]))
    expect(red[0]?.name).toHaveLength(300)
    const passed: TestCase = { ...long, status: 'passed', kind: null }
    expect(judgeGreen(facts([passed], { changed, red }), task).outcome).toBe('green')
  })

  it('is not given for nothing', () => {
    expect(judgeGreen(facts([passes('a')], { changed: [] }), task).outcome).toBe('unchanged')
  })

  it('needs no tests where none were asked for and there are none', () => {
    const none = facts([], { outcome: 'no_tests', changed })
    expect(judgeGreen(none, { ofTask: false, trespasses: [] }).outcome).toBe('green')
    expect(judgeGreen({ ...none, outcome: 'failed' }, { ofTask: false, trespasses: [] }).outcome).toBe('still_red')
  })

  it('says what was measured', () => {
    const red = facts([fails('a', 'assertion'), passes('b')], { changed, details: '1 passed, 1 failed' })
    expect(judgeGreen(red, task)).toEqual({
      outcome: 'still_red',
      failing: 1,
      red: [],
      sentence: 'Tests still failing after implementation: 1 passed, 1 failed.',
    })
  })
})

describe('what was there before', () => {
  it.each<['tdd' | 'develop', string, TestCase[], boolean]>([
    ['tdd', 'a report names no file', [passes('a', null)], true],
    ['tdd', 'a test fails in a file that was edited', [fails('old', 'assertion', OLD)], true],
    ['tdd', 'a test fails in a new file', [fails('a', 'assertion'), passes('old', OLD)], false],
    ['develop', 'all pass', [passes('a', null)], false],
    ['develop', 'only what was red fails', [fails('red', 'assertion')], false],
    ['develop', 'something else fails', [fails('red', 'assertion'), fails('b', 'error')], true],
  ])('%s, %s: is asked for or not', (phase, _, cases, expected) => {
    const seen = { outcome: 'failed', cases, red: [{ name: 'red', file: NEW }] } as const
    expect(needsBefore(seen, { phase, edited: [OLD] })).toBe(expected)
    expect(needsBefore({ ...seen, outcome: 'unmeasured' }, { phase, edited: [OLD] })).toBe(false)
  })
})

it('the same run is never red and green, and names fit their contract, whatever was seen', () => {
  const kinds = fc.constantFrom('passed', 'skipped', 'assertion', 'error', 'collection')
  const seen = fc.array(fc.tuple(fc.string({ maxLength: 600 }), kinds, fc.constantFrom(NEW, OLD, null)), {
    maxLength: 60,
  })
  const caseOf = ([name, kind, file]: [string, string, string | null]): TestCase => {
    if (kind === 'passed' || kind === 'skipped') return { ...passes(name, file), status: kind }
    return fails(name, kind as TestCase['kind'], file)
  }
  fc.assert(
    fc.property(seen, seen, (now, then) => {
      const given = facts(now.map(caseOf), { before: then.map(caseOf) })
      const red = judgeRed(given)
      expect(red.red.map((name) => TestName.parse(name))).toEqual(red.red)
      expect(JSON.stringify(red.red).length).toBeLessThan(32_000)
      const green = judgeGreen({ ...given, red: red.red }, { ofTask: true, trespasses: [] })
      expect(red.outcome === 'red' && green.outcome === 'green').toBe(false)
    }),
  )
})
