import type { TestOutcome } from '../../contracts/quality.js'
import type { TestName } from '../../contracts/test-name.js'
import type { TestCase } from '../test-report.js'
import type { PhaseOutcome } from './outcomes.js'

/** What a run of the project's tests said, and what the attempt before it had changed. */
export interface TestFacts {
  outcome: TestOutcome
  /** One line: counts, or why nothing was measured. */
  details: string
  cases: readonly TestCase[]
  /** Cases of the commit that the attempt (tdd) or the task (develop) started from; null when they were not run. */
  before: readonly TestCase[] | null
  /** Files that the attempt changed. */
  changed: readonly string[]
  /** Tests that were seen red before. */
  red: readonly TestName[]
}

export interface Judged<P extends 'tdd' | 'develop'> {
  outcome: PhaseOutcome<P>
  /** For the agent and for people: what was measured, and for anything but success what is expected. */
  sentence: string
  /** How many of the new tests failed by assertion (tdd) or of all tests failed (develop), without those that failed before. */
  failing: number
  /** The new tests that fail, those by assertion first; as many as a payload holds. */
  red: TestName[]
}

/**
 * RED (pipelines.md, phase 4): the new tests ran and failed by assertion. New is a test in a changed file, or, where the report
 * names no file, one that was not there before. That a test fails which failed before says nothing.
 */
export function judgeRed(facts: TestFacts): Judged<'tdd'> {
  const fresh = facts.cases.filter((each) => isNew(each, facts))
  const failed = fresh.filter((each) => each.status === 'failed' && !hasFailedBefore(each, facts))
  const broken = failed.find((each) => each.kind === 'collection')
  const asserted = failed.filter((each) => each.kind === 'assertion')
  const failing = asserted.length
  const red = namesOf([...asserted, ...failed.filter((each) => each.kind !== 'assertion')])
  const judged = (outcome: PhaseOutcome<'tdd'>, sentence: string) => ({ outcome, sentence, failing, red })
  if (facts.changed.length === 0) return judged('unchanged', 'No file was changed: expected new tests.')
  if (broken !== undefined)
    return judged(
      'not_collected',
      `The new tests do not load (${nameOf(broken)}: ${broken.message}): expected tests that run and fail by assertion; where the code under test is missing, add a stub.`,
    )
  if (facts.outcome === 'unmeasured') return judged('unmeasured', `The tests could not be measured: ${facts.details}.`)
  if (fresh.every((each) => each.status === 'skipped'))
    return judged('no_tests', `No new test ran (${facts.details}): expected at least one.`)
  if (failing > 0) return judged('red', `${failing} of ${fresh.length} new tests fail by assertion.`)
  if (failed[0] !== undefined)
    return judged(
      'not_by_assertion',
      `The new tests fail, but none by assertion (${nameOf(failed[0])}: ${failed[0].message}): expected an assertion that fails because the behaviour is missing.`,
    )
  if (fresh.some((each) => each.status === 'failed'))
    return judged('already_passing', 'The tests that fail failed before: expected a new one that fails (RED phase)')
  return judged('already_passing', 'Tests passed - TDD requires failing tests (RED phase)')
}

function isNew(each: TestCase, { before, changed }: TestFacts): boolean {
  const { file, name } = each
  if (changed.some((path) => (file === null ? isOfModule(name, path) : isSameFile(path, file)))) return true
  return before !== null && !before.some((other) => isSameTest(other, each))
}

function hasFailedBefore(each: TestCase, { before }: TestFacts): boolean {
  return before?.some((other) => other.status === 'failed' && isSameTest(other, each)) === true
}

/** Node says where a test is only when it fails. */
function isSameTest(one: TestCase, other: TestCase): boolean {
  return one.name === other.name && (one.file === other.file || one.file === null || other.file === null)
}

/** Reports name files as they like: relative, absolute, or by module. */
function isSameFile(path: string, reported: string): boolean {
  return reported === path || reported.endsWith(`/${path}`) || path.endsWith(`/${reported}`)
}

/** Python's runners name a test by its module: 'tests.test_a.TestA test_b' is in tests/test_a.py. */
function isOfModule(name: string, path: string): boolean {
  const module = path.replace(/\.py$/, '').replaceAll('/', '.')
  return path.endsWith('.py') && name.startsWith(module) && /^(?:$|[. ])/.test(name.slice(module.length))
}

function nameOf({ name, file }: TestCase): string {
  return file ?? name
}

/**
 * GREEN (pipelines.md, phase 5): all tests of the project ran and passed, but those that failed before the task began and were not
 * seen red. `ofTask` says whether the task has tests that it must make pass; where no tests were asked for, a project without any
 * has nothing to be red, and the gates have the word.
 */
export function judgeGreen(
  facts: TestFacts,
  { ofTask, trespasses }: { ofTask: boolean; trespasses: readonly string[] },
): Judged<'develop'> {
  const failed = facts.cases.filter((each) => each.status === 'failed')
  const counted = failed.filter((each) => isAmong(each, facts.red) || !hasFailedBefore(each, facts))
  const failing = counted.length
  const judged = (outcome: PhaseOutcome<'develop'>, sentence: string) => ({ outcome, sentence, failing, red: [] })
  if (trespasses.length > 0) return judged('trespassed', trespassSentence(trespasses))
  if (facts.changed.length === 0) return judged('unchanged', 'No file was changed: expected an implementation.')
  const outcome = failed.length > failing ? outcomeWithout(facts, counted) : facts.outcome
  if (outcome === 'passed') {
    const old = failed.length > failing ? ` but ${failed.length - failing} that failed before the task` : ''
    const gone = goneSentence(facts)
    return gone === null ? judged('green', `All tests pass${old}: ${facts.details}.`) : judged('still_red', gone)
  }
  if (outcome === 'no_tests' && !ofTask) return judged('green', 'The project has no tests, and none were asked for.')
  return judged(NOT_GREEN[outcome], `${SENTENCES[outcome]}: ${facts.details}.`)
}

/** What the outcome is when some failures do not count. A report that cannot be relied on stays one. */
function outcomeWithout({ outcome }: TestFacts, counted: readonly TestCase[]): TestOutcome {
  if (outcome !== 'failed' && outcome !== 'not_collected') return outcome
  if (counted.some((each) => each.kind === 'collection')) return 'not_collected'
  return counted.length > 0 ? 'failed' : 'passed'
}

/** Null when every test that was red passed. One that is gone, or skipped, did not. */
function goneSentence({ red, cases }: TestFacts): string | null {
  const passed = cases.filter((each) => each.status === 'passed')
  const [gone, ...others] = red.filter((name) => !passed.some((each) => isAmong(each, [name])))
  if (gone === undefined) return null
  return `${others.length + 1} tests that were red did not run, the first ${gone.name}: expected them to pass.`
}

/**
 * True when the cases cannot be judged without those of before: RED where a report names no file or a test fails in a file that was
 * only edited, GREEN where something fails that was not seen red. Never for a run that measured nothing.
 * @param edited changed files that were there before
 */
export function needsBefore(
  { outcome, cases, red }: Pick<TestFacts, 'outcome' | 'cases' | 'red'>,
  { phase, edited }: { phase: 'tdd' | 'develop'; edited: readonly string[] },
): boolean {
  if (outcome === 'unmeasured') return false
  const failed = cases.filter((each) => each.status === 'failed')
  if (phase === 'develop') return failed.some((each) => !isAmong(each, red))
  return (
    cases.some(({ file }) => file === null) ||
    failed.some(({ file }) => edited.some((path) => isSameFile(path, file ?? '')))
  )
}

/** The coder may not change the tester's files (pipelines.md, phase 4). */
export function trespassSentence(paths: readonly string[]): string {
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : ''
  return `The tester's files were changed (${paths.slice(0, 5).join(', ')}${more}): expected the implementation alone to change.`
}

const NOT_GREEN = {
  failed: 'still_red',
  not_collected: 'not_collected',
  no_tests: 'no_tests',
  unmeasured: 'unmeasured',
} as const satisfies Record<Exclude<TestOutcome, 'passed'>, PhaseOutcome<'develop'>>

const SENTENCES = {
  failed: 'Tests still failing after implementation',
  not_collected: 'Tests no longer load',
  no_tests: 'No tests ran any more',
  unmeasured: 'The tests could not be measured',
} as const satisfies Record<Exclude<TestOutcome, 'passed'>, string>

const LONGEST_NAME = 300
const MAX_NAMES_LENGTH = 6_000

/** Names of parametrised tests can be whole documents, and there can be thousands of tests. */
function namesOf(cases: readonly TestCase[]): TestName[] {
  let left = MAX_NAMES_LENGTH
  return cases
    .map(({ name, file }) => ({ name: clip(name), file: file === null ? null : clip(file) }))
    .filter(({ name, file }) => (left -= name.length + (file?.length ?? 0)) > 0)
    .slice(0, 200)
}

function clip(text: string): string {
  return text.slice(0, LONGEST_NAME)
}

function isAmong({ name, file }: TestCase, names: readonly TestName[]): boolean {
  return names.some(
    (each) => clip(name) === each.name && (file === null || each.file === null || clip(file) === each.file),
  )
}
