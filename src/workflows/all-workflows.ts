/** The entry of the workflow bundle: what a worker can run. */
export { circtBugReport } from './circt-bug-report.js'
export { codeReview } from './code-review.js'
export { multiRoundEval } from './multi-round-eval.js'
export { refineLoop } from './refine-loop.js'
export { phasePipeline } from './phase-pipeline.js'
export { taskPhases } from './task-phases.js'
