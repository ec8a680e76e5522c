import type { LintGate } from '../../contracts/quality.js'
import { countFindings, type Findings } from '../../rules/test-report-lint.js'
import type { GateBox } from './gate-box.js'
import { byExitCode, type GateFacts, ranNothing } from './gate-facts.js'
import { isPlan, type LintPlan, type NoPlan } from './gate-plan.js'
import { readReport } from './read-report.js'
import { runCommand } from './run-command.js'

type MeasuredLint = Omit<LintGate, 'isBlocking'>

/** The linter's exit code decides, and its report where it has one; strict also counts warnings where they are told apart. */
export async function measureLint(box: GateBox, plan: LintPlan | NoPlan, isStrict: boolean): Promise<MeasuredLint> {
  const none = { errors: null, warnings: null }
  if (!isPlan(plan)) return { ...ranNothing(plan), ...none }
  const end = await runCommand(box, plan)
  if ('missing' in end) return { ...ranNothing({ status: 'unavailable', details: end.missing }), ...none }
  const facts = byExitCode(end, 'no errors')
  const text = plan.format === null || end.stopped !== null ? null : await readReport(end.reports, 'report')
  const counts = plan.format === null || text === null ? null : countFindings(plan.format, text)
  return counts === null ? { ...facts, ...none } : { ...facts, ...counts, ...judge(facts, counts, isStrict) }
}

function judge(
  facts: GateFacts,
  { errors, warnings }: Findings,
  isStrict: boolean,
): Pick<GateFacts, 'status' | 'details'> {
  const words = `${errors} errors, ${warnings} warnings`
  if (errors > 0 || (isStrict && warnings > 0)) return { status: 'fail', details: words }
  if (facts.status === 'pass') return { status: 'pass', details: words }
  return { status: 'fail', details: `${words}, but the command ${facts.details}` }
}
