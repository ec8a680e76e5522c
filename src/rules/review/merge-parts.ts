import type { VerificationResult } from '../../contracts/review-answers.js'
import type { SettledPart } from '../../contracts/review-part.js'
import type { FilteredIssue, Finding } from '../../contracts/review-report.js'
import { filterFindings } from './filter-findings.js'
import { filteredFinding } from './filtered-issue.js'
import { issueId } from './issue-id.js'
import { qualityLevel } from './words.js'

/** All parts as one review. */
export interface MergedParts {
  /** What is left, verified and de-duplicated. */
  findings: Finding[]
  filtered: FilteredIssue[]
  /** Of all parts together; null when none was verified. */
  verification: VerificationResult | null
}

/** Puts the parts of a review together: names of issues become unique, verifications follow them, what verification takes out is filtered. */
export function mergeParts(parts: readonly SettledPart[]): MergedParts {
  const named = renumbered(parts.map(({ grounded }) => grounded?.findings ?? []))
  const verifications = parts.map(({ verification }, index) =>
    verification === null
      ? null
      : renamed(verification, namesOf(parts[index]?.grounded?.findings ?? [], named[index] ?? [])),
  )
  const filtered = parts.flatMap(({ grounded }) => grounded?.filtered ?? [])
  const kept: Finding[] = []
  named.forEach((findings, index) => {
    const outcome = filterFindings(findings, verifications[index] ?? null)
    kept.push(...outcome.kept)
    filtered.push(...outcome.removed.map(({ finding, reason, detail }) => filteredFinding(finding, reason, detail)))
  })
  const { unique, repeated } = withoutRepeats(kept)
  return { findings: unique, filtered: [...filtered, ...repeated], verification: together(verifications) }
}

/** Names the findings of several parts through: ISSUE-001 and so on, in their order. */
export function renumbered(parts: readonly (readonly Finding[])[]): Finding[][] {
  let number = 0
  return parts.map((findings) => findings.map((finding) => ({ ...finding, id: issueId((number += 1)) })))
}

function namesOf(before: readonly Finding[], after: readonly Finding[]): ReadonlyMap<string, string> {
  return new Map(before.map(({ id }, index) => [id, after[index]?.id ?? id]))
}

/** What is said of issues that are not there is left out: under its name another issue may stand. */
function renamed(verification: VerificationResult, names: ReadonlyMap<string, string>): VerificationResult {
  const rename = <T extends { issue_id: string }>(checks: readonly T[]): T[] =>
    checks.flatMap((check) => {
      const name = names.get(check.issue_id)
      return name === undefined ? [] : [{ ...check, issue_id: name }]
    })
  return {
    ...verification,
    accuracy_check: rename(verification.accuracy_check),
    rule_compliance_check: rename(verification.rule_compliance_check),
  }
}

/** A file that was cut may have brought the same finding twice. */
function withoutRepeats(findings: readonly Finding[]): { unique: Finding[]; repeated: FilteredIssue[] } {
  const seen = new Map<string, Finding>()
  const repeated: FilteredIssue[] = []
  for (const finding of findings) {
    const key = JSON.stringify([finding.relevantFile, finding.suggestionLine, finding.rule, finding.existingCode])
    const first = seen.get(key)
    if (first === undefined) seen.set(key, finding)
    else repeated.push(filteredFinding(finding, 'duplicate', `says the same as ${first.id}`))
  }
  return { unique: [...seen.values()], repeated }
}

/** Scores weigh by the issues they are about, so that an empty part does not lift a bad one. */
function together(all: readonly (VerificationResult | null)[]): VerificationResult | null {
  const told = all.filter((each) => each !== null)
  if (told.length === 0) return null
  const [only] = told
  if (told.length === 1 && only !== undefined) return only
  const weights = told.map(({ accuracy_check }) => accuracy_check.length + 1)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const overall_score = Math.round(
    told.reduce((sum, each, index) => sum + each.quality_assessment.overall_score * (weights[index] ?? 1), 0) / total,
  )
  const texts = (pick: (each: VerificationResult) => readonly string[]) => [...new Set(told.flatMap(pick))].slice(0, 50)
  return {
    accuracy_check: told.flatMap(({ accuracy_check }) => accuracy_check),
    rule_compliance_check: told.flatMap(({ rule_compliance_check }) => rule_compliance_check),
    quality_assessment: {
      overall_score,
      quality_level: qualityLevel(overall_score),
      strengths: texts(({ quality_assessment }) => quality_assessment.strengths),
      weaknesses: texts(({ quality_assessment }) => quality_assessment.weaknesses),
      missing_issues: told.flatMap(({ quality_assessment }) => quality_assessment.missing_issues).slice(0, 200),
    },
  }
}
