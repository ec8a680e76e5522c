import type { ScreeningEnd } from './screening.js'
import type { EVAL_VERDICTS } from './words.js'

/** What a person said to a vote that settles nothing; `out` names one candidate. */
export type ScreeningWord = 'accept' | 'keep' | 'out' | 'stop'
/** How a round of answers came in: all there, some of what its gate asks for missing, too few, or nobody to ask. */
export type RoundEnd = 'complete' | 'thin' | 'no_quorum' | 'skipped'
export type GateWord = 'go_on' | 'stop'

/** All that decides what an evaluation does next; null is "not yet". */
export interface EvalFacts {
  rounds: 1 | 2 | 3 | 4
  screening: ScreeningEnd | null
  revote: ScreeningEnd | null
  screeningWord: ScreeningWord | null
  analysis: RoundEnd | null
  analysisWord: GateWord | null
  attack: RoundEnd | null
  attackWord: GateWord | null
  /** `in_doubt` asks a person. */
  resurrection: 'none' | 'decided' | 'in_doubt' | null
  resurrectionWord: 'resurrect' | 'keep_out' | null
  review: RoundEnd | null
  /** `tied`: several lead; `weak`: one does, below gate 4. */
  consensus: 'reached' | 'tied' | 'weak' | null
  /** A vote among those who are tied; `skipped` when nobody can be asked again. */
  runoff: 'reached' | 'tied' | 'weak' | 'skipped' | null
  consensusWord: 'choose' | 'none' | null
}

export type EvalStep =
  | 'screen'
  | 'revote'
  | 'ask_screening'
  | 'analyse'
  | 'ask_analysis'
  | 'attack'
  | 'ask_attack'
  | 'resurrect'
  | 'ask_resurrection'
  | 'review'
  | 'conclude'
  | 'runoff'
  | 'ask_consensus'

export type EvalMove = { do: EvalStep } | { end: (typeof EVAL_VERDICTS)[number] }

/** The state machine of an evaluation: the four rounds, each behind the gate of the one before. The same facts, the same move. */
export function decideEval(facts: EvalFacts): EvalMove {
  return (
    screeningMove(facts) ??
    (facts.rounds >= 2 ? analysisMove(facts) : null) ??
    (facts.rounds >= 3 ? attackMove(facts) : null) ??
    (facts.rounds >= 4 ? lastRoundMove(facts) : null) ??
    consensusMove(facts)
  )
}

/** Gate 1. What the first vote leaves open is voted on once more, then a person is asked; nobody is eliminated without a clear vote. */
function screeningMove({ screening, revote, screeningWord }: EvalFacts): EvalMove | null {
  if (screening === null) return { do: 'screen' }
  if (screening === 'decided' || revote === 'decided') return null
  // Who did not answer a moment ago is not asked again.
  if (revote === null && screening !== 'no_quorum') return { do: 'revote' }
  if (screeningWord === null) return { do: 'ask_screening' }
  if (screeningWord !== 'stop') return null
  return { end: (revote ?? screening) === 'no_quorum' ? 'no_quorum' : 'stopped' }
}

function analysisMove({ analysis, analysisWord }: EvalFacts): EvalMove | null {
  if (analysis === null) return { do: 'analyse' }
  return gateMove(analysis, analysisWord, 'ask_analysis')
}

function attackMove({ attack, attackWord }: EvalFacts): EvalMove | null {
  if (attack === null) return { do: 'attack' }
  return gateMove(attack, attackWord, 'ask_attack')
}

/** Gates 2 and 3: behind one that is not passed only a person leads on, or the default in its place. */
function gateMove(end: RoundEnd, word: GateWord | null, ask: EvalStep): EvalMove | null {
  if (end === 'complete' || end === 'skipped') return null
  if (word === null) return { do: ask }
  if (word === 'go_on') return null
  return { end: end === 'no_quorum' ? 'no_quorum' : 'stopped' }
}

function lastRoundMove({ resurrection, resurrectionWord, review }: EvalFacts): EvalMove | null {
  if (resurrection === null) return { do: 'resurrect' }
  if (resurrection === 'in_doubt' && resurrectionWord === null) return { do: 'ask_resurrection' }
  return review === null ? { do: 'review' } : null
}

/** Gate 4. Those who are tied are voted on once more; then a person chooses, or there is no recommendation. */
function consensusMove({ consensus, runoff, consensusWord }: EvalFacts): EvalMove {
  if (consensus === null) return { do: 'conclude' }
  if (consensus === 'reached' || runoff === 'reached') return { end: 'recommended' }
  if (consensus === 'tied' && runoff === null) return { do: 'runoff' }
  if (consensusWord === null) return { do: 'ask_consensus' }
  return { end: consensusWord === 'choose' ? 'recommended' : 'no_consensus' }
}
