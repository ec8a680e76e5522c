import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ReviewFile, ReviewPart } from '../../../src/contracts/review-part.js'
import type { Finding } from '../../../src/contracts/review-report.js'
import { parseDiff } from '../../../src/rules/review/diff.js'
import { filterFindings } from '../../../src/rules/review/filter-findings.js'
import { groundIssues } from '../../../src/rules/review/ground-issues.js'
import { issueId } from '../../../src/rules/review/issue-id.js'
import { reviewWithAnalysers } from '../../../src/tools/review/review-with-analysers.js'
import { verifyWithAnalysers } from '../../../src/tools/review/verify-with-analysers.js'
import { openLinters, type TestLinters } from '../../support/linter-box.js'
import { finding } from '../../support/review-finding.js'

let linters: TestLinters
beforeAll(async () => {
  linters = await openLinters()
})
afterAll(() => linters.remove())

const TOKEN = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')

const BEFORE = 'function old(a) {\n  return eval(a)\n}\nfunction kept(b) {\n  return b\n}\nconst last = eval(x)\n'
const AFTER = `function old(a) {\n  return eval(a)\n}\nfunction kept(b) {\n  return eval(b)\n}\nconst last = eval(y)\nconst token = "${TOKEN}"\n`
const DIFF = `--- a/a.js\n+++ b/a.js\n@@ -4,4 +4,5 @@\n function kept(b) {\n-  return b\n+  return eval(b)\n }\n-const last = eval(x)\n+const last = eval(y)\n+const token = "${TOKEN}"\n`

const file: ReviewFile = {
  path: 'a.js',
  old_path: null,
  status: 'modified',
  hunks: parseDiff(DIFF).files[0]!.hunks,
  text: AFTER,
  before: BEFORE,
}
const part: ReviewPart = { id: 'p1', files: [file] }

it('tells what the change touched, quoted truly, no secret; and the verifier takes out what was there before', async () => {
  const { answer, reviewers } = await reviewWithAnalysers(linters.box, 'task_review', part)
  expect(reviewers.map(({ name, status }) => `${name} ${status}`)).toContain('ruff skipped')
  const { grounded, refuted } = groundIssues(answer.issues, part.files, '/')
  expect(refuted).toEqual([])
  expect(new Set(grounded.map(({ suggestionLine }) => suggestionLine))).toEqual(new Set([5, 7, 8]))
  expect(JSON.stringify(answer)).not.toContain(TOKEN)
  expect(grounded.every(({ flags }) => flags.includes('advice'))).toBe(true)
  const findings = grounded.map((issue, index): Finding => ({
    ...issue,
    id: issueId(index + 1),
    fingerprint: '',
    evidence: null,
  }))
  const verification = await verifyWithAnalysers(linters.box, { part, findings, refuted: 0, isByAnalysers: true })
  const { kept, removed } = filterFindings(findings, verification)
  expect(new Set(kept.map(({ suggestionLine }) => suggestionLine))).toEqual(new Set([5, 8]))
  expect(new Set(removed.map(({ finding: { suggestionLine } }) => suggestionLine))).toEqual(new Set([7]))
  expect(removed[0]?.detail).toContain('is found in the version before the change, too')
  expect(verification.quality_assessment).toMatchObject({ overall_score: 100, quality_level: 'EXCELLENT' })
})

it('confirms an agent where an analyser agrees, leaves other claims open, and names what it missed', async () => {
  const claims = [
    finding({ id: 'ISSUE-001', relevantFile: 'a.js', startLine: 5, endLine: 5, suggestionLine: 5 }),
    finding({ id: 'ISSUE-002', relevantFile: 'a.js', startLine: 4, endLine: 4, suggestionLine: 4, label: 'Quality' }),
  ]
  const verification = await verifyWithAnalysers(linters.box, {
    part,
    findings: claims,
    refuted: 6,
    isByAnalysers: false,
  })
  expect(verification.accuracy_check.map(({ accuracy_status }) => accuracy_status)).toEqual([
    'CORRECT',
    'PARTIALLY_CORRECT',
  ])
  // Two of eight were true: below fifty, so that the review is done again.
  expect(verification.quality_assessment).toMatchObject({ overall_score: 25, quality_level: 'POOR' })
  expect(verification.quality_assessment.missing_issues).toEqual([
    expect.objectContaining({ evidence: 'secret/github at a.js:8', suggested_severity: 'Critical' }),
  ])
})
