import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

describe('code that no analyser has read', () => {
  const given = (path: string, text: string): ReviewFile => ({
    ...file,
    path,
    text,
    before: null,
    hunks: [],
    status: 'given',
  })
  const blindOf = async (files: ReviewFile[], box = linters.box) =>
    await reviewWithAnalysers(box, 'task_review', { id: 'p1', files })

  it.each([
    ['in a language of none', given('a.go', 'package a\n'), 'no analyser has read a.go (none here reads such files)'],
    [
      'in one huge line',
      given('a.js', `x = "${'y'.repeat(30_000)}"\n`),
      'no analyser has read a.js (too large for analysers)',
    ],
  ])('%s is no review, when it is all there is', async (_, only, words) => {
    expect(await blindOf([only])).toMatchObject({ blind: expect.stringContaining(words) })
    const mixed = await blindOf([only, given('b.js', 'b()\n')])
    expect(mixed.blind).toBeNull()
    expect(mixed.reviewers).toContainEqual({
      name: 'analysers',
      status: 'unavailable',
      note: expect.stringContaining(words),
    })
  })

  it('is none either when the analysers do not run at all', async () => {
    const { blind } = await blindOf([given('a.js', 'a()\n'), given('b.js', 'b()\n')], {
      ...linters.box,
      childScript: `${linters.box.childScript}.gone`,
    })
    expect(blind).toMatch(/^no analyser has read a\.js and 1 more \(the analyser ended with exit code 1\)/)
  })

  it('is not missed among texts that are no code, nor where something was found', async () => {
    expect(await blindOf([given('README.md', '# A\n')])).toMatchObject({ blind: null })
    const secret = await blindOf([given('a.go', `token := "${TOKEN}"\n`)])
    expect(secret.answer.issues).toHaveLength(1)
    expect(secret.blind).toBeNull()
  })

  it('refutes nothing: a finding that an analyser cannot look for again stays, as partly confirmed', async () => {
    const findings = [finding({ relevantFile: 'a.js', startLine: 5, endLine: 5, source: 'eslint', rule: 'no-eval' })]
    const box = { ...linters.box, childScript: `${linters.box.childScript}.gone` }
    const told = await verifyWithAnalysers(box, { part, findings, refuted: 0, isByAnalysers: true })
    expect(told.accuracy_check).toMatchObject([{ accuracy_status: 'PARTIALLY_CORRECT', deletion_required: false }])
  })
})
