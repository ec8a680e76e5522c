import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meanTau } from '../../../src/rules/eval/kendall.js'
import { scoresOfMeasure, voteByScores } from '../../../src/rules/eval/measures.js'
import { conflictsOf, synthesize } from '../../../src/rules/eval/synthesis.js'

const measured = (value: number, better: 'lower' | 'higher' = 'lower', unit = 's') => ({
  score: null,
  measured: { value, unit, better },
})

describe('a program’s scores', () => {
  it('stand as they are when it scores itself', () => {
    expect(scoresOfMeasure([{ score: 7.5, measured: null }, null])).toEqual([7.5, null])
  })

  it('are the ratio to the best of what it measured', () => {
    expect(scoresOfMeasure([measured(2), measured(1), measured(4), null])).toEqual([5, 10, 2.5, null])
    expect(scoresOfMeasure([measured(20, 'higher'), measured(50, 'higher')])).toEqual([4, 10])
  })

  it('are full for nothing at all where less is better, nothing for the rest', () => {
    expect(scoresOfMeasure([measured(0), measured(0), measured(3)])).toEqual([10, 10, 0])
    expect(scoresOfMeasure([measured(0, 'higher'), measured(0, 'higher')])).toEqual([10, 10])
  })

  it('are not made of what cannot be compared', () => {
    expect(scoresOfMeasure([measured(2), measured(2, 'lower', 'lines')])).toEqual([10, null])
    expect(scoresOfMeasure([null, null])).toEqual([null, null])
  })
})

describe('a program’s vote', () => {
  it.each<[scores: (number | null)[], eliminated: number | null, confidence: string]>([
    [[9, 7, 8], 1, 'Medium'],
    [[9, 2, 4], 1, 'High'],
    [[9, 2.01, 4], 1, 'Medium'],
    [[9, 3.01, 4], 1, 'Low'],
    [[9, 3, 3], null, 'Low'],
    [[null, 3, null], null, 'Low'],
    [[null, 3, 5], 1, 'High'],
    [[], null, 'Low'],
  ])('by %j is against %j, %s', (scores, eliminated, confidence) => {
    expect(voteByScores(scores)).toMatchObject({ eliminated, confidence })
  })
})

describe('one ranking of many', () => {
  it('has the Condorcet winner first, whatever its Borda points', () => {
    // Three of five prefer candidate 0 to each; the other two put it last.
    const rows = [
      [9, 8, 1],
      [9, 8, 1],
      [9, 8, 1],
      [1, 9, 8],
      [1, 9, 8],
    ]
    const { ranking, leadsBy, leaders } = synthesize(rows, [0, 1, 2])
    expect(ranking.map(({ candidate, borda }) => [candidate, borda])).toEqual([
      [0, 6],
      [1, 7],
      [2, 2],
    ])
    expect([leadsBy, leaders]).toEqual(['schulze', [0]])
  })

  it('falls back on Borda points among several Schulze winners, and says so', () => {
    const rows = [
      [9, 8, 7],
      [8, 9, 1],
      [5, 5, 6],
    ]
    expect(synthesize(rows, [0, 1])).toMatchObject({ leadsBy: 'tied', leaders: [0, 1] })
    const cycle = [
      [9, 8, 7, 1],
      [7, 9, 8, 1],
      [8, 7, 9, 1],
      [9, 9, 9, 1],
    ]
    expect(synthesize(cycle, [0, 1, 2, 3])).toMatchObject({ leadsBy: 'tied', leaders: [0, 1, 2] })
    const broken = [
      [9, 7, 1],
      [1, 9, 8],
      [5, null, 4],
      [4, null, 5],
    ]
    expect(synthesize(broken, [0, 1, 2])).toMatchObject({ leadsBy: 'borda', leaders: [1] })
  })

  it('never ranks somebody above whom it beats', () => {
    const rows = fc
      .integer({ min: 2, max: 6 })
      .chain((count) =>
        fc.array(
          fc.array(fc.option(fc.integer({ min: 0, max: 5 }), { freq: 5 }), { minLength: count, maxLength: count }),
          { minLength: 1, maxLength: 7 },
        ),
      )
    fc.assert(
      fc.property(rows, (jury) => {
        const candidates = (jury[0] ?? []).map((_, at) => at)
        const { ranking, strengths, leaders } = synthesize(jury, candidates)
        const rank = new Map(ranking.map((each) => [each.candidate, each.rank]))
        for (const i of candidates)
          for (const j of candidates)
            if ((strengths[i]?.[j] ?? 0) > (strengths[j]?.[i] ?? 0)) expect(rank.get(i)).toBeLessThan(rank.get(j) ?? 0)
        expect(leaders.length).toBeGreaterThan(0)
        expect(ranking.map(({ candidate }) => candidate).sort()).toEqual(candidates)
      }),
      { numRuns: 500 },
    )
  })

  it('ranks only whom it is asked about', () => {
    expect(synthesize([[1, 9, 5]], [0, 2]).ranking.map(({ candidate }) => candidate)).toEqual([2, 0])
  })

  it('names judges that turn the order around, and candidates whose ranks lie more than two places apart', () => {
    const rows = [
      [9, 8, 7, 6],
      [6, 7, 8, 9],
      [9, 8, 7, 6],
    ]
    const conflicts = conflictsOf(rows, synthesize(rows, [0, 1, 2, 3]))
    expect(conflicts.pairs).toEqual([
      { judges: [0, 1], tau: -1 },
      { judges: [1, 2], tau: -1 },
    ])
    expect([...conflicts.disputed].sort()).toEqual([0, 3])
    expect(meanTau(rows)).toBeCloseTo(-1 / 3)
  })
})
