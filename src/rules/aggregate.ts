import type { AggregateInput, AggregateResult, Dimension, Lang, Severity } from '../contracts/aggregate.js'
import { renderFeedback } from './aggregate-feedback.js'
import { fractionOf, roundHalfUp } from './aggregate-fractions.js'
import { stackAdvisor } from './aggregate-hints.js'
import { findInconsistencies } from './aggregate-inconsistencies.js'
import { collectIssues, countIssues, mergeIssues, orderIssues } from './aggregate-issues.js'
import type { AggregateSettings } from './aggregate-settings.js'
import { type Check, decideVerdict, DIMENSIONS, scoreOf, showValue, type Verdict } from './aggregate-verdict.js'
import { AGGREGATE_WORDS, type AggregateWords } from './aggregate-words.js'

/**
 * Seed 000: three reviews of one round → verdict, lists of issues, feedback for the writer. Pure; time grows with the number of issues.
 * `settings` come from `resolveSettings`; `input.iteration` is at most their `max_iterations`.
 */
export function aggregate(input: AggregateInput, settings: AggregateSettings, lang: Lang): AggregateResult {
  const words = AGGREGATE_WORDS[lang]
  const adviceOn = stackAdvisor(input.tech_stack, lang)
  const issues = orderIssues(collectIssues(input), (type) => adviceOn(type).shift)
  const counts = countIssues(issues)
  const verdict = decideVerdict(input, counts, settings)
  const nextAction = nextActionOf(verdict, settings, words)
  const ofSeverity = (severity: Severity) => issues.filter((issue) => issue.severity === severity)
  return {
    iteration: input.iteration,
    passed: verdict.recommendation === 'PASS',
    overall_score: roundHalfUp(verdict.overall),
    scores: shownScores(input),
    weights: settings.weights,
    critical_issues: ofSeverity('Critical'),
    high_issues: ofSeverity('High'),
    medium_issues: ofSeverity('Medium'),
    low_issues: ofSeverity('Low'),
    feedback_for_code_writer: renderFeedback({
      input,
      settings,
      verdict,
      merged: mergeIssues(issues),
      adviceOn,
      words,
      nextAction,
    }),
    recommendation: verdict.recommendation,
    progress: shownProgress(verdict),
    next_action: nextAction,
    reason: reasonOf(verdict, settings, words),
    thresholds_used: settings.thresholds,
    weights_used: settings.weights,
    issue_counts: counts,
    inconsistencies: findInconsistencies(input, settings, words),
  }
}

function shownScores(input: AggregateInput): AggregateResult['scores'] {
  const [security = 0, quality = 0, performance = 0] = DIMENSIONS.map((name) =>
    roundHalfUp(fractionOf(scoreOf(input, name))),
  )
  return { security, quality, performance }
}

function shownProgress({ overall, progress }: Verdict): AggregateResult['progress'] {
  const { previous, improvement, trend } = progress
  return {
    previous_score: previous === null ? null : roundHalfUp(fractionOf(previous)),
    current_score: roundHalfUp(overall),
    improvement: improvement === null ? null : roundHalfUp(improvement),
    trend,
  }
}

function reasonOf({ recommendation, checks }: Verdict, settings: AggregateSettings, words: AggregateWords): string {
  const first = checks.find((check) => !check.isMet)
  if (first === undefined) return words.pass
  const why = complaintOf(first, words)
  const reasons = {
    PASS: words.pass,
    ITERATE: why,
    STALLED: words.stalled(settings.thresholds.stall_points),
    FAIL_MAX_ITERATIONS: words.failed(why),
  }
  return reasons[recommendation]
}

function complaintOf(check: Check, words: AggregateWords): string {
  const shown = showValue(check)
  if (isScore(check)) return words.below(check.name, shown, check.limit)
  return check.name === 'critical' ? words.critical(shown) : words.high(shown, check.limit)
}

function nextActionOf({ recommendation, checks }: Verdict, settings: AggregateSettings, words: AggregateWords): string {
  const { max_iterations, stall_points } = settings.thresholds
  const actions = {
    PASS: words.passAction,
    ITERATE: whatToDo(checks, words),
    STALLED: words.stalled(stall_points),
    FAIL_MAX_ITERATIONS: words.failedAction(max_iterations),
  }
  return actions[recommendation]
}

/** Issues first: while too many are there, raising a score is beside the point. */
function whatToDo(checks: readonly Check[], words: AggregateWords): string {
  const open = checks.filter((check) => !check.isMet)
  const goals = open.filter(isScore)
  if (goals.length === open.length) {
    return words.raiseAction(goals.map((check) => words.goal(check.name, showValue(check), check.limit)))
  }
  const levels = checks.filter((check) => !isScore(check) && check.value.top > 0n)
  return words.fixAction(levels.map(({ name }) => (name === 'critical' ? 'Critical' : 'High')))
}

function isScore(check: Check): check is Check & { name: Dimension | 'overall' } {
  return check.name !== 'critical' && check.name !== 'high'
}
