import type { FailureType } from '../contracts/failures.js'
import type { ResultDocument } from '../contracts/run.js'

/** design.md, The CLI: 0 good end; 1 honest negative end; 2 the user's mistake; 3 the engine could not; 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 130

export const EXIT = { good: 0, negative: 1, mistake: 2, engine: 3, interrupted: 130 } as const satisfies Record<
  string,
  ExitCode
>

/** Which failure is the user's to mend; all others are the engine's. */
const MISTAKES: readonly string[] = ['Contract.Violated', 'Case.Incomplete'] satisfies FailureType[]

/** The verdicts that are what the person hoped for. All other honest verdicts are negative ends. */
const GOOD_VERDICTS: readonly string[] = [
  'report_ready',
  'submitted',
  'PASS',
  'approved',
  'accepted',
  'planned',
  'recommended',
  'reviewed',
]

export function exitCodeOfFailure(type: string): ExitCode {
  return MISTAKES.includes(type) ? EXIT.mistake : EXIT.engine
}

/** How `run`, `watch` and `result` exit for a run that is over. */
export function exitCodeOfRun({ status, verdict }: Pick<ResultDocument, 'status' | 'verdict'>): ExitCode {
  if (status === 'completed') return GOOD_VERDICTS.includes(verdict) ? EXIT.good : EXIT.negative
  return OTHER_ENDS[status]
}

const OTHER_ENDS = {
  aborted: EXIT.negative,
  canceled: EXIT.negative,
  failed: EXIT.engine,
  budget_exhausted: EXIT.engine,
} as const satisfies Record<Exclude<ResultDocument['status'], 'completed'>, ExitCode>
