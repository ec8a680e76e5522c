import type { StepStatus } from '../contracts/run.js'

/** One sign for each state of a step, the same on the terminal and in the Temporal UI. */
export const STEP_MARKS: Record<StepStatus, string> = {
  pending: '·',
  running: '▶',
  passed: '✔',
  failed: '✘',
  skipped: '–',
  unavailable: '?',
  canceled: '◼',
}
