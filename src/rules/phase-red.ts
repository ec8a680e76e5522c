import type { TestOutcome } from '../contracts/quality.js'
import type { GreenVerdict, RedVerdict, TestName } from '../contracts/test-evidence.js'
import type { TestCase } from './test-report.js'

/** What a run of tests told, with files relative to the project. */
export interface TestRun {
  outcome: TestOutcome | null
  cases: readonly TestCase[]
  /** One line for people. */
  details: string
}

export interface RedInput {
  run: TestRun
  /** What the tester wrote, relative: tests, and whatever they need. */
  testerFiles: readonly string[]
  /** Tests that failed before the tester began: that they fail says nothing. */
  failedBefore: readonly TestName[]
}

/**
 * Phase TDD of seed 001: RED is when the new tests ran and at least one of them failed by assertion. Tests that do not load, that
 * all passed, of which none ran, or that only broke on the way to their assertions are not RED.
 */
export function judgeRed({ run, testerFiles, failedBefore }: RedInput): RedVerdict {
  const own = casesOf(run.cases, testerFiles)
  const notRed = (reason: Reason<RedVerdict>, details: string): RedVerdict => ({
    status: 'not_red',
    reason,
    details: details.slice(0, maxDetails),
  })
  if (run.outcome === null || run.outcome === 'unmeasured') return notRed('unmeasured', run.details)
  const broken = own.find(({ kind }) => kind === 'collection')
  if (broken !== undefined) return notRed('not_collected', `${nameOf(broken)} does not load: ${broken.message}`)
  const ran = own.filter(({ status }) => status !== 'skipped')
  if (ran.length === 0) return notRed('no_tests', `no test ran in ${listed(testerFiles)}`)
  const failed = ran.filter((each) => each.status === 'failed' && !isAmong(each, failedBefore))
  if (failed.length === 0)
    return notRed('passed_at_once', `${ran.length} of ${ran.length} new tests passed before anything was written`)
  const asserted = failed.filter(({ kind }) => kind === 'assertion')
  const first = failed[0]
  if (asserted.length === 0 && first !== undefined)
    return notRed('failed_by_error', `no assertion failed: ${nameOf(first)} broke with ${first.message}`)
  const alreadyPassing = ran.filter(({ status }) => status === 'passed').map(named)
  const details = `${failed.length} of ${ran.length} new tests failed, ${asserted.length} by assertion`
  const red = cut([...asserted, ...failed.filter(({ kind }) => kind !== 'assertion')].map(named))
  return { status: 'red', details, red, alreadyPassing: cut(alreadyPassing) }
}

type Reason<T> = T extends { reason: infer R } ? R : never

const maxDetails = 1000

export interface GreenInput {
  run: TestRun
  /** The tests that were seen RED. */
  red: readonly TestName[]
  failedBefore: readonly TestName[]
}

/**
 * Phase Develop of seed 001: GREEN is when every test that was RED passed, and no other fails that did not fail before. A test that
 * is gone, or skipped, did not pass.
 */
export function judgeGreen({ run, red, failedBefore }: GreenInput): GreenVerdict {
  const { outcome, cases } = run
  const notGreen = (
    reason: Reason<GreenVerdict>,
    details: string,
    failing: readonly TestName[] = [],
  ): GreenVerdict => ({
    status: 'not_green',
    reason,
    details: details.slice(0, maxDetails),
    failing: cut(failing),
  })
  const isNews = (each: TestCase) => !isAmong(each, failedBefore)
  if (outcome === null || outcome === 'unmeasured') return notGreen('unmeasured', run.details)
  const broken = cases.filter((each) => each.kind === 'collection' && isNews(each))
  const [firstBroken] = broken
  if (firstBroken !== undefined)
    return notGreen('not_collected', `${nameOf(firstBroken)} does not load: ${firstBroken.message}`, broken.map(named))
  if (outcome === 'no_tests') return notGreen('no_tests', run.details)
  const failed = cases.filter((each) => each.status === 'failed' && (isNews(each) || isAmong(each, red)))
  const [first] = failed
  if (first !== undefined)
    return notGreen(
      'still_failing',
      `${failed.length} failing, the first ${nameOf(first)}: ${first.message}`,
      failed.map(named),
    )
  const missing = red.filter((name) => !cases.some((each) => each.status === 'passed' && isSame(each, name)))
  const [gone] = missing
  if (gone !== undefined)
    return notGreen(
      'missing',
      `${missing.length} of ${red.length} that were red did not run, the first ${gone.name}`,
      missing,
    )
  return { status: 'green', details: `${run.details}; ${red.length} of them were red before` }
}

/** The tests that fail already, so that later verdicts can tell what is new. */
export function failingTests(cases: readonly TestCase[]): TestName[] {
  return cases.filter(({ status }) => status === 'failed').map(named)
}

/** Some runners do not say where a test is; then its name may (Python's modules), else all of them count. */
function casesOf(cases: readonly TestCase[], files: readonly string[]): readonly TestCase[] {
  const inFiles = new Set(files)
  const modules = files.map((file) => file.replace(/\.py$/, '').replaceAll('/', '.'))
  const own = cases.filter(({ file, name }) =>
    file === null ? modules.some((module) => name === module || /^[. ]/.test(rest(name, module))) : inFiles.has(file),
  )
  return own.length > 0 ? own : cases.filter(({ file }) => file === null)
}

function rest(name: string, start: string): string {
  return name.startsWith(start) ? name.slice(start.length) : ''
}

function isAmong(test: TestCase, names: readonly TestName[]): boolean {
  return names.some((name) => isSame(test, name))
}

function isSame(test: TestCase, { name, file }: TestName): boolean {
  return clipped(test.name) === name && (test.file === null || file === null || clipped(test.file) === file)
}

function named({ name, file }: TestCase): TestName {
  return { name: clipped(name), file: file === null ? null : clipped(file) }
}

/** So that a verdict can be part of a history. */
function cut(names: readonly TestName[]): TestName[] {
  let left = 5000
  return names.filter(({ name, file }) => (left -= name.length + (file?.length ?? 0)) > 0)
}

/** Names of parametrised tests can be whole documents. */
function clipped(text: string): string {
  return text.slice(0, 300)
}

function nameOf({ name, file }: TestCase): string {
  return file === null || name === file ? clipped(name) : `${clipped(name)} (${clipped(file)})`
}

function listed(files: readonly string[]): string {
  return files.length === 0 ? 'any file' : `${files.slice(0, 5).join(', ')}${files.length > 5 ? ', …' : ''}`
}
