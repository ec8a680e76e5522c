import type { VerificationResult } from '../../contracts/review-answers.js'
import type { Finding } from '../../contracts/review-report.js'
import type { FilterReason } from './words.js'

/** What verification leaves, and what it takes. */
export interface Filtered {
  kept: Finding[]
  removed: { finding: Finding; reason: FilterReason; detail: string }[]
}

/**
 * Pipelines.md, review 4: `deletion_required` in either check removes an issue, and so does INCORRECT; PARTIALLY_CORRECT stays, flagged. What no check
 * speaks of stays, flagged as unverified; without a verification that is all of them. Of several checks of one issue each counts.
 */
export function filterFindings(findings: readonly Finding[], verification: VerificationResult | null): Filtered {
  const verdicts = verdictsOf(verification)
  const filtered: Filtered = { kept: [], removed: [] }
  for (const finding of findings) {
    const verdict = verdicts.get(finding.id)
    if (verdict?.removal === undefined) filtered.kept.push(flagged(finding, verdict))
    else filtered.removed.push({ finding, ...verdict.removal })
  }
  return filtered
}

interface Verdict {
  /** True when the accuracy of the issue was judged. */
  isJudged: boolean
  isPartial: boolean
  evidence: string | null
  removal?: Removal
}

interface Removal {
  reason: FilterReason
  detail: string
}

function verdictsOf(verification: VerificationResult | null): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>()
  if (verification === null) return verdicts
  const of = (id: string): Verdict => {
    const verdict = verdicts.get(id) ?? { isJudged: false, isPartial: false, evidence: null }
    verdicts.set(id, verdict)
    return verdict
  }
  for (const check of verification.accuracy_check) noteAccuracy(of(check.issue_id), check)
  for (const check of verification.rule_compliance_check) {
    const { deletion_required, violation_reason, violated_rules } = check
    const removal = { reason: 'rule_violated', detail: firstOf(violation_reason, violated_rules.join('; ')) } as const
    if (deletion_required) of(check.issue_id).removal ??= removal
  }
  return verdicts
}

function noteAccuracy(verdict: Verdict, check: VerificationResult['accuracy_check'][number]): void {
  const { accuracy_status, deletion_required, deletion_reason, evidence } = check
  verdict.isJudged = true
  verdict.isPartial ||= accuracy_status === 'PARTIALLY_CORRECT'
  verdict.evidence ??= evidence
  const isWrong = accuracy_status === 'INCORRECT' || deletion_required
  if (isWrong) verdict.removal ??= { reason: 'incorrect', detail: firstOf(deletion_reason, evidence) }
}

function flagged(finding: Finding, verdict: Verdict | undefined): Finding {
  const flags = finding.flags.filter((flag) => flag !== 'unverified' && flag !== 'partially_correct')
  if (verdict?.isJudged !== true) return { ...finding, flags: [...flags, 'unverified'] }
  return {
    ...finding,
    flags: verdict.isPartial ? [...flags, 'partially_correct'] : flags,
    evidence: verdict.evidence,
  }
}

function firstOf(...texts: (string | null | undefined)[]): string {
  return texts.find((text) => (text ?? '').trim() !== '') ?? 'no reason was given'
}
