import { describe, expect, it } from 'vitest'
import type { CriticalSighting } from '../../../src/contracts/refine.js'
import { findAlarms } from '../../../src/rules/refine/find-alarms.js'
import { matchSightings } from '../../../src/rules/refine/match-sightings.js'

const seen = (parts: Partial<CriticalSighting> = {}): CriticalSighting => ({
  type: 'SQL_INJECTION',
  file: 'src/db.py',
  line: 42,
  digest: 'a',
  ...parts,
})
const judged = (overall: number, criticals: CriticalSighting[] = [], security = overall) => ({
  scores: { security, quality: overall, performance: overall },
  overall,
  criticals,
})

describe('a Critical issue persists', () => {
  it.each<[what: string, CriticalSighting[][], string[]]>([
    ['in three rounds', [[seen()], [seen()], [seen()]], ['SQL_INJECTION src/db.py:42']],
    ['not in two', [[seen()], [seen()]], []],
    ['not when a round was without it', [[seen()], [], [seen()]], []],
    ['in the last three of four', [[], [seen()], [seen()], [seen()]], ['SQL_INJECTION src/db.py:42']],
    [
      'when its line moved far, with its text',
      [[seen()], [seen({ line: 90 })], [seen({ line: 300 })]],
      ['SQL_INJECTION src/db.py:300'],
    ],
    [
      'when its line was changed and is still wrong',
      [[seen()], [seen({ digest: 'b', line: 44 })], [seen({ digest: 'c', line: 60 })]],
      ['SQL_INJECTION src/db.py:60'],
    ],
    ['not as another issue far away', [[seen()], [seen()], [seen({ digest: 'x', line: 63 })]], []],
    ['as far as twenty lines', [[seen()], [seen()], [seen({ digest: 'x', line: 62 })]], ['SQL_INJECTION src/db.py:62']],
    ['not in another file', [[seen()], [seen()], [seen({ file: 'src/other.py' })]], []],
    ['not as another type', [[seen()], [seen()], [seen({ type: 'XSS' })]], []],
    [
      'however its type and path are spelled',
      [[seen({ type: 'sql-injection' })], [seen({ type: 'SQL Injection' })], [seen({ file: './src/db.py' })]],
      ['SQL_INJECTION ./src/db.py:42'],
    ],
    [
      'without a line too',
      [
        [seen({ line: null, digest: null })],
        [seen({ line: null, digest: null })],
        [seen({ line: null, digest: null })],
      ],
      ['SQL_INJECTION src/db.py'],
    ],
  ])('%s', (_, rounds, persisting) => {
    expect(findAlarms(rounds.map((criticals) => judged(50, criticals))).persisting).toEqual(persisting)
  })

  it('once for each that was there before: two after one are one old and one new', () => {
    const now = [seen({ line: 50, digest: 'z' }), seen({ line: 80 })]
    expect(matchSightings([seen()], now)).toEqual([seen({ line: 80 })])
    expect(matchSightings([seen(), seen({ line: 51, digest: 'y' })], now)).toEqual(now)
  })

  it('is matched to the nearest of several alike', () => {
    const before = [seen({ line: 10 }), seen({ line: 100 })]
    expect(matchSightings(before, [seen({ line: 102 }), seen({ line: 12 })])).toHaveLength(2)
    expect(matchSightings(before, [])).toEqual([])
  })
})

describe('oscillation: the last three overall scores lie within 6 points', () => {
  it.each<[number[], boolean]>([
    [[70, 76, 70], true],
    [[70, 76.01, 70], false],
    [[64.1, 70.1, 66], true],
    [[70, 70], false],
    [[10, 70, 71, 72], true],
    [[70, 71, 78], false],
  ])('%j: %s', (overall, oscillating) => {
    expect(findAlarms(overall.map((score) => judged(score))).oscillating).toBe(oscillating)
  })
})

describe('regression: a dimension lost more than 10 points in the last round', () => {
  it.each<[number[], number]>([
    [[90, 80], 0],
    [[90.1, 80], 1],
    [[64.1, 54.1], 0],
    [[90, 79, 79], 0],
    [[90], 0],
    [[80, 95], 0],
  ])('security %j: %i', (security, count) => {
    const { regressions } = findAlarms(security.map((score) => judged(80, [], score)))
    expect(regressions).toHaveLength(count)
    if (count > 0) expect(regressions).toEqual([{ dimension: 'security', from: 90.1, to: 80 }])
  })
})
