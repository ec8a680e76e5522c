import type { ScoreAnswer } from '../../contracts/eval-score.js'
import { Failure } from '../../contracts/failures.js'
import type { TestGate } from '../../contracts/quality.js'
import { qualityOf } from '../../rules/quality.js'
import { measureTests } from '../gates/measure-tests.js'
import { planGates } from '../gates/plan-gates.js'
import { readProject } from '../gates/project.js'
import type { Bench } from './judge-box.js'

/**
 * Ten times the share of tests that pass. Code that cannot be loaded, or never ends, has 0. Throws `Failure('Tool.Missing')` when there
 * are no tests to judge by: that says nothing about the candidate.
 */
export async function judgeByTests({ box, hasOwnRules }: Bench): Promise<ScoreAnswer> {
  const plans = planGates(box, await readProject(box.copy), qualityOf(null))
  const tests = await measureTests(box, plans.test)
  const broken = brokenReason(tests)
  if (broken === null && (tests.outcome === null || tests.passed + tests.failed === 0))
    throw new Failure('Tool.Missing', `tests: ${tests.details}`)
  const whose = hasOwnRules ? ' of its own tests' : ''
  const { passed, failed } = tests
  return {
    score: broken === null ? (10 * passed) / (passed + failed) : 0,
    measured: null,
    reasons: [
      broken ?? `${passed} of ${passed + failed}${whose} pass`,
      ...tests.failures.map(({ name, message }) => firstLine(`fails: ${name}: ${message}`)),
    ].slice(0, 20),
    findings: findingsOf(tests, broken),
    angle: 'correctness',
  }
}

/** What a judge's tests refuse must not be used as it is. */
function findingsOf({ failures }: Pick<TestGate, 'failures'>, broken: string | null): ScoreAnswer['findings'] {
  const titles = broken === null ? failures.map(({ name }) => firstLine(`fails: ${name}`)) : [broken]
  return titles.map((title) => ({ title, severity: 'Critical' }))
}

function brokenReason({ outcome, status, details }: Pick<TestGate, 'outcome' | 'status' | 'details'>): string | null {
  if (outcome === 'not_collected') return firstLine(`its tests cannot be loaded: ${details}`)
  return outcome === 'unmeasured' && status === 'fail' ? firstLine(`its tests do not end well: ${details}`) : null
}

export function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').trim().slice(0, 500) || 'no words'
}
