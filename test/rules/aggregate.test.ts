import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AggregateResult, type OwnThresholds, type Recommendation } from '../../src/contracts/aggregate.js'
import { PRESETS, resolveSettings } from '../../src/rules/aggregate-settings.js'
import { aggregate } from '../../src/rules/aggregate.js'
import { anyRound, anyScore, aReviewIssue, aRound, issuesOf, judge } from '../support/aggregate.js'

const good = [90, 90, 90] as const

describe("the table of thresholds holds on both sides of each row, in the seed's order of reasons", () => {
  it.each<[what: string, scores: readonly [number, number, number], issues: [number, number], reason: string]>([
    ['no Critical issue', good, [0, 0], 'All checks passed'],
    ['one Critical issue', good, [1, 0], '1 Critical issue must be fixed'],
    ['two Critical issues', good, [2, 0], '2 Critical issues must be fixed'],
    ['one High issue', good, [0, 1], 'All checks passed'],
    ['two High issues', good, [0, 2], 'All checks passed'],
    ['three High issues', good, [0, 3], 'too many High issues (3, at most 2)'],
    ['Critical before High', good, [1, 3], '1 Critical issue must be fixed'],
    ['security 84', [84, 90, 90], [0, 0], 'the security score 84 is below the threshold 85'],
    ['security 84.999', [84.999, 90, 90], [0, 0], 'the security score 84.999 is below the threshold 85'],
    ['security 85', [85, 90, 90], [0, 0], 'All checks passed'],
    ['security 86', [86, 90, 90], [0, 0], 'All checks passed'],
    ['quality 79', [90, 79, 90], [0, 0], 'the quality score 79 is below the threshold 80'],
    ['quality 80', [90, 80, 90], [0, 0], 'All checks passed'],
    ['quality 81', [90, 81, 90], [0, 0], 'All checks passed'],
    ['performance 79', [90, 90, 79], [0, 0], 'the performance score 79 is below the threshold 80'],
    ['performance 80', [90, 90, 80], [0, 0], 'All checks passed'],
    ['performance 81', [90, 90, 81], [0, 0], 'All checks passed'],
    ['High before scores', [84, 79, 79], [0, 3], 'too many High issues (3, at most 2)'],
    ['security before quality', [84, 79, 79], [0, 0], 'the security score 84 is below the threshold 85'],
    ['quality before performance', [85, 79, 79], [0, 0], 'the quality score 79 is below the threshold 80'],
    ['all at their lowest', [85, 80, 80], [0, 2], 'All checks passed'],
  ])('%s', (_, scores, [criticals, highs], reason) => {
    const result = judge(aRound(scores, [...issuesOf('Critical', criticals), ...issuesOf('High', highs)]))
    const isGood = reason === 'All checks passed'
    expect(result).toMatchObject({ reason, passed: isGood, recommendation: isGood ? 'PASS' : 'ITERATE' })
    expect(result.issue_counts).toMatchObject({ critical: criticals, high: highs })
  })

  it.each<[overall: number, own: OwnThresholds, passed: boolean, reason: string]>([
    [79, {}, false, 'the overall score 79 is below the threshold 80'],
    [79.996, {}, false, 'the overall score 79.996 is below the threshold 80'],
    [79.9999999, {}, false, 'the overall score 79.9999999 is below the threshold 80'],
    [80, {}, true, 'All checks passed'],
    [81, {}, true, 'All checks passed'],
    [82.245, { overall_min: 82.245 }, true, 'All checks passed'],
    [82.245, { overall_min: 82.246 }, false, 'the overall score 82.245 is below the threshold 82.246'],
  ])('an overall score of %s with %j passes: %s', (overall, own, passed, reason) => {
    const thresholds = { security_min: 0, quality_min: 0, performance_min: 0, ...own }
    const result = judge(aRound([overall, overall, overall]), { thresholds })
    expect(result).toMatchObject({ passed, reason })
  })

  it.each<[string, [number, number, number], number, boolean]>([
    ['strict', [95, 90, 85], 0, true],
    ['strict', [94, 90, 85], 0, false],
    ['strict', [95, 89, 85], 0, false],
    ['strict', [95, 90, 84], 0, false],
    ['strict', [95, 90, 85], 1, false],
    ['mvp', [75, 70, 70], 5, true],
    ['mvp', [74, 70, 70], 5, false],
    ['mvp', [75, 69, 70], 5, false],
    ['mvp', [75, 70, 69], 5, false],
    ['mvp', [75, 70, 70], 6, false],
  ])('%s with %j and %i High issues passes: %s', (preset, scores, highs, passed) => {
    const result = judge(aRound(scores, issuesOf('High', highs)), { preset: preset as 'strict' })
    expect(result).toMatchObject({ passed, weights_used: PRESETS[preset as 'strict'].weights })
  })
})

describe('PASS comes before FAIL_MAX_ITERATIONS, that before STALLED, that before ITERATE', () => {
  const stalled = [70, 71]
  it.each<[scores: readonly [number, number, number], iteration: number, previous: number[], Recommendation]>([
    [good, 5, [89, 89], 'PASS'],
    [[70, 70, 70], 5, stalled, 'FAIL_MAX_ITERATIONS'],
    [[70, 70, 70], 5, [], 'FAIL_MAX_ITERATIONS'],
    [[70, 70, 70], 4, stalled, 'STALLED'],
    [[70, 70, 70], 4, [], 'ITERATE'],
    [[70, 70, 70], 1, [], 'ITERATE'],
  ])('%j in round %i after %j is %s', (scores, iteration, previous_scores, recommendation) => {
    expect(judge(aRound(scores, [], { iteration, previous_scores }))).toMatchObject({
      recommendation,
      passed: recommendation === 'PASS',
    })
  })

  it('counts rounds by the thresholds that are used', () => {
    const input = aRound([60, 60, 60], [], { iteration: 3 })
    expect(judge(input).recommendation).toBe('ITERATE')
    expect(judge(input, { preset: 'mvp' }).recommendation).toBe('FAIL_MAX_ITERATIONS')
    expect(judge(input, { thresholds: { max_iterations: 3 } }).recommendation).toBe('FAIL_MAX_ITERATIONS')
  })

  it('says what to do next', () => {
    expect(judge(aRound(good)).next_action).toBe('Done: all checks passed')
    expect(judge(aRound([70, 90, 70])).next_action).toBe(
      'Go on with the next round; raise the security score (70 → 85), the performance score (70 → 80), the overall score (77 → 80)',
    )
    expect(judge(aRound(good, issuesOf('Critical', 1))).next_action).toBe(
      'Go on with the next round; fix the Critical issues first',
    )
    expect(judge(aRound([70, 70, 70], [], { iteration: 5 }))).toMatchObject({
      reason: 'Highest number of rounds reached without passing: the security score 70 is below the threshold 85',
      next_action: 'Stop: all 5 rounds are used up. Take the best round, or grant more rounds',
    })
    expect(judge(aRound([70, 70, 70], [], { iteration: 4, previous_scores: stalled })).next_action).toBe(
      'Two rounds in a row gained less than 5 points: a person should step in',
    )
  })

  it.each<[[number, number, number], string, string]>([
    [[84, 90, 90], '安全评分 84 低于阈值 85', '继续迭代，重点提升安全评分 (84 → 85)'],
    [[90, 79, 90], '质量评分 79 低于阈值 80', '继续迭代，重点提升质量评分 (79 → 80)'],
    [[90, 90, 79], '性能评分 79 低于阈值 80', '继续迭代，重点提升性能评分 (79 → 80)'],
    [[90, 90, 90], '所有检查通过', '所有检查通过，代码达标'],
  ])("says it in the seed's Chinese: %j", (scores, reason, next_action) => {
    expect(aggregate(aRound(scores), PRESETS.standard, 'zh')).toMatchObject({ reason, next_action })
  })

  it("says of issues and stalls what the seed's functions return", () => {
    const chinese = (input: Parameters<typeof aggregate>[0]) => aggregate(input, PRESETS.standard, 'zh')
    expect(chinese(aRound(good, issuesOf('Critical', 2))).reason).toBe('存在 2 个 Critical 问题必须修复')
    expect(chinese(aRound(good, issuesOf('High', 3))).reason).toBe('High 级别问题过多 (3 个，上限 2 个)')
    expect(chinese(aRound([70, 70, 70], [], { previous_scores: stalled })).reason).toBe(
      '连续两轮进步小于5分，建议人工介入',
    )
    expect(chinese(aRound(good, [...issuesOf('Critical', 1), ...issuesOf('High', 1)])).next_action).toBe(
      '继续迭代，重点修复 Critical 和 High 级别问题',
    )
  })
})

describe('what the result shows', () => {
  it("computes the seed's own example as 82.25, where the seed shows 83", () => {
    const input = aRound([75, 85, 90], issuesOf('Critical', 1), { previous_scores: [65, 72] })
    expect(judge(input)).toMatchObject({
      overall_score: 82.25,
      progress: { previous_score: 72, current_score: 82.25, improvement: 10.25, trend: 'improving' },
    })
  })

  it('has no progress to tell without an earlier round', () => {
    const nothing = { previous_score: null, current_score: 90, improvement: null, trend: null }
    expect(judge(aRound(good)).progress).toEqual(nothing)
    expect(judge(aRound(good, [], { previous_scores: [] })).progress).toEqual(nothing)
  })

  it('keeps every issue as it was given, its extra fields too, under who gave it', () => {
    const issue = aReviewIssue({ severity: 'Low', source: 'somebody else', cwe_id: 'CWE-89' })
    expect(judge(aRound(good, [issue])).low_issues).toEqual([{ ...issue, source: 'quality-checker' }])
  })

  it('echoes the thresholds and weights that were used', () => {
    const own = { thresholds: { high_max: 4 }, weights: { security: 0.2, quality: 0.3, performance: 0.5 } }
    const result = judge(aRound(good), own)
    expect(result.thresholds_used).toEqual({ ...PRESETS.standard.thresholds, high_max: 4 })
    expect(result.weights_used).toEqual(own.weights)
    expect(result.weights).toEqual(own.weights)
  })
})

describe("a reviewer's own word", () => {
  it.each([
    ['passed although its score is below', { passed: true, score: 84, issues: [] }, 'the security score 84 is below'],
    [
      'passed although it found something Critical',
      { passed: true, score: 99, issues: issuesOf('Critical', 1) },
      '1 Critical issue must be fixed',
    ],
    [
      'not passed although nothing speaks against it',
      { passed: false, score: 85, issues: [] },
      'its score 85 reaches 85',
    ],
  ])('is reported when it says %s', (_, security_result, why) => {
    const { inconsistencies } = judge(aRound(good, [], { security_result }))
    expect(inconsistencies).toHaveLength(1)
    expect(inconsistencies[0]).toMatchObject({ dimension: 'security', passed: security_result.passed })
    expect(inconsistencies[0]?.detail).toContain(why)
  })

  it('never decides', () => {
    const flags = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())
    fc.assert(
      fc.property(anyRound, flags, (input, [security, quality, performance]) => {
        const claimed = {
          ...input,
          security_result: { ...input.security_result, passed: security },
          quality_result: { ...input.quality_result, passed: quality },
          performance_result: { ...input.performance_result, passed: performance },
        }
        const { inconsistencies: _, ...one } = judge(input)
        const { inconsistencies: __, ...other } = judge(claimed)
        expect(other).toEqual(one)
      }),
    )
  })
})

describe('for any round', () => {
  it('a result fits its contract and agrees with itself', () => {
    fc.assert(
      fc.property(anyRound, (input) => {
        const result = aggregate(input, resolveSettings({}, input), 'zh')
        expect(AggregateResult.parse(result)).toEqual(result)
        expect(result.passed).toBe(result.recommendation === 'PASS')
        expect(result.issue_counts).toEqual({
          critical: result.critical_issues.length,
          high: result.high_issues.length,
          medium: result.medium_issues.length,
          low: result.low_issues.length,
        })
      }),
    )
  })

  it('nothing with a Critical issue passes', () => {
    fc.assert(
      fc.property(anyRound, (input) => {
        const issues = [...input.quality_result.issues, aReviewIssue({ severity: 'Critical' })]
        const result = judge({ ...input, quality_result: { ...input.quality_result, issues } }, { preset: 'mvp' })
        expect(result.recommendation).not.toBe('PASS')
      }),
    )
  })

  it('the overall score lies between the lowest and the highest score, whatever weights are allowed', () => {
    const parts = fc.tuple(
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: -1, max: 1 }),
    )
    fc.assert(
      fc.property(fc.tuple(anyScore, anyScore, anyScore), parts, (scores, [first, second, off]) => {
        const [low = 0, high = 0] = [first, second].sort((left, right) => left - right)
        const last = Math.max(0, 1000 - high + off) / 1000
        const weights = { security: low / 1000, quality: (high - low) / 1000, performance: last }
        const { overall_score } = judge(aRound(scores), { weights })
        expect(overall_score).toBeGreaterThanOrEqual(Math.min(...scores) - 0.005)
        expect(overall_score).toBeLessThanOrEqual(Math.max(...scores) + 0.005)
      }),
    )
  })

  it('the order of the issues changes nothing at all', () => {
    fc.assert(
      fc.property(anyRound, fc.infiniteStream(fc.nat()), (input, keys) => {
        const shuffled = input.quality_result.issues
          .map((issue) => ({ issue, key: keys.next().value as number }))
          .sort((left, right) => left.key - right.key)
          .map(({ issue }) => issue)
        expect(judge({ ...input, quality_result: { ...input.quality_result, issues: shuffled } })).toEqual(judge(input))
      }),
    )
  })

  it('raising a score never turns PASS into something else', () => {
    const name = fc.constantFrom('security_result', 'quality_result', 'performance_result')
    const nearly = fc.tuple(...[85, 80, 80].map((least) => fc.integer({ min: least - 1, max: 100 })))
    fc.assert(
      fc.property(nearly, name, fc.double({ min: 0, max: 20, noNaN: true }), (scores, which, gain) => {
        const input = aRound(scores as [number, number, number])
        const better = { ...input, [which]: { ...input[which], score: Math.min(100, input[which].score + gain) } }
        if (judge(input).passed) expect(judge(better).passed).toBe(true)
      }),
    )
  })
})

describe('many issues', () => {
  it('take time in proportion to their number', () => {
    const timed = (count: number) => {
      const issues = Array.from({ length: count }, (_, at) =>
        aReviewIssue({
          severity: (['Critical', 'High', 'Medium', 'Low'] as const)[at % 4] ?? 'Low',
          type: `TYPE_${at % 500}`,
          file: `src/file-${at % 2000}.py`,
          line: (at % 97) + 1,
          description: `what ${at} is about`,
        }),
      )
      const input = aRound(good, issues)
      const takes = Array.from({ length: 3 }, () => {
        const start = performance.now()
        judge(input)
        return performance.now() - start
      })
      return Math.min(...takes)
    }
    timed(2000)
    const few = timed(2000)
    // Ten times as many: a quadratic step would take a hundred times as long. Sorting and the collector's share leave room below that.
    expect(timed(20_000) / few).toBeLessThan(35)
  })
})
