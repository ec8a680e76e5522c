import type { CrashKind } from '../../contracts/crash-signature.js'
import { parseErrorText } from './error-text.js'
import type { IssueFacts } from './issue-text-facts.js'
import { prose } from './issue-text-safety.js'
import { scrub } from './issue-text-scrub.js'
import { signatureOfErrorText } from './signature.js'

/** What a reader should know before trusting the report, one plain sentence each; empty when all steps ran whole. */
export function issueCaveats(facts: IssueFacts): string[] {
  return [
    ...reproduceCaveats(facts),
    ...analysisCaveats(facts),
    ...validationCaveats(facts),
    ...duplicateCaveats(facts),
  ]
}

function reproduceCaveats({ order, errorText }: IssueFacts): string[] {
  const { runs, reproduced_runs, match_result, is_sandboxed } = order.reproduce
  return [
    ...(reproduced_runs < runs
      ? [`The failure is not deterministic: seen in ${reproduced_runs} of ${runs} runs.`]
      : []),
    ...(match_result === 'different_crash' ? [differs(order.minimize.signature.kind, errorText)] : []),
    ...(is_sandboxed ? [] : ['The tool ran without a sandbox.']),
    ...(order.minimize.is_one_minimal
      ? []
      : ['The test case may not be minimal: the reduction did not come to its end.']),
  ]
}

function differs(seen: CrashKind, errorText: string): string {
  const reported = signatureOfErrorText(parseErrorText(errorText))?.kind
  const kinds = reported === undefined || reported === seen ? '' : `: ${words(seen)} instead of ${words(reported)}`
  return `What is seen now differs from what was first reported${kinds}.`
}

function words(kind: CrashKind): string {
  return kind.replace('_', ' ')
}

function analysisCaveats({ order, analysis }: IssueFacts): string[] {
  if (analysis === null) return ['The root cause could not be analysed.']
  const isDegraded = analysis.degraded || order.root_cause_analysis?.degraded === true
  return isDegraded ? ['The root cause was read from the error text alone: the full analysis failed.'] : []
}

function validationCaveats({ order, validation }: IssueFacts): string[] {
  if (order.validate === null) return ['The test case could not be validated: that it is a bug is assumed.']
  const { result, confidence, reason } = order.validate
  const doubt = confidence === 'low' ? [`Validation says ${result} with low confidence: ${quote(reason)}`] : []
  const unchecked =
    validation?.syntax_check.status === 'unchecked' ? ['The syntax of the test case could not be checked.'] : []
  return [...doubt, ...unchecked]
}

function duplicateCaveats({ order, duplicates }: IssueFacts): string[] {
  const advice = 'please search before filing.'
  if (order.check_duplicates === null) return [`The search for duplicates could not run: ${advice}`]
  const { action, note, top_issue, top_score, is_corroborated } = order.check_duplicates
  if (action === 'unknown') return [`The search for duplicates did not run through (${quote(note)}): ${advice}`]
  const top = duplicates?.results.issues[0]?.number ?? top_issue?.number
  if (action !== 'review_existing' || top === undefined) return []
  const agreement = is_corroborated ? '; more than words agrees' : ''
  return [`This may be a duplicate of #${top} (similarity ${top_score}${agreement}).`]
}

function quote(text: string): string {
  return prose(scrub(text, 'output'), 300)
}
