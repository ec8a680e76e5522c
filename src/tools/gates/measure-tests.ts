import { Failure } from '../../contracts/failures.js'
import type { TestGate } from '../../contracts/quality.js'
import { readJestReport } from '../../rules/test-report-jest.js'
import { readJunitReport } from '../../rules/test-report-junit.js'
import { readTapReport } from '../../rules/test-report-tap.js'
import { judgeTests, type TestCase, type TestReport } from '../../rules/test-report.js'
import type { GateBox } from './gate-box.js'
import { ranNothing, type GateFacts } from './gate-facts.js'
import { isPlan, type NoPlan, type TestFormat, type TestPlan } from './gate-plan.js'
import { readReport } from './read-report.js'
import { runCommand, shown, type CommandEnd } from './run-command.js'

type MeasuredTests = Omit<TestGate, 'isBlocking'> & {
  /** Every test by its full name; for criteria that name one. */
  cases: readonly TestCase[]
}

/** Runs the project's tests and judges them by the report of their runner, never by the exit code alone. */
export async function measureTests(box: GateBox, plan: TestPlan | NoPlan): Promise<MeasuredTests> {
  const none = { outcome: null, passed: 0, failed: 0, skipped: 0, failures: [], cases: [] }
  if (!isPlan(plan)) return { ...ranNothing(plan), ...none }
  const end = await runCommand(box, plan)
  if ('missing' in end) return { ...ranNothing({ status: 'unavailable', details: end.missing }), ...none }
  const report = await reportOf(plan.format, end)
  if (report === null) return { ...factsOf(end), ...none, ...withoutReport(end, plan) }
  const { failures, ...judged } = judgeTests(report, end)
  const details = shown(box, judged.details)
  const named = failures.map((each) => ({ ...each, name: shown(box, each.name), ...placesOf(box, each) }))
  return { ...factsOf(end), ...judged, details, failures: named, cases: report.cases }
}

function factsOf({ command, seconds, exitCode, tail }: CommandEnd): Omit<GateFacts, 'status' | 'details'> {
  return { command, seconds, exitCode, tail }
}

function placesOf(box: GateBox, { file, message }: TestGate['failures'][number]): Pick<TestCase, 'file' | 'message'> {
  return { file: file === null ? null : shown(box, file).replace(/^\.\//, ''), message: shown(box, message) }
}

async function reportOf(format: TestFormat, { reports }: CommandEnd): Promise<TestReport | null> {
  try {
    const text = await readReport(reports, 'report')
    return text === null ? null : READERS[format](text)
  } catch (error) {
    // A report that ends in the middle (the runner was killed), or that is too large, is one that cannot be relied on.
    const why =
      error instanceof SyntaxError ? 'it is cut short or no JSON' : error instanceof Error ? error.message : ''
    if (error instanceof Failure || error instanceof Error) return { cases: [], flaw: why }
    throw error
  }
}

const READERS = {
  tap: readTapReport,
  jest: readJestReport,
  vitest: readJestReport,
  junit: readJunitReport,
} satisfies Record<TestFormat, (text: string) => TestReport>

/** No report: whether that is a failure depends on who should have written it. */
function withoutReport(
  { isGood, stopped, ending }: CommandEnd,
  { isSure }: TestPlan,
): Pick<TestGate, 'status' | 'outcome' | 'details'> {
  if (stopped !== null) return { status: 'fail', outcome: 'unmeasured', details: stopped }
  if (!isGood) {
    const outcome = isSure ? 'not_collected' : 'unmeasured'
    return { status: 'fail', outcome, details: `the command ended with ${ending} before any test was reported` }
  }
  if (isSure)
    return { status: 'fail', outcome: 'unmeasured', details: 'the command ended well but wrote no report of its tests' }
  const how = 'name one that writes a report as gates.test in gauntlet.json'
  return { status: 'unavailable', outcome: 'unmeasured', details: `no report of this runner can be read: ${how}` }
}
