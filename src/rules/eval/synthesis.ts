import { bordaPoints } from './borda.js'
import { tauB } from './kendall.js'
import { type PairwiseMatrix, pairwiseMatrix } from './pairwise.js'
import { meanOf, midRanks, type ScoreRow } from './ranks.js'
import { schulzeRanking } from './schulze.js'

export interface RankedCandidate {
  candidate: number
  /** 1 is the best; who cannot be told apart shares one. */
  rank: number
  schulze: number
  borda: number
  /** Mean of the judges' scores; null when nobody scored it. */
  mean: number | null
  /** Each judge's own rank, null where it did not judge. */
  individual: (number | null)[]
  variance: number | null
}

export interface Synthesis {
  /** Best first. */
  ranking: RankedCandidate[]
  /** Of `ranking`'s candidates, in the order of `candidates`. */
  matrix: PairwiseMatrix
  strengths: PairwiseMatrix
  candidates: number[]
  /** Those with rank 1: more than one is a tie. */
  leaders: number[]
  /** How the leader stands out: by the Schulze method alone, only by Borda points among several Schulze winners, or not at all. */
  leadsBy: 'schulze' | 'borda' | 'tied'
}

/** Ranks by a judge of one candidate that are this far apart are a conflict. */
const CONFLICT_PLACES = 2

/**
 * Round 2: one ranking of `candidates` from a row of scores per judge. Schulze first, Borda points where that leaves several level; what
 * is level by both shares a rank.
 */
export function synthesize(rows: readonly ScoreRow[], candidates: readonly number[]): Synthesis {
  const own = rows.map((row) => candidates.map((candidate) => row[candidate] ?? null))
  const counted = count(own, candidates.length)
  const { matrix, strengths, schulze, points, ranks } = counted
  const places = own.map(midRanks)
  const ranking = candidates.map((candidate, at) => {
    const individual = places.map((row) => row[at] ?? null)
    return {
      candidate,
      rank: ranks[at] ?? 0,
      schulze: schulze[at] ?? 0,
      borda: points[at] ?? 0,
      mean: meanOf(known(own.map((row) => row[at] ?? null))),
      individual,
      variance: varianceOf(known(individual)),
    }
  })
  ranking.sort((one, other) => one.rank - other.rank)
  return {
    ranking,
    matrix,
    strengths,
    candidates: [...candidates],
    ...leadOf(counted, candidates),
  }
}

/** Who leads, without the rest of it: what leaving out one judge after the other is asked for. */
export function leadersOf(rows: readonly ScoreRow[], candidates: readonly number[]): number[] {
  const own = rows.map((row) => candidates.map((candidate) => row[candidate] ?? null))
  return leadOf(count(own, candidates.length), candidates).leaders
}

function count(own: readonly ScoreRow[], candidates: number) {
  const matrix = pairwiseMatrix(own, candidates)
  const { strengths, ranks: schulze } = schulzeRanking(matrix)
  const points = bordaPoints(matrix, own.length)
  const ranks = schulze.map((rank, at) => {
    const isBetter = (other: number, j: number) =>
      other < rank || (other === rank && (points[j] ?? 0) > (points[at] ?? 0))
    return 1 + schulze.filter(isBetter).length
  })
  return { matrix, strengths, schulze, points, ranks }
}

function leadOf(
  { schulze, ranks }: ReturnType<typeof count>,
  candidates: readonly number[],
): Pick<Synthesis, 'leaders' | 'leadsBy'> {
  const leaders = candidates.filter((_, at) => ranks[at] === 1)
  const isAlone = schulze.filter((rank) => rank === 1).length === 1
  return { leaders, leadsBy: isAlone ? 'schulze' : leaders.length === 1 ? 'borda' : 'tied' }
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null)
}

function varianceOf(values: readonly number[]): number | null {
  const mean = meanOf(values)
  return mean === null ? null : meanOf(values.map((value) => (value - mean) ** 2))
}

export interface Conflicts {
  /** Judges, by their rows, that order more pairs contrarily than alike. */
  pairs: { judges: [number, number]; tau: number }[]
  /** Candidates whose ranks by two judges lie too far apart. */
  disputed: number[]
}

/** Where a jury is at odds. Apart from the ranking: it takes the square of the judges. */
export function conflictsOf(rows: readonly ScoreRow[], { candidates, ranking }: Synthesis): Conflicts {
  const own = rows.map((row) => candidates.map((candidate) => row[candidate] ?? null))
  const pairs = own.flatMap((row, i) =>
    own.flatMap((other, j) => {
      const tau = j > i ? tauB(row, other) : null
      return tau === null || tau >= 0 ? [] : [{ judges: [i, j] as [number, number], tau }]
    }),
  )
  return { pairs, disputed: disputed(ranking) }
}

function disputed(ranking: readonly RankedCandidate[]): number[] {
  return ranking
    .filter(({ individual }) => {
      const ranks = known(individual)
      return ranks.length > 1 && Math.max(...ranks) - Math.min(...ranks) > CONFLICT_PLACES
    })
    .map(({ candidate }) => candidate)
}
