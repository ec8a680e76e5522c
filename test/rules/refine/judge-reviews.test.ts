import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DimensionResult, ReviewIssue } from '../../../src/contracts/aggregate.js'
import { PRESETS } from '../../../src/rules/aggregate-settings.js'
import { checkIssues, type CodeOf } from '../../../src/rules/refine/check-issues.js'
import { judgeReviews } from '../../../src/rules/refine/judge-reviews.js'

const CODE = ['import db', '', 'def find(name):', '    return db.run("SELECT " + name)', ''].join('\n')
const codeOf: CodeOf = (path) => (path === 'src/db.py' ? { text: CODE } : path === 'big.bin' ? 'unread' : 'absent')
const issue = (parts: Partial<ReviewIssue> = {}): ReviewIssue => ({
  severity: 'High',
  type: 'SQL_INJECTION',
  file: 'src/db.py',
  line: 4,
  description: 'd',
  suggestion: 's',
  ...parts,
})

describe('what a reviewer says of the code', () => {
  it.each<[what: string, ReviewIssue, unknown]>([
    ['stands when file and line are there', issue(), { line: 4 }],
    ['stands without a line', issue({ line: null }), { line: null }],
    ['stands on the last line', issue({ line: 5 }), { line: 5 }],
    ['is refuted when the file has no such line', issue({ line: 6 }), 'the file has no such line'],
    [
      'is refuted when there is no such file',
      issue({ file: 'src/x.py' }),
      'there is no such file in the code of this round',
    ],
    [
      'is refuted outside the repository',
      issue({ file: '../db.py' }),
      'there is no such file in the code of this round',
    ],
    ['stands for a file nobody can read', issue({ file: 'big.bin', line: 999 }), { line: 999 }],
    ['stands under another spelling of the path', issue({ file: './src/db.py' }), { file: 'src/db.py', line: 4 }],
    [
      'stands with a quotation, white space aside',
      issue({ code_snippet: 'return   db.run("SELECT " + name)' }),
      { line: 4 },
    ],
    ['is moved to where the quotation stands', issue({ line: 1, code_snippet: 'def find(name):' }), { line: 3 }],
    ['is moved although its line does not exist', issue({ line: 99, code_snippet: 'import db' }), { line: 1 }],
    ['gets the line of its quotation', issue({ line: null, code_snippet: 'def find(name):' }), { line: 3 }],
    [
      'is refuted with an invented quotation',
      issue({ code_snippet: 'eval(name)' }),
      'the quoted code is not in the file',
    ],
    ['is not bound to an empty quotation', issue({ code_snippet: '  ' }), { line: 4 }],
  ])('%s', (_, given, outcome) => {
    const { kept, refuted } = checkIssues([given], codeOf, 'en')
    if (typeof outcome === 'string') expect(refuted).toEqual([{ issue: given, why: outcome }])
    else expect(kept).toMatchObject([outcome as object])
    expect(kept.length + refuted.length).toBe(1)
  })

  it('is kept or refuted, in order, and nothing is lost', () => {
    const file = fc.constantFrom('src/db.py', 'gone.py', 'big.bin')
    const any = fc.record({ file, line: fc.option(fc.integer({ min: 1, max: 9 })) }).map((parts) => issue(parts))
    fc.assert(
      fc.property(fc.array(any), (issues) => {
        const { kept, refuted } = checkIssues(issues, codeOf, 'zh')
        expect(kept.length + refuted.length).toBe(issues.length)
        expect(refuted.map((each) => each.issue)).toEqual(
          issues.filter((each) => refuted.some((one) => one.issue === each)),
        )
      }),
    )
  })
})

const review = (score: number, issues: ReviewIssue[] = []): DimensionResult => ({ passed: true, score, issues })
const judge = (security: DimensionResult, parts: { previous?: number[]; round?: number } = {}) =>
  judgeReviews({
    order: {
      round: parts.round ?? 1,
      previous_scores: parts.previous ?? [],
      tech_stack: {
        language: 'Python',
        language_version: null,
        framework: null,
        framework_version: null,
        build_tool: null,
        test_framework: null,
        code_style: null,
        constraints: [],
        project_type: 'single',
      },
      ...PRESETS.standard,
      lang: 'en',
    },
    reviews: { security, quality: review(100), performance: review(100) },
    codeOf,
  })

describe('the verdict on a round', () => {
  it('gives back the points of issues that are not true, and says so', () => {
    const judged = judge(review(60, [issue(), issue({ severity: 'Critical', file: 'invented.py' })]))
    expect(judged.scores.security).toBe(85)
    expect(judged.result).toMatchObject({ recommendation: 'PASS', issue_counts: { critical: 0, high: 1 } })
    expect(judged.refuted).toMatchObject([{ dimension: 'security', issue: { file: 'invented.py' } }])
    expect(judged.inconsistencies).toEqual([
      'the security review: 1 issue left out, for the code is not as it says; 25 points given back',
    ])
  })

  it('never gives back more than there is', () => {
    expect(judge(review(90, [issue({ severity: 'Critical', file: 'invented.py' })])).scores.security).toBe(100)
  })

  it('counts a score that does not follow from its issues, and says that it does not', () => {
    const judged = judge(review(84.5, []))
    expect(judged.result.recommendation).toBe('ITERATE')
    expect(judged.inconsistencies).toContain(
      'the security review scores 84.5, by the points of its issues it would be 100',
    )
    expect(judge(review(86, [issue()])).inconsistencies).toEqual([])
    expect(judge(review(86.1, [issue()])).inconsistencies).toHaveLength(1)
  })

  it('keeps the overall score exact for the next round', () => {
    expect(judge(review(64.1, [])).overall).toBe(85.64)
    expect(
      judge(review(0.000_001, []), { previous: [60.000_000_4, 60.000_000_4], round: 3 }).result.recommendation,
    ).toBe('STALLED')
  })
})
