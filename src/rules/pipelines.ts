import type { Pipeline } from '../contracts/run.js'

/** The workflow type behind each pipeline's word: what history, the UI and visibility call it. */
export const WORKFLOW_TYPES = {
  circt: 'circtBugReport',
  phase: 'phasePipeline',
  refine: 'refineLoop',
  review: 'codeReview',
  eval: 'multiRoundEval',
} as const satisfies Record<Pipeline, string>

/** '<pipeline>/<business key>'. */
export function workflowIdOf(pipeline: Pipeline, key: string): string {
  return `${pipeline}/${key}`
}
