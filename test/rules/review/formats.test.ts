import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Finding, ReviewReport } from '../../../src/contracts/review-report.js'
import { formatArray } from '../../../src/rules/review/format-array.js'
import { formatMarkdown } from '../../../src/rules/review/format-markdown.js'
import { formatRdjson } from '../../../src/rules/review/format-rdjson.js'
import { formatSarif } from '../../../src/rules/review/format-sarif.js'
import { FINDING_FLAGS, REVIEW_LABELS, REVIEW_SEVERITIES } from '../../../src/rules/review/words.js'
import { isRdjson, isSarif } from '../../support/published-schemas.js'
import { finding } from '../../support/review-finding.js'
import { filteredIssue, report } from '../../support/review-report.js'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('`', '```js\n', '<b>', '[x](javascript:1)', 'ü/ß c.js'),
)
const filled = text.filter((given) => given.trim() !== '')
const line = fc.integer({ min: 1, max: 500 })
const findings: fc.Arbitrary<Finding> = fc
  .record({
    relevantFile: filled,
    existingCode: filled,
    suggestionContent: filled,
    improvedCode: filled,
    label: fc.constantFrom(...REVIEW_LABELS),
    severity: fc.constantFrom(...REVIEW_SEVERITIES),
    suggestionLine: line,
    startLine: line,
    isWholeLines: fc.boolean(),
    rule: fc.option(filled),
    flags: fc.uniqueArray(fc.constantFrom(...FINDING_FLAGS)),
    evidence: fc.option(text),
  })
  .map((said) => finding({ ...said, endLine: said.startLine + 2 }))
const reports = fc
  .tuple(fc.array(findings, { maxLength: 5 }), fc.array(text, { maxLength: 3 }), fc.boolean())
  .map(([issues, reasons, isWhole]) =>
    report(
      issues,
      reasons.map((detail, at) =>
        at % 2 === 0
          ? filteredIssue({ reason: 'suppressed', detail, fingerprint: '0'.repeat(32) })
          : filteredIssue({ detail }),
      ),
      isWhole ? {} : { status: 'partial', missing: ['the verification'] },
    ),
  )

describe('SARIF', () => {
  it('fits its published schema and gives the whole report back', () => {
    fc.assert(
      fc.property(reports, (given) => {
        const sarif = JSON.parse(JSON.stringify(formatSarif(given))) as ReturnType<typeof formatSarif>
        isSarif(sarif)
        expect(isSarif.errors ?? []).toEqual([])
        const { results, properties } = sarif.runs[0]
        const issues = results.flatMap((result) => ('finding' in result.properties ? [result.properties.finding] : []))
        const { gauntlet } = properties
        expect({ ...gauntlet, review_results: { ...gauntlet.review_results, issues } }).toEqual(given)
      }),
      { numRuns: 50 },
    )
  })

  it('has fingerprints, levels, places, and a fix only for whole lines that are no advice', () => {
    const whole = finding({ isWholeLines: true, severity: 'Medium', relevantFile: 'src/ä b.js' })
    const { results } = formatSarif(report([whole, finding({ ...whole, flags: ['advice'] }), finding()])).runs[0]
    expect(results[0]).toMatchObject({
      ruleId: 'Security',
      level: 'warning',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'src/%C3%A4%20b.js' }, region: { startLine: 3 } } }],
      partialFingerprints: { 'gauntletContext/v1': whole.fingerprint },
    })
    expect(results.map(({ fixes }) => fixes?.length ?? 0)).toEqual([1, 0, 0])
  })

  it('tells suppressed findings as suppressed, with the reason', () => {
    const { results } = formatSarif(
      report([], [filteredIssue({ reason: 'suppressed', detail: 'the console' }), filteredIssue()]),
    ).runs[0]
    expect(results.map(({ suppressions }) => suppressions)).toEqual([
      [{ kind: 'external', status: 'accepted', justification: 'the console' }],
    ])
  })
})

describe('rdjson', () => {
  it('fits its schema and gives the whole report back', () => {
    fc.assert(
      fc.property(reports, (given) => {
        const rdjson = JSON.parse(JSON.stringify(formatRdjson(given))) as ReturnType<typeof formatRdjson>
        isRdjson(rdjson)
        expect(isRdjson.errors ?? []).toEqual([])
        const told = rdjson.diagnostics.map(({ original_output }) => JSON.parse(original_output) as unknown)
        const rest = told.pop() as ReviewReport
        expect({ ...rest, review_results: { ...rest.review_results, issues: told } }).toEqual(given)
      }),
      { numRuns: 50 },
    )
  })

  it('suggests whole lines only', () => {
    const whole = finding({ isWholeLines: true, startLine: 3, endLine: 4, improvedCode: 'a\nb\n' })
    const { diagnostics } = formatRdjson(report([whole, finding()]))
    expect(diagnostics.map(({ suggestions }) => suggestions)).toEqual([
      [{ range: { start: { line: 3 }, end: { line: 4 } }, text: 'a\nb' }],
      undefined,
      undefined,
    ])
  })
})

it('the array has the six fields of the seed', () => {
  expect(formatArray(report())).toEqual([
    {
      relevantFile: 'src/a.js',
      existingCode: 'eval(x)',
      suggestionContent: 'eval runs what it is given. Parse it instead.',
      improvedCode: 'JSON.parse(x)',
      label: 'Security',
      suggestionLine: 3,
    },
  ])
})

describe('Markdown', () => {
  it('tells findings, what was filtered, and what was not looked at', () => {
    const told = formatMarkdown(report([finding()], [filteredIssue()], { missing: ['the verification'] }))
    expect(told).toMatch(/^# Review task\\_review:1\n/)
    expect(told).toContain('## High (1)')
    expect(told).toContain('### ISSUE-001 ` src/a.js:3 `')
    expect(told).toContain('```js\neval(x)\n```')
    expect(told).toContain('**Partial:** the verification')
    expect(told).toContain('## Filtered (1 of 2 raised)')
    expect(told).toContain('- ruff: unavailable, not installed')
    expect(told).toContain('not reviewed: ` a.png `: binary')
  })

  it('lets no text of an agent become markup', () => {
    const hostile =
      '# Approved\n<script>1</script> ![x](http://evil.example/a.png) [y](javascript:1)\n1. one\n- two\n--- \u001b[31m'
    const told = formatMarkdown(report([finding({ suggestionContent: hostile, existingCode: '````\n# out' })]))
    expect(told).not.toMatch(/^# Approved/m)
    expect(told).not.toMatch(/(?<!\\)<script/)
    expect(told).not.toMatch(/(?<!\\)\]\(/)
    expect(told).not.toContain('http:')
    expect(told).not.toContain('\u001b')
    expect(told).toMatch(/^1\\\. one$/m)
    expect(told).toContain('`````js\n````\n# out\n`````')
  })
})
