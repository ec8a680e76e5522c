import type { EvalInput, EvalMode } from '../../contracts/eval.js'

export interface ModeRow {
  rounds: 1 | 2 | 3 | 4
  /** What the mode is meant for; fewer are allowed, and said. */
  judges: number
  /** Round 3: how many leaders are attacked, by how many devil's advocates each. */
  leaders: number
  advocates: number
  /** Round 4: reviewers of the winner, evaluators of each resurrection. */
  reviewers: number
  asksTwice: boolean
}

export const MODES = {
  quick: { rounds: 1, judges: 1, leaders: 1, advocates: 1, reviewers: 1, asksTwice: false },
  standard: { rounds: 2, judges: 3, leaders: 1, advocates: 1, reviewers: 1, asksTwice: true },
  thorough: { rounds: 4, judges: 5, leaders: 2, advocates: 1, reviewers: 2, asksTwice: true },
  adversarial: { rounds: 4, judges: 7, leaders: 3, advocates: 2, reviewers: 3, asksTwice: true },
} as const satisfies Record<EvalMode, ModeRow>

/** Round 1: weighted votes that eliminate. Two, one where there is but one judge, and one when it must be quick. */
export function thresholdOf({ threshold, mode, judges }: Pick<EvalInput, 'threshold' | 'mode' | 'judges'>): number {
  return threshold ?? (mode === 'quick' ? 1 : Math.min(2, judges.length))
}

/** What an evaluation has found that may call for a deeper one. */
export interface UpgradeFacts {
  /** Between the two best mean scores of what was held so far; null with no two to compare. */
  gap: number | null
  hasEliminated: boolean
  criticalFound: boolean
}

export interface Upgrade {
  from: EvalMode
  to: EvalMode
  why: string
}

/** The commander's rule: one step deeper when this mode cannot settle it. Null: it can. */
export function upgradeMode(mode: EvalMode, { gap, hasEliminated, criticalFound }: UpgradeFacts): Upgrade | null {
  if (mode === 'quick' && gap !== null && gap < SMALL_GAP)
    return { from: mode, to: 'standard', why: `the two best are less than ${SMALL_GAP} points apart` }
  if (mode === 'standard' && !hasEliminated) return { from: mode, to: 'thorough', why: 'round 1 has eliminated nobody' }
  if (mode === 'thorough' && criticalFound)
    return { from: mode, to: 'adversarial', why: 'round 3 has found a Critical defect' }
  return null
}

/** On the scale of 0 to 10: the least margin that counts for anything in the confidence. */
const SMALL_GAP = 0.5
