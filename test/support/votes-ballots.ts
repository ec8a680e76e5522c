import { VoteInput } from '../../src/contracts/votes.js'

/** What a test says of one vote: who, against whom (null abstains), how sure, what else. */
export interface Said {
  by?: string
  against?: string | null
  sure?: 'High' | 'Medium' | 'Low'
  why?: string
  thinks?: Record<string, unknown>
}

/** A parsed input. Evaluators are e0, e1, … where a vote names none; the threshold is 2 where `rest` names none. */
export function ballots(votes: readonly Said[], rest: Record<string, unknown> = {}): VoteInput {
  return VoteInput.parse({
    votes: votes.map(({ by, against, sure, why, thinks }, at) => ({
      evaluator_id: by ?? `e${at}`,
      elimination_decision: { eliminated: against ?? null, confidence: sure, reason: why },
      quick_assessments: thinks,
    })),
    elimination_threshold: 2,
    ...rest,
  })
}

/** `times` votes against one candidate; spread them into a list of votes. */
export function votesAgainst(against: string | null, times: number, sure: Said['sure'] = 'Medium'): Said[] {
  return Array.from({ length: times }, () => ({ against, sure }))
}
