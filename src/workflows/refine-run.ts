import type { RoleName } from '../contracts/agent.js'
import type { Dimension } from '../contracts/aggregate.js'
import type { RefineTechStack } from '../contracts/refine-answers.js'
import type { RefineInput } from '../contracts/refine.js'
import type { RefineProgress, RoundWork } from '../rules/refine/refine-progress.js'
import type { Asking } from './ask-role.js'
import type { Run } from './run.js'

/** The refine loop while it is under way. */
export interface RefineRun {
  run: Run
  input: RefineInput
  asking: Asking
  progress: RefineProgress
}

/** Rows of the run's list. Those of a round are used again in the next. */
export const REFINE_ROWS = [
  'tech stack',
  'code-writer',
  'security-reviewer',
  'quality-checker',
  'performance-analyzer',
  'aggregate',
  'best round',
] as const
export type RefineRow = (typeof REFINE_ROWS)[number]

export const REVIEWERS = {
  security: 'security-reviewer',
  quality: 'quality-checker',
  performance: 'performance-analyzer',
} as const satisfies Record<Dimension, RoleName & RefineRow>

/** Attempts and the clock of a row count within its round. */
export function renewRow({ run }: RefineRun, row: RefineRow): void {
  const step = run.state.steps.find(({ name }) => name === row)
  if (step === undefined) throw new Error(`step ${row} is not on the run's list`)
  step.attempt = 0
  step.started_at = null
}

/** Names a question to an agent: no two of a run share step and round, also when a person has a step tried again. */
export function stepName({ tries }: RefineProgress, step: string, round: number): string {
  const key = `${step}/${round}`
  const turn = (tries[key] ?? 0) + 1
  tries[key] = turn
  return turn === 1 ? step : `${step}-again-${turn - 1}`
}

export function stackOf({ stack }: RefineProgress): RefineTechStack {
  if (stack === null) throw new Error('the tech stack is not known yet')
  return stack
}

export function workOf({ work }: RefineProgress): RoundWork {
  if (work === null) throw new Error('no round is under way')
  return work
}
