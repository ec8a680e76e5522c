import type { ScoreAnswer } from '../../contracts/eval-score.js'
import { Failure } from '../../contracts/failures.js'
import { qualityOf } from '../../rules/quality.js'
import { measureLint } from '../gates/measure-lint.js'
import { planGates } from '../gates/plan-gates.js'
import { readProject } from '../gates/project.js'
import type { Bench } from './judge-box.js'
import { firstLine } from './judge-tests.js'

/** Five errors, or twenty warnings, halve the score. A linter whose report we cannot read only says yes (10) or no (0). */
export async function judgeByLint({ box }: Bench): Promise<ScoreAnswer> {
  const plans = planGates(box, await readProject(box.copy), qualityOf(null))
  const lint = await measureLint(box, plans.lint, false)
  if (lint.status === 'skipped' || lint.status === 'unavailable')
    throw new Failure('Tool.Missing', `lint: ${lint.details}`)
  const { errors, warnings } = lint
  const isCounted = errors !== null && warnings !== null
  const score = isCounted ? (10 * HALVING) / (HALVING + errors + warnings / 4) : lint.status === 'pass' ? 10 : 0
  return {
    score,
    measured: null,
    reasons: [isCounted ? `${errors} errors, ${warnings} warnings` : firstLine(lint.details)],
    findings: lint.status === 'fail' ? [{ title: firstLine(`the linter: ${lint.details}`), severity: 'Minor' }] : [],
    angle: 'maintainability',
  }
}

const HALVING = 5
