import { describe, expect, it } from 'vitest'
import { AggregateInput } from '../../src/contracts/aggregate.js'
import { parseContract } from '../../src/contracts/parse.js'
import { aReviewIssue, aRound } from '../support/aggregate.js'

const good = aRound([90, 90, 90], [aReviewIssue()])
const parse = (value: unknown) => parseContract(AggregateInput, value, 'reviews.json')

const review = (parts: object) => ({ security_result: { passed: true, score: 90, issues: [], ...parts } })
const issue = (parts: object) => review({ issues: [{ ...aReviewIssue(), ...parts }] })

describe("the seed's input", () => {
  it('is taken as it stands', () => {
    const input = {
      iteration: 1,
      tech_stack: { language: 'Python', framework: 'FastAPI', constraints: ['async/await', 'Pydantic v2'] },
      security_result: { passed: false, score: 75, issues: [] },
      quality_result: { passed: true, score: 85, issues: [] },
      performance_result: { passed: true, score: 90, issues: [] },
      previous_scores: [65, 72],
    }
    expect(parse(input)).toEqual(input)
  })

  it.each<[what: string, parts: object]>([
    ['without earlier rounds', { previous_scores: undefined }],
    ['with a language alone', { tech_stack: { language: 'Go' } }],
    ['with a stack that says more', { tech_stack: { language: 'Go', build_tool: 'make', project_type: 'monorepo' } }],
    ['with scores at both ends', review({ score: 0 })],
    ['with a score between whole numbers', review({ score: 99.995 })],
    ['with a reviewer that says more', review({ summary: { critical: 0 }, recommendations: ['x'] })],
    ['with an issue that says more', issue({ cwe_id: 'CWE-89', complexity: { current: 'O(n²)' } })],
    ['with an issue of a whole file', issue({ line: null })],
    ['with an issue nobody knows a fix for', issue({ suggestion: '' })],
    ['with weights at the edge', { weights: { security: 0.333, quality: 0.333, performance: 0.333 } }],
    ['with weights at the other edge', { weights: { security: 0.334, quality: 0.334, performance: 0.333 } }],
    [
      'with thresholds of its own',
      { thresholds: { critical_max: 0, high_max: 0, security_min: 100, stall_points: 0 } },
    ],
  ])('is taken %s', (_, parts) => {
    expect(() => parse({ ...good, ...parts })).not.toThrow()
  })
})

describe('what does not fit is refused in one line that names the field', () => {
  it.each<[what: string, parts: object, line: string]>([
    ['a score of 101', review({ score: 101 }), 'security_result.score: expected a number from 0 to 100, got 101'],
    [
      'a score of 100.001',
      review({ score: 100.001 }),
      'security_result.score: expected a number from 0 to 100, got 100',
    ],
    ['a score of -1', review({ score: -1 }), 'security_result.score: expected a number from 0 to 100, got -1'],
    ['a score that is NaN', review({ score: Number.NaN }), 'security_result.score: expected a number from 0 to 100'],
    ['a score as text', review({ score: '90' }), 'security_result.score: expected a number from 0 to 100, got "90"'],
    ['no score', review({ score: undefined }), 'security_result.score: expected a number from 0 to 100, got nothing'],
    ['a flag as text', review({ passed: 'yes' }), 'security_result.passed: expected true or false, got "yes"'],
    ['no list of issues', review({ issues: null }), 'security_result.issues: expected a list of issues, got null'],
    [
      'a dimension that is missing',
      { performance_result: undefined },
      'performance_result: expected the review {passed, score, issues}: a missing dimension is never read as 0 or 100, got nothing',
    ],
    [
      'a dimension that is null',
      { quality_result: null },
      'quality_result: expected the review {passed, score, issues}',
    ],
    ['a fourth dimension', { docs_result: {} }, '(document): unknown field "docs_result"'],
    ['a misspelt field', { previous_score: [1] }, '(document): unknown field "previous_score"'],
    ['round 0', { iteration: 0 }, 'iteration: expected a whole number from 1, got 0'],
    ['round 1.5', { iteration: 1.5 }, 'iteration: expected a whole number from 1 to 1000, got 1.5'],
    ['a round as text', { iteration: '1' }, 'iteration: expected a whole number from 1 to 1000, got "1"'],
    [
      'an unknown severity',
      issue({ severity: 'Blocker' }),
      'security_result.issues.0.severity: expected one of Critical, High, Medium, Low, got "Blocker"',
    ],
    [
      'a severity in other letters',
      issue({ severity: 'critical' }),
      'security_result.issues.0.severity: expected one of',
    ],
    ['an issue without a type', issue({ type: '' }), 'security_result.issues.0.type: expected a text of 1 to 200'],
    ['an issue without a file', issue({ file: undefined }), 'security_result.issues.0.file: expected a text of 1 to'],
    ['a line of 0', issue({ line: 0 }), 'security_result.issues.0.line: expected a line number from 1, or null, got 0'],
    ['a line as text', issue({ line: '4' }), 'security_result.issues.0.line: expected a line number from 1, or null'],
    [
      'a description without end',
      issue({ description: 'x'.repeat(20_001) }),
      'security_result.issues.0.description: expected a text of 1 to 20000 characters, got "xxx',
    ],
    [
      'weights that add up to 1.0011',
      { weights: { security: 0.4, quality: 0.35, performance: 0.2511 } },
      'weights: expected security + quality + performance = 1 (± 0.001), not 1.0011',
    ],
    [
      'weights that add up to 0.9989',
      { weights: { security: 0.4, quality: 0.35, performance: 0.2489 } },
      'weights: expected security + quality + performance = 1 (± 0.001), not 0.9989',
    ],
    [
      'a negative weight',
      { weights: { security: -0.1, quality: 0.6, performance: 0.5 } },
      'weights.security: expected a number from 0 to 1, got -0.1',
    ],
    [
      'two weights',
      { weights: { security: 0.5, quality: 0.5 } },
      'weights.performance: expected a number from 0 to 1, got',
    ],
    [
      'a weight too many',
      { weights: { security: 1, quality: 0, performance: 0, docs: 0 } },
      'weights: unknown field "docs"',
    ],
    [
      'weights at the stack',
      { tech_stack: { language: 'Go', weights: {} } },
      'tech_stack.weights: expected "weights" at the',
    ],
    ['no stack', { tech_stack: undefined }, 'tech_stack: expected {language, framework, constraints}, got nothing'],
    ['a stack without language', { tech_stack: {} }, 'tech_stack.language: expected a text of 1 to 200 characters'],
    [
      'constraints as text',
      { tech_stack: { language: 'Go', constraints: 'x' } },
      'tech_stack.constraints: expected a list',
    ],
    [
      'an earlier score of 101',
      { previous_scores: [50, 101] },
      'previous_scores.1: expected a number from 0 to 100, got 101',
    ],
    ['an unknown preset', { preset: 'lax' }, 'preset: expected one of standard, strict, mvp, got "lax"'],
    [
      'room for Critical',
      { thresholds: { critical_max: 1 } },
      'thresholds.critical_max: expected 0 (a Critical issue never',
    ],
    [
      'half an issue',
      { thresholds: { high_max: 1.5 } },
      'thresholds.high_max: expected a whole number from 0, got 1.5',
    ],
    ['a threshold that is none', { thresholds: { docs_min: 1 } }, 'thresholds: unknown field "docs_min"'],
  ])('%s', (_, parts, line) => {
    expect(() => parse({ ...good, ...parts })).toThrow(`reviews.json: ${line}`)
  })
})
