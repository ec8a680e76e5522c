import type { TaskPhase } from '../../contracts/phase.js'

/** What an outcome means for the flow of its task. */
export type Meaning =
  /** The phase is done. */
  | 'good'
  /** The same phase once more, with what was wrong. */
  | 'again'
  /** Back to Develop with the report. */
  | 'return'
  /** Nothing an agent could try would help: a person. */
  | 'stop'

/** What can come out of each phase, as the engine measured it, and what that means (seed 001, 5.5 to 5.9; pipelines.md, phase 4 to 8). */
export const OUTCOMES = {
  plan: { planned: 'good', refused: 'again' },
  research: { answered: 'good' },
  tdd: {
    red: 'good',
    already_passing: 'again',
    no_tests: 'again',
    not_collected: 'again',
    not_by_assertion: 'again',
    unmeasured: 'again',
    unchanged: 'again',
  },
  develop: {
    green: 'good',
    still_red: 'again',
    trespassed: 'again',
    no_tests: 'again',
    not_collected: 'again',
    unmeasured: 'again',
    unchanged: 'again',
  },
  verify: { pass: 'good', fail: 'return', unverified: 'stop' },
  accept: { approved: 'good', not_approved: 'return' },
} as const satisfies Record<TaskPhase, Record<string, Meaning>>

/** Outcomes that every phase can have: the agent says what it is missing, or could not be asked at all. */
export const COMMON_OUTCOMES = ['blocked', 'failed'] as const

export type PhaseOutcome<P extends TaskPhase = TaskPhase> = { [K in P]: keyof (typeof OUTCOMES)[K] }[P]
export type Outcome = PhaseOutcome | (typeof COMMON_OUTCOMES)[number]

/** Null for an outcome that the phase cannot have. */
export function meaningOf(phase: TaskPhase, outcome: Outcome): Meaning | 'blocked' | null {
  if (outcome === 'blocked') return 'blocked'
  if (outcome === 'failed') return 'stop'
  const row: Partial<Record<Outcome, Meaning>> = OUTCOMES[phase]
  return row[outcome] ?? null
}
