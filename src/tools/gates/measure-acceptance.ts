import type { AcceptanceGate, CriterionResult, GatesConfig } from '../../contracts/quality.js'
import type { TestCase } from '../../rules/test-report.js'
import type { GateBox } from './gate-box.js'
import { ranNothing } from './gate-facts.js'
import { runCommand } from './run-command.js'

type MeasuredAcceptance = Omit<AcceptanceGate, 'isBlocking'>
type Criterion = NonNullable<NonNullable<GatesConfig['gates']>['acceptance']>['criteria'][number]

/** Each criterion by the command or test it names; one that names neither is left to the reviewer, and says so. */
export async function measureAcceptance(
  box: GateBox,
  criteria: readonly Criterion[],
  cases: readonly TestCase[],
): Promise<MeasuredAcceptance> {
  if (criteria.length === 0)
    return { ...ranNothing({ status: 'skipped', details: 'no criteria were given' }), criteria: [] }
  const startedAt = performance.now()
  const results: CriterionResult[] = []
  for (const each of criteria) results.push(await judge(box, each, cases))
  const count = (status: CriterionResult['status']) => results.filter((each) => each.status === status).length
  const measured = count('pass') + count('fail')
  const details = `${count('pass')} of ${results.length} criteria hold, ${count('unmeasured')} left to the reviewer`
  const facts = { command: null, seconds: (performance.now() - startedAt) / 1000, exitCode: null, tail: '' }
  const status = count('fail') > 0 ? 'fail' : measured > 0 ? 'pass' : 'skipped'
  return { ...facts, status, details, criteria: results }
}

async function judge(box: GateBox, each: Criterion, cases: readonly TestCase[]): Promise<CriterionResult> {
  const { criterion, test, command } = each
  if (command !== undefined) {
    const end = await runCommand(box, { argv: command })
    if ('missing' in end) return { criterion, status: 'fail', judgedBy: 'command', details: end.missing }
    return { criterion, status: end.isGood ? 'pass' : 'fail', judgedBy: 'command', details: end.ending }
  }
  if (test === undefined) return { criterion, status: 'unmeasured', judgedBy: 'reviewer', details: 'names no measure' }
  return { criterion, judgedBy: 'test', ...byTest(test, cases) }
}

/** A test that did not run proves nothing, so its criterion does not hold. */
function byTest(test: string, cases: readonly TestCase[]): Pick<CriterionResult, 'status' | 'details'> {
  const named = cases.filter((each) => each.name === test || each.name.endsWith(` > ${test}`))
  if (named.length === 0) return { status: 'fail', details: `no test "${test}" ran` }
  const isGood = named.every((each) => each.status === 'passed')
  return { status: isGood ? 'pass' : 'fail', details: `${named.length} tests of that name` }
}
