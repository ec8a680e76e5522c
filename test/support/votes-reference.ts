import type { VoteInput } from '../../src/contracts/votes.js'

/** What the vote must come to; names of evaluators are sorted, weights in hundredths. */
export interface Reference {
  known: string[]
  eliminated: string[]
  survivors: string[]
  raw: number[]
  hundredths: bigint[]
  level: string
  conflicts: string[]
}

/**
 * The vote aggregator once more, in another style: a matrix of evaluators × candidates of noughts and ones, whole numbers only. It knows
 * weights of whole hundredths and assessments that are numbers. Slow, and simple enough to check by eye against the seed.
 */
export function referenceVote(input: VoteInput): Reference {
  const ballot = input.votes.map((vote) => vote.elimination_decision.eliminated)
  const seen = input.votes.map((vote, row) => [ballot[row], ...Object.keys(vote.quick_assessments)]).flat()
  const all = input.candidates ?? seen.filter((name) => typeof name === 'string')
  const known = all.filter((name, at) => all.indexOf(name) === at)
  const matrix = ballot.map((name) => known.map((candidate) => (candidate === name ? 1 : 0)))
  const worth = input.votes.map((vote) =>
    BigInt(Math.round(input.confidence_weights[vote.elimination_decision.confidence] * 100)),
  )
  const columns = known.map((_, column) => matrix.map((row) => row[column] ?? 0))
  const raw = columns.map((column) => column.reduce<number>((sum, cell) => sum + cell, 0))
  const hundredths = columns.map((column) => column.reduce((sum, cell, row) => sum + BigInt(cell) * worth[row]!, 0n))
  const isOut = known.map(
    (_, at) =>
      hundredths[at]! >= BigInt(input.elimination_threshold) * 100n &&
      (!input.require_unanimous || raw[at] === ballot.length),
  )
  const percent = Math.floor((100 * Math.max(0, ...raw)) / ballot.length)
  const level = ['split', 'split', 'weak', 'moderate', 'strong', 'unanimous'][Math.floor(percent / 20)] ?? ''
  const split = splitColumns(raw, hundredths, isOut)
  const cast = (column: number[]) => input.votes.filter((_, row) => column[row] === 1).map((vote) => vote.evaluator_id)
  const fans = known.map((name) =>
    input.votes
      .filter((vote, row) => ballot[row] !== name && isPraised(vote.quick_assessments, name))
      .map((vote) => vote.evaluator_id),
  )
  const show = (at: number, who: string[]) => `${known[at]}: ${who.sort().join(' ')}`
  return {
    known,
    eliminated: known.filter((_, at) => isOut[at]),
    survivors: known.filter((_, at) => !isOut[at]),
    raw,
    hundredths,
    level,
    conflicts: [
      ...columns.flatMap((column, at) => (split[at] ? [show(at, cast(column))] : [])),
      ...columns.flatMap((column, at) =>
        raw[at]! > 0 && fans[at]!.length > 0 ? [show(at, [...cast(column), ...fans[at]!])] : [],
      ),
    ].sort(),
  }
}

/** Those out together, and those who share the lead by votes or by weight. */
function splitColumns(raw: number[], hundredths: bigint[], isOut: boolean[]): boolean[] {
  const heaviest = hundredths.reduce((most, each) => (each > most ? each : most), 0n)
  const most = Math.max(0, ...raw)
  const leads = raw.map((votes, at) => votes > 0 && (votes === most || (heaviest > 0n && hundredths[at] === heaviest)))
  const several = (marks: boolean[]) => marks.filter(Boolean).length > 1
  return raw.map((_, at) => (several(isOut) && isOut[at]!) || (several(leads) && leads[at]!))
}

function isPraised(assessments: Record<string, unknown>, name: string): boolean {
  const grade = assessments[name]
  const sorted = (Object.values(assessments) as number[]).sort((a, b) => a - b)
  if (typeof grade !== 'number') return false
  return grade > 7 || (grade === sorted.at(-1) && grade !== sorted[0])
}
