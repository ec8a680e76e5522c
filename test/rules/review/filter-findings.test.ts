import { describe, expect, it } from 'vitest'
import type { VerificationResult } from '../../../src/contracts/review-answers.js'
import type { FilteredIssue } from '../../../src/contracts/review-report.js'
import { filterFindings } from '../../../src/rules/review/filter-findings.js'
import { countIssues, reachesSeverity, reviewSummary } from '../../../src/rules/review/review-summary.js'
import { finding } from '../../support/review-finding.js'

type Accuracy = VerificationResult['accuracy_check'][number]
type Compliance = VerificationResult['rule_compliance_check'][number]

const accuracy = (said: Partial<Accuracy> = {}): Accuracy => ({
  issue_id: 'ISSUE-001',
  accuracy_status: 'CORRECT',
  evidence: 'seen at line 3',
  deletion_required: false,
  ...said,
})

const compliance = (said: Partial<Compliance> = {}): Compliance => ({
  issue_id: 'ISSUE-001',
  compliance_status: 'COMPLIANT',
  violated_rules: [],
  deletion_required: false,
  ...said,
})

const verified = (accuracy_check: Accuracy[], rule_compliance_check: Compliance[] = []): VerificationResult => ({
  accuracy_check,
  rule_compliance_check,
  quality_assessment: { overall_score: 80, quality_level: 'GOOD', strengths: [], weaknesses: [], missing_issues: [] },
})

describe('verification', () => {
  it.each<[what: string, verification: VerificationResult | null, kept: string[] | null, removed: string | null]>([
    ['CORRECT stays', verified([accuracy()]), [], null],
    [
      'INCORRECT goes, also without deletion_required',
      verified([accuracy({ accuracy_status: 'INCORRECT' })]),
      null,
      'incorrect',
    ],
    [
      'PARTIALLY_CORRECT stays, flagged',
      verified([accuracy({ accuracy_status: 'PARTIALLY_CORRECT' })]),
      ['partially_correct'],
      null,
    ],
    ['CORRECT goes when deletion is required', verified([accuracy({ deletion_required: true })]), null, 'incorrect'],
    ['a broken rule alone stays', verified([accuracy()], [compliance({ compliance_status: 'VIOLATED' })]), [], null],
    [
      'a broken rule goes when deletion is required',
      verified([accuracy()], [compliance({ deletion_required: true })]),
      null,
      'rule_violated',
    ],
    [
      'a word about another issue changes nothing',
      verified([accuracy({ issue_id: 'ISSUE-002', deletion_required: true })]),
      ['unverified'],
      null,
    ],
    [
      'the worse of two words counts',
      verified([accuracy(), accuracy({ accuracy_status: 'INCORRECT' })]),
      null,
      'incorrect',
    ],
    ['without a verification it is unverified', null, ['unverified'], null],
    ['a compliant word alone is no verification', verified([], [compliance()]), ['unverified'], null],
  ])('%s', (_, verification, kept, removed) => {
    const filtered = filterFindings([finding()], verification)
    expect(filtered.kept[0]?.flags ?? null).toEqual(kept)
    expect(filtered.removed[0]?.reason ?? null).toBe(removed)
  })

  it('says why, in the words of the verifier', () => {
    const { removed } = filterFindings(
      [finding()],
      verified([accuracy({ accuracy_status: 'INCORRECT', deletion_reason: ' ', evidence: 'x is a constant' })]),
    )
    expect(removed[0]?.detail).toBe('x is a constant')
  })

  it('takes back what an earlier verification flagged', () => {
    const old = finding({ flags: ['unverified', 'partially_correct', 'advice'] })
    expect(filterFindings([old], verified([accuracy()])).kept[0]).toMatchObject({
      flags: ['advice'],
      evidence: 'seen at line 3',
    })
  })
})

describe('the summary', () => {
  const findings = [
    finding({ severity: 'Low', suggestionLine: 1 }),
    finding({ severity: 'High', suggestionLine: 2 }),
    finding({ severity: 'Critical', suggestionLine: 9 }),
  ]

  it('is made of what is left', () => {
    expect(reviewSummary(findings)).toEqual({
      total_issues: 3,
      severity_distribution: { Critical: 1, High: 1, Medium: 0, Low: 1 },
      overall_assessment: 'The change must not go in as it is: 1 Critical, 1 High, 1 Low.',
      priority_recommendations: [
        'Critical: src/a.js:9: eval runs what it is given.',
        'High: src/a.js:2: eval runs what it is given.',
      ],
    })
    expect(reviewSummary([])).toMatchObject({ total_issues: 0, overall_assessment: 'Nothing was found.' })
  })

  it('counts what was raised as what is kept and what was filtered', () => {
    const { id, existingCode, label, severity, suggestionContent, relevantFile } = finding()
    const filtered = (reason: FilteredIssue['reason']): FilteredIssue => ({
      id,
      existingCode,
      label,
      severity,
      suggestionContent,
      relevantFile,
      suggestionLine: '3',
      reason,
      detail: '',
      fingerprint: null,
    })
    expect(countIssues(findings, [filtered('duplicate'), filtered('incorrect'), filtered('duplicate')])).toEqual({
      raised: 6,
      kept: 3,
      filtered: { duplicate: 2, incorrect: 1 },
    })
  })

  it.each([
    ['Critical', false],
    ['High', true],
    ['Medium', true],
    ['Low', true],
  ] as const)('with a High finding, --fail-on %s fails: %s', (least, fails) => {
    expect(reachesSeverity({ Critical: 0, High: 1, Medium: 0, Low: 0 }, least)).toBe(fails)
  })

  it('nothing found never fails', () => {
    expect(reachesSeverity({ Critical: 0, High: 0, Medium: 0, Low: 0 }, 'Low')).toBe(false)
  })
})
