import type { ConsensusLevel } from '../../contracts/votes.js'
import { agreementRatio, CONSENSUS_LEVELS, consensusLevel } from '../votes-consensus.js'
import type { ConfidenceLevel, DecisionPath } from './confidence.js'
import type { ScoreRow } from './ranks.js'
import { CONFIDENCE_LEVELS } from './words.js'

export interface ChoiceAgreement {
  level: ConsensusLevel
  /** Judges that put nobody above the candidate, by all seats. */
  ratio: number
  judges: number
}

/** Round 4 shares the vote aggregator's table: how many judges put none of `candidates` above this one. Empty seats count against. */
export function choiceAgreement(
  rows: readonly (ScoreRow | null)[],
  { candidates, winner }: { candidates: readonly number[]; winner: number },
): ChoiceAgreement {
  const judges = rows.filter((row) => row !== null && isTop(row, candidates, winner)).length
  return { level: consensusLevel(judges, rows.length), ratio: agreementRatio(judges, rows.length), judges }
}

function isTop(row: ScoreRow, candidates: readonly number[], winner: number): boolean {
  const own = row[winner] ?? null
  return own !== null && candidates.every((candidate) => (row[candidate] ?? -Infinity) <= own)
}

/** What tells how a winner was found. */
export interface PathFacts {
  /** Leads in every round that was held, and by Borda points too. */
  leadsThroughout: boolean
  allGatesPassed: boolean
  /** It came in after a tie, a person's word, a resurrection, or because whoever led was disqualified. */
  isContested: boolean
}

/** A: every round says the same; B: they agree in the end; C: contested. */
export function decisionPath({ leadsThroughout, allGatesPassed, isContested }: PathFacts): DecisionPath {
  if (isContested) return 'C'
  return leadsThroughout && allGatesPassed ? 'A' : 'B'
}

/** Gate 4: consensus at least moderate, confidence at least Medium. */
export function isConsensus(level: ConsensusLevel, confidence: ConfidenceLevel): boolean {
  return (
    CONSENSUS_LEVELS.indexOf(level) <= CONSENSUS_LEVELS.indexOf('moderate') &&
    CONFIDENCE_LEVELS.indexOf(confidence) <= CONFIDENCE_LEVELS.indexOf('Medium')
  )
}
