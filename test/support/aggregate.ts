import fc from 'fast-check'
import type { AggregateInput, AggregateResult, ReviewIssue } from '../../src/contracts/aggregate.js'
import { PRESETS, resolveSettings, type WantedSettings } from '../../src/rules/aggregate-settings.js'
import { aggregate } from '../../src/rules/aggregate.js'

export function aReviewIssue(parts: Partial<ReviewIssue> = {}): ReviewIssue {
  return { severity: 'Medium', type: 'NAMING', file: 'src/a.py', line: 1, description: 'd', suggestion: 's', ...parts }
}

/** A round by its three scores; the issues are the quality reviewer's. Nobody claims anything wrong about itself. */
export function aRound(
  [security, quality, performance]: readonly [number, number, number],
  issues: readonly ReviewIssue[] = [],
  parts: Partial<AggregateInput> = {},
): AggregateInput {
  const hasCritical = issues.some((issue) => issue.severity === 'Critical')
  return {
    iteration: 1,
    tech_stack: { language: 'COBOL' },
    security_result: { passed: security >= 85, score: security, issues: [] },
    quality_result: { passed: quality >= 80 && !hasCritical, score: quality, issues: [...issues] },
    performance_result: { passed: performance >= 80, score: performance, issues: [] },
    ...parts,
  }
}

/** As many issues of one severity, each in a place of its own. */
export function issuesOf(severity: ReviewIssue['severity'], count: number): ReviewIssue[] {
  return Array.from({ length: count }, (_, at) => aReviewIssue({ severity, line: at + 1 }))
}

export function judge(input: AggregateInput, wanted: WantedSettings = {}): AggregateResult {
  return aggregate(input, resolveSettings(wanted, {}), 'en')
}

export const anyScore = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 75_000, max: 100_000 }).map((thousandths) => thousandths / 1000),
  fc.double({ min: 0, max: 100, noNaN: true }),
)

export const anyIssue: fc.Arbitrary<ReviewIssue> = fc.record({
  severity: fc.constantFrom('Critical', 'High', 'Medium', 'Low'),
  type: fc.constantFrom('SQL_INJECTION', 'RACE', 'N+1_QUERY', 'NAMING'),
  file: fc.constantFrom('a.py', 'b.py', 'src/c.ts'),
  line: fc.option(fc.integer({ min: 1, max: 5 })),
  description: fc.string({ minLength: 1, maxLength: 40 }),
  suggestion: fc.string({ maxLength: 40 }),
})

/** Mostly few issues and good scores, so that every verdict comes up. */
export const anyRound: fc.Arbitrary<AggregateInput> = fc
  .record({
    scores: fc.tuple(anyScore, anyScore, anyScore),
    issues: fc.array(anyIssue, { maxLength: 6 }),
    iteration: fc.integer({ min: 1, max: 5 }),
    previous_scores: fc.array(anyScore, { maxLength: 3 }),
    preset: fc.constantFrom(...(Object.keys(PRESETS) as (keyof typeof PRESETS)[])),
  })
  .map(({ scores, issues, iteration, ...parts }) =>
    aRound(scores, issues, { iteration: Math.min(iteration, 3), ...parts }),
  )
