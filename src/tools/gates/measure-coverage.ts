import type { CoverageGate } from '../../contracts/quality.js'
import { type Coverage, readCoverage } from '../../rules/test-report-coverage.js'
import type { GateBox } from './gate-box.js'
import { ranNothing } from './gate-facts.js'
import { type CoveragePlan, isPlan, type NoPlan } from './gate-plan.js'
import { readReport } from './read-report.js'
import { type CommandEnd, runCommand } from './run-command.js'

type MeasuredCoverage = Omit<CoverageGate, 'isBlocking'>

/** Coverage of lines against the minimum, exactly: 79.99 is below 80. What was not measured is skipped, and says why. */
export async function measureCoverage(
  box: GateBox,
  plan: CoveragePlan | NoPlan,
  threshold: number,
): Promise<MeasuredCoverage> {
  const none = { line: null, function: null, branch: null, threshold }
  if (!isPlan(plan)) return { ...ranNothing(plan), ...none }
  const end = await runCommand(box, plan)
  if ('missing' in end) return { ...ranNothing({ status: 'unavailable', details: end.missing }), ...none }
  const { command, seconds, exitCode, tail } = end
  const facts = { command, seconds, exitCode, tail, ...none }
  if (end.stopped !== null) return { ...facts, status: 'fail', details: end.stopped }
  const found = await coverageOf(box, plan, end)
  if (typeof found === 'string') return { ...facts, ...unmeasured(found, exitCode) }
  const isEnough = (found.line ?? 0) >= threshold
  return { ...facts, ...found, status: isEnough ? 'pass' : 'fail', details: wordsOf(found, threshold) }
}

/** A command that ended well and told nothing is one without coverage; one that failed was asked for and could not be measured. */
function unmeasured(why: string, exitCode: number | null): Pick<MeasuredCoverage, 'status' | 'details'> {
  if (exitCode === 0) return { status: 'skipped', details: `not measured: ${why}` }
  return { status: 'unavailable', details: `could not be measured: ${why}, and ended with ${exitCode ?? 'a signal'}` }
}

async function coverageOf(box: GateBox, plan: CoveragePlan, { reports }: CommandEnd): Promise<Coverage | string> {
  for (const { path, format } of plan.files) {
    const isOutside = path.startsWith('{reports}/')
    const text = await readReport(isOutside ? reports : box.copy, path.replace('{reports}/', ''))
    if (text === null) continue
    try {
      const coverage = readCoverage(format, text)
      return coverage.line === null ? 'the report knows no lines of the project' : coverage
    } catch (error) {
      if (error instanceof Error) return `the report cannot be read (${error.message.slice(0, 100)})`
      throw error
    }
  }
  return 'the command wrote no report of coverage'
}

function wordsOf(found: Coverage, threshold: number): string {
  const parts = [`lines ${percentWords(found.line)}`]
  if (found.function !== null) parts.push(`functions ${percentWords(found.function)}`)
  if (found.branch !== null) parts.push(`branches ${percentWords(found.branch)}`)
  return `${parts.join(', ')}; ${threshold > 0 ? `at least ${threshold} % of lines are asked for` : 'no minimum is set'}`
}

/** Rounded down, so that nothing below a minimum is shown as having reached it. */
function percentWords(value: number | null): string {
  return value === null ? '–' : `${(Math.floor(value * 100 + 1e-6) / 100).toFixed(2)} %`
}
