import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bordaPoints } from '../../../src/rules/eval/borda.js'
import { fleissKappa, kappaOfWords } from '../../../src/rules/eval/fleiss-kappa.js'
import { concordance, meanTau, tauB } from '../../../src/rules/eval/kendall.js'
import { pairwiseMatrix } from '../../../src/rules/eval/pairwise.js'
import { meanOf, medianOf, midRanks } from '../../../src/rules/eval/ranks.js'
import { schulzeRanking } from '../../../src/rules/eval/schulze.js'

interface Jury {
  rows: number[][]
  tau: number | null
  w: number | null
  kappa: number | null
  support: number[][]
  ranks: number[]
  borda: number[]
  winners: number[]
}

/** Made once by statistics.py beside it, which names the libraries and their versions. */
const fixture = new URL('../../fixtures/eval/statistics.jsonl', import.meta.url)
const juries = readFileSync(fixture, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Jury)

/** Ballots of a published election: how many voters, best first. */
function election(ballots: readonly [voters: number, order: string][], names: readonly string[]) {
  const rows = ballots.flatMap(([voters, order]) =>
    Array.from({ length: voters }, () => names.map((name) => -order.indexOf(name))),
  )
  const matrix = pairwiseMatrix(rows, names.length)
  return { matrix, ...schulzeRanking(matrix), points: bordaPoints(matrix, rows.length) }
}

describe('200 small juries come out as well-kept Python libraries say', () => {
  it('Kendall’s tau-b (scipy)', () => {
    for (const { rows, tau } of juries) near(tauB(rows[0] ?? [], rows[1] ?? []), tau)
  })

  it('Kendall’s W with ties (from scipy’s Friedman test)', () => {
    for (const { rows, w } of juries) near(concordance(rows), w)
  })

  it('Fleiss’ kappa (statsmodels)', () => {
    for (const { rows, kappa } of juries) {
      near(kappaOfWords((rows[0] ?? []).map((_, at) => rows.map((row) => String(row[at])))), kappa)
    }
  })

  it('the pairwise matrix, the Schulze ranking on winning votes and the Borda points (pref_voting)', () => {
    for (const { rows, support, ranks, winners, borda } of juries) {
      const matrix = pairwiseMatrix(rows, ranks.length)
      const schulze = schulzeRanking(matrix)
      expect(matrix).toEqual(support)
      expect(schulze.ranks).toEqual(ranks)
      expect(ranks.flatMap((_, at) => (schulze.ranks[at] === 1 ? [at] : []))).toEqual(winners)
      // Theirs counts those below minus those above.
      const level = rows.length * (ranks.length - 1)
      expect(bordaPoints(matrix, rows.length)).toEqual(borda.map((points) => (points + level) / 2))
    }
  })

  function near(ours: number | null, theirs: number | null): void {
    if (theirs === null) expect(ours).toBeNull()
    else expect(ours).toBeCloseTo(theirs, 10)
  }
})

describe('published elections', () => {
  it('the 45 voters of Schulze’s first example: E > A > C > B > D', () => {
    // M. Schulze, "The Schulze Method of Voting", arXiv:1804.02973, and his examples on the web: ballots, matrix, path strengths.
    const result = election(
      [
        [5, 'ACBED'],
        [5, 'ADECB'],
        [8, 'BEDAC'],
        [3, 'CABED'],
        [7, 'CAEBD'],
        [2, 'CBADE'],
        [7, 'DCEBA'],
        [8, 'EBADC'],
      ],
      'ABCDE'.split(''),
    )
    expect(result.matrix).toEqual([
      [0, 20, 26, 30, 22],
      [25, 0, 16, 33, 18],
      [19, 29, 0, 17, 24],
      [15, 12, 28, 0, 14],
      [23, 27, 21, 31, 0],
    ])
    expect(result.strengths).toEqual([
      [0, 28, 28, 30, 24],
      [25, 0, 28, 33, 24],
      [25, 29, 0, 29, 24],
      [25, 28, 28, 0, 24],
      [25, 28, 28, 31, 0],
    ])
    expect(result.ranks).toEqual([2, 4, 3, 5, 1])
  })

  it('the capital of Tennessee: Nashville by both, Borda 194, 173, 126, 107', () => {
    // The worked example of Wikipedia's "Borda count" and "Schulze method": Memphis, Nashville, Chattanooga, Knoxville.
    const { ranks, points } = election(
      [
        [42, 'MNCK'],
        [26, 'NCKM'],
        [15, 'CKNM'],
        [17, 'KCNM'],
      ],
      'MNCK'.split(''),
    )
    expect(points).toEqual([126, 194, 173, 107])
    expect(ranks).toEqual([4, 1, 2, 3])
  })

  it('Condorcet’s cycle of three is a tie of all three', () => {
    const { ranks, points } = election(
      [
        [1, 'ABC'],
        [1, 'BCA'],
        [1, 'CAB'],
      ],
      'ABC'.split(''),
    )
    expect([ranks, points]).toEqual([
      [1, 1, 1],
      [3, 3, 3],
    ])
  })
})

describe('published coefficients', () => {
  it('the 14 raters of Wikipedia’s "Fleiss’ kappa": 0.210', () => {
    const counts = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ]
    expect(fleissKappa(counts)).toBeCloseTo(0.20993, 5)
  })

  it('four judges of ten projects, sum of squares 1048: W is 0.794', () => {
    // A textbook exercise ("The Kendall's coefficient of concordance", scribd 659863121).
    const ranks = [
      [1, 3, 4, 5, 2, 8, 6, 7, 10, 9],
      [2, 1, 4, 5, 6, 3, 8, 7, 10, 9],
      [3, 2, 1, 5, 7, 4, 6, 8, 9, 10],
      [4, 2, 3, 1, 6, 7, 5, 9, 8, 10],
    ]
    expect(concordance(ranks)).toBeCloseTo((12 * 1048) / (16 * 990), 10)
  })

  it('the example of scipy’s own page of kendalltau: -0.4714', () => {
    expect(tauB([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])).toBeCloseTo(-0.47140452079103173, 10)
  })
})

describe('what is not defined is null, never a number', () => {
  it.each<[string, unknown]>([
    ['tau of a level list', tauB([1, 1, 1], [1, 2, 3])],
    ['tau of one place', tauB([1, null], [1, 2])],
    ['the mean tau of one judge', meanTau([[1, 2, 3]])],
    ['W of one judge', concordance([[1, 2, 3]])],
    [
      'W of judges to whom all is level',
      concordance([
        [1, 1],
        [2, 2],
      ]),
    ],
    [
      'W when only one judge knows everybody',
      concordance([
        [1, 2, 3],
        [1, null, 3],
      ]),
    ],
    ['kappa of one judge', fleissKappa([[1, 0]])],
    [
      'kappa of one category',
      fleissKappa([
        [3, 0],
        [3, 0],
      ]),
    ],
    [
      'kappa of subjects with different numbers of judges',
      fleissKappa([
        [3, 0],
        [1, 1],
      ]),
    ],
    ['kappa of nothing', fleissKappa([])],
    ['the mean of nothing', meanOf([])],
    ['the median of nothing', medianOf([])],
  ])('%s', (_, value) => {
    expect(value).toBeNull()
  })
})

describe('ranks', () => {
  it.each<[scores: (number | null)[], ranks: (number | null)[]]>([
    [
      [9, 7, 7, 1],
      [1, 2.5, 2.5, 4],
    ],
    [
      [5, 5, 5],
      [2, 2, 2],
    ],
    [
      [null, 2, 8],
      [null, 2, 1],
    ],
    [[], []],
  ])('of %j are %j', (scores, ranks) => {
    expect(midRanks(scores)).toEqual(ranks)
  })

  it.each<[values: number[], median: number]>([
    [[3], 3],
    [[9, 1], 5],
    [[10, 2, 1], 2],
    [[4, 1, 3, 2], 2.5],
  ])('the median of %j is %d', (values, median) => {
    expect(medianOf(values)).toBe(median)
  })

  it('a candidate a judge does not know neither wins nor loses there, and gets half a point of each pair', () => {
    const matrix = pairwiseMatrix([[9, null, 1]], 3)
    expect(matrix).toEqual([
      [0, 0, 1],
      [0, 0, 0],
      [0, 0, 0],
    ])
    expect(bordaPoints(matrix, 1)).toEqual([1.5, 1, 0.5])
  })
})
