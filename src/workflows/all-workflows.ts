/** The entry of the workflow bundle: what a worker can run. */
export { circtBugReport } from './circt-bug-report.js'
