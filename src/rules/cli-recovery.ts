import type { CirctOutcomes } from '../contracts/circt.js'
import { CIRCT_STEPS, type CirctStep } from './circt/schedule.js'

/** What each step reads of the others (seed 002's file table): without it, a step's own answer is not taken over either. */
const NEEDS: Record<CirctStep, readonly CirctStep[]> = {
  reproduce: [],
  root_cause_analysis: [],
  minimize: [],
  validate: ['minimize'],
  check_duplicates: ['root_cause_analysis'],
  generate_issue: ['reproduce', 'root_cause_analysis', 'minimize', 'validate', 'check_duplicates'],
}

/**
 * Of the steps whose answers and files are whole, those a new run may take over: what they were made from is there too, and they did answer
 * (an inconclusive reproduction or a search that could not run is worth another try).
 */
export function recoverableSteps(valid: CirctOutcomes): CirctOutcomes {
  const kept: CirctOutcomes = {}
  for (const step of CIRCT_STEPS) {
    const hasNeeds = NEEDS[step].every((need) => kept[need] !== undefined)
    if (valid[step] !== undefined && hasNeeds && didAnswer(step, valid)) Object.assign(kept, { [step]: valid[step] })
  }
  return kept
}

function didAnswer(step: CirctStep, { reproduce, check_duplicates }: CirctOutcomes): boolean {
  if (step === 'reproduce') return reproduce?.reproduced !== 'inconclusive'
  return step !== 'check_duplicates' || check_duplicates?.action !== 'unknown'
}
